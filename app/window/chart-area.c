#include "app/window/chart-area.h"

#include "app/charts/guess.h"
#include "app/window/chart-input.h"
#include "app/window/chart-keys.h"
#include "app/window/chart-look.h"
#include "engine/base/intl.h"

struct _OlChartArea {
  GtkWidget parent_instance;
  OlChart chart;
  OlChartRun run;
  OlLabSession *session;
  OlChartStyle *style; /* made when first asked for */
  OlChartView pinned;  /* of the pinned run, as it was last asked for */
  OlPinnedRun shown;   /* ... beside this one */
};

G_DEFINE_FINAL_TYPE(OlChartArea, ol_chart_area, GTK_TYPE_WIDGET)

OlChart ol_chart_area_get_chart(OlChartArea *self)
{
  return self->chart;
}

OlChartRun ol_chart_area_get_run(OlChartArea *self)
{
  return self->run;
}

OlLabSession *ol_chart_area_get_session(OlChartArea *self)
{
  return self->session;
}

const OlChartView *ol_chart_area_get_view(OlChartArea *self)
{
  const OlChartView *shown = ol_lab_session_get_view(self->session);

  if (self->run == OL_RUN_SHOWN || !shown->pinned)
    return shown;
  self->pinned = ol_lab_session_get_pinned_view(self->session, &self->shown);
  return &self->pinned;
}

gint64 ol_chart_area_get_offset_ns(OlChartArea *self)
{
  return ol_lab_session_get_view(self->session)->begin_ns - ol_chart_area_get_view(self)->begin_ns;
}

const OlChartStyle *ol_chart_area_get_style(OlChartArea *self)
{
  if (!self->style)
    self->style = ol_chart_look_dup_style(GTK_WIDGET(self));
  return self->style;
}

gint64 ol_chart_area_time_at(OlChartArea *self, double x)
{
  return ol_chart_time_at(ol_chart_area_get_view(self), ol_chart_area_get_style(self),
                          gtk_widget_get_width(GTK_WIDGET(self)), x) +
         ol_chart_area_get_offset_ns(self);
}

OlChartHit ol_chart_area_hit(OlChartArea *self, double x, double y)
{
  OlChartHit hit = ol_chart_hit(self->chart, x, y, gtk_widget_get_width(GTK_WIDGET(self)),
                                gtk_widget_get_height(GTK_WIDGET(self)),
                                ol_chart_area_get_view(self), ol_chart_area_get_style(self));

  if (hit.time_ns != -1)
    hit.time_ns += ol_chart_area_get_offset_ns(self);
  if (self->run == OL_RUN_PINNED) /* what is gone to is the shown run's */
    hit.number.kind = OL_NUMBER_NONE;
  return hit;
}

static gboolean is_at_guess(OlChartArea *self, double x, double y)
{
  return self->run == OL_RUN_SHOWN &&
         ol_guess_is_at(self->chart, x, y, gtk_widget_get_width(GTK_WIDGET(self)),
                        gtk_widget_get_height(GTK_WIDGET(self)), ol_chart_area_get_view(self),
                        ol_chart_area_get_style(self));
}

gboolean ol_chart_area_guess(OlChartArea *self, double x, double y, gboolean begins)
{
  if (begins && !is_at_guess(self, x, y))
    return FALSE;
  ol_lab_session_guess(self->session, ol_guess_bytes_at(x, gtk_widget_get_width(GTK_WIDGET(self)),
                                                        gtk_widget_get_height(GTK_WIDGET(self)),
                                                        ol_chart_area_get_view(self),
                                                        ol_chart_area_get_style(self)));
  return TRUE;
}

void ol_chart_area_point(OlChartArea *self, double x, double y)
{
  OlChartHit hit = ol_chart_area_hit(self, x, y);

  ol_lab_session_hover_number(self->session, &hit.number);
  gtk_widget_set_cursor_from_name(GTK_WIDGET(self), is_at_guess(self, x, y) ? "ew-resize"
                                                    : hit.number.kind != OL_NUMBER_NONE ? "pointer"
                                                                                        : NULL);
  if (self->run == OL_RUN_PINNED)
    ol_lab_session_set_pinned_cursor(self->session, hit.time_ns, hit.span);
  else
    ol_lab_session_set_cursor(self->session, hit.time_ns, hit.span);
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  OlChartArea *self = OL_CHART_AREA(widget);
  int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
  OlChartView view = *ol_chart_area_get_view(self);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, width, height);
  cairo_t *cairo = gtk_snapshot_append_cairo(snapshot, &bounds);

  /* The time charts leave cursor and hover to the widget above them. */
  if (ol_chart_is_timed(self->chart))
    view.cursor_ns = view.hovered_span = -1;
  ol_chart_draw(self->chart, cairo, width, height, &view, ol_chart_area_get_style(self));
  cairo_destroy(cairo);
}

static GtkSizeRequestMode get_request_mode(GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline)
{
  OlChartArea *self = OL_CHART_AREA(widget);
  const OlChartStyle *style = ol_chart_area_get_style(self);
  int narrowest = (int)(style->text_size * 26);

  *minimum_baseline = *natural_baseline = -1;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = narrowest;
    *natural = narrowest * 2;
    return;
  }
  *minimum = (int)ol_chart_height(self->chart, ol_chart_area_get_view(self), style,
                                  MAX(for_size, narrowest));
  *natural = (int)ol_chart_most_height(self->chart, ol_chart_area_get_view(self), style,
                                       MAX(for_size, narrowest));
}

static void on_look_changed(OlChartArea *self)
{
  g_clear_pointer(&self->style, ol_chart_style_free);
  gtk_widget_queue_resize(GTK_WIDGET(self));
}

static void css_changed(GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS(ol_chart_area_parent_class)->css_changed(widget, change);
  on_look_changed(OL_CHART_AREA(widget));
}

static void system_setting_changed(GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS(ol_chart_area_parent_class)->system_setting_changed(widget, setting);
  on_look_changed(OL_CHART_AREA(widget));
}

static void describe(OlChartArea *self)
{
  g_autofree char *words = ol_chart_dup_description(self->chart, ol_chart_area_get_view(self));
  g_autofree char *name = g_strconcat(ol_chart_title(self->chart),
                                      self->run == OL_RUN_PINNED ? _(", pinned run") : "", NULL);

  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                 GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
}

/* Another run, another pinned one, another rank or a fold: another height, and other words. */
static void on_shape_changed(OlChartArea *self)
{
  describe(self);
  gtk_widget_queue_resize(GTK_WIDGET(self));
}

/* A description is for reading, not for every frame: it follows steps and the end. */
static void on_updated(OlChartArea *self)
{
  if (!ol_lab_session_is_live(self->session))
    describe(self);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void on_cursor_changed(OlChartArea *self)
{
  if (self->chart == OL_CHART_TIERS || self->chart == OL_CHART_LOSS)
    gtk_widget_queue_draw(GTK_WIDGET(self));
}

static gboolean focus(GtkWidget *widget, GtkDirectionType direction)
{
  /* Tab and arrows between widgets come in and go on; arrows within are keys of the chart. */
  if (gtk_widget_is_focus(widget) || !gtk_widget_get_focusable(widget))
    return FALSE;
  return gtk_widget_grab_focus(widget);
}

static void dispose(GObject *object)
{
  OlChartArea *self = OL_CHART_AREA(object);
  GtkWidget *menu;

  while ((menu = gtk_widget_get_first_child(GTK_WIDGET(self))))
    gtk_widget_unparent(menu);
  g_clear_pointer(&self->style, ol_chart_style_free);
  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_chart_area_parent_class)->dispose(object);
}

static void ol_chart_area_class_init(OlChartAreaClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  widget_class->snapshot = snapshot;
  widget_class->measure = measure;
  widget_class->get_request_mode = get_request_mode;
  widget_class->css_changed = css_changed;
  widget_class->system_setting_changed = system_setting_changed;
  widget_class->focus = focus;
  gtk_widget_class_set_css_name(widget_class, "chart");
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  ol_chart_keys_install(widget_class);
}

static void ol_chart_area_init(OlChartArea *self)
{
  gtk_widget_set_hexpand(GTK_WIDGET(self), TRUE);
  ol_chart_look_watch(GTK_WIDGET(self), G_CALLBACK(on_look_changed));
}

GtkWidget *ol_chart_area_new(OlChart chart, OlChartRun run, OlLabSession *session)
{
  OlChartArea *self = g_object_new(OL_TYPE_CHART_AREA, NULL);

  self->chart = chart;
  self->run = run;
  self->session = g_object_ref(session);
  gtk_widget_set_focusable(GTK_WIDGET(self), chart != OL_CHART_RANKS); /* its cells are */
  g_signal_connect_object(session, "run-shown", G_CALLBACK(on_shape_changed), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "rank-changed", G_CALLBACK(on_shape_changed), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "compare-changed", G_CALLBACK(on_shape_changed), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "updated", G_CALLBACK(on_updated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "grown", G_CALLBACK(gtk_widget_queue_draw), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "view-changed", G_CALLBACK(gtk_widget_queue_draw), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "cursor-changed", G_CALLBACK(on_cursor_changed), self,
                          G_CONNECT_SWAPPED);
  ol_chart_input_attach(self);
  describe(self);
  return GTK_WIDGET(self);
}
