#include "app/window/chart-keys.h"

#include "app/charts/chart-text.h"
#include "app/window/chart-menu.h"
#include "engine/base/intl.h"

static OlLabSession *session_of(gpointer area)
{
  return ol_chart_area_get_session(OL_CHART_AREA(area));
}

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
  ol_lab_session_zoom(session, 1 / OL_CHART_ZOOM_STEP, zoom_centre(session));
}

static void zoom_out(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabSession *session = session_of(widget);
  ol_lab_session_zoom(session, OL_CHART_ZOOM_STEP, zoom_centre(session));
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

/* Where nothing can be selected, in the pinned run's memory. */
static gboolean move_along(OlLabSession *session, int along)
{
  ol_lab_session_pan(session, along * OL_CHART_PAN_STEP);
  return along != 0;
}

/* "(ii)": spans along the lane, lanes across; on a chart of steps, steps along. */
static void walk(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlChart chart = ol_chart_area_get_chart(OL_CHART_AREA(widget));
  OlLabSession *session = session_of(widget);
  gboolean found;
  int along, across;

  g_variant_get(parameter, "(ii)", &along, &across);
  if (ol_chart_area_get_run(OL_CHART_AREA(widget)) == OL_RUN_PINNED && chart != OL_CHART_LANES)
    found = move_along(session, along);
  else if (chart == OL_CHART_LOSS)
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
  const OlChartView *view = ol_chart_area_get_view(OL_CHART_AREA(widget));
  gint64 begin, end;
  gboolean marked = ol_lab_session_get_marked(session, &begin, &end);
  g_autofree char *text =
      view->ties || marked
          ? ol_lab_session_dup_details(session)
          : ol_chart_dup_text(ol_chart_area_get_chart(OL_CHART_AREA(widget)), view);

  gdk_clipboard_set_text(gtk_widget_get_clipboard(widget), text);
  ol_lab_session_tell(session, view->ties || marked
                                   ? _("The details line is copied.")
                                   : _("The chart is copied, as text and tables."));
}

static void pan(GtkWidget *widget, const char *name, GVariant *parameter)
{
  ol_lab_session_pan(session_of(widget), g_variant_get_int32(parameter) * OL_CHART_PAN_STEP);
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

void ol_chart_keys_install(GtkWidgetClass *class)
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

void ol_chart_keys_attach(OlChartArea *area)
{
  g_signal_connect_object(session_of(area), "run-shown", G_CALLBACK(on_run_shown), area,
                          G_CONNECT_SWAPPED);
  on_run_shown(area);
}
