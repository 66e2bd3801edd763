/* What ranks of a plan do together: who meets lies side by side, every message arrives, replicas
 * are alike. */
#include "tests/plan/rank-table.h"
#include "tests/suite.h"

/* Who meets lies side by side: one node of each rank of a group. */
START_TEST(test_meetings)
{
  for (guint i = 0; i < rank_table_size(); i += rank_table_stride(23)) {
    RankPlan f;
    if (!rank_plan_open(&f, i, NULL))
      continue;
    const OlGraph *graph = f.plan->graph;
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint id = 0, n; id < graph->nodes->len; id += n) {
      const OlGraphNode *node = ol_graph_node(graph, id);
      for (n = 1; node->meeting != 0 && id + n < graph->nodes->len &&
                  ol_graph_node(graph, id + n)->meeting == node->meeting;
           n++)
        ck_assert_int_eq(ol_graph_node(graph, id + n)->op, node->op);
      if (node->meeting == 0)
        continue;
      gboolean all = node->unit == OL_NONE; /* only the norm is everybody's */
      gboolean slices = node->payload == OL_PAYLOAD_ACTIVATIONS;
      ck_assert_int_eq(node->group, all      ? OL_GROUP_WORLD
                                    : slices ? OL_GROUP_TENSOR
                                             : OL_GROUP_DATA);
      ck_assert_uint_eq(n, all      ? graph->n_ranks
                           : slices ? f.config->parallel.tensor
                                    : f.config->parallel.data);
      ck_assert(g_hash_table_add(seen, GUINT_TO_POINTER(node->meeting)));
      guint64 ranks = 0;
      for (guint k = 0; k < n; k++) {
        guint rank = ol_graph_node(graph, id + k)->rank;
        ck_assert(!(ranks >> rank & 1));
        ck_assert(all || (rank - node->rank) % (slices ? 1 : graph->n_ranks / n) == 0);
        ck_assert(!slices || rank / n == node->rank / n);
        ranks |= G_GUINT64_CONSTANT(1) << rank;
      }
    }
    rank_plan_close(&f);
  }
}
END_TEST

/* Every message that is sent is received, once, in the slot that the receiver reads. */
START_TEST(test_messages_arrive)
{
  for (guint i = 0; i < rank_table_size(); i += rank_table_stride(17)) {
    RankPlan f;
    if (!rank_plan_open(&f, i, NULL))
      continue;
    const OlGraph *graph = f.plan->graph;
    guint sends = 0, receives = 0;
    for (guint id = 0; id < graph->nodes->len; id++) {
      const OlGraphNode *node = ol_graph_node(graph, id);
      sends += node->op == OL_OP_SEND;
      if (node->op != OL_OP_RECEIVE)
        continue;
      receives++;
      guint from = 0;
      const OlWait *waits = ol_graph_waits(graph, node->waits);
      for (guint k = 0; k < node->waits.n; k++) {
        const OlGraphNode *send = ol_graph_node(graph, waits[k].node);
        if (send->op != OL_OP_SEND || send->rank == node->rank)
          continue;
        from++;
        ck_assert_int_eq(send->unit, node->unit);
        ck_assert_int_eq(send->micro_batch, node->micro_batch);
        ck_assert_int_eq(send->payload, node->payload);
        ck_assert_int_eq(send->steps, node->steps);
        ck_assert_int_eq(ol_plan_operands(f.plan, waits[k].node).buffer[OL_OPERAND_TARGET],
                         ol_plan_operands(f.plan, id).buffer[OL_OPERAND_TARGET]);
        /* Stages beside each other, and with chunks the last and the first; data replicas and
         * slices keep to themselves. */
        guint slices = f.config->parallel.tensor, sheet = f.config->parallel.pipeline * slices;
        guint apart = node->payload == OL_PAYLOAD_GRADIENTS ? send->rank + sheet - node->rank
                                                            : node->rank + sheet - send->rank;
        ck_assert_uint_eq(apart % sheet, slices % sheet);
        ck_assert(apart == sheet + slices || f.config->parallel.chunks > 1);
        ck_assert_uint_eq(ol_plan_data_index(f.config, send->rank),
                          ol_plan_data_index(f.config, node->rank));
      }
      ck_assert_uint_eq(from, 1);
    }
    ck_assert_uint_eq(sends, receives);
    guint kinds = f.config->overlap.order == OL_UNIT_ORDER_ALTERNATE ? 2 : 1;
    guint hops = f.config->parallel.pipeline * f.config->parallel.chunks - 1;
    ck_assert_uint_eq(sends, kinds * 2 * f.config->parallel.data * f.config->parallel.tensor *
                                 hops * f.config->batch.micro_batches);
    rank_plan_close(&f);
  }
}
END_TEST

/* Data replicas do the same in the same places; only what is sharded unevenly moves other bytes. */
START_TEST(test_replicas_are_alike)
{
  for (guint i = 0; i < rank_table_size(); i += rank_table_stride(23)) {
    RankPlan f;
    if (!rank_plan_open(&f, i, NULL))
      continue;
    const OlGraph *graph = f.plan->graph;
    guint data = f.config->parallel.data, stages = graph->n_ranks / data;
    g_autofree guint *nodes = g_new0(guint, graph->n_ranks);
    g_autofree guint64 *addresses = g_new0(guint64, graph->n_ranks);
    for (guint id = 0; id < graph->nodes->len; id++)
      nodes[ol_graph_node(graph, id)->rank]++;
    for (guint k = 0; k < graph->buffers->len; k++)
      addresses[ol_graph_buffer(graph, k)->rank] =
          addresses[ol_graph_buffer(graph, k)->rank] * 31 + f.plan->offset[k];
    for (guint rank = stages; rank < graph->n_ranks; rank++) {
      ck_assert_uint_eq(nodes[rank], nodes[rank % stages]);
      ck_assert_uint_eq(addresses[rank], addresses[rank % stages]);
    }
    rank_plan_close(&f);
  }
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("ranks-meetings");
  tcase_set_timeout(tests, 1200);
  tcase_add_test(tests, test_meetings);
  tcase_add_test(tests, test_messages_arrive);
  tcase_add_test(tests, test_replicas_are_alike);
  return run_suite("ranks-meetings", tests);
}
