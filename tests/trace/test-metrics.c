/* Metrics of traces made by hand against figures worked out on paper. */
#include "engine/trace/metrics.h"
#include "tests/suite.h"
#include "tests/trace/hand-trace.h"
#include "tests/trace/sample-trace.h"

#include <math.h>

static double number(const OlMetrics *metrics, const char *path)
{
  double value;
  ck_assert_msg(ol_metrics_path_is_known(path), "%s is not known", path);
  ck_assert_msg(ol_metrics_get_number(metrics, path, &value), "%s is absent", path);
  return value;
}

static void is(const OlMetrics *metrics, const char *path, double expected)
{
  double value = number(metrics, path);
  ck_assert_msg(fabs(value - expected) <= 1e-12 * fmax(1, fabs(expected)), "%s is %.17g, not %.17g",
                path, value, expected);
}

static void is_absent(const OlMetrics *metrics, const char *path)
{
  double value;
  ck_assert_msg(!ol_metrics_get_number(metrics, path, &value), "%s is there: %g", path, value);
  ck_assert_msg(!ol_metrics_get_text(metrics, path), "%s is there", path);
}

static void is_text(const OlMetrics *metrics, const char *path, const char *expected)
{
  ck_assert_msg(ol_metrics_path_is_known(path), "%s is not known", path);
  ck_assert_pstr_eq(ol_metrics_get_text(metrics, path), expected);
}

START_TEST(times_are_means_over_all_steps_but_the_first)
{
  g_autoptr(OlTrace) trace = hand_loop();
  hand_play_loop(trace);
  ol_trace_set_number(trace, "tokens.per_step", 110);
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  is(metrics, "step.seconds", 0.055); /* (210 - 100) / 2 */
  is(metrics, "tokens.per_second", 2000);
  is(metrics, "busy.compute", 0.030);
  is(metrics, "busy.gpu_to_host", 0.0175); /* (15 + 20) / 2 */
  is(metrics, "busy.host_to_gpu", 0.0075); /* (5 + 10) / 2 */
  is(metrics, "busy.host_update", 0.010);
  is(metrics, "busy.nvme_read", 0);
  is(metrics, "exposed.gpu_to_host", 0.0075); /* 130…135 and 180…190 */
  is(metrics, "exposed.host_update", 0.010);
  is(metrics, "exposed.host_to_gpu", 0.0075);
  is(metrics, "exposed.seconds", 0.025);     /* 130…150 and 180…210 */
  is(metrics, "hidden.fraction", 20.0 / 50); /* 120…130 and 170…180 of 15 + 20 + 5 + 10 */
  is(metrics, "bubble.fraction", 0);
  is(metrics, "critical.compute", (30.0 / 60 + 30.0 / 70) / 2);
  is(metrics, "critical.gpu_to_host", (15.0 / 60 + 20.0 / 70) / 2);
  is(metrics, "critical.host_update", (10.0 / 60 + 10.0 / 70) / 2);
  is(metrics, "critical.host_to_gpu", (5.0 / 60 + 10.0 / 70) / 2);
  is(metrics, "critical.peer", 0);
}
END_TEST

START_TEST(totals_take_in_fill_and_hash)
{
  g_autoptr(OlTrace) trace = hand_loop();
  hand_play_loop(trace);
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  is(metrics, "moved.gpu_to_host", 42);
  is(metrics, "moved.host_to_gpu", 30);
  is(metrics, "moved.compute", 0);
  is(metrics, "total.moved.gpu_to_host", 40 + 40 + 44 + 7);
  is(metrics, "total.moved.host_to_gpu", 100 + 3 * 30);
  is(metrics, "count.forward", 1);
  is(metrics, "count.copy", 2);
  is(metrics, "count.fill", 1);
  is(metrics, "count.hash", 1);
  is(metrics, "count.cast", 0);
}
END_TEST

/* Equal bytes in each of many steps are those bytes, to the last bit. */
START_TEST(bytes_stay_whole)
{
  double bytes;
  g_autoptr(OlTrace) trace = hand_loop();
  for (guint step = 0; step < 1000; step++) {
    hand_span(trace, LOOP_DOWN, step, step, step + 1, 2424832);
    hand_step(trace, step, step, step + 1, 1);
  }
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  ck_assert(ol_metrics_get_number(metrics, "moved.gpu_to_host", &bytes));
  ck_assert_double_eq(bytes, 2424832);
}
END_TEST

START_TEST(a_single_step_counts_itself)
{
  g_autoptr(OlTrace) trace = hand_loop();
  hand_span(trace, LOOP_FORWARD, 0, 10, 50, 0);
  hand_span(trace, LOOP_BACKWARD, 0, 50, 70, 0);
  hand_span(trace, LOOP_DOWN, 0, 60, 80, 40);
  hand_step(trace, 0, 10, 80, 4);
  /* Of a step that has not ended nothing counts. */
  hand_span(trace, LOOP_FORWARD, 1, 80, 500, 0);
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  is(metrics, "step.seconds", 0.070);
  is(metrics, "busy.compute", 0.060);
  is(metrics, "hidden.fraction", 0.5);
  is(metrics, "moved.gpu_to_host", 40);
  is_absent(metrics, "outcome");
}
END_TEST

START_TEST(unknown_is_absent_and_never_zero)
{
  g_autoptr(OlTrace) trace = hand_loop();
  g_autoptr(OlMetrics) empty = ol_metrics_new(trace);
  static const char *const none[] = {
      "step.seconds",   "busy.compute",   "hidden.fraction",
      "peak.gpu.total", "home.gpu.total", "moved.peer",
      "loss.first",     "loss.all",       "weights.hash",
      "late",           "outcome",        "state.bytes_per_parameter",
      "largest.gpu",    "count.forward",  "bubble.fraction",
      "critical.peer",  "peak.gpu.arena", "step.seconds_there"};
  for (guint i = 0; i < G_N_ELEMENTS(none); i++)
    is_absent(empty, none[i]);
  is(empty, "total.moved.peer", 0);
  /* A step with compute alone has nothing that could be hidden, and a simulated one no loss. */
  hand_span(trace, LOOP_FORWARD, 0, 0, 50, 0);
  hand_step(trace, 0, 0, 50, NAN);
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  is_absent(metrics, "hidden.fraction");
  is_absent(metrics, "bubble.fraction"); /* no backward */
  is_absent(metrics, "loss.last");
  is_absent(metrics, "loss.all");
  is_absent(metrics, "tokens.per_second");
  is(metrics, "critical.compute", 1);
}
END_TEST

START_TEST(a_touched_run_has_no_times)
{
  g_autoptr(OlTrace) trace = hand_loop();
  hand_play_loop(trace);
  trace->touched = TRUE;
  ol_trace_set_number(trace, "late", 0.01);
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  guint n;
  g_autofree const char **paths = ol_metrics_get_paths(metrics, &n);
  ck_assert_uint_gt(n, 0);
  for (guint i = 0; i < n; i++)
    ck_assert_msg(ol_metrics_measure(paths[i]) != OL_MEASURE_SECONDS &&
                      ol_metrics_measure(paths[i]) != OL_MEASURE_FRACTION,
                  "%s", paths[i]);
  is(metrics, "moved.gpu_to_host", 42);
  is(metrics, "loss.last", 0.1);
}
END_TEST

START_TEST(losses_and_facts)
{
  g_autoptr(OlTrace) trace = hand_loop();
  hand_play_loop(trace);
  ol_trace_set_text(trace, "weights.hash", "9c01d2e3f4a5b697");
  ol_trace_set_number(trace, "late", 0.0123);
  ol_trace_set_number(trace, "step.seconds_there", 0.71);
  ol_trace_end(trace, OL_OUTCOME_OUT_OF_MEMORY, NULL, NULL);
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  is(metrics, "loss.first", 4);
  is(metrics, "loss.last", 0.1);
  is_text(metrics, "loss.all", "4 2.5 0.10000000000000001");
  is_text(metrics, "weights.hash", "9c01d2e3f4a5b697");
  is_text(metrics, "outcome", "out_of_memory");
  is(metrics, "late", 0.0123);
  is(metrics, "step.seconds_there", 0.71);
}
END_TEST

/* GPipe on p ranks with m micro-batches and equal times: the bubble is (p-1)/(m+p-1) (Huang et al.,
 * GPipe, 2019, section 2.3). */
static double pipeline_bubble(guint p, guint m)
{
  OlGraph *graph = ol_graph_new(p);
  ol_graph_add_unit(graph, "block 0", 10);
  for (guint rank = 0; rank < p; rank++) {
    hand_node(graph, rank, OL_LANE_COMPUTE, OL_OP_FORWARD, AT_ONCE);
    hand_node(graph, rank, OL_LANE_COMPUTE, OL_OP_BACKWARD, AT_ONCE);
    hand_node(graph, rank, OL_LANE_COMPUTE, OL_OP_UPDATE, AT_ONCE);
  }
  g_autoptr(OlTrace) trace = hand_trace(graph);
  guint turn = m + p - 1;
  for (guint rank = 0; rank < p; rank++)
    for (guint i = 0; i < m; i++) {
      guint back = turn + (p - 1 - rank) + i;
      hand_span(trace, 3 * rank, 0, rank + i, rank + i + 1, 0);
      hand_span(trace, 3 * rank + 1, 0, back, back + 1, 0);
    }
  /* Compute after the last backward fills no bubble. */
  hand_span(trace, 2, 0, 2 * turn, 2 * turn + 50, 0);
  hand_step(trace, 0, 0, 2 * turn + 50, 1);
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  return number(metrics, "bubble.fraction");
}

START_TEST(bubble_has_its_closed_form)
{
  for (guint p = 1; p <= 4; p++)
    for (guint m = 1; m <= 16; m *= 4)
      ck_assert_double_eq_tol(pipeline_bubble(p, m), (p - 1.0) / (m + p - 1.0), 1e-12);
}
END_TEST

START_TEST(memory_peaks_and_homes)
{
  OlGraph *graph = ol_graph_new(1);
  ol_graph_add_unit(graph, "embed", 60);
  ol_graph_add_unit(graph, "block 0", 40);
  OlTier gpu = OL_TIER_GPU, host = OL_TIER_HOST;
  hand_buffer(graph, 0, gpu, OL_PAYLOAD_WEIGHTS, OL_BUFFER_HOME, 200);
  hand_buffer(graph, 0, gpu, OL_PAYLOAD_GRADIENTS, OL_BUFFER_HOME, 200);
  hand_buffer(graph, 0, host, OL_PAYLOAD_MASTER, OL_BUFFER_HOME, 400);
  hand_buffer(graph, 0, host, OL_PAYLOAD_MOMENT1, OL_BUFFER_HOME, 400);
  hand_buffer(graph, 0, host, OL_PAYLOAD_MOMENT2, OL_BUFFER_HOME, 400);
  hand_buffer(graph, 0, host, OL_PAYLOAD_GRADIENTS, OL_BUFFER_SLOT, 50);
  guint a = hand_buffer(graph, 0, gpu, OL_PAYLOAD_ACTIVATIONS, OL_BUFFER_TRANSIENT, 300);
  guint b = hand_buffer(graph, 0, gpu, OL_PAYLOAD_ACTIVATIONS, OL_BUFFER_TRANSIENT, 150);
  hand_buffer(graph, 0, gpu, OL_PAYLOAD_MASTER, OL_BUFFER_HOME, 999); /* never acquired */
  g_autoptr(OlTrace) trace = hand_trace(graph);
  for (guint i = 0; i < a; i++)
    hand_change(trace, 0, i, ol_graph_buffer(graph, i)->bytes);
  hand_change(trace, 1, a, 300);
  hand_change(trace, 2, a, -300);
  hand_change(trace, 2, b, 150); /* at the same moment, but after it: they never meet */
  hand_change(trace, 3, b, -150);
  hand_change(trace, 9, 0, -200); /* a home given back at the end was a home all the same */
  hand_change(trace, 9, 0, 200);
  ol_trace_set_number(trace, "arena.gpu", 1024);
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  is(metrics, "peak.gpu.total", 700);
  is(metrics, "peak.gpu.activations", 300);
  is(metrics, "peak.gpu.weights", 200);
  is(metrics, "peak.gpu.arena", 1024);
  is(metrics, "peak.gpu.master", 0);
  is(metrics, "peak.host.total", 1250);
  is(metrics, "peak.host.gradients", 50);
  is(metrics, "home.host.gradients", 0);
  is(metrics, "home.gpu.total", 400);
  is(metrics, "home.gpu.activations", 0);
  is(metrics, "home.host.total", 1200);
  is(metrics, "home.nvme.total", 0);
  is(metrics, "state.bytes_per_parameter", 12);
  is(metrics, "weights.bytes_per_parameter", 2);
  is(metrics, "gradients.bytes_per_parameter", 2);
  is(metrics, "total.bytes_per_parameter", 16);
  is_text(metrics, "largest.gpu", "activations");
  is_text(metrics, "largest.host", "master");
  is_absent(metrics, "largest.nvme");
  is_absent(metrics, "peak.host.arena");
}
END_TEST

START_TEST(ranks_the_largest_and_the_sum)
{
  OlGraph *graph = ol_graph_new(2);
  ol_graph_add_unit(graph, "block 0", 100);
  guint small = hand_buffer(graph, 0, OL_TIER_GPU, OL_PAYLOAD_WEIGHTS, OL_BUFFER_HOME, 50);
  guint large = hand_buffer(graph, 1, OL_TIER_GPU, OL_PAYLOAD_WEIGHTS, OL_BUFFER_HOME, 150);
  hand_node(graph, 0, OL_LANE_PEER, OL_OP_COPY, AT_ONCE);
  hand_node(graph, 1, OL_LANE_PEER, OL_OP_COPY, AT_ONCE);
  hand_node(graph, 1, OL_LANE_COMPUTE, OL_OP_FORWARD, AT_ONCE);
  g_autoptr(OlTrace) trace = hand_trace(graph);
  hand_change(trace, 0, small, 50);
  hand_change(trace, 0, large, 150);
  hand_span(trace, 0, 0, 0, 10, 5);
  hand_span(trace, 1, 0, 0, 30, 7);
  hand_span(trace, 2, 0, 10, 20, 0); /* hides the copies of its own rank alone */
  hand_step(trace, 0, 0, 30, 1);
  ol_trace_set_number(trace, "rank.1.arena.gpu", 160);
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  is(metrics, "home.gpu.weights", 150);
  is(metrics, "all.home.gpu.weights", 200);
  is(metrics, "rank.0.home.gpu.weights", 50);
  is(metrics, "rank.1.home.gpu.weights", 150);
  is_absent(metrics, "rank.2.home.gpu.weights");
  is(metrics, "weights.bytes_per_parameter", 1.5);
  is(metrics, "all.weights.bytes_per_parameter", 2);
  is(metrics, "busy.peer", 0.030);
  is(metrics, "all.busy.peer", 0.040);
  is(metrics, "rank.0.exposed.peer", 0.010);
  is(metrics, "rank.1.exposed.peer", 0.020);
  is(metrics, "exposed.seconds", 0.020);
  is(metrics, "all.moved.peer", 12);
  is(metrics, "hidden.fraction", 10.0 / 40);
  is(metrics, "rank.1.peak.gpu.arena", 160);
  is(metrics, "peak.gpu.arena", 160);
  is_absent(metrics, "all.peak.gpu.arena"); /* one rank's is unknown */
  is(metrics, "all.count.copy", 2);
}
END_TEST

/* The overlapped sample hides transfers, the serial one none; nothing else differs. */
START_TEST(overlap_shows)
{
  g_autoptr(OlTrace) overlapped = sample_trace_new(NULL);
  g_autoptr(OlTrace) serial = sample_trace_new(&(SampleOptions){.serial = TRUE});
  g_autoptr(OlMetrics) a = ol_metrics_new(overlapped);
  g_autoptr(OlMetrics) b = ol_metrics_new(serial);
  is(b, "hidden.fraction", 0);
  ck_assert_double_gt(number(a, "hidden.fraction"), 0.3);
  ck_assert_double_gt(number(b, "step.seconds"), 1.3 * number(a, "step.seconds"));
  is(a, "moved.gpu_to_host", number(b, "moved.gpu_to_host"));
  is(a, "peak.host.total", number(b, "peak.host.total"));
  is(a, "state.bytes_per_parameter", 12);
  /* Serial: all that is not compute is exposed, and together they make the step. */
  is(b, "step.seconds", number(b, "busy.compute") + number(b, "exposed.seconds"));
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("metrics");
  tcase_add_test(tests, times_are_means_over_all_steps_but_the_first);
  tcase_add_test(tests, totals_take_in_fill_and_hash);
  tcase_add_test(tests, bytes_stay_whole);
  tcase_add_test(tests, a_single_step_counts_itself);
  tcase_add_test(tests, unknown_is_absent_and_never_zero);
  tcase_add_test(tests, a_touched_run_has_no_times);
  tcase_add_test(tests, losses_and_facts);
  tcase_add_test(tests, bubble_has_its_closed_form);
  tcase_add_test(tests, memory_peaks_and_homes);
  tcase_add_test(tests, ranks_the_largest_and_the_sum);
  tcase_add_test(tests, overlap_shows);
  return run_suite("metrics", tests);
}
