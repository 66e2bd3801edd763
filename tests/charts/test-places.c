/* Where figures lead: against a look at every span of the trace. */
#include "app/charts/figure-path.h"
#include "app/charts/figure-place.h"
#include "tests/charts/rank-trace.h"
#include "tests/charts/views.h"
#include "tests/suite.h"

#include <string.h>

static const OlGraphNode *node_of(const OlTrace *trace, int span)
{
  return ol_graph_node(trace->graph, ol_trace_span(trace, (guint)span)->node);
}

static gint64 length_of(const OlTrace *trace, guint span)
{
  return ol_trace_span(trace, span)->end_ns - ol_trace_span(trace, span)->begin_ns;
}

static OlFigurePlace go(const Scene *scene, const char *path)
{
  OlFigurePlace place;
  g_autoptr(OlMetrics) metrics = ol_metrics_new(scene->trace);
  ck_assert_msg(ol_figure_place_find(&scene->view, metrics, path, &place), "%s leads nowhere",
                path);
  return place;
}

/* The longest span of the lane in the last step. */
START_TEST(busy_leads_to_the_longest)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  int last = (int)scene.trace->steps->len - 1;
  OlFigurePlace place = go(&scene, "busy.gpu_to_host");
  ck_assert_int_eq(place.lane, OL_LANE_GPU_TO_HOST);
  ck_assert_int_eq(node_of(scene.trace, place.span)->lane, OL_LANE_GPU_TO_HOST);
  for (guint i = 0; i < scene.trace->spans->len; i++)
    if (node_of(scene.trace, (int)i)->lane == OL_LANE_GPU_TO_HOST &&
        ol_trace_span(scene.trace, i)->step == last)
      ck_assert_int_le(length_of(scene.trace, i), length_of(scene.trace, (guint)place.span));
  ck_assert_int_eq(place.begin_ns, ol_trace_step(scene.trace, (guint)last)->begin_ns);
  ck_assert_int_eq(place.end_ns, ol_trace_step(scene.trace, (guint)last)->end_ns);
  ck_assert_int_eq(place.chart, OL_CHART_LANES);
  scene_clear(&scene);
}
END_TEST

/* What computes then is selected. */
START_TEST(a_peak_leads_to_its_moment)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  OlFigurePlace place = go(&scene, "peak.gpu.total");
  assert_peak_at(scene.trace, OL_TIER_GPU, place.moment_ns);
  ck_assert_int_eq(place.tier, OL_TIER_GPU);
  ck_assert_int_eq(place.payload, -1);
  ck_assert_int_eq(place.chart, OL_CHART_MEMORY);
  ck_assert_int_le(ol_trace_span(scene.trace, (guint)place.span)->begin_ns, place.moment_ns);
  ck_assert_int_gt(ol_trace_span(scene.trace, (guint)place.span)->end_ns, place.moment_ns);
  ck_assert(place.moment_ns >= place.begin_ns && place.moment_ns < place.end_ns);
  scene_clear(&scene);
}
END_TEST

START_TEST(losses_lead_to_their_steps)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  OlFigurePlace first = go(&scene, "loss.first"), last = go(&scene, "loss.last");
  guint n = scene.trace->steps->len;
  ck_assert_int_eq(first.begin_ns, ol_trace_step(scene.trace, 0)->begin_ns);
  ck_assert_int_eq(last.begin_ns, ol_trace_step(scene.trace, n - 1)->begin_ns);
  ck_assert_int_eq(last.chart, OL_CHART_LOSS);
  scene_clear(&scene);
}
END_TEST

/* Of several ranks the one that the path names, or the one whose figure it is. */
START_TEST(ranks_are_found)
{
  Scene scene = scene_new(rank_trace_new(&(RankTraceOptions){1, 4, 1, 4, 2}));
  OlFigurePlace named = go(&scene, "rank.2.busy.compute");
  OlFigurePlace most = go(&scene, "peak.gpu.total");
  gint64 when;
  ck_assert_int_eq(named.rank, 2);
  ck_assert_uint_eq(node_of(scene.trace, named.span)->rank, 2);
  for (guint rank = 0; rank < 4; rank++)
    ck_assert_int_le(ol_trace_index_peak(scene.index, rank, OL_TIER_GPU, &when),
                     ol_trace_index_peak(scene.index, (guint)most.rank, OL_TIER_GPU, &when));
  scene_clear(&scene);
}
END_TEST

/* Whatever a trace says of itself: never outside of it, and of what the path speaks of. */
START_TEST(every_figure_leads_somewhere)
{
  Scene scene = scene_new(rank_trace_new(&(RankTraceOptions){2, 2, 2, 2, 2}));
  g_autoptr(OlMetrics) metrics = ol_metrics_new(scene.trace);
  guint n;
  g_autofree const char **paths = ol_metrics_get_paths(metrics, &n);
  for (guint i = 0; i < n; i++) {
    OlFigurePlace place;
    OlFigurePath path;
    ck_assert(ol_figure_path_parse(paths[i], &path));
    if (!ol_figure_place_find(&scene.view, metrics, paths[i], &place))
      continue;
    ck_assert_int_lt(place.begin_ns, place.end_ns);
    ck_assert(place.rank >= 0 && (guint)place.rank < scene.trace->graph->n_ranks);
    ck_assert_int_lt(place.span, (int)scene.trace->spans->len);
    if (path.tier >= 0)
      ck_assert_int_eq(place.tier, path.tier);
    if (place.span >= 0 && path.lane >= 0)
      ck_assert_int_eq(node_of(scene.trace, place.span)->lane, path.lane);
    if (place.span >= 0 && path.op >= 0)
      ck_assert_int_eq(node_of(scene.trace, place.span)->op, path.op);
  }
  scene_clear(&scene);
}
END_TEST

START_TEST(nothing_leads_nowhere)
{
  Scene empty = scene_new(NULL);
  OlFigurePlace place;
  ck_assert(!ol_figure_place_find(&empty.view, NULL, "busy.compute", &place));
  scene_clear(&empty);
}
END_TEST

/* No step has ended yet: peaks are known, and steps lead to what there is. */
START_TEST(a_growing_run_has_places)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 1, .growing = TRUE}));
  OlFigurePlace place = go(&scene, "peak.host.total");
  ck_assert_int_eq(place.tier, OL_TIER_HOST);
  place = go(&scene, "busy.compute");
  ck_assert_int_eq(place.begin_ns, 0);
  ck_assert_int_eq(place.span, -1);
  scene_clear(&scene);
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("places");
  tcase_add_test(cases, busy_leads_to_the_longest);
  tcase_add_test(cases, a_peak_leads_to_its_moment);
  tcase_add_test(cases, losses_lead_to_their_steps);
  tcase_add_test(cases, ranks_are_found);
  tcase_add_test(cases, every_figure_leads_somewhere);
  tcase_add_test(cases, nothing_leads_nowhere);
  tcase_add_test(cases, a_growing_run_has_places);
  return run_suite("places", cases);
}
