/* Lanes and memory by rank: what is folded, what stays in sight, and what is a bubble. */
#include "app/charts/bubbles.h"
#include "app/charts/lanes-layout.h"
#include "app/charts/level.h"
#include "app/charts/memory-layout.h"
#include "app/charts/moment.h"
#include "engine/trace/metrics.h"
#include "tests/charts/rank-trace.h"
#include "tests/charts/views.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static const RankTraceOptions eight = {2, 2, 2, 4, 3};

typedef struct {
  Scene scene;
  OlChartStyle *style;
  OlCanvas canvas;
  OlLanesLayout lanes;
  OlMemoryLayout memory;
} Drawn;

static void measure(Drawn *drawn, OlChart chart, double width)
{
  drawn->canvas.height = ol_chart_height(chart, &drawn->scene.view, drawn->style, width);
  if (chart == OL_CHART_LANES)
    ol_lanes_layout_init(&drawn->lanes, &drawn->canvas);
  else
    ol_memory_layout_init(&drawn->memory, &drawn->canvas);
}

static void drawn_init(Drawn *drawn, const RankTraceOptions *options, double width)
{
  drawn->scene = scene_new(rank_trace_new(options));
  drawn->style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 12, NULL);
  ol_canvas_init(&drawn->canvas, NULL, &drawn->scene.view, drawn->style, width, 0);
}

static void drawn_clear(Drawn *drawn)
{
  ol_canvas_clear(&drawn->canvas);
  ol_chart_style_free(drawn->style);
  scene_clear(&drawn->scene);
}

/* One group a rank, one below the other; the selected one alone has its lanes, until others are
 * unfolded. Eight of them are hardly higher than two. */
START_TEST(all_but_the_selected_are_folded)
{
  Drawn drawn;
  guint8 open[8] = {0};
  drawn_init(&drawn, &eight, 900);
  drawn.scene.view.rank = 3;
  measure(&drawn, OL_CHART_LANES, 900);
  ck_assert_uint_eq(drawn.lanes.groups.n, 8);
  for (guint i = 0; i < 8; i++) {
    const OlRankGroup *group = &drawn.lanes.groups.items[i];
    ck_assert_int_eq(group->open, i == 3);
    ck_assert_double_gt(group->bottom, group->top);
    if (i > 0)
      ck_assert_double_eq(group->top, drawn.lanes.groups.items[i - 1].bottom);
  }
  double eight_high = drawn.canvas.height;
  ck_assert_double_lt(eight_high, 44 * 12);
  open[1] = open[6] = 1 << OL_CHART_LANES;
  drawn.scene.view.open_ranks = open;
  measure(&drawn, OL_CHART_LANES, 900);
  ck_assert(drawn.lanes.groups.items[1].open && drawn.lanes.groups.items[6].open);
  ck_assert(!drawn.lanes.groups.items[3].open);
  ck_assert_double_gt(drawn.canvas.height, eight_high);
  measure(&drawn, OL_CHART_MEMORY, 900); /* its folds are its own */
  for (guint i = 0; i < 8; i++)
    ck_assert(!drawn.memory.groups.items[i].open);
  drawn_clear(&drawn);
}
END_TEST

/* Names to press lie left of the plot, in their group's first line, in order and apart. */
START_TEST(names_can_be_pressed)
{
  static const OlChart charts[] = {OL_CHART_LANES, OL_CHART_MEMORY};
  Drawn drawn;
  drawn_init(&drawn, &eight, 700);
  for (guint c = 0; c < 2; c++) {
    double left, right, bottom = 0;
    measure(&drawn, charts[c], 700);
    ol_chart_plot_edges(&drawn.scene.view, drawn.style, 700, &left, &right);
    g_autoptr(GArray) spots =
        ol_chart_spots(charts[c], 700, drawn.canvas.height, &drawn.scene.view, drawn.style);
    ck_assert_uint_ge(spots->len, 8); /* and then numbers */
    for (guint i = 0; i < 8; i++) {
      const OlChartSpot *spot = &g_array_index(spots, OlChartSpot, i);
      ck_assert_int_eq(spot->number.kind, OL_NUMBER_NONE);
      ck_assert_uint_eq(spot->rank, i);
      ck_assert_int_eq(spot->on, i == 0);
      ck_assert_double_ge(spot->box.y, bottom);
      ck_assert_double_le(spot->box.x + spot->box.width, left);
      bottom = spot->box.y + spot->box.height;
    }
  }
  drawn_clear(&drawn);
}
END_TEST

/* Every span of an unfolded rank is found in the middle of itself; of a folded one, those that it
 * computes. The mark around each is where it is found. */
START_TEST(spans_of_every_rank_are_found)
{
  Drawn drawn;
  drawn_init(&drawn, &(RankTraceOptions){2, 2, 1, 2, 1}, 1000);
  drawn.scene.view.rank = 2;
  measure(&drawn, OL_CHART_LANES, 1000);
  guint folded = 0;
  for (guint i = 0; i < drawn.scene.trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(drawn.scene.trace, i);
    const OlGraphNode *node = ol_graph_node(drawn.scene.trace->graph, span->node);
    double x = ol_plot_x(&drawn.lanes.plot, (span->begin_ns + span->end_ns) / 2), top, height;
    gboolean seen = ol_lanes_layout_bar(&drawn.lanes, node->rank, node->lane, &top, &height);
    cairo_rectangle_t mark;
    ck_assert_int_eq(seen, node->rank == 2 || node->lane == OL_LANE_COMPUTE);
    ck_assert_int_eq(
        ol_chart_mark(1000, drawn.canvas.height, &drawn.scene.view, drawn.style, (int)i, &mark),
        seen);
    if (!seen)
      continue;
    OlChartHit hit = ol_chart_hit(OL_CHART_LANES, x, top + height / 2, 1000, drawn.canvas.height,
                                  &drawn.scene.view, drawn.style);
    ck_assert_int_eq(hit.rank, (int)node->rank);
    ck_assert_int_eq(hit.lane, (int)node->lane);
    ck_assert_int_eq(hit.span, (int)i);
    folded += node->rank != 2;
  }
  ck_assert_uint_gt(folded, 0);
  drawn_clear(&drawn);
}
END_TEST

/* A folded rank shows its busy share in every column, and never nothing where it computes. */
START_TEST(no_rank_vanishes_when_folded)
{
  Drawn drawn;
  drawn_init(&drawn, &(RankTraceOptions){1, 4, 2, 16, 60}, 400);
  measure(&drawn, OL_CHART_LANES, 400);
  for (guint rank = 1; rank < 8; rank++) {
    OlChartView of_rank = ol_chart_view_of_rank(&drawn.scene.view, rank);
    g_autoptr(GArray) items = ol_level_items(&of_rank, OL_LANE_COMPUTE, &drawn.lanes.plot, NULL);
    gint64 busy = ol_trace_index_busy(drawn.scene.index, rank, OL_LANE_COMPUTE, 0, of_rank.end_ns);
    double sum = 0, width = drawn.lanes.plot.right - drawn.lanes.plot.left;
    ck_assert_uint_gt(items->len, 0);
    for (guint i = 0; i < items->len; i++) {
      const OlLevelItem *item = &g_array_index(items, OlLevelItem, i);
      ck_assert_double_gt(item->busy, 0);
      sum += item->busy * (item->x1 - item->x0) / width;
    }
    ck_assert_double_ge(sum, 0.97 * (double)busy / (double)of_rank.end_ns);
  }
  drawn_clear(&drawn);
}
END_TEST

/* Folded ranks are drawn to the scale of the fullest one, unfolded ones as one alone is. */
START_TEST(folded_memory_is_to_one_scale)
{
  Drawn drawn;
  drawn_init(&drawn, &eight, 900);
  drawn.scene.view.rank = 5;
  measure(&drawn, OL_CHART_MEMORY, 900);
  gint64 fullest = 0, when;
  for (guint rank = 0; rank < 8; rank++)
    fullest = MAX(fullest, ol_trace_index_peak(drawn.scene.index, rank, OL_TIER_GPU, &when));
  for (guint i = 0; i < 8; i++) {
    const OlRankGroup *group = &drawn.memory.groups.items[i];
    const OlMemoryRow *row = &drawn.memory.summaries[i];
    ck_assert_int_eq(row->scale, fullest);
    ck_assert_double_ge(row->top, group->top);
    double x = (drawn.memory.plot.left + drawn.memory.plot.right) / 2;
    double y = group->open ? drawn.memory.rows[i][OL_TIER_GPU].bottom - 1 : row->bottom - 1;
    OlChartHit hit = ol_chart_hit(OL_CHART_MEMORY, x, y, 900, drawn.canvas.height,
                                  &drawn.scene.view, drawn.style);
    ck_assert_int_eq(hit.rank, (int)i);
    ck_assert_int_eq(hit.tier, OL_TIER_GPU);
    ck_assert_int_eq(hit.payload, OL_PAYLOAD_WEIGHTS);
  }
  ck_assert_int_eq(drawn.memory.rows[5][OL_TIER_GPU].peak, fullest);
  drawn_clear(&drawn);
}
END_TEST

static const RankTraceOptions pipelines[] = {
    {1, 2, 1, 1, 1}, {1, 4, 1, 4, 3}, {2, 4, 1, 8, 2}, {1, 3, 2, 5, 4}, {2, 2, 2, 16, 2},
};

/* The mean of the ranks' shares is the metric, and both are the closed form: of GPipe (Huang et
 * al., section 2.3), where nothing is summed. */
START_TEST(bubbles_have_their_closed_form)
{
  Scene scene = scene_new(rank_trace_new(&pipelines[_i]));
  g_autoptr(OlMetrics) metrics = ol_metrics_new(scene.trace);
  guint n = scene.trace->graph->n_ranks;
  double sum = 0, metric;
  for (guint rank = 0; rank < n; rank++)
    sum += ol_trace_index_bubble(scene.index, rank) / n;
  ck_assert(ol_metrics_get_number(metrics, "bubble.fraction", &metric));
  ck_assert_double_eq_tol(sum, metric, 1e-12);
  ck_assert_double_eq_tol(sum, rank_trace_bubble(&pipelines[_i]), 1e-9);
  double p = pipelines[_i].pipeline, m = pipelines[_i].micro_batches;
  if (pipelines[_i].tensor == 1)
    ck_assert_double_eq_tol(sum, (p - 1) / (m + p - 1), 1e-9);
  scene_clear(&scene);
}
END_TEST

/* What is marked is as long as what is idle, step by step, and lies under no compute. */
START_TEST(marked_bubbles_are_the_idle_time)
{
  Scene scene = scene_new(rank_trace_new(&pipelines[_i]));
  guint n_steps = scene.trace->steps->len;
  for (guint rank = 0; rank < scene.trace->graph->n_ranks; rank++)
    for (guint step = 0; step < n_steps; step++) {
      OlChartView view = ol_chart_view_of_rank(&scene.view, rank);
      const OlStep *record = ol_trace_step(scene.trace, step);
      OlPlot plot = {0, 20000, record->begin_ns, record->end_ns};
      OlBubbleWindow window;
      double marked = 0;
      g_autoptr(GArray) bubbles = ol_bubbles_new(&view, &plot);
      for (guint i = 0; i < bubbles->len; i++) {
        const OlBubble *bubble = &g_array_index(bubbles, OlBubble, i);
        gint64 from = ol_plot_time(&plot, bubble->x0), to = ol_plot_time(&plot, bubble->x1);
        marked += (double)(to - from);
        ck_assert_int_le(ol_trace_index_busy(scene.index, rank, OL_LANE_COMPUTE, from, to), 2);
      }
      ck_assert(ol_trace_index_bubble_window(scene.index, step, &window));
      double length = (double)(window.end_ns - window.begin_ns);
      ck_assert_double_eq_tol(marked / length, rank_trace_bubble(&pipelines[_i]), 1e-3);
    }
  scene_clear(&scene);
}
END_TEST

/* However many spans: no more marks than the width has room for. */
START_TEST(bubbles_cost_what_is_seen)
{
  Scene scene = scene_new(rank_trace_new(&(RankTraceOptions){1, 2, 2, 64, 200}));
  OlPlot plot = {0, 300, 0, scene.view.end_ns};
  g_autoptr(GArray) bubbles = ol_bubbles_new(&scene.view, &plot);
  ck_assert_uint_le(bubbles->len, 600);
  scene_clear(&scene);
}
END_TEST

/* Nothing is a bubble before its step has ended, nor where there are no stages. */
START_TEST(bubbles_need_stages_and_an_end)
{
  Scene data = scene_new(rank_trace_new(&(RankTraceOptions){2, 1, 1, 2, 2}));
  ck_assert(!ol_lanes_layout_has_bubbles(&data.view));
  scene_clear(&data);
  g_autoptr(OlTrace) whole = rank_trace_new(&pipelines[1]);
  const OlStep *second = ol_trace_step(whole, 1);
  Scene growing = scene_new(sample_trace_until(whole, (second->begin_ns + second->end_ns) / 2));
  OlPlot plot = {0, 2000, second->begin_ns, second->end_ns};
  g_autoptr(GArray) bubbles = ol_bubbles_new(&growing.view, &plot);
  ck_assert(ol_lanes_layout_has_bubbles(&growing.view));
  ck_assert_uint_eq(bubbles->len, 0);
  ck_assert_double_eq_tol(ol_trace_index_bubble(growing.index, 0), rank_trace_bubble(&pipelines[1]),
                          1e-9);
  scene_clear(&growing);
}
END_TEST

/* Of a hundred ranks those around the selected one are shown, and it is said so. */
START_TEST(many_ranks_are_shown_by_sixteen)
{
  Drawn drawn;
  drawn_init(&drawn, &(RankTraceOptions){25, 2, 2, 1, 1}, 900);
  drawn.scene.view.rank = 37;
  measure(&drawn, OL_CHART_LANES, 900);
  ck_assert_uint_eq(drawn.lanes.groups.n, OL_MOST_GROUPS);
  ck_assert_uint_eq(drawn.lanes.groups.items[0].rank, 32);
  ck_assert(ol_rank_groups_find(&drawn.lanes.groups, 37)->open);
  ck_assert_ptr_null(ol_rank_groups_find(&drawn.lanes.groups, 48));
  ck_assert_double_gt(drawn.lanes.groups.note, 0);
  drawn.scene.view.rank = 99;
  measure(&drawn, OL_CHART_LANES, 900);
  ck_assert_uint_eq(drawn.lanes.groups.n, 4);
  drawn_clear(&drawn);
}
END_TEST

START_TEST(words_speak_of_the_rank)
{
  Scene scene = scene_new(rank_trace_new(&pipelines[1]));
  scene.view.rank = 2;
  g_autofree char *lanes = ol_chart_dup_description(OL_CHART_LANES, &scene.view);
  g_autofree char *memory = ol_chart_dup_description(OL_CHART_MEMORY, &scene.view);
  g_autofree char *subtitle = ol_chart_dup_subtitle(OL_CHART_TIERS, &scene.view);
  g_autofree char *details = ol_chart_view_dup_span_details(&scene.view, 0);
  ck_assert(g_str_has_prefix(lanes, "What runs when. "));
  ck_assert_ptr_nonnull(strstr(lanes, "Rank 2 · stage 2. From"));
  ck_assert_ptr_nonnull(strstr(lanes, "Rank 0 computes "));
  ck_assert_ptr_nonnull(strstr(lanes, "Rank 3 waits in bubbles for 43 % of a step."));
  ck_assert_ptr_nonnull(strstr(memory, "Rank 1: GPU peaks at 6 MiB."));
  ck_assert_str_eq(subtitle, "rank 2");
  ck_assert_ptr_eq(strstr(details, "Rank 0: Forward of block 0"), details);
  scene_clear(&scene);
}
END_TEST

/* Only the rank that ran out of memory shows what did not fit. */
START_TEST(refusal_is_of_one_rank)
{
  g_autoptr(OlTrace) whole = rank_trace_new(&pipelines[1]);
  OlTrace *trace = sample_trace_until(whole, 50 * MS);
  ol_trace_end(trace, OL_OUTCOME_OUT_OF_MEMORY,
               "out of memory on GPU of rank 2: 1 MiB of activations asked, 0 B free of 24 MiB",
               NULL);
  Scene scene = scene_new(trace);
  ck_assert_int_eq(ol_moment_full_rank(trace), 2);
  for (guint rank = 0; rank < 4; rank++) {
    scene.view.rank = rank;
    ck_assert_int_eq(ol_moment_full_tier(&scene.view), rank == 2 ? OL_TIER_GPU : -1);
  }
  scene_clear(&scene);
}
END_TEST

int main(void)
{
  int n = (int)G_N_ELEMENTS(pipelines);
  TCase *cases = tcase_create("groups");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, all_but_the_selected_are_folded);
  tcase_add_test(cases, names_can_be_pressed);
  tcase_add_test(cases, spans_of_every_rank_are_found);
  tcase_add_test(cases, no_rank_vanishes_when_folded);
  tcase_add_test(cases, folded_memory_is_to_one_scale);
  tcase_add_loop_test(cases, bubbles_have_their_closed_form, 0, n);
  tcase_add_loop_test(cases, marked_bubbles_are_the_idle_time, 0, n);
  tcase_add_test(cases, bubbles_cost_what_is_seen);
  tcase_add_test(cases, bubbles_need_stages_and_an_end);
  tcase_add_test(cases, many_ranks_are_shown_by_sixteen);
  tcase_add_test(cases, words_speak_of_the_rank);
  tcase_add_test(cases, refusal_is_of_one_rank);
  return run_suite("groups", cases);
}
