#include "app/window/chart-input.h"

#define ZOOM_STEP   1.25
#define PAN_STEP    0.1
#define DRAG_STARTS 4 /* logical pixels that tell a drag from a click */

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
  gtk_widget_grab_focus(GTK_WIDGET(area));
  ol_lab_session_select(session_of(area), ol_chart_area_hit(area, x, y).span);
  if (presses == 2)
    ol_lab_session_zoom_to_marked(session_of(area));
}

/* Of Loss and speed: its columns are steps. */
static void on_click_step(OlChartArea *area, int presses, double x, double y)
{
  OlChartHit hit = ol_chart_area_hit(area, x, y);

  gtk_widget_grab_focus(GTK_WIDGET(area));
  if (hit.time_ns >= 0)
    ol_lab_session_show_step_at(session_of(area), hit.time_ns);
}

static void on_drag(OlChartArea *area, double dx, double dy, GtkGestureDrag *gesture)
{
  double x, y;

  gtk_gesture_drag_get_start_point(gesture, &x, &y);
  if (ABS(dx) < DRAG_STARTS)
    return;
  gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
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

/* Ctrl and wheel zoom at the pointer; Shift and wheel, or a sideways wheel, move in time; the bare
 * wheel is the scrolled window's. */
static gboolean on_scroll(OlChartArea *area, double dx, double dy, GtkEventController *controller)
{
  GdkModifierType held = gtk_event_controller_get_current_event_state(controller);
  OlLabSession *session = session_of(area);
  gint64 cursor = ol_lab_session_get_view(session)->cursor_ns;

  if (held & GDK_CONTROL_MASK) {
    if (cursor >= 0 && dy != 0)
      ol_lab_session_zoom(session, dy > 0 ? ZOOM_STEP : 1 / ZOOM_STEP, cursor);
    return TRUE;
  }
  if (held & GDK_SHIFT_MASK)
    dx = dx != 0 ? dx : dy;
  else if (ABS(dx) <= ABS(dy))
    return FALSE;
  ol_lab_session_pan(session, dx * PAN_STEP);
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
  int along, across;
  gboolean of_steps = ol_chart_area_get_chart(OL_CHART_AREA(widget)) == OL_CHART_LOSS;

  g_variant_get(parameter, "(ii)", &along, &across);
  if (of_steps ? !ol_lab_session_walk_steps(session_of(widget), along)
               : !ol_lab_session_walk(session_of(widget), along, across))
    gtk_widget_error_bell(widget);
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
  gtk_widget_class_install_action(class, "chart.walk", "(ii)", walk);
  gtk_widget_class_install_action(class, "chart.pan", "i", pan);
  gtk_widget_class_install_action(class, "chart.step-rank", "i", step_rank);
  gtk_widget_class_install_action(class, "chart.fold", NULL, fold);
  gtk_widget_class_add_binding_action(class, GDK_KEY_plus, 0, "chart.zoom-in", NULL);
  gtk_widget_class_add_binding_action(class, GDK_KEY_equal, 0, "chart.zoom-in", NULL);
  gtk_widget_class_add_binding_action(class, GDK_KEY_KP_Add, 0, "chart.zoom-in", NULL);
  gtk_widget_class_add_binding_action(class, GDK_KEY_minus, 0, "chart.zoom-out", NULL);
  gtk_widget_class_add_binding_action(class, GDK_KEY_KP_Subtract, 0, "chart.zoom-out", NULL);
  gtk_widget_class_add_binding_action(class, GDK_KEY_Home, 0, "chart.fit", NULL);
  gtk_widget_class_add_binding_action(class, GDK_KEY_End, 0, "chart.follow", NULL);
  gtk_widget_class_add_binding_action(class, GDK_KEY_Return, 0, "chart.zoom-to-marked", NULL);
  gtk_widget_class_add_binding_action(class, GDK_KEY_KP_Enter, 0, "chart.zoom-to-marked", NULL);
  gtk_widget_class_add_binding_action(class, GDK_KEY_Left, GDK_SHIFT_MASK, "chart.pan", "i", -1);
  gtk_widget_class_add_binding_action(class, GDK_KEY_Right, GDK_SHIFT_MASK, "chart.pan", "i", 1);
  gtk_widget_class_add_binding_action(class, GDK_KEY_Page_Up, 0, "chart.step-rank", "i", -1);
  gtk_widget_class_add_binding_action(class, GDK_KEY_Page_Down, 0, "chart.step-rank", "i", 1);
  gtk_widget_class_add_binding_action(class, GDK_KEY_space, 0, "chart.fold", NULL);
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

void ol_chart_input_attach(OlChartArea *area)
{
  GtkEventController *motion = gtk_event_controller_motion_new();
  GtkEventController *scroll =
      gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *click = gtk_gesture_click_new();

  g_signal_connect_object(session_of(area), "run-shown", G_CALLBACK(on_run_shown), area,
                          G_CONNECT_SWAPPED);
  on_run_shown(area);
  g_signal_connect_swapped(motion, "motion", G_CALLBACK(on_motion), area);
  g_signal_connect_swapped(motion, "leave", G_CALLBACK(on_leave), area);
  gtk_widget_add_controller(GTK_WIDGET(area), motion);
  if (ol_chart_area_get_chart(area) == OL_CHART_LOSS) {
    g_signal_connect_swapped(click, "released", G_CALLBACK(on_click_step), area);
    gtk_widget_add_controller(GTK_WIDGET(area), GTK_EVENT_CONTROLLER(click));
    return;
  }
  if (!ol_chart_is_timed(ol_chart_area_get_chart(area)))
    return;
  g_signal_connect_swapped(scroll, "scroll", G_CALLBACK(on_scroll), area);
  gtk_widget_add_controller(GTK_WIDGET(area), scroll);
  g_signal_connect_swapped(click, "released", G_CALLBACK(on_click), area);
  gtk_widget_add_controller(GTK_WIDGET(area), GTK_EVENT_CONTROLLER(click));
  add_drag(area, GDK_BUTTON_PRIMARY, NULL, G_CALLBACK(on_drag));
  add_drag(area, GDK_BUTTON_MIDDLE, G_CALLBACK(on_pull_begin), G_CALLBACK(on_pull));
}
