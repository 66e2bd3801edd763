/* Level of detail, stacking and boxes: what is drawn where, without drawing it. */
#include "app/charts/charts.h"
#include "app/charts/cover.h"
#include "app/charts/lanes-layout.h"
#include "app/charts/level.h"
#include "app/charts/loss-layout.h"
#include "app/charts/memory-layout.h"
#include "app/charts/memory-steps.h"
#include "app/charts/plot.h"
#include "app/charts/tiers-layout.h"
#include "tests/charts/random-trace.h"
#include "tests/charts/views.h"
#include "tests/suite.h"

#include <math.h>

static OlPlot plot_of(const OlChartView *view)
{
  return (OlPlot){120, 1120, view->begin_ns, view->end_ns};
}

static void check_seen(const Scene *scene, OlLane lane, const OlPlot *plot, const GArray *items)
{
  guint i = 0;
  for (guint s = 0; s < ol_trace_index_lane_count(scene->index, 0, lane); s++) {
    guint id = ol_trace_index_lane_span(scene->index, 0, lane, s);
    const OlSpan *span = ol_trace_span(scene->trace, id);
    double x = ol_plot_x(plot, span->begin_ns);
    if (x < plot->left || x >= plot->right)
      continue;
    while (i + 1 < items->len && g_array_index(items, OlLevelItem, i).x1 <= x)
      i++;
    const OlLevelItem *item = &g_array_index(items, OlLevelItem, i);
    ck_assert_double_le(item->x0, x + 1e-6);
    ck_assert_double_ge(item->x1, x);
    ck_assert_double_gt(item->busy, 0);
  }
}

/* At any zoom every span lies under an item, and items are never many more than pixels. */
START_TEST(no_span_vanishes)
{
  static const guint sizes[] = {1, 40, 2000, 40000};
  for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
    Scene scene = scene_new(random_trace_new(i, sizes[i], 0));
    OlPlot plot = plot_of(&scene.view);
    for (double zoom = 1; zoom > 1e-4; zoom /= 7) {
      plot.begin_ns = scene.view.end_ns / 3;
      plot.end_ns = plot.begin_ns + (gint64)(zoom * 0.6 * (double)scene.view.end_ns) + 1;
      for (int lane = 0; lane < OL_N_LANES; lane++) {
        g_autoptr(GArray) items = ol_level_items(&scene.view, (OlLane)lane, &plot, NULL);
        ck_assert_double_le(items->len, 2 * (plot.right - plot.left));
        check_seen(&scene, (OlLane)lane, &plot, items);
      }
    }
    scene_clear(&scene);
  }
}
END_TEST

/* The columns' busy shares add up to the lane's busy time, but for rounding up to sixteenths. */
START_TEST(columns_tell_how_busy)
{
  Scene scene = scene_new(random_trace_new(21, 300000, 0));
  OlPlot plot = plot_of(&scene.view);
  double per_pixel = (double)scene.view.end_ns / (plot.right - plot.left);
  for (int lane = 0; lane < OL_N_LANES; lane++) {
    g_autoptr(GArray) items = ol_level_items(&scene.view, (OlLane)lane, &plot, NULL);
    double sum = 0;
    for (guint i = 0; i < items->len; i++) {
      const OlLevelItem *item = &g_array_index(items, OlLevelItem, i);
      sum += item->busy * (item->x1 - item->x0) * per_pixel;
    }
    double busy = (double)ol_trace_index_busy(scene.index, 0, (OlLane)lane, 0, scene.view.end_ns);
    ck_assert_double_ge(sum, busy * 0.98);
    ck_assert_double_le(sum, busy + (plot.right - plot.left) * per_pixel / 16);
  }
  scene_clear(&scene);
}
END_TEST

START_TEST(few_spans_are_drawn_one_by_one)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  OlPlot plot = plot_of(&scene.view);
  plot.end_ns /= 4;
  g_autoptr(GArray) items = ol_level_items(&scene.view, OL_LANE_COMPUTE, &plot, NULL);
  guint first, n;
  ol_trace_index_find(scene.index, 0, OL_LANE_COMPUTE, 0, plot.end_ns, &first, &n);
  ck_assert_uint_eq(items->len, n);
  for (guint i = 0; i < items->len; i++) {
    const OlLevelItem *item = &g_array_index(items, OlLevelItem, i);
    const OlSpan *span = ol_trace_span(scene.trace, (guint)item->span);
    ck_assert_double_eq_tol(item->x0, ol_plot_x(&plot, span->begin_ns), 1e-6);
    ck_assert_int_eq(item->payload, OL_PAYLOAD_ACTIVATIONS);
  }
  scene_clear(&scene);
}
END_TEST

/* Exact parts and columns both add up to what the index says lies under compute. */
START_TEST(cover_is_what_is_hidden)
{
  static const guint sizes[] = {30, 500, 20000};
  for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
    Scene scene = scene_new(random_trace_new(30 + i, sizes[i], 0));
    OlPlot plot = plot_of(&scene.view);
    g_autoptr(GArray) runs = ol_cover_runs(&scene.view, &plot, NULL);
    ck_assert_uint_gt(runs->len, 0);
    double end = plot.left;
    for (guint k = 0; k < runs->len; k++) {
      const OlCoverRun *run = &g_array_index(runs, OlCoverRun, k);
      ck_assert_double_ge(run->x0, end - 1e-6);
      ck_assert_double_gt(run->hidden + run->exposed, 0);
      ck_assert_double_le(run->hidden + run->exposed, 1 + 1e-9);
      if (sizes[i] < 500) { /* exact: all of it hidden, or none */
        gint64 begin_ns = ol_plot_time(&plot, run->x0), end_ns = ol_plot_time(&plot, run->x1);
        gint64 busy = ol_trace_index_busy(scene.index, 0, OL_LANE_COMPUTE, begin_ns, end_ns);
        ck_assert_int_le(llabs(busy - (run->hidden > 0 ? end_ns - begin_ns : 0)), 2);
      }
      end = run->x1;
    }
    scene_clear(&scene);
  }
}
END_TEST

/* Steps join, hold what the index says at their times, and keep the peak at every zoom. */
START_TEST(memory_steps_keep_the_peak)
{
  static const guint sizes[] = {10, 900, 200000};
  for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
    Scene scene = scene_new(random_trace_new(40 + i, 1, sizes[i]));
    scene.view.end_ns = ol_trace_index_known_ns(scene.index) + 1;
    OlPlot plot = plot_of(&scene.view);
    for (int tier = 0; tier < OL_N_TIERS; tier++) {
      g_autoptr(GArray) steps = ol_memory_steps_new(&scene.view, (OlTier)tier, &plot);
      gint64 highest = 0, when;
      for (guint k = 0; k < steps->len; k++) {
        const OlMemoryStep *step = &g_array_index(steps, OlMemoryStep, k);
        highest = MAX(highest, ol_memory_step_sum(step, OL_N_PAYLOADS - 1));
        if (k > 0)
          ck_assert_double_eq(step->x0, g_array_index(steps, OlMemoryStep, k - 1).x1);
      }
      ck_assert_double_le(steps->len, 2 * (plot.right - plot.left) + 2);
      ck_assert_int_eq(highest, ol_trace_index_peak(scene.index, 0, (OlTier)tier, &when));
    }
    scene_clear(&scene);
  }
}
END_TEST

START_TEST(times_and_places_are_inverse)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 13, NULL);
  double left, right;
  ol_chart_plot_edges(&scene.view, style, 900, &left, &right);
  ck_assert_double_gt(left, 0);
  ck_assert_double_gt(right, left);
  ck_assert_double_eq_tol(ol_chart_x_at(&scene.view, style, 900, 0), left, 1e-6);
  ck_assert_double_eq_tol(ol_chart_x_at(&scene.view, style, 900, scene.view.end_ns), right, 1e-6);
  for (double x = left; x < right; x += 7.3) {
    gint64 time = ol_chart_time_at(&scene.view, style, 900, x);
    ck_assert_double_eq_tol(ol_chart_x_at(&scene.view, style, 900, time), x, 1e-3);
  }
  ol_chart_style_free(style);
  scene_clear(&scene);
}
END_TEST

/* In a row and in a column, boxes and links are inside the chart and do not overlap. */
START_TEST(tiers_fit_at_any_size)
{
  for (double size = 8; size < 60; size += 4)
    for (double width = 500; width < 2200; width += 170) {
      OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, size, NULL);
      OlCanvas canvas;
      OlTiersLayout layout;
      ol_canvas_init(&canvas, NULL, NULL, style, width, 0);
      canvas.height = ol_tiers_layout_height(&canvas);
      ol_tiers_layout_init(&layout, &canvas, 0);
      for (int i = 0; i < OL_N_TIERS; i++) {
        OlBox box = layout.tiers[i].box, next = layout.tiers[MIN(i + 1, 2)].box;
        ck_assert_double_gt(layout.tiers[i].interior.width, 3 * size);
        ck_assert_double_le(box.x + box.width, width);
        ck_assert_double_le(box.y + box.height, canvas.height);
        if (i < 2)
          ck_assert(layout.column ? box.y + box.height < next.y : box.x + box.width < next.x);
      }
      ol_canvas_clear(&canvas);
      ol_chart_style_free(style);
    }
}
END_TEST

/* Side by side down to about 40 em, and then still with room for the amounts; a run's lines never
 * push the height about: it depends on the width alone. */
START_TEST(tiers_stay_side_by_side)
{
  const double em = 12.6;
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, em, NULL);
  for (double ems = 26; ems < 90; ems += 0.5) {
    OlCanvas canvas;
    OlTiersLayout layout;
    ol_canvas_init(&canvas, NULL, NULL, style, ems * em, 0);
    canvas.height = ol_tiers_layout_height(&canvas);
    ol_tiers_layout_init(&layout, &canvas, 0);
    ck_assert_int_eq(layout.column, ems < 39);
    if (!layout.column) {
      ck_assert_double_lt(canvas.height, 16 * em);
      for (int i = 0; i < OL_N_TIERS; i++)
        ck_assert_double_gt(layout.tiers[i].text_width, (layout.tiers[i].beside ? 11 : 6) * em);
    }
    ol_canvas_clear(&canvas);
  }
  ol_chart_style_free(style);
}
END_TEST

/* Its height, and where the lowest of the chart ends. */
static double first_row(OlChart chart, OlCanvas *canvas, double *bottom)
{
  OlTiersLayout tiers;
  OlMemoryLayout memory;
  OlLanesLayout lanes;
  OlLossLayout loss;
  switch (chart) {
  case OL_CHART_TIERS:
    ol_tiers_layout_init(&tiers, canvas, 0);
    *bottom = tiers.tiers[0].box.y + tiers.tiers[0].box.height;
    return tiers.tiers[0].interior.height;
  case OL_CHART_MEMORY:
    ol_memory_layout_init(&memory, canvas);
    *bottom = memory.bottom;
    return memory.rows[0][0].bottom - memory.rows[0][0].top;
  case OL_CHART_LANES:
    ol_lanes_layout_init(&lanes, canvas);
    *bottom = lanes.key_y;
    return lanes.row;
  default:
    ol_loss_layout_init(&loss, canvas);
    *bottom = loss.panels[0].foot_y;
    return loss.panels[0].plot.height;
  }
}

/* A screen of 4K has the height of two benches: rows take it, and leave no more of it empty than
 * they did before. */
START_TEST(rows_grow_with_room)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 2}));
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 12.6, NULL);
  for (OlChart chart = OL_CHART_TIERS; chart < OL_N_CHARTS; chart++) {
    double least = ol_chart_height(chart, &scene.view, style, 3400), was_bottom, bottom;
    double most = ol_chart_most_height(chart, &scene.view, style, 3400);
    OlCanvas canvas;
    ol_canvas_init(&canvas, NULL, &scene.view, style, 3400, least);
    double was = first_row(chart, &canvas, &was_bottom);
    canvas.height = most;
    double row = first_row(chart, &canvas, &bottom);
    ck_assert_double_gt(row, 2 * was);
    ck_assert_double_le(most - bottom, (least - was_bottom) * most / least + 1e-6);
    ck_assert_double_ge(most - bottom, 0);
    ol_canvas_clear(&canvas);
  }
  ck_assert_double_eq(ol_chart_most_height(OL_CHART_RANKS, &scene.view, style, 3400),
                      ol_chart_height(OL_CHART_RANKS, &scene.view, style, 3400));
  ol_chart_style_free(style);
  scene_clear(&scene);
}
END_TEST

/* A trace whose host's buffers are so small, on a host so large. */
static OlMemoryRow host_row(gint64 bytes, gint64 capacity)
{
  OlTrace *trace = sample_trace_new(&(SampleOptions){.steps = 1});
  g_array_index(trace->header.capacities, guint64, OL_TIER_HOST) = (guint64)capacity;
  for (guint i = 0; i < trace->changes->len; i++) {
    OlMemoryChange *change = &g_array_index(trace->changes, OlMemoryChange, i);
    if (ol_graph_buffer(trace->graph, change->buffer)->tier != OL_TIER_HOST)
      continue;
    change->bytes = bytes;
    bytes = 0; /* the first holds all of it */
  }
  Scene scene = scene_new(trace);
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 13, NULL);
  OlCanvas canvas;
  OlMemoryLayout layout;
  ol_canvas_init(&canvas, NULL, &scene.view, style, 900, 0);
  canvas.height = ol_memory_layout_height(&canvas);
  ol_memory_layout_init(&layout, &canvas);
  ol_canvas_clear(&canvas);
  ol_chart_style_free(style);
  scene_clear(&scene);
  return layout.rows[0][OL_TIER_HOST];
}

/* 64 KiB of 150 MiB is a hairline; what fills little of a large tier but is as much as the GPU
 * holds has a scale of its own; a quarter of the capacity is drawn to that. */
START_TEST(trifles_are_hairlines)
{
  const gint64 mib = 1 << 20;
  OlMemoryRow row = host_row(mib / 16, 150 * mib);
  ck_assert(row.trifling && row.to_capacity);
  ck_assert_int_eq(row.scale, 150 * mib);
  double height = row.bottom - ol_memory_row_y(&row, row.peak);
  ck_assert_double_gt(height, 1);
  ck_assert_double_lt(height, 4);
  ck_assert_double_eq(ol_memory_row_y(&row, 0), row.bottom);
  row = host_row(8 * mib, 2000 * mib);
  ck_assert(!row.trifling && !row.to_capacity);
  ck_assert_double_gt(row.bottom - ol_memory_row_y(&row, row.peak), 20);
  row = host_row(8 * mib, 30 * mib);
  ck_assert(!row.trifling && row.to_capacity);
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("geometry");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, no_span_vanishes);
  tcase_add_test(cases, columns_tell_how_busy);
  tcase_add_test(cases, few_spans_are_drawn_one_by_one);
  tcase_add_test(cases, cover_is_what_is_hidden);
  tcase_add_test(cases, memory_steps_keep_the_peak);
  tcase_add_test(cases, times_and_places_are_inverse);
  tcase_add_test(cases, tiers_fit_at_any_size);
  tcase_add_test(cases, tiers_stay_side_by_side);
  tcase_add_test(cases, rows_grow_with_room);
  tcase_add_test(cases, trifles_are_hairlines);
  return run_suite("geometry", cases);
}
