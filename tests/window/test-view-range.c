/* Fingers on a chart: what they took hold of stays under them. Where a moment is seen is asked of
 * the axis that the charts are drawn on. */
#include "app/charts/charts.h"
#include "app/charts/pinned.h"
#include "app/window/view-range.h"
#include "tests/suite.h"
#include "tests/trace/sample-trace.h"

#include <math.h>

#define WIDTH 1000.0

typedef struct {
  OlTrace *trace;
  OlTraceIndex *index;
  OlChartStyle *style;
  OlChartView view;
  double left, right; /* edges of the plot */
} Chart;

static Chart chart_new(void)
{
  Chart chart = {.trace = sample_trace_new(&(SampleOptions){.steps = 8}),
                 .style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 9, "Inter")};
  chart.index = ol_trace_index_new(chart.trace);
  ol_trace_index_extend(chart.index);
  chart.view = ol_chart_view_whole(chart.trace, chart.index);
  ol_chart_plot_edges(&chart.view, chart.style, WIDTH, &chart.left, &chart.right);
  return chart;
}

static void chart_clear(Chart *chart)
{
  ol_chart_style_free(chart->style);
  ol_trace_index_free(chart->index);
  ol_trace_unref(chart->trace);
}

static double x_of(const Chart *chart, gint64 time_ns)
{
  return ol_chart_x_at(&chart->view, chart->style, WIDTH, time_ns);
}

static gint64 time_at(const Chart *chart, double x)
{
  return ol_chart_time_at(&chart->view, chart->style, WIDTH, x);
}

static gint64 length_of(const Chart *chart)
{
  return chart->view.end_ns - chart->view.begin_ns;
}

/* To a quarter of the run, in its middle: room on both sides. */
static void look_at_quarter(Chart *chart)
{
  gint64 end = ol_trace_index_end_ns(chart->index);
  ol_view_set_range(&chart->view, end / 2 - end / 8, end / 4);
}

/* As a gesture does: fingers whose middle is at `x`. */
static void move(Chart *chart, const OlViewGrip *grip, double x, double spread)
{
  ol_view_move(&chart->view, grip, (x - chart->left) / (chart->right - chart->left), spread);
}

START_TEST(a_pinch_zooms_about_the_fingers)
{
  static const double places[] = {0.1, 0.5, 0.93};
  Chart chart = chart_new();
  for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
    look_at_quarter(&chart);
    double x = chart.left + places[i] * (chart.right - chart.left);
    gint64 before = length_of(&chart);
    OlViewGrip grip = ol_view_take(&chart.view, time_at(&chart, x));
    for (double spread = 1; spread <= 4; spread += 0.25) {
      move(&chart, &grip, x, spread);
      ck_assert_double_eq_tol(x_of(&chart, grip.at_ns), x, 0.01);
      ck_assert_double_eq_tol((double)length_of(&chart), (double)before / spread, 2);
    }
    move(&chart, &grip, x, 1); /* together again: all as it was */
    ck_assert_double_eq_tol((double)length_of(&chart), (double)before, 2);
  }
  chart_clear(&chart);
}
END_TEST

START_TEST(a_finger_takes_the_chart_along)
{
  Chart chart = chart_new();
  look_at_quarter(&chart);
  gint64 before = length_of(&chart);
  OlViewGrip grip = ol_view_take(&chart.view, time_at(&chart, 500));
  for (double x = 500; x >= 350; x -= 7) {
    move(&chart, &grip, x, 1);
    ck_assert_double_eq_tol(x_of(&chart, grip.at_ns), x, 0.01);
    ck_assert_int_eq(length_of(&chart), before);
  }
  chart_clear(&chart);
}
END_TEST

START_TEST(two_fingers_move_and_zoom_at_once)
{
  Chart chart = chart_new();
  look_at_quarter(&chart);
  OlViewGrip grip = ol_view_take(&chart.view, time_at(&chart, 600));
  for (guint i = 0; i < 40; i++) {
    move(&chart, &grip, 600 - 4.0 * i, 1 + 0.05 * i);
    ck_assert_double_eq_tol(x_of(&chart, grip.at_ns), 600 - 4.0 * i, 0.01);
  }
  chart_clear(&chart);
}
END_TEST

/* Beyond the end of zooming the range neither shrinks nor slips away under the fingers. */
START_TEST(nothing_slips_at_the_end_of_zooming)
{
  Chart chart = chart_new();
  look_at_quarter(&chart);
  OlViewGrip grip = ol_view_take(&chart.view, time_at(&chart, 700));
  move(&chart, &grip, 700, 1e9);
  gint64 shortest = length_of(&chart), begin = chart.view.begin_ns;
  ck_assert_int_gt(shortest, 0);
  ck_assert_double_eq_tol(x_of(&chart, grip.at_ns), 700, 1);
  move(&chart, &grip, 700, 1e12);
  ck_assert_int_eq(length_of(&chart), shortest);
  ck_assert_int_eq(chart.view.begin_ns, begin);
  chart_clear(&chart);
}
END_TEST

/* Never outside the run, and it comes along again as soon as the finger is back. */
START_TEST(the_run_ends_where_it_ends)
{
  Chart chart = chart_new();
  look_at_quarter(&chart);
  OlViewGrip grip = ol_view_take(&chart.view, time_at(&chart, 500));
  move(&chart, &grip, 1e6, 1);
  ck_assert_int_eq(chart.view.begin_ns, 0);
  move(&chart, &grip, -1e6, 1);
  ck_assert_int_le(chart.view.begin_ns, ol_trace_index_end_ns(chart.index));
  move(&chart, &grip, 480, 1);
  ck_assert_double_eq_tol(x_of(&chart, grip.at_ns), 480, 0.01);
  move(&chart, &grip, 500, 1e-9);
  ck_assert_int_eq(chart.view.begin_ns, 0);
  ck_assert_int_ge(chart.view.end_ns, ol_trace_index_end_ns(chart.index));
  chart_clear(&chart);
}
END_TEST

/* A slower run that is pinned can be seen to its end, too. */
START_TEST(a_longer_pinned_run_is_in_reach)
{
  Chart chart = chart_new(), slower = chart_new();
  g_clear_pointer(&slower.trace, ol_trace_unref);
  g_clear_pointer(&slower.index, ol_trace_index_free);
  slower.trace = sample_trace_new(&(SampleOptions){.steps = 8, .serial = TRUE});
  slower.index = ol_trace_index_new(slower.trace);
  OlPinnedRun pinned = {slower.trace, slower.index, "run 1, pinned", FALSE};
  gint64 end = ol_trace_index_end_ns(chart.index);
  ck_assert_int_gt(ol_trace_index_end_ns(slower.index), end);

  chart.view.pinned = &pinned;
  ol_view_set_range(&chart.view, 0, G_MAXINT64 / 4);
  ck_assert_int_eq(chart.view.begin_ns, 0);
  ck_assert_int_ge(chart.view.end_ns, ol_pinned_end_ns(&chart.view));
  const OlStep *last = ol_trace_step(chart.trace, chart.trace->steps->len - 1);
  ol_view_set_range(&chart.view, G_MAXINT64 / 4, last->end_ns - last->begin_ns);
  ck_assert_int_eq(chart.view.end_ns - chart.view.begin_ns, last->end_ns - last->begin_ns);
  ck_assert_int_ge(chart.view.end_ns, ol_pinned_end_ns(&chart.view));

  chart.view.pinned = NULL;
  ol_view_set_range(&chart.view, 0, G_MAXINT64 / 4);
  ck_assert_double_lt((double)chart.view.end_ns, 1.05 * (double)end);
  chart_clear(&slower);
  chart_clear(&chart);
}
END_TEST

START_TEST(nonsense_moves_nothing)
{
  static const double spreads[] = {0, -1, NAN};
  Chart chart = chart_new();
  look_at_quarter(&chart);
  OlChartView before = chart.view, empty = {.end_ns = 1};
  OlViewGrip grip = ol_view_take(&chart.view, 0);
  for (guint i = 0; i < G_N_ELEMENTS(spreads); i++)
    ol_view_move(&chart.view, &grip, 0.5, spreads[i]);
  ck_assert_int_eq(chart.view.begin_ns, before.begin_ns);
  ck_assert_int_eq(chart.view.end_ns, before.end_ns);
  ol_view_move(&empty, &grip, 0.5, 2); /* no run on the bench */
  ck_assert_int_eq(empty.end_ns, 1);
  chart_clear(&chart);
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("view range");
  tcase_add_test(tcase, a_pinch_zooms_about_the_fingers);
  tcase_add_test(tcase, a_finger_takes_the_chart_along);
  tcase_add_test(tcase, two_fingers_move_and_zoom_at_once);
  tcase_add_test(tcase, nothing_slips_at_the_end_of_zooming);
  tcase_add_test(tcase, the_run_ends_where_it_ends);
  tcase_add_test(tcase, a_longer_pinned_run_is_in_reach);
  tcase_add_test(tcase, nonsense_moves_nothing);
  return run_suite("view range", tcase);
}
