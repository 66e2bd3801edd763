/* Loss and speed: where values and steps lie, against the trace itself. */
#include "app/charts/chart-table.h"
#include "app/charts/loss-layout.h"
#include "app/charts/pinned.h"
#include "tests/charts/views.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define EM 10

typedef struct {
  Scene scene;
  OlChartStyle *style;
  OlCanvas canvas;
  OlLossLayout layout;
} Room;

static void room_init(Room *room, guint steps, double width)
{
  room->scene = scene_new(sample_trace_new(&(SampleOptions){.steps = steps}));
  room->style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, EM, NULL);
  ol_canvas_init(&room->canvas, NULL, &room->scene.view, room->style, width, 0);
  ol_loss_layout_init(&room->layout, &room->canvas);
}

static void room_clear(Room *room)
{
  ol_canvas_clear(&room->canvas);
  ol_chart_style_free(room->style);
  scene_clear(&room->scene);
}

/* Every value lies in its plot, higher ones higher, at a place in proportion; every step's middle
 * is found again as that step. */
START_TEST(values_lie_in_proportion)
{
  static const double widths[] = {900, 300, 120};
  Room room;
  room_init(&room, 12, widths[_i]);
  ck_assert_int_eq(room.layout.column, widths[_i] < 440);
  for (int kind = 0; kind < OL_N_PANELS; kind++) {
    const OlLossPanel *panel = &room.layout.panels[kind];
    double unit = panel->plot.height / (panel->high - panel->low);
    for (guint i = 0; i < 12; i++) {
      double value = ol_loss_value(&room.scene.view, kind, i);
      double x = ol_loss_layout_x(&room.layout, kind, i);
      double y = ol_loss_layout_y(&room.layout, kind, value);
      ck_assert_double_ge(y, panel->plot.y);
      ck_assert_double_le(y, panel->plot.y + panel->plot.height);
      ck_assert_double_eq_tol(panel->plot.y + panel->plot.height - y, (value - panel->low) * unit,
                              1e-6);
      ck_assert_int_eq(ol_loss_layout_step_at(&room.layout, x, y), (int)i);
    }
    for (guint i = 0; i < panel->n_ticks; i++) {
      double tick = panel->first_tick + i * panel->tick;
      ck_assert_double_ge(tick, panel->low - 1e-9);
      ck_assert_double_le(tick, panel->high + 1e-9);
    }
    ck_assert_uint_ge(panel->n_ticks, 2);
  }
  ck_assert_int_eq(ol_loss_layout_step_at(&room.layout, -5, 20), -1);
  room_clear(&room);
}
END_TEST

START_TEST(panels_do_not_meet)
{
  for (double width = 50; width < 1500; width += 37) {
    Room room;
    room_init(&room, 3, width);
    const OlLossPanel *loss = &room.layout.panels[OL_PANEL_LOSS];
    const OlLossPanel *speed = &room.layout.panels[OL_PANEL_SPEED];
    if (room.layout.column)
      ck_assert_double_ge(speed->head_y, loss->foot_y);
    else
      ck_assert_double_ge(speed->plot.x, loss->plot.x + loss->plot.width);
    ck_assert_double_ge(ol_loss_layout_height(&room.canvas), speed->foot_y);
    room_clear(&room);
  }
}
END_TEST

/* As long as steps have room each is a point; beyond, none is lost: a point has the highest and the
 * lowest of its steps. */
START_TEST(no_step_is_lost)
{
  Room room;
  room_init(&room, 2000, 900);
  g_autoptr(GArray) points = ol_loss_points_new(&room.layout, &room.scene.view, OL_PANEL_LOSS);
  double top = G_MAXDOUBLE, bottom = -G_MAXDOUBLE, last = -1;
  ck_assert_uint_le(points->len, 900);
  for (guint i = 0; i < points->len; i++) {
    const OlLossPoint *point = &g_array_index(points, OlLossPoint, i);
    ck_assert_double_gt(point->x, last);
    last = point->x;
    top = MIN(top, point->top);
    bottom = MAX(bottom, point->bottom);
  }
  for (guint i = 0; i < 2000; i++) {
    double value = ol_loss_value(&room.scene.view, OL_PANEL_LOSS, i);
    double y = ol_loss_layout_y(&room.layout, OL_PANEL_LOSS, value);
    ck_assert_double_ge(y, top - 1e-9);
    ck_assert_double_le(y, bottom + 1e-9);
  }
  room_clear(&room);
  room_init(&room, 5, 900);
  g_autoptr(GArray) few = ol_loss_points_new(&room.layout, &room.scene.view, OL_PANEL_LOSS);
  ck_assert_uint_eq(few->len, 5);
  room_clear(&room);
}
END_TEST

/* Tokens over seconds; there κ times as many, in µ / s as many seconds. A touched run has none. */
START_TEST(speed_is_tokens_over_seconds)
{
  Room room;
  room_init(&room, 3, 900);
  OlTrace *trace = room.scene.trace;
  const OlStep *step = ol_trace_step(trace, 1);
  ol_trace_set_number(trace, "tokens.per_step", 512);
  double here = 512 / ((double)(step->end_ns - step->begin_ns) / 1e9);
  ck_assert_double_eq_tol(ol_loss_value(&room.scene.view, OL_PANEL_SPEED, 1), here, 1e-6 * here);
  trace->header.mu = 1700;
  trace->header.kappa = 16;
  trace->header.slowdown = 1000;
  room.scene.view.there = TRUE;
  ck_assert_double_eq_tol(ol_loss_value(&room.scene.view, OL_PANEL_SPEED, 1), here * 16 / 1.7,
                          1e-6 * here);
  trace->touched = TRUE;
  ck_assert(isnan(ol_loss_value(&room.scene.view, OL_PANEL_SPEED, 1)));
  ck_assert(isnan(ol_loss_value(&room.scene.view, OL_PANEL_LOSS, 3)));
  room_clear(&room);
}
END_TEST

/* The axis has room for the run with more steps, and the table a row for each. */
START_TEST(the_longer_run_counts)
{
  Room room;
  Scene longer = scene_new(sample_trace_new(&(SampleOptions){.steps = 7}));
  OlPinnedRun run = {longer.trace, longer.index, "run 1, pinned", TRUE};
  room_init(&room, 3, 900);
  room.scene.view.pinned = &run;
  ol_loss_layout_init(&room.layout, &room.canvas);
  ck_assert_uint_eq(room.layout.n_steps, 7);
  g_autoptr(GPtrArray) rows = ol_table_rows_new(OL_TABLE_STEPS, &room.scene.view);
  ck_assert_uint_eq(rows->len, 7);
  g_autofree char *loss = g_strdup_printf("%.4f", ol_trace_step(longer.trace, 6)->loss);
  ck_assert_str_eq(((const OlTableRow *)g_ptr_array_index(rows, 6))->cells[1], "none");
  ck_assert_str_eq(((const OlTableRow *)g_ptr_array_index(rows, 6))->cells[5], loss);
  room_clear(&room);
  scene_clear(&longer);
}
END_TEST

START_TEST(nothing_is_known_yet)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 1, .growing = TRUE}));
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_DARK, FALSE, EM, NULL);
  OlChartHit hit = ol_chart_hit(OL_CHART_LOSS, 200, 50, 900, 100, &scene.view, style);
  g_autofree char *words = ol_chart_dup_description(OL_CHART_LOSS, &scene.view);
  ck_assert_int_eq(hit.time_ns, -1);
  ck_assert_ptr_nonnull(strstr(words, "No step has ended yet"));
  ol_chart_style_free(style);
  scene_clear(&scene);
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("loss");
  tcase_add_loop_test(cases, values_lie_in_proportion, 0, 3);
  tcase_add_test(cases, panels_do_not_meet);
  tcase_add_test(cases, no_step_is_lost);
  tcase_add_test(cases, speed_is_tokens_over_seconds);
  tcase_add_test(cases, the_longer_run_counts);
  tcase_add_test(cases, nothing_is_known_yet);
  return run_suite("loss", cases);
}
