/* The paths of metrics: which there are, and each figure in words. */
#include "engine/trace/metrics.h"
#include "tests/suite.h"
#include "tests/trace/hand-trace.h"
#include "tests/trace/sample-trace.h"

#include <string.h>

static const char *const known[] = {"moved.gpu_to_host",
                                    "rank.0.moved.peer",
                                    "all.total.moved.nvme_read",
                                    "busy.compute",
                                    "exposed.seconds",
                                    "exposed.host_update",
                                    "critical.host_update",
                                    "hidden.fraction",
                                    "bubble.fraction",
                                    "peak.gpu.total",
                                    "peak.host.arena",
                                    "rank.511.peak.gpu.weights",
                                    "home.nvme.moment1",
                                    "all.home.gpu.total",
                                    "state.bytes_per_parameter",
                                    "total.bytes_per_parameter",
                                    "rank.3.state.bytes_per_parameter",
                                    "step.seconds",
                                    "step.seconds_there",
                                    "tokens.per_second",
                                    "loss.first",
                                    "loss.last",
                                    "loss.all",
                                    "weights.hash",
                                    "outcome",
                                    "late",
                                    "count.forward",
                                    "largest.gpu"};

static const char *const unknown[] = {"",
                                      ".",
                                      "moved",
                                      "moved.",
                                      "moved.gpu",
                                      "moved.gpu_to_host ",
                                      "moved.gpu_to_host.x",
                                      "exposed.compute",
                                      "home.gpu.arena",
                                      "home.gpu",
                                      "peak.gpu.",
                                      "peak..total",
                                      "peak.disk.total",
                                      "rank.peak.gpu.total",
                                      "rank..peak.gpu.total",
                                      "rank.01.peak.gpu.total",
                                      "rank.-1.peak.gpu.total",
                                      "rank.9999999.peak.gpu.total",
                                      "rank.0.",
                                      "rank.0.step.seconds",
                                      "all.loss.last",
                                      "all.all.peak.gpu.total",
                                      "all.rank.0.peak.gpu.total",
                                      "largest.gpu.total",
                                      "count",
                                      "count.jump",
                                      "accuracy",
                                      "Late",
                                      "step.seconds_",
                                      "rank.0.outcome",
                                      "all.hidden.fraction",
                                      "rank.1.critical.peer"};

START_TEST(a_path_is_known)
{
  ck_assert_msg(ol_metrics_path_is_known(known[_i]), "%s", known[_i]);
}
END_TEST

START_TEST(a_path_is_unknown)
{
  ck_assert_msg(!ol_metrics_path_is_known(unknown[_i]), "%s", unknown[_i]);
}
END_TEST

START_TEST(every_present_path_is_known_and_has_words)
{
  g_autoptr(OlTrace) trace = sample_trace_new(&(SampleOptions){.ranks = 2});
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  guint n;
  g_autofree const char **paths = ol_metrics_get_paths(metrics, &n);
  ck_assert_uint_gt(n, 200);
  for (guint i = 0; i < n; i++) {
    g_autofree char *words = ol_metrics_dup_words(metrics, paths[i]);
    ck_assert_msg(ol_metrics_path_is_known(paths[i]), "%s", paths[i]);
    ck_assert_msg(words && *words, "%s", paths[i]);
    if (i > 0)
      ck_assert_msg(strcmp(paths[i - 1], paths[i]) < 0, "%s", paths[i]);
  }
  ck_assert_ptr_null(paths[n]);
}
END_TEST

START_TEST(words)
{
  g_autoptr(OlTrace) trace = hand_loop();
  hand_play_loop(trace);
  ol_trace_set_text(trace, "weights.hash", "9c01d2e3f4a5b697");
  ol_trace_set_number(trace, "late", 0.0002);
  ol_trace_set_number(trace, "step.seconds_there", 0.71);
  ol_trace_end(trace, OL_OUTCOME_OUT_OF_MEMORY, NULL, NULL);
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  static const char *const pairs[][2] = {
      {"hidden.fraction", "40 %"},   {"late", "under 0.1 %"},          {"weights.hash", "9c01…"},
      {"outcome", "out of memory"},  {"step.seconds_there", "0.71 s"}, {"loss.last", "0.1"},
      {"moved.gpu_to_host", "42 B"}, {"step.seconds", "55 ms"},        {"bubble.fraction", "0 %"},
  };
  for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
    g_autofree char *text = ol_metrics_dup_words(metrics, pairs[i][0]);
    ck_assert_pstr_eq(text, pairs[i][1]);
  }
  ck_assert_ptr_null(ol_metrics_dup_words(metrics, "peak.gpu.total"));
  ck_assert_ptr_null(ol_metrics_dup_words(metrics, "no.such.path"));
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("metric paths");
  tcase_add_loop_test(tests, a_path_is_known, 0, G_N_ELEMENTS(known));
  tcase_add_loop_test(tests, a_path_is_unknown, 0, G_N_ELEMENTS(unknown));
  tcase_add_test(tests, every_present_path_is_known_and_has_words);
  tcase_add_test(tests, words);
  return run_suite("metric paths", tests);
}
