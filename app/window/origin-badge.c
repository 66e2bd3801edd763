#include "app/window/origin-badge.h"

#include "app/charts/origin.h"
#include "app/window/chart-look.h"
#include <math.h>

struct _OlOriginBadge {
  GtkWidget parent_instance;
  OlLabSession *session;
  OlChartStyle *style; /* made when first asked for */
};

G_DEFINE_FINAL_TYPE(OlOriginBadge, ol_origin_badge, GTK_TYPE_WIDGET)

static const OlChartStyle *get_style(OlOriginBadge *self)
{
  if (!self->style)
    self->style = ol_chart_look_dup_style(GTK_WIDGET(self));
  return self->style;
}

static const OlTrace *get_trace(OlOriginBadge *self)
{
  return ol_lab_session_get_view(self->session)->trace;
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline)
{
  OlOriginBadge *self = OL_ORIGIN_BADGE(widget);
  double width = 0, height = 0;

  if (get_trace(self))
    ol_chart_badge_size(get_trace(self), get_style(self), &width, &height);
  *minimum = *natural = (int)ceil(orientation == GTK_ORIENTATION_HORIZONTAL ? width : height);
  *minimum_baseline = *natural_baseline = -1;
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  OlOriginBadge *self = OL_ORIGIN_BADGE(widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, (float)gtk_widget_get_width(widget),
                                              (float)gtk_widget_get_height(widget));
  cairo_t *cairo;

  if (!get_trace(self))
    return;
  cairo = gtk_snapshot_append_cairo(snapshot, &bounds);
  ol_chart_draw_badge(cairo, 0, 0, get_trace(self), get_style(self));
  cairo_destroy(cairo);
}

static void refresh(OlOriginBadge *self)
{
  const OlTrace *trace = get_trace(self);

  gtk_widget_set_visible(GTK_WIDGET(self), trace != NULL);
  if (!trace)
    return;
  gtk_widget_set_tooltip_text(GTK_WIDGET(self), ol_origin_words(trace));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 ol_origin_words(trace), -1);
  gtk_widget_queue_resize(GTK_WIDGET(self));
}

static void on_look_changed(OlOriginBadge *self)
{
  g_clear_pointer(&self->style, ol_chart_style_free);
  gtk_widget_queue_resize(GTK_WIDGET(self));
}

static void css_changed(GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS(ol_origin_badge_parent_class)->css_changed(widget, change);
  on_look_changed(OL_ORIGIN_BADGE(widget));
}

static void system_setting_changed(GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS(ol_origin_badge_parent_class)->system_setting_changed(widget, setting);
  on_look_changed(OL_ORIGIN_BADGE(widget));
}

static void dispose(GObject *object)
{
  OlOriginBadge *self = OL_ORIGIN_BADGE(object);

  g_clear_pointer(&self->style, ol_chart_style_free);
  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_origin_badge_parent_class)->dispose(object);
}

static void ol_origin_badge_class_init(OlOriginBadgeClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  widget_class->measure = measure;
  widget_class->snapshot = snapshot;
  widget_class->css_changed = css_changed;
  widget_class->system_setting_changed = system_setting_changed;
  gtk_widget_class_set_css_name(widget_class, "origin");
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void ol_origin_badge_init(OlOriginBadge *self)
{
  gtk_widget_set_valign(GTK_WIDGET(self), GTK_ALIGN_CENTER);
  ol_chart_look_watch(GTK_WIDGET(self), G_CALLBACK(on_look_changed));
}

GtkWidget *ol_origin_badge_new(OlLabSession *session)
{
  OlOriginBadge *self = g_object_new(OL_TYPE_ORIGIN_BADGE, NULL);

  self->session = g_object_ref(session);
  g_signal_connect_object(session, "run-shown", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  refresh(self);
  return GTK_WIDGET(self);
}
