#include "app/window/legend.h"

#include "app/window/chart-look.h"

struct _OlLegend {
  GtkWidget parent_instance;
  GtkWidget *names[OL_N_PAYLOADS];
  OlChartStyle *style;
};

G_DEFINE_FINAL_TYPE(OlLegend, ol_legend, GTK_TYPE_WIDGET)

/* In ems of the chart's text. */
#define SWATCH    0.72 /* its side */
#define SWATCH_ON 1.15 /* from an item's left edge to its name */
#define ITEM_GAP  0.95
#define LINE_GAP  0.2

static const OlChartStyle *get_style(OlLegend *self)
{
  if (!self->style)
    self->style = ol_chart_look_dup_style(GTK_WIDGET(self));
  return self->style;
}

/* Lays items out in lines no wider than `width`; with `place` it also puts them there, each line
 * ending at the right edge. Returns the height. */
static int lay_out(OlLegend *self, int width, gboolean place)
{
  double em = get_style(self)->text_size;
  int swatch = (int)(em * SWATCH_ON), gap = (int)(em * ITEM_GAP), y = 0;
  int widths[OL_N_PAYLOADS], line_height = 0;

  for (int i = 0; i < OL_N_PAYLOADS; i++) {
    GtkRequisition size;
    gtk_widget_get_preferred_size(self->names[i], NULL, &size);
    widths[i] = size.width + swatch;
    line_height = MAX(line_height, size.height);
  }
  for (int first = 0, end; first < OL_N_PAYLOADS; first = end) {
    int used = widths[first], x;
    for (end = first + 1; end < OL_N_PAYLOADS && used + gap + widths[end] <= width; end++)
      used += gap + widths[end];
    x = MAX(width - used, 0);
    for (int i = first; place && i < end; i++) {
      gtk_widget_size_allocate(
          self->names[i], &(GtkAllocation){x + swatch, y, MAX(widths[i] - swatch, 1), line_height},
          -1);
      x += widths[i] + gap;
    }
    y += line_height + (end < OL_N_PAYLOADS ? (int)(em * LINE_GAP) : 0);
  }
  return y;
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline)
{
  OlLegend *self = OL_LEGEND(widget);
  double em = get_style(self)->text_size;
  int widest = 0, all = 0;

  *minimum_baseline = *natural_baseline = -1;
  for (int i = 0; i < OL_N_PAYLOADS; i++) {
    GtkRequisition size;
    gtk_widget_get_preferred_size(self->names[i], NULL, &size);
    size.width += (int)(em * SWATCH_ON);
    widest = MAX(widest, size.width);
    all += size.width + (i > 0 ? (int)(em * ITEM_GAP) : 0);
  }
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = widest;
    *natural = all;
  } else {
    *minimum = *natural = lay_out(self, for_size < 0 ? all : for_size, FALSE);
  }
}

static GtkSizeRequestMode get_request_mode(GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
  lay_out(OL_LEGEND(widget), width, TRUE);
}

static void append_colour(GtkSnapshot *snapshot, OlColour colour, const graphene_rect_t *bounds)
{
  GdkRGBA rgba = {(float)colour.r, (float)colour.g, (float)colour.b, (float)colour.a};

  gtk_snapshot_append_color(snapshot, &rgba, bounds);
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  OlLegend *self = OL_LEGEND(widget);
  const OlChartStyle *style = get_style(self);
  float side = (float)(style->text_size * SWATCH);

  for (int i = 0; i < OL_N_PAYLOADS; i++) {
    graphene_rect_t name, swatch;
    if (!gtk_widget_compute_bounds(self->names[i], widget, &name))
      continue;
    swatch = GRAPHENE_RECT_INIT(name.origin.x - (float)(style->text_size * SWATCH_ON),
                                name.origin.y + (name.size.height - side) / 2, side, side);
    append_colour(snapshot, ol_style_payload_outline(style, (OlPayload)i), &swatch);
    graphene_rect_inset(&swatch, 1, 1);
    append_colour(snapshot, ol_style_payload(style, (OlPayload)i), &swatch);
    gtk_widget_snapshot_child(widget, self->names[i], snapshot);
  }
}

static void on_look_changed(OlLegend *self)
{
  g_clear_pointer(&self->style, ol_chart_style_free);
  gtk_widget_queue_resize(GTK_WIDGET(self));
}

static void css_changed(GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS(ol_legend_parent_class)->css_changed(widget, change);
  on_look_changed(OL_LEGEND(widget));
}

static void system_setting_changed(GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS(ol_legend_parent_class)->system_setting_changed(widget, setting);
  on_look_changed(OL_LEGEND(widget));
}

static void dispose(GObject *object)
{
  OlLegend *self = OL_LEGEND(object);

  for (int i = 0; i < OL_N_PAYLOADS; i++)
    g_clear_pointer(&self->names[i], gtk_widget_unparent);
  g_clear_pointer(&self->style, ol_chart_style_free);
  G_OBJECT_CLASS(ol_legend_parent_class)->dispose(object);
}

static void ol_legend_class_init(OlLegendClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  widget_class->measure = measure;
  widget_class->get_request_mode = get_request_mode;
  widget_class->size_allocate = size_allocate;
  widget_class->snapshot = snapshot;
  widget_class->css_changed = css_changed;
  widget_class->system_setting_changed = system_setting_changed;
  gtk_widget_class_set_css_name(widget_class, "legend");
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_LIST);
}

static void ol_legend_init(OlLegend *self)
{
  for (int i = 0; i < OL_N_PAYLOADS; i++) {
    self->names[i] = gtk_label_new(ol_payload_name((OlPayload)i));
    gtk_widget_set_parent(self->names[i], GTK_WIDGET(self));
  }
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 "Colours of what the bytes are", -1);
  ol_chart_look_watch(GTK_WIDGET(self), G_CALLBACK(on_look_changed));
}

GtkWidget *ol_legend_new(void)
{
  return g_object_new(OL_TYPE_LEGEND, NULL);
}
