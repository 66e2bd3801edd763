/* Hit tests: what is found at a place is what is drawn there. */
#include "app/charts/lanes-layout.h"
#include "app/charts/memory-layout.h"
#include "app/charts/plot.h"
#include "app/charts/tiers-layout.h"
#include "tests/charts/views.h"
#include "tests/suite.h"

/* Every span that is wide enough is found in the middle of itself. */
START_TEST(lanes_hit_what_is_there)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 1}));
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 13, NULL);
  double width = 1200, height = ol_chart_height(OL_CHART_LANES, &scene.view, style, width);
  OlCanvas canvas;
  OlLanesLayout layout;
  ol_canvas_init(&canvas, NULL, &scene.view, style, width, height);
  ol_lanes_layout_init(&layout, &canvas);
  for (guint i = 0; i < scene.trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(scene.trace, i);
    const OlGraphNode *node = ol_graph_node(scene.trace->graph, span->node);
    double x = ol_plot_x(&layout.plot, (span->begin_ns + span->end_ns) / 2);
    OlChartHit hit = ol_chart_hit(OL_CHART_LANES, x,
                                  ol_lanes_layout_y(&layout, &layout.groups.items[0], node->lane),
                                  width, height, &scene.view, style);
    ck_assert_int_eq(hit.lane, (int)node->lane);
    ck_assert_int_eq(hit.span, (int)i);
    ck_assert_int_ge(hit.time_ns, span->begin_ns);
    ck_assert_int_le(hit.time_ns, span->end_ns);
  }
  OlChartHit nothing =
      ol_chart_hit(OL_CHART_LANES, layout.plot.right - 1,
                   ol_lanes_layout_y(&layout, &layout.groups.items[0], OL_LANE_NVME_READ), width,
                   height, &scene.view, style);
  ck_assert_int_eq(nothing.span, -1);
  ck_assert_int_eq(nothing.lane, OL_LANE_NVME_READ);
  ol_canvas_clear(&canvas);
  ol_chart_style_free(style);
  scene_clear(&scene);
}
END_TEST

START_TEST(memory_hits_the_stack)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_DARK, FALSE, 13, NULL);
  double width = 1000, height = ol_chart_height(OL_CHART_MEMORY, &scene.view, style, width);
  OlCanvas canvas;
  OlMemoryLayout layout;
  ol_canvas_init(&canvas, NULL, &scene.view, style, width, height);
  ol_memory_layout_init(&layout, &canvas);
  for (int tier = 0; tier < OL_TIER_NVME; tier++) {
    const OlMemoryRow *row = &layout.rows[0][tier];
    double x = ol_plot_x(&layout.plot, row->peak_ns) + 0.5;
    gint64 bytes[OL_N_PAYLOADS], sum = 0;
    gint64 time = ol_plot_time(&layout.plot, x);
    ol_trace_index_memory_at(scene.index, 0, (OlTier)tier, time, bytes);
    for (int p = 0; p < OL_N_PAYLOADS; p++) {
      double y = ol_memory_row_y(row, sum + bytes[p] / 2);
      sum += bytes[p];
      if (bytes[p] == 0)
        continue;
      OlChartHit hit = ol_chart_hit(OL_CHART_MEMORY, x, y, width, height, &scene.view, style);
      ck_assert_int_eq(hit.tier, tier);
      ck_assert_int_eq(hit.payload, p);
    }
    OlChartHit above =
        ol_chart_hit(OL_CHART_MEMORY, x, row->top + 0.5, width, height, &scene.view, style);
    ck_assert_int_eq(above.payload, -1);
  }
  ol_canvas_clear(&canvas);
  ol_chart_style_free(style);
  scene_clear(&scene);
}
END_TEST

/* The outline of a span has in it what a hit there finds, and is not there for what is out of
 * sight.
 */
START_TEST(marks_enclose_their_span)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 2}));
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 13, NULL);
  double width = 1100, height = ol_chart_height(OL_CHART_LANES, &scene.view, style, width);
  double left, right;
  cairo_rectangle_t box;
  guint out_of_sight = 0;
  ol_chart_plot_edges(&scene.view, style, width, &left, &right);
  scene.view.begin_ns = scene.view.end_ns / 3;
  scene.view.end_ns = scene.view.end_ns / 2;
  for (guint i = 0; i < scene.trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(scene.trace, i);
    gboolean seen = span->begin_ns <= scene.view.end_ns && span->end_ns >= scene.view.begin_ns;
    ck_assert_int_eq(ol_chart_mark(width, height, &scene.view, style, (int)i, &box), seen);
    out_of_sight += !seen;
    if (!seen)
      continue;
    ck_assert_double_gt(box.x, left - 5);
    ck_assert_double_lt(box.x + box.width, right + 5);
    OlChartHit hit = ol_chart_hit(OL_CHART_LANES, box.x + box.width / 2, box.y + box.height / 2,
                                  width, height, &scene.view, style);
    ck_assert_int_eq(hit.span, (int)i);
  }
  ck_assert_uint_gt(out_of_sight, 0);
  ck_assert(!ol_chart_mark(width, height, &scene.view, style, -1, &box));
  ck_assert(!ol_chart_mark(width, height, &scene.view, style, 1 << 30, &box));
  ol_chart_style_free(style);
  scene_clear(&scene);
}
END_TEST

START_TEST(tiers_hit_box_payload_and_link)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  scene.view.cursor_ns = scene.view.end_ns / 2;
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 13, NULL);
  OlCanvas canvas;
  OlTiersLayout layout;
  double width = 900, height = ol_chart_height(OL_CHART_TIERS, &scene.view, style, width);
  ol_canvas_init(&canvas, NULL, &scene.view, style, width, height);
  ol_tiers_layout_init(&layout, &canvas, 0);
  OlBox bar = layout.tiers[OL_TIER_GPU].interior;
  OlChartHit hit = ol_chart_hit(OL_CHART_TIERS, bar.x + 4, bar.y + bar.height / 2, width, height,
                                &scene.view, style);
  ck_assert_int_eq(hit.tier, OL_TIER_GPU);
  ck_assert_int_eq(hit.payload, OL_PAYLOAD_WEIGHTS);
  hit = ol_chart_hit(OL_CHART_TIERS, bar.x + bar.width - 1, bar.y + 5, width, height, &scene.view,
                     style);
  ck_assert_int_eq(hit.tier, OL_TIER_GPU);
  ck_assert_int_eq(hit.payload, -1);
  OlBox link = layout.links[1].track;
  hit = ol_chart_hit(OL_CHART_TIERS, link.x + link.width / 2, link.y + 1, width, height,
                     &scene.view, style);
  ck_assert_int_eq(hit.tier, -1);
  ck_assert_int_eq(hit.lane, OL_LANE_HOST_TO_GPU);
  ol_canvas_clear(&canvas);
  ol_chart_style_free(style);
  scene_clear(&scene);
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("hits");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, lanes_hit_what_is_there);
  tcase_add_test(cases, memory_hits_the_stack);
  tcase_add_test(cases, marks_enclose_their_span);
  tcase_add_test(cases, tiers_hit_box_payload_and_link);
  return run_suite("hits", cases);
}
