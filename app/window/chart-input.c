#include "app/window/chart-input.h"

#include "app/charts/chart-text.h"
#include "app/window/chart-menu.h"
#include <math.h>

#define ZOOM_STEP   1.25
#define PAN_STEP    0.1
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
  OlChartHit hit = ol_chart_area_hit(area, x, y);

  ol_lab_session_set_cursor(session_of(area), hit.time_ns, hit.span);
}

static void on_leave(OlChartArea *area)
{
  ol_lab_session_set_cursor(session_of(area), -1, -1);
}

static void on_click(OlChartArea *area, int presses, double x, double y)
{
  OlChartHit hit = ol_chart_area_hit(area, x, y);

  gtk_widget_grab_focus(GTK_WIDGET(area));
  if (!ol_chart_is_timed(ol_chart_area_get_chart(area))) {
    if (ol_chart_area_get_chart(area) == OL_CHART_LOSS)
      ol_lab_session_show_step_at(session_of(area), hit.time_ns);
    else if (hit.rank >= 0)
      ol_lab_session_select_rank(session_of(area), (guint)hit.rank);
    return;
  }
  ol_lab_session_pick(session_of(area), &hit);
  if (presses == 2)
    ol_lab_session_zoom_to_marked(session_of(area));
}

static void on_pull(OlChartArea *area, double dx, double dy, GtkGestureDrag *gesture);

static gboolean is_touch(GtkGesture *gesture)
{
  GdkDevice *device = gtk_gesture_get_device(gesture);

  return device && gdk_device_get_source(device) == GDK_SOURCE_TOUCHSCREEN;
}

/* The pointer marks a range; a finger takes hold of the chart, as fingers do everywhere. */
static void on_drag(OlChartArea *area, double dx, double dy, GtkGestureDrag *gesture)
{
  double x, y;

  gtk_gesture_drag_get_start_point(gesture, &x, &y);
  if (ABS(dx) < DRAG_STARTS || (is_touch(GTK_GESTURE(gesture)) && ABS(dx) < ABS(dy)))
    return;
  gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  if (is_touch(GTK_GESTURE(gesture))) {
    on_pull(area, dx, dy, gesture);
    return;
  }
  ol_lab_session_set_marked(session_of(area), ol_chart_area_time_at(area, x),
                            ol_chart_area_time_at(area, x + dx));
}

/* The middle button takes hold of the chart itself. */
static void on_pull(OlChartArea *area, double dx, double dy, GtkGestureDrag *gesture)
{
  const OlChartView *view = ol_lab_session_get_view(session_of(area));
  double left, right;
  double *before = g_object_get_data(G_OBJECT(gesture), "before");

  ol_chart_plot_edges(view, ol_chart_area_get_style(area), gtk_widget_get_width(GTK_WIDGET(area)),
                      &left, &right);
  if (!view->trace || right <= left)
    return;
  ol_lab_session_pan(session_of(area), (*before - dx) / (right - left));
  *before = dx;
}

static void on_pull_begin(OlChartArea *area, double x, double y, GtkGestureDrag *gesture)
{
  g_object_set_data_full(G_OBJECT(gesture), "before", g_new0(double, 1), g_free);
}

/* Two fingers, on a screen or a touch pad: zoom about the point between them. */
static void on_pinch(OlChartArea *area, double scale, GtkGesture *gesture)
{
  double *before = g_object_get_data(G_OBJECT(gesture), "before"), x, y;

  if (!before || scale <= 0 || !gtk_gesture_get_bounding_box_center(gesture, &x, &y))
    return;
  ol_lab_session_zoom(session_of(area), *before / scale, ol_chart_area_time_at(area, x));
  *before = scale;
}

static void on_pinch_begin(OlChartArea *area, GdkEventSequence *sequence, GtkGesture *gesture)
{
  double *before = g_new(double, 1);

  *before = 1;
  g_object_set_data_full(G_OBJECT(gesture), "before", before, g_free);
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
      ol_lab_session_zoom(session, pow(ZOOM_STEP, count_notches(controller, dy)), cursor);
    return TRUE;
  }
  if (held & GDK_SHIFT_MASK)
    dx = dx != 0 ? dx : dy;
  else if (ABS(dx) <= ABS(dy))
    return FALSE;
  ol_lab_session_pan(session, count_notches(controller, dx) * PAN_STEP);
  return TRUE;
}

/* Keys, as actions of the class */

/* Keys zoom about the selected span when it is in sight, else about the middle. */
static gint64 zoom_centre(OlLabSession *session)
{
  const OlChartView *view = ol_lab_session_get_view(session);

  if (view->trace && view->selected_span >= 0) {
    const OlSpan *span = ol_trace_span(view->trace, (guint)view->selected_span);
    gint64 middle = (span->begin_ns + span->end_ns) / 2;
    if (middle >= view->begin_ns && middle <= view->end_ns)
      return middle;
  }
  return (view->begin_ns + view->end_ns) / 2;
}

static void zoom_in(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabSession *session = session_of(widget);
  ol_lab_session_zoom(session, 1 / ZOOM_STEP, zoom_centre(session));
}

static void zoom_out(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabSession *session = session_of(widget);
  ol_lab_session_zoom(session, ZOOM_STEP, zoom_centre(session));
}

static void fit(GtkWidget *widget, const char *name, GVariant *parameter)
{
  ol_lab_session_fit(session_of(widget));
}

static void follow(GtkWidget *widget, const char *name, GVariant *parameter)
{
  ol_lab_session_follow(session_of(widget));
}

static void zoom_to_marked(GtkWidget *widget, const char *name, GVariant *parameter)
{
  ol_lab_session_zoom_to_marked(session_of(widget));
}

/* "(ii)": spans along the lane, lanes across; on a chart of steps, steps along. */
static void walk(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlChart chart = ol_chart_area_get_chart(OL_CHART_AREA(widget));
  OlLabSession *session = session_of(widget);
  gboolean found;
  int along, across;

  g_variant_get(parameter, "(ii)", &along, &across);
  if (chart == OL_CHART_LOSS)
    found = ol_lab_session_walk_steps(session, along);
  else if (chart == OL_CHART_MEMORY)
    found = ol_lab_session_walk_layer(session, along, across);
  else
    found = ol_lab_session_walk(session, along, across);
  if (!found)
    gtk_widget_error_bell(widget);
}

static void back(GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (!ol_lab_session_go(session_of(widget), -1))
    gtk_widget_error_bell(widget);
}

static void forward(GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (!ol_lab_session_go(session_of(widget), 1))
    gtk_widget_error_bell(widget);
}

static void critical(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabSession *session = session_of(widget);
  ol_lab_session_show_critical(session, !ol_lab_session_shows_critical(session));
}

static void units(GtkWidget *widget, const char *name, GVariant *parameter)
{
  gboolean there = ol_lab_session_get_view(session_of(widget))->there;
  gtk_widget_activate_action(widget, "win.units", "s", there ? "here" : "there");
}

/* The details line of what is selected or marked, else all that the chart says. */
static void copy(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabSession *session = session_of(widget);
  const OlChartView *view = ol_lab_session_get_view(session);
  gint64 begin, end;
  gboolean marked = ol_lab_session_get_marked(session, &begin, &end);
  g_autofree char *text =
      view->ties || marked
          ? ol_lab_session_dup_details(session)
          : ol_chart_dup_text(ol_chart_area_get_chart(OL_CHART_AREA(widget)), view);

  gdk_clipboard_set_text(gtk_widget_get_clipboard(widget), text);
  ol_lab_session_tell(session, view->ties || marked ? "The details line is copied."
                                                    : "The chart is copied, as text and tables.");
}

static void pan(GtkWidget *widget, const char *name, GVariant *parameter)
{
  ol_lab_session_pan(session_of(widget), g_variant_get_int32(parameter) * PAN_STEP);
}

/* The rank before or after the selected one. */
static void step_rank(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabSession *session = session_of(widget);
  const OlChartView *view = ol_lab_session_get_view(session);
  int to = (int)view->rank + g_variant_get_int32(parameter);

  if (to < 0 || to >= (int)ol_chart_view_get_ranks(view)->n)
    gtk_widget_error_bell(widget);
  else
    ol_lab_session_select_rank(session, (guint)to);
}

static void fold(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabSession *session = session_of(widget);
  ol_lab_session_fold_rank(session, ol_chart_area_get_chart(OL_CHART_AREA(widget)),
                           ol_lab_session_get_view(session)->rank);
}

/* Keys of ranks are the scrolled window's where there is only one. */
static void on_run_shown(OlChartArea *area)
{
  gboolean has_ranks = ol_chart_view_has_ranks(ol_lab_session_get_view(session_of(area)));

  gtk_widget_action_set_enabled(GTK_WIDGET(area), "chart.step-rank", has_ranks);
  gtk_widget_action_set_enabled(GTK_WIDGET(area), "chart.fold", has_ranks);
}

static void bind(GtkWidgetClass *class, guint key, GdkModifierType held, const char *action)
{
  gtk_widget_class_add_binding_action(class, key, held, action, NULL);
}

static void bind_walk(GtkWidgetClass *class, guint key, int along, int across)
{
  gtk_widget_class_add_binding_action(class, key, 0, "chart.walk", "(ii)", along, across);
}

static gboolean on_escape(GtkWidget *widget, GVariant *arguments, gpointer data)
{
  return ol_lab_session_clear(session_of(widget));
}

void ol_chart_input_install_actions(GtkWidgetClass *class)
{
  gtk_widget_class_install_action(class, "chart.zoom-in", NULL, zoom_in);
  gtk_widget_class_install_action(class, "chart.zoom-out", NULL, zoom_out);
  gtk_widget_class_install_action(class, "chart.fit", NULL, fit);
  gtk_widget_class_install_action(class, "chart.follow", NULL, follow);
  gtk_widget_class_install_action(class, "chart.zoom-to-marked", NULL, zoom_to_marked);
  gtk_widget_class_install_action(class, "chart.back", NULL, back);
  gtk_widget_class_install_action(class, "chart.forward", NULL, forward);
  gtk_widget_class_install_action(class, "chart.critical", NULL, critical);
  gtk_widget_class_install_action(class, "chart.units", NULL, units);
  gtk_widget_class_install_action(class, "chart.copy", NULL, copy);
  ol_chart_menu_install_actions(class);
  gtk_widget_class_install_action(class, "chart.walk", "(ii)", walk);
  gtk_widget_class_install_action(class, "chart.pan", "i", pan);
  gtk_widget_class_install_action(class, "chart.step-rank", "i", step_rank);
  gtk_widget_class_install_action(class, "chart.fold", NULL, fold);
  /* Of several keys a menu shows the last. */
  bind(class, GDK_KEY_BackSpace, 0, "chart.back");
  bind(class, GDK_KEY_BackSpace, GDK_SHIFT_MASK, "chart.forward");
  bind(class, GDK_KEY_c, 0, "chart.critical");
  bind(class, GDK_KEY_u, 0, "chart.units");
  bind(class, GDK_KEY_Insert, GDK_CONTROL_MASK, "chart.copy");
  bind(class, GDK_KEY_c, GDK_CONTROL_MASK, "chart.copy");
  bind(class, GDK_KEY_plus, 0, "chart.zoom-in");
  bind(class, GDK_KEY_equal, 0, "chart.zoom-in");
  bind(class, GDK_KEY_KP_Add, 0, "chart.zoom-in");
  bind(class, GDK_KEY_minus, 0, "chart.zoom-out");
  bind(class, GDK_KEY_KP_Subtract, 0, "chart.zoom-out");
  bind(class, GDK_KEY_Home, 0, "chart.fit");
  bind(class, GDK_KEY_End, 0, "chart.follow");
  bind(class, GDK_KEY_KP_Enter, 0, "chart.zoom-to-marked");
  bind(class, GDK_KEY_Return, 0, "chart.zoom-to-marked");
  gtk_widget_class_add_binding_action(class, GDK_KEY_Left, GDK_SHIFT_MASK, "chart.pan", "i", -1);
  gtk_widget_class_add_binding_action(class, GDK_KEY_Right, GDK_SHIFT_MASK, "chart.pan", "i", 1);
  gtk_widget_class_add_binding_action(class, GDK_KEY_Page_Up, 0, "chart.step-rank", "i", -1);
  gtk_widget_class_add_binding_action(class, GDK_KEY_Page_Down, 0, "chart.step-rank", "i", 1);
  bind(class, GDK_KEY_space, 0, "chart.fold");
  gtk_widget_class_add_binding(class, GDK_KEY_Escape, 0, on_escape, NULL);
  bind_walk(class, GDK_KEY_Left, -1, 0);
  bind_walk(class, GDK_KEY_Right, 1, 0);
  bind_walk(class, GDK_KEY_Up, 0, -1);
  bind_walk(class, GDK_KEY_Down, 0, 1);
}

static void add_drag(OlChartArea *area, guint button, GCallback begin, GCallback update)
{
  GtkGesture *drag = gtk_gesture_drag_new();

  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(drag), button);
  if (begin)
    g_signal_connect_swapped(drag, "drag-begin", begin, area);
  g_signal_connect_swapped(drag, "drag-update", update, area);
  gtk_widget_add_controller(GTK_WIDGET(area), GTK_EVENT_CONTROLLER(drag));
}

static void add_touch(OlChartArea *area)
{
  GtkGesture *pinch = gtk_gesture_zoom_new(), *thumb = gtk_gesture_click_new();

  g_signal_connect_swapped(pinch, "begin", G_CALLBACK(on_pinch_begin), area);
  g_signal_connect_swapped(pinch, "scale-changed", G_CALLBACK(on_pinch), area);
  gtk_widget_add_controller(GTK_WIDGET(area), GTK_EVENT_CONTROLLER(pinch));
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(thumb), 0);
  g_signal_connect_swapped(thumb, "pressed", G_CALLBACK(on_thumb), area);
  gtk_widget_add_controller(GTK_WIDGET(area), GTK_EVENT_CONTROLLER(thumb));
}

void ol_chart_input_attach(OlChartArea *area)
{
  GtkEventController *motion = gtk_event_controller_motion_new();
  GtkEventController *scroll;
  GtkGesture *click = gtk_gesture_click_new();

  g_signal_connect_object(session_of(area), "run-shown", G_CALLBACK(on_run_shown), area,
                          G_CONNECT_SWAPPED);
  on_run_shown(area);
  g_signal_connect_swapped(motion, "motion", G_CALLBACK(on_motion), area);
  g_signal_connect_swapped(motion, "leave", G_CALLBACK(on_leave), area);
  gtk_widget_add_controller(GTK_WIDGET(area), motion);
  g_signal_connect_swapped(click, "released", G_CALLBACK(on_click), area);
  gtk_widget_add_controller(GTK_WIDGET(area), GTK_EVENT_CONTROLLER(click));
  ol_chart_menu_attach(area);
  if (!ol_chart_is_timed(ol_chart_area_get_chart(area)))
    return;
  scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_signal_connect_swapped(scroll, "scroll", G_CALLBACK(on_scroll), area);
  gtk_widget_add_controller(GTK_WIDGET(area), scroll);
  add_touch(area);
  add_drag(area, GDK_BUTTON_PRIMARY, G_CALLBACK(on_pull_begin), G_CALLBACK(on_drag));
  add_drag(area, GDK_BUTTON_MIDDLE, G_CALLBACK(on_pull_begin), G_CALLBACK(on_pull));
}
