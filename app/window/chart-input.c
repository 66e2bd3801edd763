#include "app/window/chart-input.h"

#include "app/window/chart-keys.h"
#include "app/window/chart-menu.h"
#include <math.h>

#define DRAG_STARTS 4  /* logical pixels that tell a drag from a click */
#define NOTCH       30 /* logical pixels of a touch pad that count as a wheel's notch */
#define MOST_TURNS  4  /* notches that one event may turn */

static OlLabSession *session_of(gpointer area)
{
  return ol_chart_area_get_session(OL_CHART_AREA(area));
}

/* Pointer */

static void on_motion(OlChartArea *area, double x, double y)
{
  ol_chart_area_point(area, x, y);
}

static void on_leave(OlChartArea *area)
{
  const OlNumber none = {.kind = OL_NUMBER_NONE};

  ol_lab_session_hover_number(session_of(area), &none);
  ol_lab_session_set_cursor(session_of(area), -1, -1);
}

static void on_click(OlChartArea *area, int presses, double x, double y)
{
  OlChartHit hit = ol_chart_area_hit(area, x, y);

  gtk_widget_grab_focus(GTK_WIDGET(area));
  if (hit.number.kind != OL_NUMBER_NONE) {
    ol_lab_session_press(session_of(area), &hit.number);
    return;
  }
  if (!ol_chart_is_timed(ol_chart_area_get_chart(area))) {
    if (ol_chart_area_get_chart(area) == OL_CHART_LOSS)
      ol_lab_session_show_step_at(session_of(area), hit.time_ns);
    else if (hit.rank >= 0)
      ol_lab_session_select_rank(session_of(area), (guint)hit.rank);
    return;
  }
  if (ol_chart_area_get_run(area) == OL_RUN_SHOWN)
    ol_lab_session_pick(session_of(area), &hit);
  else
    ol_lab_session_select_pinned(session_of(area), hit.span);
  if (presses == 2)
    ol_lab_session_zoom_to_marked(session_of(area));
}

static gboolean is_touch(GtkGesture *gesture)
{
  GdkDevice *device = gtk_gesture_get_device(gesture);

  return device && gdk_device_get_source(device) == GDK_SOURCE_TOUCHSCREEN;
}

/* What fingers or the middle button hold goes where they go. */

static void take(OlChartArea *area, double x, GtkGesture *gesture)
{
  OlViewGrip *grip = g_new(OlViewGrip, 1);

  *grip = ol_view_take(ol_lab_session_get_view(session_of(area)), ol_chart_area_time_at(area, x));
  g_object_set_data_full(G_OBJECT(gesture), "grip", grip, g_free);
}

static void move(OlChartArea *area, double x, double spread, GtkGesture *gesture)
{
  const OlViewGrip *grip = g_object_get_data(G_OBJECT(gesture), "grip");
  double left, right;

  ol_chart_plot_edges(ol_chart_area_get_view(area), ol_chart_area_get_style(area),
                      gtk_widget_get_width(GTK_WIDGET(area)), &left, &right);
  if (grip && right > left)
    ol_lab_session_move(session_of(area), grip, (x - left) / (right - left), spread);
}

static void on_pull_begin(OlChartArea *area, double x, double y, GtkGesture *gesture)
{
  take(area, x, gesture);
}

static void on_pull(OlChartArea *area, double dx, double dy, GtkGestureDrag *gesture)
{
  double x, y;

  if (gtk_gesture_drag_get_start_point(gesture, &x, &y))
    move(area, x + dx, 1, GTK_GESTURE(gesture));
}

/* The pointer marks a range; a finger takes hold of the chart, as fingers do everywhere. */
static void on_drag(OlChartArea *area, double dx, double dy, GtkGestureDrag *gesture)
{
  gboolean touch = is_touch(GTK_GESTURE(gesture));
  double x, y;

  gtk_gesture_drag_get_start_point(gesture, &x, &y);
  if (ABS(dx) < DRAG_STARTS || (touch && ABS(dx) < ABS(dy)))
    return;
  gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  if (touch)
    on_pull(area, dx, dy, gesture);
  else
    ol_lab_session_set_marked(session_of(area), ol_chart_area_time_at(area, x),
                              ol_chart_area_time_at(area, x + dx));
}

/* Two fingers, on a screen or a touch pad, hold the moment between them. */
static void on_pinch_begin(OlChartArea *area, GdkEventSequence *sequence, GtkGesture *gesture)
{
  double x, y;

  if (gtk_gesture_get_bounding_box_center(gesture, &x, &y))
    take(area, x, gesture);
}

static void on_pinch(OlChartArea *area, double scale, GtkGesture *gesture)
{
  double x, y;

  if (gtk_gesture_get_bounding_box_center(gesture, &x, &y))
    move(area, x, scale, gesture);
}

/* Buttons at the thumb. */
static void on_thumb(OlChartArea *area, int presses, double x, double y, GtkGestureSingle *gesture)
{
  guint button = gtk_gesture_single_get_current_button(gesture);

  if (button == 8 || button == 9)
    ol_lab_session_go(session_of(area), button == 8 ? -1 : 1);
}

/* Notches, also where a touch pad tells pixels. */
static double count_notches(GtkEventController *controller, double dy)
{
  gboolean pixels = gtk_event_controller_scroll_get_unit(GTK_EVENT_CONTROLLER_SCROLL(controller)) ==
                    GDK_SCROLL_UNIT_SURFACE;

  return CLAMP(pixels ? dy / NOTCH : dy, -MOST_TURNS, MOST_TURNS);
}

/* Ctrl and wheel zoom at the pointer; Shift and wheel, or a sideways wheel, move in time; the bare
 * wheel is the scrolled window's. */
static gboolean on_scroll(OlChartArea *area, double dx, double dy, GtkEventController *controller)
{
  GdkModifierType held = gtk_event_controller_get_current_event_state(controller);
  OlLabSession *session = session_of(area);
  gint64 cursor = ol_lab_session_get_view(session)->cursor_ns;

  if (held & GDK_CONTROL_MASK) {
    if (cursor >= 0 && dy != 0)
      ol_lab_session_zoom(session, pow(OL_CHART_ZOOM_STEP, count_notches(controller, dy)), cursor);
    return TRUE;
  }
  if (held & GDK_SHIFT_MASK)
    dx = dx != 0 ? dx : dy;
  else if (ABS(dx) <= ABS(dy))
    return FALSE;
  ol_lab_session_pan(session, count_notches(controller, dx) * OL_CHART_PAN_STEP);
  return TRUE;
}

/* A prediction is taken hold of wherever it can be, and goes where the pointer is. */
static void on_guess_begin(OlChartArea *area, double x, double y, GtkGesture *gesture)
{
  if (!ol_chart_area_guess(area, x, y, TRUE)) {
    gtk_gesture_set_state(gesture, GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  gtk_gesture_set_state(gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static void on_guess(OlChartArea *area, double dx, double dy, GtkGestureDrag *gesture)
{
  double x, y;

  if (gtk_gesture_drag_get_start_point(gesture, &x, &y))
    ol_chart_area_guess(area, x + dx, y + dy, FALSE);
}

static void add_guess(OlChartArea *area)
{
  GtkGesture *drag = gtk_gesture_drag_new();

  g_signal_connect_swapped(drag, "drag-begin", G_CALLBACK(on_guess_begin), area);
  g_signal_connect_swapped(drag, "drag-update", G_CALLBACK(on_guess), area);
  gtk_widget_add_controller(GTK_WIDGET(area), GTK_EVENT_CONTROLLER(drag));
}

static GtkGesture *add_drag(OlChartArea *area, guint button, GCallback update)
{
  GtkGesture *drag = gtk_gesture_drag_new();

  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(drag), button);
  g_signal_connect_swapped(drag, "drag-begin", G_CALLBACK(on_pull_begin), area);
  g_signal_connect_swapped(drag, "drag-update", update, area);
  gtk_widget_add_controller(GTK_WIDGET(area), GTK_EVENT_CONTROLLER(drag));
  return drag;
}

static GtkGesture *add_pinch(OlChartArea *area)
{
  GtkGesture *pinch = gtk_gesture_zoom_new();

  g_signal_connect_swapped(pinch, "begin", G_CALLBACK(on_pinch_begin), area);
  g_signal_connect_swapped(pinch, "scale-changed", G_CALLBACK(on_pinch), area);
  gtk_widget_add_controller(GTK_WIDGET(area), GTK_EVENT_CONTROLLER(pinch));
  return pinch;
}

static void add_thumb(OlChartArea *area)
{
  GtkGesture *thumb = gtk_gesture_click_new();

  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(thumb), 0);
  g_signal_connect_swapped(thumb, "pressed", G_CALLBACK(on_thumb), area);
  gtk_widget_add_controller(GTK_WIDGET(area), GTK_EVENT_CONTROLLER(thumb));
}

static void add_wheel(OlChartArea *area)
{
  GtkEventController *wheel =
      gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

  g_signal_connect_swapped(wheel, "scroll", G_CALLBACK(on_scroll), area);
  gtk_widget_add_controller(GTK_WIDGET(area), wheel);
}

void ol_chart_input_attach(OlChartArea *area)
{
  GtkEventController *motion = gtk_event_controller_motion_new();
  GtkGesture *click = gtk_gesture_click_new();

  g_signal_connect_swapped(motion, "motion", G_CALLBACK(on_motion), area);
  g_signal_connect_swapped(motion, "leave", G_CALLBACK(on_leave), area);
  gtk_widget_add_controller(GTK_WIDGET(area), motion);
  g_signal_connect_swapped(click, "released", G_CALLBACK(on_click), area);
  gtk_widget_add_controller(GTK_WIDGET(area), GTK_EVENT_CONTROLLER(click));
  ol_chart_keys_attach(area);
  ol_chart_menu_attach(area);
  if (ol_chart_area_get_run(area) == OL_RUN_SHOWN)
    add_guess(area);
  if (!ol_chart_is_timed(ol_chart_area_get_chart(area)))
    return;
  add_wheel(area);
  add_thumb(area);
  add_drag(area, GDK_BUTTON_MIDDLE, G_CALLBACK(on_pull));
  /* One finger that has begun to drag must not keep a second one from pinching. */
  gtk_gesture_group(add_pinch(area), add_drag(area, GDK_BUTTON_PRIMARY, G_CALLBACK(on_drag)));
}
