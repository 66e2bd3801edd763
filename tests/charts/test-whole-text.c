/* No word and no figure of any chart is cut short, at any width from a column of a small window to
 * a wall, in either unit. The linker's --wrap shows what pango is about to draw. */
#include "tests/charts/rank-trace.h"
#include "tests/charts/views.h"
#include "tests/suite.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

/* One list at a time: the linker's wrapper has no other way to find it. */
static GString *cut;

void __real_pango_cairo_show_layout(cairo_t *cairo, PangoLayout *layout);
void __wrap_pango_cairo_show_layout(cairo_t *cairo, PangoLayout *layout);
void __wrap_pango_cairo_show_layout(cairo_t *cairo, PangoLayout *layout)
{
  if (pango_layout_is_ellipsized(layout))
    g_string_append_printf(cut, " “%s”", pango_layout_get_text(layout));
  __real_pango_cairo_show_layout(cairo, layout);
}

static void check_whole(OlChart chart, const OlChartView *view, double em, double ems)
{
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, em, NULL);
  double width = ems * em, height = ol_chart_height(chart, view, style, width);
  cairo_surface_t *surface =
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)ceil(width), (int)ceil(height));
  cairo_t *cairo = cairo_create(surface);
  cut = g_string_new(NULL);
  ol_chart_draw(chart, cairo, width, height, view, style);
  ck_assert_msg(cut->len == 0, "%s at %.1f em, %s: cut:%s", ol_chart_title(chart), ems,
                view->there ? "there" : "here", cut->str);
  g_string_free(cut, TRUE);
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
  ol_chart_style_free(style);
}

static void check_charts(const OlChartView *view, double ems)
{
  for (int chart = 0; chart < OL_N_CHARTS; chart++)
    if (ol_chart_is_there((OlChart)chart, view))
      check_whole((OlChart)chart, view, 9, ems);
}

/* From 1024 pixels with text of 250 % to 3840 with text of 100 %: closely where there is little
 * room. */
static void check_widths(Scene *scene)
{
  for (double ems = 24; ems < 320; ems *= ems < 72 ? 1.07 : 1.3)
    for (int there = 0; there < 2; there++) {
      scene->view.there = there;
      check_charts(&scene->view, ems);
      scene->view.cursor_ns = scene->view.end_ns / 3;
      check_charts(&scene->view, ems);
      scene->view.cursor_ns = -1;
    }
}

/* Capacities as wide as figures get, each in another unit. */
static void widen(OlTrace *trace)
{
  static const guint64 capacities[] = {1000ull << 20, 1000ull << 30, 888ull << 40};
  trace->header.mu = 1706;
  trace->header.slowdown = 1000;
  for (guint i = 0; i < trace->header.capacities->len; i++)
    g_array_index(trace->header.capacities, guint64, i) = capacities[i % G_N_ELEMENTS(capacities)];
}

START_TEST(one_rank)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 2}));
  check_widths(&scene);
  widen(scene.trace);
  check_widths(&scene);
  scene_clear(&scene);
}
END_TEST

START_TEST(several_ranks)
{
  static const RankTraceOptions grids[] = {{2, 1, 1, 2, 2}, {1, 4, 1, 4, 2}, {2, 2, 2, 4, 2}};
  Scene scene = scene_new(rank_trace_new(&grids[_i]));
  check_widths(&scene);
  widen(scene.trace);
  check_widths(&scene);
  scene_clear(&scene);
}
END_TEST

/* The matrices of GPT 175 B, whose names are longest: from where the halves stand in a line each.
 */
START_TEST(large_matrices)
{
  OlTrace *trace = rank_trace_new(&(RankTraceOptions){2, 2, 8, 2, 2});
  g_auto(GStrv) parts = g_strsplit(trace->header.config, "\"width\":", 2);
  ck_assert_ptr_nonnull(parts[1]);
  g_free(trace->header.config);
  trace->header.config =
      g_strconcat(parts[0], "\"width\":12288", parts[1] + strspn(parts[1], " 0123456789"), NULL);
  Scene scene = scene_new(trace);
  ck_assert_uint_eq(ol_chart_view_get_ranks(&scene.view)->width, 12288);
  for (scene.view.rank = 0; scene.view.rank < 8; scene.view.rank += 7)
    for (double ems = 44; ems < 320; ems *= 1.03)
      check_whole(OL_CHART_SLICES, &scene.view, 9, ems);
  scene_clear(&scene);
}
END_TEST

START_TEST(out_of_memory)
{
  Scene scene = scene_new(
      sample_trace_new(&(SampleOptions){.steps = 1, .outcome = OL_OUTCOME_OUT_OF_MEMORY}));
  check_widths(&scene);
  scene_clear(&scene);
}
END_TEST

START_TEST(nothing_has_run)
{
  Scene scene = scene_new(NULL);
  check_widths(&scene);
  scene_clear(&scene);
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("whole text");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, one_rank);
  tcase_add_loop_test(cases, several_ranks, 0, 3);
  tcase_add_test(cases, large_matrices);
  tcase_add_test(cases, out_of_memory);
  tcase_add_test(cases, nothing_has_run);
  return run_suite("whole text", cases);
}
