#include "app/window/pinned-chart.h"

#include "app/charts/pinned.h"
#include "app/window/chart-look.h"

struct _OlPinnedChart {
  GtkWidget parent_instance;
  OlChart chart;
  OlLabSession *session;
  OlChartStyle *style; /* made when first asked for */
};

G_DEFINE_FINAL_TYPE(OlPinnedChart, ol_pinned_chart, GTK_TYPE_WIDGET)

static const OlChartStyle *get_style(OlPinnedChart *self)
{
  if (!self->style)
    self->style = ol_chart_look_dup_style(GTK_WIDGET(self));
  return self->style;
}

/* While nothing is pinned, and so nothing is shown: any. */
static OlChartView get_view(OlPinnedChart *self, OlPinnedRun *back)
{
  const OlChartView *view = ol_lab_session_get_view(self->session);

  return view->pinned ? ol_pinned_view(view, back) : *view;
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  OlPinnedChart *self = OL_PINNED_CHART(widget);
  int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, width, height);
  cairo_t *cairo = gtk_snapshot_append_cairo(snapshot, &bounds);
  OlPinnedRun back;
  OlChartView view = get_view(self, &back);

  ol_chart_draw(self->chart, cairo, width, height, &view, get_style(self));
  cairo_destroy(cairo);
}

static GtkSizeRequestMode get_request_mode(GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline)
{
  OlPinnedChart *self = OL_PINNED_CHART(widget);
  OlPinnedRun back;
  OlChartView view = get_view(self, &back);

  *minimum_baseline = *natural_baseline = -1;
  *minimum = *natural = 0; /* as wide as the chart above */
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = (int)ol_chart_height(self->chart, &view, get_style(self),
                                               MAX(for_size, (int)get_style(self)->text_size * 26));
}

static void on_look_changed(OlPinnedChart *self)
{
  g_clear_pointer(&self->style, ol_chart_style_free);
  gtk_widget_queue_resize(GTK_WIDGET(self));
}

static void css_changed(GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS(ol_pinned_chart_parent_class)->css_changed(widget, change);
  on_look_changed(OL_PINNED_CHART(widget));
}

static void system_setting_changed(GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS(ol_pinned_chart_parent_class)->system_setting_changed(widget, setting);
  on_look_changed(OL_PINNED_CHART(widget));
}

/* The pointer here points at the same place of the axis in the shown run's charts. */
static void on_motion(OlPinnedChart *self, double x, double y)
{
  const OlChartView *view = ol_lab_session_get_view(self->session);

  if (view->pinned && ol_chart_is_timed(self->chart))
    ol_lab_session_set_cursor(
        self->session,
        ol_chart_time_at(view, get_style(self), gtk_widget_get_width(GTK_WIDGET(self)), x), -1);
}

static void on_leave(OlPinnedChart *self)
{
  ol_lab_session_set_cursor(self->session, -1, -1);
}

static void dispose(GObject *object)
{
  OlPinnedChart *self = OL_PINNED_CHART(object);

  g_clear_pointer(&self->style, ol_chart_style_free);
  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_pinned_chart_parent_class)->dispose(object);
}

static void ol_pinned_chart_class_init(OlPinnedChartClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  widget_class->snapshot = snapshot;
  widget_class->measure = measure;
  widget_class->get_request_mode = get_request_mode;
  widget_class->css_changed = css_changed;
  widget_class->system_setting_changed = system_setting_changed;
  gtk_widget_class_set_css_name(widget_class, "chart");
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void ol_pinned_chart_init(OlPinnedChart *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new();

  gtk_widget_set_hexpand(GTK_WIDGET(self), TRUE);
  ol_chart_look_watch(GTK_WIDGET(self), G_CALLBACK(on_look_changed));
  g_signal_connect_swapped(motion, "motion", G_CALLBACK(on_motion), self);
  g_signal_connect_swapped(motion, "leave", G_CALLBACK(on_leave), self);
  gtk_widget_add_controller(GTK_WIDGET(self), motion);
}

void ol_pinned_chart_refresh(OlPinnedChart *self)
{
  OlPinnedRun back;
  OlChartView view = get_view(self, &back);
  g_autofree char *words = ol_chart_dup_description(self->chart, &view);
  g_autofree char *name = g_strdup_printf("%s, pinned run", ol_chart_title(self->chart));

  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                 GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
  gtk_widget_queue_resize(GTK_WIDGET(self));
}

GtkWidget *ol_pinned_chart_new(OlChart chart, OlLabSession *session)
{
  static const char *const signals[] = {"grown", "view-changed", "cursor-changed"};
  OlPinnedChart *self = g_object_new(OL_TYPE_PINNED_CHART, NULL);

  self->chart = chart;
  self->session = g_object_ref(session);
  for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
    g_signal_connect_object(session, signals[i], G_CALLBACK(gtk_widget_queue_draw), self,
                            G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "rank-changed", G_CALLBACK(gtk_widget_queue_resize), self,
                          G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
