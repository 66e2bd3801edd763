/* A graph keeps what it is given, and names its nodes. */
#include "engine/base/graph.h"
#include "tests/suite.h"

/* embed, two blocks, head; a forward of block 1 and what follows from it. */
static OlGraph *new_small_graph(void)
{
  OlGraph *graph = ol_graph_new(1);
  ol_graph_add_unit(graph, "embed", 100);
  ol_graph_add_unit(graph, "block 0", 200);
  ol_graph_add_unit(graph, "block 1", 200);
  ol_graph_add_unit(graph, "head", 50);
  return graph;
}

static guint add(OlGraph *graph, OlOp op, OlLane lane, int unit, int micro_batch)
{
  OlGraphNode node = {.lane = lane,
                      .op = op,
                      .part = OL_PART_STEP,
                      .payload = OL_PAYLOAD_GRADIENTS,
                      .unit = unit,
                      .micro_batch = micro_batch};
  return ol_graph_add_node(graph, &node, NULL, 0, NULL, 0, NULL, 0);
}

START_TEST(ids_count_and_ranges_find_their_entries)
{
  g_autoptr(OlGraph) graph = new_small_graph();
  for (guint i = 0; i < 500; i++) {
    OlGraphBuffer buffer = {0, OL_TIER_HOST, OL_PAYLOAD_MASTER, OL_BUFFER_HOME, 4 * i};
    ck_assert_uint_eq(ol_graph_add_buffer(graph, &buffer), i);
    OlGraphNode node = {.unit = OL_NONE, .micro_batch = OL_NONE, .bytes = i};
    OlWait waits[] = {{i > 0 ? i - 1 : 0, i > 0 ? 0 : 1}, {i, 1}};
    guint acquires[] = {i}, releases[] = {i, i / 2, 0};
    guint id = ol_graph_add_node(graph, &node, waits, i % 3, acquires, i % 2, releases, i % 4);
    ck_assert_uint_eq(id, i);
  }
  for (guint i = 0; i < 500; i++) {
    const OlGraphNode *node = ol_graph_node(graph, i);
    ck_assert_uint_eq(node->bytes, i);
    ck_assert_uint_eq(node->waits.n, i % 3);
    ck_assert_uint_eq(node->acquires.n, i % 2);
    ck_assert_uint_eq(node->releases.n, i % 4);
    if (i % 3 == 2)
      ck_assert_uint_eq(ol_graph_waits(graph, node->waits)[1].node, i);
    if (i % 2 == 1)
      ck_assert_uint_eq(ol_graph_buffer_list(graph, node->acquires)[0], i);
    if (i % 4 == 3)
      ck_assert_uint_eq(ol_graph_buffer_list(graph, node->releases)[1], i / 2);
    ck_assert_uint_eq(ol_graph_buffer(graph, i)->bytes, 4 * i);
  }
}
END_TEST

START_TEST(names_are_copied)
{
  g_autoptr(OlGraph) graph = ol_graph_new(2);
  char name[] = "embed";
  ck_assert_uint_eq(ol_graph_add_unit(graph, name, 7), 0);
  name[0] = 'X';
  ck_assert_str_eq(ol_graph_unit(graph, 0)->name, "embed");
  ck_assert_uint_eq(ol_graph_unit(graph, 0)->parameters, 7);
  ck_assert_uint_eq(graph->n_ranks, 2);
}
END_TEST

START_TEST(a_reference_keeps_it_alive)
{
  OlGraph *graph = new_small_graph();
  g_autoptr(OlGraph) kept = ol_graph_ref(graph);
  ol_graph_unref(graph);
  ck_assert_str_eq(ol_graph_unit(kept, 3)->name, "head");
}
END_TEST

static const struct {
  OlOp op;
  OlLane lane;
  int unit, micro_batch;
  const char *label, *title;
} nodes[] = {
    {OL_OP_FORWARD, OL_LANE_COMPUTE, 0, 0, "FE", "Forward of embed, micro-batch 0"},
    {OL_OP_FORWARD, OL_LANE_COMPUTE, 2, 1, "F1", "Forward of block 1, micro-batch 1"},
    {OL_OP_BACKWARD, OL_LANE_COMPUTE, 3, 0, "BH", "Backward of head, micro-batch 0"},
    {OL_OP_UPDATE, OL_LANE_HOST_UPDATE, 1, OL_NONE, "U0", "Update of block 0"},
    {OL_OP_COPY, OL_LANE_GPU_TO_HOST, 1, OL_NONE, "0",
     "Copy gradients of block 0, GPU \u2192 host"},
    {OL_OP_FILL, OL_LANE_COMPUTE, OL_NONE, OL_NONE, "fill", "Fill gradients"},
};

START_TEST(nodes_have_names)
{
  g_autoptr(OlGraph) graph = new_small_graph();
  guint id = add(graph, nodes[_i].op, nodes[_i].lane, nodes[_i].unit, nodes[_i].micro_batch);
  g_autofree char *label = ol_graph_dup_node_label(graph, id);
  g_autofree char *title = ol_graph_dup_node_title(graph, id);
  ck_assert_str_eq(label, nodes[_i].label);
  ck_assert_str_eq(title, nodes[_i].title);
}
END_TEST

START_TEST(kinds_round_trip)
{
  for (int kind = 0; kind < OL_N_BUFFER_KINDS; kind++)
    ck_assert_int_eq(ol_buffer_kind_from_nick(ol_buffer_kind_nick(kind), -1), kind);
  ck_assert_int_eq(ol_buffer_kind_from_nick("slots", 4), OL_BUFFER_SLOT);
  ck_assert_int_eq(ol_buffer_kind_from_nick("house", -1), -1);
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("graph");
  tcase_add_test(tcase, ids_count_and_ranges_find_their_entries);
  tcase_add_test(tcase, names_are_copied);
  tcase_add_test(tcase, a_reference_keeps_it_alive);
  tcase_add_loop_test(tcase, nodes_have_names, 0, G_N_ELEMENTS(nodes));
  tcase_add_test(tcase, kinds_round_trip);
  return run_suite("graph", tcase);
}
