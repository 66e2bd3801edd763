/* Critical paths that can be read off by eye. */
#include "engine/trace/critical-path.h"
#include "tests/trace/hand-trace.h"
#include "tests/trace/sample-trace.h"

#include <check.h>
#include <stdlib.h>

static void path_is(const OlTrace *trace, int step, const guint *nodes, guint n)
{
  g_autoptr(GArray) path = ol_critical_path(trace, step);
  ck_assert_uint_eq(path->len, n);
  for (guint i = 0; i < n; i++)
    ck_assert_uint_eq(ol_trace_span(trace, g_array_index(path, guint, i))->node, nodes[i]);
}

/* Two branches join: the later one counts, whichever wait is written first. */
START_TEST(the_later_wait_counts)
{
  OlGraph *graph = ol_graph_new(1);
  ol_graph_add_unit(graph, "block 0", 1);
  hand_node(graph, 0, OL_LANE_COMPUTE, OL_OP_FORWARD, AT_ONCE);
  hand_node(graph, 0, OL_LANE_GPU_TO_HOST, OL_OP_COPY, AFTER(0));
  hand_node(graph, 0, OL_LANE_HOST_TO_GPU, OL_OP_COPY, AFTER(0));
  hand_node(graph, 0, OL_LANE_HOST_UPDATE, OL_OP_UPDATE, AFTER(1, 2));
  g_autoptr(OlTrace) trace = hand_trace(graph);
  hand_span(trace, 0, 0, 0, 10, 0);
  hand_span(trace, 1, 0, 10, 15, 0);
  hand_span(trace, 2, 0, 10, 30, 0);
  hand_span(trace, 3, 0, 30, 40, 0);
  hand_span(trace, 0, 1, 40, 50, 0);
  hand_span(trace, 1, 1, 50, 80, 0);
  hand_span(trace, 2, 1, 50, 60, 0);
  hand_span(trace, 3, 1, 80, 90, 0);
  path_is(trace, 0, (guint[]){0, 2, 3}, 3);
  path_is(trace, 1, (guint[]){0, 1, 3}, 3);
  path_is(trace, 2, NULL, 0);
}
END_TEST

/* A node that waited for its lane, not for its input. */
START_TEST(the_lane_counts_too)
{
  OlGraph *graph = ol_graph_new(1);
  ol_graph_add_unit(graph, "block 0", 1);
  hand_node(graph, 0, OL_LANE_COMPUTE, OL_OP_BACKWARD, AT_ONCE);
  hand_node(graph, 0, OL_LANE_GPU_TO_HOST, OL_OP_COPY, AFTER(0));
  hand_node(graph, 0, OL_LANE_COMPUTE, OL_OP_BACKWARD, AT_ONCE);
  hand_node(graph, 0, OL_LANE_GPU_TO_HOST, OL_OP_COPY, AFTER(2));
  g_autoptr(OlTrace) trace = hand_trace(graph);
  /* Written in the order they ended. */
  hand_span(trace, 0, 0, 0, 10, 0);
  hand_span(trace, 2, 0, 10, 20, 0);
  hand_span(trace, 1, 0, 10, 50, 0);
  hand_span(trace, 3, 0, 50, 90, 0);
  path_is(trace, 0, (guint[]){0, 1, 3}, 3);
}
END_TEST

static void meet(OlGraph *graph, guint node, guint meeting)
{
  g_array_index(graph->nodes, OlGraphNode, node).meeting = meeting;
}

/* Rank 0 comes early to what two ranks do together: rank 1's compute is to blame, not the link. */
START_TEST(the_last_to_come_counts)
{
  OlGraph *graph = ol_graph_new(2);
  ol_graph_add_unit(graph, "block 0", 1);
  hand_node(graph, 0, OL_LANE_COMPUTE, OL_OP_BACKWARD, AT_ONCE);
  hand_node(graph, 1, OL_LANE_COMPUTE, OL_OP_BACKWARD, AT_ONCE);
  meet(graph, hand_node(graph, 0, OL_LANE_PEER, OL_OP_ALL_REDUCE, AFTER(0)), 1);
  meet(graph, hand_node(graph, 1, OL_LANE_PEER, OL_OP_ALL_REDUCE, AFTER(1)), 1);
  hand_node(graph, 0, OL_LANE_COMPUTE, OL_OP_UPDATE, AFTER(2));
  g_autoptr(OlTrace) trace = hand_trace(graph);
  hand_span(trace, 0, 0, 0, 10, 0);
  hand_span(trace, 1, 0, 0, 40, 0);
  hand_span(trace, 2, 0, 10, 50, 0);
  hand_span(trace, 3, 0, 40, 50, 0);
  hand_span(trace, 4, 0, 50, 90, 0);
  path_is(trace, 0, (guint[]){1, 3, 4}, 3);
}
END_TEST

/* Damaged times that run in a circle must come to an end. */
START_TEST(a_circle_ends)
{
  OlGraph *graph = ol_graph_new(1);
  ol_graph_add_unit(graph, "block 0", 1);
  hand_node(graph, 0, OL_LANE_COMPUTE, OL_OP_FORWARD, AT_ONCE);
  hand_node(graph, 0, OL_LANE_COMPUTE, OL_OP_BACKWARD, AFTER(0));
  g_autoptr(OlTrace) trace = hand_trace(graph);
  hand_span(trace, 1, 0, 0, 10, 0); /* waits for node 0, but came before it on the lane */
  hand_span(trace, 0, 0, 10, 20, 0);
  g_autoptr(GArray) path = ol_critical_path(trace, 0);
  ck_assert_uint_le(path->len, 2);
}
END_TEST

/* In a serial run everything is on the path, without a gap. */
START_TEST(a_serial_step_is_its_own_path)
{
  g_autoptr(OlTrace) trace = sample_trace_new(&(SampleOptions){.serial = TRUE});
  const OlStep *step = ol_trace_step(trace, 1);
  g_autoptr(GArray) path = ol_critical_path(trace, 1);
  gint64 length = 0, at = step->begin_ns;
  for (guint i = 0; i < path->len; i++) {
    const OlSpan *span = ol_trace_span(trace, g_array_index(path, guint, i));
    ck_assert_int_eq(span->begin_ns, at);
    at = span->end_ns;
    length += span->end_ns - span->begin_ns;
  }
  ck_assert_uint_eq(path->len, 8 * (1 + 4)); /* a forward, and backward, copy, update, copy */
  ck_assert_int_eq(length, step->end_ns - step->begin_ns);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("critical-path");
  TCase *tests = tcase_create("critical-path");
  tcase_add_test(tests, the_later_wait_counts);
  tcase_add_test(tests, the_lane_counts_too);
  tcase_add_test(tests, the_last_to_come_counts);
  tcase_add_test(tests, a_circle_ends);
  tcase_add_test(tests, a_serial_step_is_its_own_path);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
