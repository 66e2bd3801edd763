/* What differs between two runs, and which way is better: against what was put in by hand. */
#include "app/charts/config-differences.h"
#include "app/charts/figures.h"
#include "app/charts/pinned.h"
#include "app/charts/twin.h"
#include "tests/charts/views.h"
#include "tests/suite.h"
#include "tests/trace/hand-trace.h"

#include <math.h>
#include <string.h>

static const OlConfigDifference *difference_at(const GPtrArray *differences, guint i)
{
  return g_ptr_array_index(differences, i);
}

/* In order of their keys, at any depth; a run's name is not one. */
START_TEST(keys_that_differ)
{
  g_autoptr(GPtrArray) differences = ol_config_differences_new(
      "{\"name\": \"a\", \"steps\": 3, \"overlap\": {\"prefetch\": 2, \"pinned\": true},"
      " \"recompute\": \"none\", \"list\": [1, 2]}",
      "{\"name\": \"b\", \"steps\": 3, \"overlap\": {\"prefetch\": 0, \"pinned\": true},"
      " \"recompute\": \"full\", \"batch\": {\"micro_batch\": 4}, \"list\": [1, 2]}");
  static const char *const expected[][3] = {{"batch.micro_batch", "not set", "4"},
                                            {"overlap.prefetch", "2", "0"},
                                            {"recompute", "none", "full"}};
  ck_assert_uint_eq(differences->len, G_N_ELEMENTS(expected));
  for (guint i = 0; i < differences->len; i++) {
    ck_assert_str_eq(difference_at(differences, i)->key, expected[i][0]);
    ck_assert_str_eq(difference_at(differences, i)->shown, expected[i][1]);
    ck_assert_str_eq(difference_at(differences, i)->pinned, expected[i][2]);
  }
}
END_TEST

START_TEST(no_config_is_no_key)
{
  static const char *const configs[] = {NULL, "", "[1, 2]", "{\"broken", "{\"steps\": null}"};
  for (guint i = 0; i < G_N_ELEMENTS(configs); i++) {
    g_autoptr(GPtrArray) differences = ol_config_differences_new(configs[i], "{}");
    ck_assert_uint_eq(differences->len, 0);
  }
}
END_TEST

static const struct {
  OlMeasure measure;
  OlBetter better;
  double shown, pinned;
  OlVerdict verdict;
  const char *change;
} judgements[] = {
    {OL_MEASURE_SECONDS, OL_BETTER_LESS, 0.7, 1.4, OL_VERDICT_BETTER, "−50 %"},
    {OL_MEASURE_SECONDS, OL_BETTER_LESS, 1.4, 1.0, OL_VERDICT_WORSE, "+40 %"},
    {OL_MEASURE_SECONDS, OL_BETTER_LESS, 1.01, 1.0, OL_VERDICT_ALIKE, "+1.0 %"},
    {OL_MEASURE_SECONDS, OL_BETTER_NEITHER, 3.0, 1.0, OL_VERDICT_OTHER, "3 times"},
    {OL_MEASURE_FRACTION, OL_BETTER_MORE, 0.75, 0.0, OL_VERDICT_BETTER, "+75 points"},
    {OL_MEASURE_FRACTION, OL_BETTER_LESS, 0.10, 0.155, OL_VERDICT_BETTER, "−5.5 points"},
    {OL_MEASURE_FRACTION, OL_BETTER_MORE, 0.75, 0.76, OL_VERDICT_ALIKE, "−1.0 points"},
    {OL_MEASURE_BYTES, OL_BETTER_LESS, 1001, 1000, OL_VERDICT_WORSE, "+0.1 %"},
    {OL_MEASURE_BYTES, OL_BETTER_LESS, 1000, 1000, OL_VERDICT_ALIKE, NULL},
    {OL_MEASURE_BYTES, OL_BETTER_LESS, 5, 0, OL_VERDICT_WORSE, "from nothing"},
    {OL_MEASURE_NUMBER, OL_BETTER_LESS, 2.0, 2.0000001, OL_VERDICT_BETTER, "−under 0.1 %"},
    {OL_MEASURE_NUMBER, OL_BETTER_LESS, NAN, 2.0, OL_VERDICT_NONE, NULL},
};

START_TEST(better_and_worse)
{
  g_autofree char *change =
      ol_figures_dup_change(judgements[_i].measure, judgements[_i].shown, judgements[_i].pinned);
  ck_assert_int_eq(ol_figures_judge(judgements[_i].measure, judgements[_i].better,
                                    judgements[_i].shown, judgements[_i].pinned),
                   judgements[_i].verdict);
  ck_assert_pstr_eq(change, judgements[_i].change);
}
END_TEST

/* Every metric of a trace has a name of its own, and the parts that its path says. */
START_TEST(paths_have_names)
{
  g_autoptr(OlTrace) trace = sample_trace_new(&(SampleOptions){.ranks = 2});
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  guint n;
  g_autofree const char **paths = ol_metrics_get_paths(metrics, &n);
  for (guint i = 0; i < n; i++) {
    OlFigurePath parsed;
    ck_assert_msg(ol_figure_path_parse(paths[i], &parsed), "%s has no name", paths[i]);
    ck_assert_msg(g_hash_table_add(names, ol_figure_path_dup_name(&parsed)), "two are named as %s",
                  paths[i]);
  }
  ck_assert_uint_gt(n, 100);
}
END_TEST

START_TEST(paths_are_taken_apart)
{
  OlFigurePath path;
  ck_assert(ol_figure_path_parse("rank.12.peak.host.moment1", &path));
  ck_assert_int_eq(path.rank, 12);
  ck_assert_int_eq(path.tier, OL_TIER_HOST);
  ck_assert_int_eq(path.payload, OL_PAYLOAD_MOMENT1);
  ck_assert(ol_figure_path_parse("busy.gpu_to_host", &path));
  ck_assert_int_eq(path.lane, OL_LANE_GPU_TO_HOST);
  ck_assert(ol_figure_path_parse("moved.peer.tensor", &path));
  ck_assert_int_eq(path.kind, OL_FIGURE_MOVED_GROUP);
  ck_assert(ol_figure_path_parse("all.moved.peer", &path));
  ck_assert_int_eq(path.kind, OL_FIGURE_MOVED);
  ck_assert_int_eq(path.rank, OL_FIGURE_ALL_RANKS);
  ck_assert(ol_figure_path_parse("peak.gpu.total", &path));
  ck_assert_int_eq(path.payload, -1);
  ck_assert(!ol_figure_path_parse("peak.gpu.nonsense", &path));
  ck_assert(!ol_figure_path_parse("peak", &path));
  ck_assert(!ol_figure_path_parse("", &path));
}
END_TEST

typedef struct {
  Scene shown, pinned;
  OlPinnedRun run;
} Pair;

/* With overlap against without. The pair must stay where it is. */
static void pair_init(Pair *pair)
{
  pair->shown = scene_new(sample_trace_new(&(SampleOptions){.steps = 4}));
  pair->pinned = scene_new(sample_trace_new(&(SampleOptions){.steps = 3, .serial = TRUE}));
  pair->run = (OlPinnedRun){pair->pinned.trace, pair->pinned.index, "run 1, pinned", TRUE};
  pair->shown.view.pinned = &pair->run;
}

static void pair_clear(Pair *pair)
{
  scene_clear(&pair->shown);
  scene_clear(&pair->pinned);
}

static const OlFigure *find_figure(const GPtrArray *figures, const char *path)
{
  for (guint i = 0; i < figures->len; i++)
    if (g_str_equal(((const OlFigure *)g_ptr_array_index(figures, i))->path, path))
      return g_ptr_array_index(figures, i);
  return NULL;
}

START_TEST(overlap_is_better)
{
  Pair pair;
  pair_init(&pair);
  g_autoptr(OlMetrics) shown = ol_metrics_new(pair.shown.trace);
  g_autoptr(OlMetrics) pinned = ol_metrics_new(pair.pinned.trace);
  g_autoptr(GPtrArray) figures = ol_figures_new(&pair.shown.view, shown, pinned);
  ck_assert_int_eq(find_figure(figures, "step.seconds")->verdict, OL_VERDICT_BETTER);
  ck_assert_int_eq(find_figure(figures, "hidden.fraction")->verdict, OL_VERDICT_BETTER);
  ck_assert_int_eq(find_figure(figures, "moved.gpu_to_host")->verdict, OL_VERDICT_ALIKE);
  ck_assert_int_eq(find_figure(figures, "home.host.master")->verdict, OL_VERDICT_ALIKE);
  ck_assert_ptr_null(find_figure(figures, "busy.nvme_read")); /* neither uses it */
  ck_assert_ptr_null(find_figure(figures, "rank.0.busy.compute"));
  /* In order of groups. */
  for (guint i = 1; i < figures->len; i++)
    ck_assert_int_ge(((const OlFigure *)g_ptr_array_index(figures, i))->group,
                     ((const OlFigure *)g_ptr_array_index(figures, i - 1))->group);
  pair_clear(&pair);
}
END_TEST

/* Seconds of clocks of other speed are no better and no worse. In units of there they compare. */
START_TEST(other_clocks_do_not_compare)
{
  Pair pair;
  pair_init(&pair);
  pair.shown.trace->header.mu = pair.pinned.trace->header.mu = 1000;
  pair.shown.trace->header.slowdown = 2000;
  pair.pinned.trace->header.slowdown = 1000;
  g_autoptr(OlMetrics) shown = ol_metrics_new(pair.shown.trace);
  g_autoptr(OlMetrics) pinned = ol_metrics_new(pair.pinned.trace);
  g_autoptr(GPtrArray) here = ol_figures_new(&pair.shown.view, shown, pinned);
  ck_assert_int_eq(find_figure(here, "step.seconds")->verdict, OL_VERDICT_NONE);
  ck_assert_int_eq(find_figure(here, "hidden.fraction")->verdict, OL_VERDICT_BETTER);
  pair.shown.view.there = TRUE;
  g_autoptr(GPtrArray) there = ol_figures_new(&pair.shown.view, shown, pinned);
  ck_assert_int_eq(find_figure(there, "step.seconds")->verdict, OL_VERDICT_BETTER);
  pair_clear(&pair);
}
END_TEST

/* The first step in sight begins at the same place of both axes; there the other run's cursor lies
 * as far into its step. */
START_TEST(steps_are_aligned)
{
  Pair pair;
  OlPinnedRun back;
  pair_init(&pair);
  OlChartView *view = &pair.shown.view;
  for (guint i = 0; i < 4; i++) {
    const OlStep *ours = ol_trace_step(pair.shown.trace, i);
    const OlStep *theirs = ol_trace_step(pair.pinned.trace, MIN(i, 2));
    const OlStep *same = ol_trace_step(pair.shown.trace, MIN(i, 2));
    view->begin_ns = ours->begin_ns;
    view->end_ns = ours->end_ns;
    view->cursor_ns = same->begin_ns + 1000;
    OlChartView other = ol_pinned_view(view, &back);
    ck_assert_int_eq(ol_pinned_step(view), (int)MIN(i, 2));
    ck_assert_int_eq(other.cursor_ns, theirs->begin_ns + 1000);
    ck_assert_int_eq(other.end_ns - other.begin_ns, view->end_ns - view->begin_ns);
    ck_assert_int_eq(ol_pinned_end_ns(view) - same->begin_ns,
                     ol_trace_index_end_ns(pair.pinned.index) - theirs->begin_ns);
  }
  view->pinned = NULL;
  ck_assert_int_eq(ol_pinned_offset_ns(view), 0);
  ck_assert_int_eq(ol_pinned_step(view), -1);
  ck_assert_int_eq(ol_pinned_end_ns(view), 0);
  pair_clear(&pair);
}
END_TEST

/* Every span that lies within a step of both has a twin, whose twin it is. */
START_TEST(twins_do_the_same)
{
  Pair pair;
  pair_init(&pair);
  const OlPinnedRun shown = {.trace = pair.shown.trace, .index = pair.shown.index};
  guint n = 0;
  for (guint i = 0; i < shown.trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(shown.trace, i);
    if (span->step < 0 || span->step > 2 ||
        ol_graph_node(shown.trace->graph, span->node)->part != OL_PART_STEP)
      continue;
    int twin = ol_twin_find(&shown, (int)i, &pair.run);
    ck_assert_int_ge(twin, 0);
    const OlSpan *other = ol_trace_span(pair.run.trace, (guint)twin);
    g_autofree char *ours = ol_graph_dup_node_title(shown.trace->graph, span->node);
    g_autofree char *theirs = ol_graph_dup_node_title(pair.run.trace->graph, other->node);
    ck_assert_str_eq(ours, theirs);
    ck_assert_int_eq(other->step, span->step);
    ck_assert_int_eq(ol_twin_find(&pair.run, twin, &shown), (int)i);
    n++;
  }
  ck_assert_uint_gt(n, 100);
  ck_assert_int_eq(ol_twin_find(&shown, -1, &pair.run), -1);
  pair_clear(&pair);
}
END_TEST

/* What the other run never came to has no twin. */
START_TEST(a_step_of_one_run_has_no_twin)
{
  Pair pair;
  pair_init(&pair);
  const OlPinnedRun shown = {.trace = pair.shown.trace, .index = pair.shown.index};
  for (guint i = 0; i < shown.trace->spans->len; i++)
    if (ol_trace_span(shown.trace, i)->step == 3 &&
        ol_graph_node(shown.trace->graph, ol_trace_span(shown.trace, i)->node)->part ==
            OL_PART_STEP)
      ck_assert_int_eq(ol_twin_find(&shown, (int)i, &pair.run), -1);
  pair_clear(&pair);
}
END_TEST

/* Where a second is something else, one axis holds nothing of the other run's end. */
START_TEST(other_clocks_end_elsewhere)
{
  Pair pair;
  pair_init(&pair);
  ck_assert_int_gt(ol_pinned_end_ns(&pair.shown.view), 0);
  pair.pinned.trace->header.slowdown = 2 * pair.shown.trace->header.slowdown;
  ck_assert_int_eq(ol_pinned_end_ns(&pair.shown.view), 0);
  pair_clear(&pair);
}
END_TEST

/* Both are drawn to the scale of the one that holds more. */
START_TEST(the_other_peak_counts)
{
  Pair pair;
  OlPinnedRun back;
  gint64 when;
  pair_init(&pair);
  OlChartView other = ol_pinned_view(&pair.shown.view, &back);
  ck_assert_int_eq(ol_pinned_peak(&pair.shown.view, OL_TIER_GPU),
                   ol_trace_index_peak(pair.pinned.index, 0, OL_TIER_GPU, &when));
  ck_assert_int_eq(ol_pinned_peak(&other, OL_TIER_GPU),
                   ol_trace_index_peak(pair.shown.index, 0, OL_TIER_GPU, &when));
  pair_clear(&pair);
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("compare");
  tcase_add_test(cases, keys_that_differ);
  tcase_add_test(cases, no_config_is_no_key);
  tcase_add_loop_test(cases, better_and_worse, 0, G_N_ELEMENTS(judgements));
  tcase_add_test(cases, paths_have_names);
  tcase_add_test(cases, paths_are_taken_apart);
  tcase_add_test(cases, overlap_is_better);
  tcase_add_test(cases, other_clocks_do_not_compare);
  tcase_add_test(cases, steps_are_aligned);
  tcase_add_test(cases, twins_do_the_same);
  tcase_add_test(cases, a_step_of_one_run_has_no_twin);
  tcase_add_test(cases, other_clocks_end_elsewhere);
  tcase_add_test(cases, the_other_peak_counts);
  return run_suite("compare", cases);
}
