/* Order in plans of many ranks: what must be ordered is, also between ranks, and what is taken is
 * given back. */
#include "tests/plan/rank-table.h"
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

enum { STEPS = 3 };

/* Plan order is one in which all could be done by one hand: a wait of this step points back. */
START_TEST(test_waits_point_back_to_nodes_of_their_step)
{
  guint held = 0;
  for (guint i = 0; i < rank_table_size(); i += rank_table_stride(17)) {
    RankPlan f;
    if (!rank_plan_open(&f, i, NULL))
      continue;
    const OlGraph *graph = f.plan->graph;
    for (guint id = 0; id < graph->nodes->len; id++) {
      const OlGraphNode *node = ol_graph_node(graph, id);
      const OlWait *waits = ol_graph_waits(graph, node->waits);
      for (guint k = 0; k < node->waits.n; k++) {
        const OlGraphNode *on = ol_graph_node(graph, waits[k].node);
        ck_assert_int_eq(on->part, node->part);
        ck_assert_uint_le(waits[k].steps_back, node->part == OL_PART_STEP);
        ck_assert_msg(waits[k].steps_back == 1 || waits[k].node < id, "%s: node %u waits for %u",
                      f.words, id, waits[k].node);
        for (guint step = 1; step < STEPS && ol_graph_node_is_in_step(node, step); step++)
          ck_assert_msg(ol_graph_node_is_in_step(on, step - waits[k].steps_back),
                        "%s: node %u of step %u waits for node %u, which is in another", f.words,
                        id, step, waits[k].node);
      }
    }
    rank_plan_close(&f);
    held++;
  }
  printf("held for %u plans\n", held);
  ck_assert_uint_gt(held, 500);
}
END_TEST

static gboolean acquires(const OlGraph *graph, const OlGraphNode *node, int buffer)
{
  const guint *list = ol_graph_buffer_list(graph, node->acquires);
  for (guint i = 0; i < node->acquires.n; i++)
    if ((int)list[i] == buffer)
      return TRUE;
  return FALSE;
}

/* Whether an op writes an operand, written down again. */
static gboolean writes(const OlPlan *plan, guint id, OlOperand operand)
{
  const OlGraphNode *node = ol_graph_node(plan->graph, id);
  OlOperands operands = ol_plan_operands(plan, id);
  const int *buffer = operands.buffer;
  switch (operand) {
  case OL_OPERAND_WEIGHTS:
    return node->op == OL_OP_UPDATE;
  case OL_OPERAND_GRADIENT:
    return node->op == OL_OP_BACKWARD || node->op == OL_OP_CAST;
  case OL_OPERAND_ACCUMULATOR:
    return node->op == OL_OP_ACCUMULATE;
  case OL_OPERAND_PROBABILITIES:
    return node->op != OL_OP_BACKWARD;
  case OL_OPERAND_NORMS:
    return node->op != OL_OP_UPDATE;
  case OL_OPERAND_TOKENS:
    return acquires(plan->graph, node, buffer[operand]);
  case OL_OPERAND_INPUT: /* a copy of what arrived */
    return node->op == OL_OP_FORWARD && buffer[OL_OPERAND_SOURCE] != OL_NONE;
  case OL_OPERAND_OUTPUT:
    return node->op == OL_OP_FORWARD;
  case OL_OPERAND_D_OUTPUT:
  case OL_OPERAND_SOURCE:
  case OL_OPERAND_SUMMED:
    return FALSE;
  default:
    return TRUE;
  }
}

/* One node of one step. */
typedef struct {
  guint node, step;
} Instance;

/* Some steps in a row. ended[i] is the set of instances that have ended when i ends. */
typedef struct {
  const OlPlan *plan;
  GArray *instances;
  guint *place;         /* [STEPS][nodes] */
  gsize words;          /* of a set */
  guint64 *begun_after; /* [instances][words]: ended before it begins */
  guint64 *ended;       /* [instances][words] */
} Unrolled;

static guint64 *set_of(const Unrolled *unrolled, guint64 *sets, guint i)
{
  return sets + i * unrolled->words;
}

static void add_set(const Unrolled *unrolled, guint64 *to, const guint64 *from)
{
  for (gsize w = 0; w < unrolled->words; w++)
    to[w] |= from[w];
}

static gboolean has(const guint64 *set, guint i)
{
  return set[i / 64] >> i % 64 & 1;
}

static void unroll(Unrolled *unrolled, const OlPlan *plan)
{
  guint n = plan->graph->nodes->len;
  *unrolled = (Unrolled){.plan = plan,
                         .instances = g_array_new(FALSE, FALSE, sizeof(Instance)),
                         .place = g_new(guint, STEPS * n)};
  for (guint step = 0; step < STEPS; step++)
    for (guint id = 0; id < n; id++) {
      if (!ol_graph_node_is_in_step(ol_graph_node(plan->graph, id), step))
        continue;
      Instance instance = {id, step};
      unrolled->place[step * n + id] = unrolled->instances->len;
      g_array_append_val(unrolled->instances, instance);
    }
  unrolled->words = (unrolled->instances->len + 63) / 64;
  unrolled->begun_after = g_new0(guint64, unrolled->instances->len * unrolled->words);
  unrolled->ended = g_new0(guint64, unrolled->instances->len * unrolled->words);
}

static void unrolled_clear(Unrolled *unrolled)
{
  g_array_unref(unrolled->instances);
  g_free(unrolled->place);
  g_free(unrolled->begun_after);
  g_free(unrolled->ended);
}

/* What has ended when instance i begins: its waits, and its lane's node before. */
static void find_begun_after(Unrolled *unrolled, guint i, const int *lane_last)
{
  const OlGraph *graph = unrolled->plan->graph;
  const Instance *instance = &g_array_index(unrolled->instances, Instance, i);
  const OlGraphNode *node = ol_graph_node(graph, instance->node);
  const OlWait *waits = ol_graph_waits(graph, node->waits);
  guint64 *set = set_of(unrolled, unrolled->begun_after, i);
  int last = lane_last[node->rank * OL_N_LANES + node->lane];
  if (last >= 0)
    add_set(unrolled, set, set_of(unrolled, unrolled->ended, (guint)last));
  for (guint k = 0; k < node->waits.n; k++)
    if (instance->step >= waits[k].steps_back) {
      guint step = instance->step - waits[k].steps_back;
      guint on = unrolled->place[step * graph->nodes->len + waits[k].node];
      add_set(unrolled, set, set_of(unrolled, unrolled->ended, on));
    }
}

/* Instances of a meeting end when all have begun; each has ended for its own rank alone. */
static void find_orders(Unrolled *unrolled)
{
  const OlGraph *graph = unrolled->plan->graph;
  g_autofree int *lane_last = g_new(int, graph->n_ranks *OL_N_LANES);
  for (guint i = 0; i < graph->n_ranks * OL_N_LANES; i++)
    lane_last[i] = -1;
  for (guint i = 0, n; i < unrolled->instances->len; i += n) {
    guint meeting = 0;
    for (n = 0; i + n < unrolled->instances->len; n++) {
      const Instance *instance = &g_array_index(unrolled->instances, Instance, i + n);
      const OlGraphNode *node = ol_graph_node(graph, instance->node);
      if (n > 0 && (meeting == 0 || node->meeting != meeting))
        break;
      meeting = node->meeting;
      find_begun_after(unrolled, i + n, lane_last);
    }
    for (guint k = i; k < i + n; k++) {
      const Instance *instance = &g_array_index(unrolled->instances, Instance, k);
      const OlGraphNode *node = ol_graph_node(graph, instance->node);
      guint64 *set = set_of(unrolled, unrolled->ended, k);
      for (guint other = i; other < i + n; other++)
        add_set(unrolled, set, set_of(unrolled, unrolled->begun_after, other));
      set[k / 64] |= G_GUINT64_CONSTANT(1) << k % 64;
      lane_last[node->rank * OL_N_LANES + node->lane] = (int)k;
    }
  }
}

/* A use of a buffer by an instance. */
typedef struct {
  guint instance;
  gboolean write;
} Use;

static GPtrArray *list_uses(const Unrolled *unrolled)
{
  GPtrArray *uses = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  for (guint i = 0; i < unrolled->plan->graph->buffers->len; i++)
    g_ptr_array_add(uses, g_array_new(FALSE, FALSE, sizeof(Use)));
  for (guint i = 0; i < unrolled->instances->len; i++) {
    guint id = g_array_index(unrolled->instances, Instance, i).node;
    OlOperands operands = ol_plan_operands(unrolled->plan, id);
    for (guint operand = 0; operand < OL_N_OPERANDS; operand++) {
      int buffer = operands.buffer[operand];
      if (buffer == OL_NONE)
        continue;
      Use use = {i, writes(unrolled->plan, id, operand)};
      g_array_append_val(g_ptr_array_index(uses, buffer), use);
    }
  }
  return uses;
}

/* Pairs of uses of a buffer that must be ordered, those of them between ranks, and those that are
 * not: the nodes of the last. */
typedef struct {
  guint all, between_ranks, unordered;
  guint earlier, later;
} Conflicts;

static void count_conflicts(const Unrolled *unrolled, const GArray *uses, Conflicts *conflicts)
{
  for (guint a = 0; a < uses->len; a++)
    for (guint b = 0; b < a; b++) {
      const Use *later = &g_array_index(uses, Use, a), *earlier = &g_array_index(uses, Use, b);
      if ((!later->write && !earlier->write) || later->instance == earlier->instance)
        continue;
      guint x = g_array_index(unrolled->instances, Instance, earlier->instance).node;
      guint y = g_array_index(unrolled->instances, Instance, later->instance).node;
      conflicts->all++;
      conflicts->between_ranks += ol_graph_node(unrolled->plan->graph, x)->rank !=
                                  ol_graph_node(unrolled->plan->graph, y)->rank;
      if (has(set_of(unrolled, unrolled->begun_after, later->instance), earlier->instance))
        continue;
      conflicts->unordered++;
      conflicts->earlier = x;
      conflicts->later = y;
    }
}

static Conflicts find_conflicts(const OlPlan *plan)
{
  Conflicts conflicts = {0};
  Unrolled unrolled;
  unroll(&unrolled, plan);
  find_orders(&unrolled);
  g_autoptr(GPtrArray) uses = list_uses(&unrolled);
  for (guint k = 0; k < uses->len; k++)
    count_conflicts(&unrolled, g_ptr_array_index(uses, k), &conflicts);
  unrolled_clear(&unrolled);
  return conflicts;
}

/* Whoever uses a buffer that another writes comes wholly before or after it: in the unrolled steps,
 * in that order. A slot that a neighbour fills is read before it is filled again. */
START_TEST(test_conflicts_are_ordered)
{
  guint held = 0, all = 0, between_ranks = 0;
  for (guint i = 0; i < rank_table_size(); i += rank_table_stride(131)) {
    RankPlan f;
    if (!rank_plan_open(&f, i, NULL))
      continue;
    Conflicts conflicts = find_conflicts(f.plan);
    ck_assert_msg(conflicts.unordered == 0, "%s: nodes %u and %u share a buffer but not an order",
                  f.words, conflicts.earlier, conflicts.later);
    all += conflicts.all;
    between_ranks += conflicts.between_ranks;
    rank_plan_close(&f);
    held++;
  }
  printf("held for %u plans, %u conflicts, %u between ranks\n", held, all, between_ranks);
  ck_assert_uint_gt(held, 70);
  ck_assert_uint_gt(between_ranks, 10000);
}
END_TEST

/* Without the waits of sends for other ranks' readers, or of receives for sends, the test above
 * fails. (With 1f1b, what a stage computes next mostly orders the former already.) */
START_TEST(test_dropped_waits_show)
{
  static const OlOp ops[] = {OL_OP_SEND, OL_OP_RECEIVE};
  for (guint i = 0; i < G_N_ELEMENTS(ops); i++) {
    RankPlan f;
    rank_plan_open_set(&f, (const char *const[]){"model.layers=4", "model.width=32",
                                                 "model.heads=2", "batch.micro_batches=4",
                                                 "parallel.pipeline=2", "parallel.schedule=gpipe",
                                                 "overlap.prefetch=1", NULL});
    ck_assert_uint_eq(find_conflicts(f.plan).unordered, 0);
    for (guint id = 0; id < f.plan->graph->nodes->len; id++) {
      OlGraphNode *node = &g_array_index(f.plan->graph->nodes, OlGraphNode, id);
      const OlWait *waits = ol_graph_waits(f.plan->graph, node->waits);
      /* The other rank's comes last. */
      if (node->op == ops[i] &&
          ol_graph_node(f.plan->graph, waits[node->waits.n - 1].node)->rank != node->rank)
        node->waits.n--;
    }
    ck_assert_uint_gt(find_conflicts(f.plan).unordered, 0);
    rank_plan_close(&f);
  }
}
END_TEST

START_TEST(test_transients_return)
{
  for (guint i = 0; i < rank_table_size(); i += rank_table_stride(17)) {
    RankPlan f;
    if (!rank_plan_open(&f, i, NULL))
      continue;
    const OlGraph *graph = f.plan->graph;
    g_autofree int *held = g_new0(int, graph->buffers->len);
    for (guint id = 0; id < graph->nodes->len; id++) {
      const OlGraphNode *node = ol_graph_node(graph, id);
      const guint *taken = ol_graph_buffer_list(graph, node->acquires);
      const guint *given = ol_graph_buffer_list(graph, node->releases);
      if (node->acquires.n + node->releases.n > 0)
        ck_assert_int_eq(node->lane, OL_LANE_COMPUTE);
      for (guint k = 0; k < node->acquires.n; k++) {
        ck_assert_uint_eq(ol_graph_buffer(graph, taken[k])->rank, node->rank);
        ck_assert_int_eq(held[taken[k]]++, 0);
      }
      for (guint k = 0; k < node->releases.n; k++)
        ck_assert_int_eq(held[given[k]]--, 1);
    }
    for (guint k = 0; k < graph->buffers->len; k++)
      ck_assert_int_eq(held[k], 0);
    rank_plan_close(&f);
  }
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("ranks-order");
  tcase_set_timeout(tests, 1200);
  tcase_add_test(tests, test_waits_point_back_to_nodes_of_their_step);
  tcase_add_test(tests, test_conflicts_are_ordered);
  tcase_add_test(tests, test_dropped_waits_show);
  tcase_add_test(tests, test_transients_return);
  return run_suite("ranks-order", tests);
}
