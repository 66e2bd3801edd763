#include "app/window/legend.h"

#include "app/charts/origin.h"
#include "app/window/chart-look.h"
#include "engine/base/intl.h"
#include <math.h>

/* Where the trace comes from, then the payloads. */
#define ORIGIN  0
#define PAYLOAD 1 /* the first of them */
#define N_ITEMS (PAYLOAD + OL_N_PAYLOADS)

struct _OlLegend {
  GtkWidget parent_instance;
  OlLabSession *session;
  GtkWidget *names[N_ITEMS]; /* the first is hidden while there is no trace */
  OlChartStyle *style;
};

G_DEFINE_FINAL_TYPE(OlLegend, ol_legend, GTK_TYPE_WIDGET)

/* In ems of the chart's text. */
#define SWATCH    0.72 /* its side */
#define SWATCH_ON 1.15 /* from an item's left edge to its name */
#define ITEM_GAP  0.8
#define LINE_GAP  0.2

static const OlChartStyle *get_style(OlLegend *self)
{
  if (!self->style)
    self->style = ol_chart_look_dup_style(GTK_WIDGET(self));
  return self->style;
}

static const OlTrace *get_trace(OlLegend *self)
{
  return ol_lab_session_get_view(self->session)->trace;
}

/* From an item's left edge to its name. */
static int sign_width(OlLegend *self, int item)
{
  return (int)ceil(item == ORIGIN ? ol_chart_origin_sign_width(get_style(self))
                                  : get_style(self)->text_size * SWATCH_ON);
}

/* The items that are there, and how wide each is; returns their number. */
static int find_items(OlLegend *self, int *items, int *widths, int *height)
{
  int n = 0;

  *height = 0;
  for (int i = 0; i < N_ITEMS; i++) {
    GtkRequisition size;
    if (!gtk_widget_get_visible(self->names[i]))
      continue;
    gtk_widget_get_preferred_size(self->names[i], NULL, &size);
    widths[n] = size.width + sign_width(self, i);
    *height = MAX(*height, size.height);
    items[n++] = i;
  }
  return n;
}

/* Lays items out in lines no wider than `width`; with `place` it also puts them there, each line
 * beginning at the left edge. Returns the height. */
static int lay_out(OlLegend *self, int width, gboolean place)
{
  double em = get_style(self)->text_size;
  int items[N_ITEMS], widths[N_ITEMS], line_height, gap = (int)(em * ITEM_GAP), y = 0;
  int n = find_items(self, items, widths, &line_height);

  for (int first = 0, end; first < n; first = end) {
    int used = widths[first], x = 0;
    for (end = first + 1; end < n && used + gap + widths[end] <= width; end++)
      used += gap + widths[end];
    for (int i = first; place && i < end; i++) {
      int sign = sign_width(self, items[i]);
      gtk_widget_size_allocate(self->names[items[i]],
                               &(GtkAllocation){x + sign, y, MAX(widths[i] - sign, 1), line_height},
                               -1);
      x += widths[i] + gap;
    }
    y += line_height + (end < n ? (int)(em * LINE_GAP) : 0);
  }
  return y;
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline)
{
  OlLegend *self = OL_LEGEND(widget);
  int gap = (int)(get_style(self)->text_size * ITEM_GAP), widest = 0, all = 0;
  int items[N_ITEMS], widths[N_ITEMS], height, n = find_items(self, items, widths, &height);

  *minimum_baseline = *natural_baseline = -1;
  for (int i = 0; i < n; i++) {
    widest = MAX(widest, widths[i]);
    all += widths[i] + (i > 0 ? gap : 0);
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

static void append_swatch(OlLegend *self, GtkSnapshot *snapshot, OlPayload payload,
                          const graphene_rect_t *name)
{
  const OlChartStyle *style = get_style(self);
  float side = (float)(style->text_size * SWATCH);
  graphene_rect_t swatch =
      GRAPHENE_RECT_INIT(name->origin.x - (float)sign_width(self, PAYLOAD),
                         name->origin.y + (name->size.height - side) / 2, side, side);

  append_colour(snapshot, ol_style_payload_outline(style, payload), &swatch);
  graphene_rect_inset(&swatch, 1, 1);
  append_colour(snapshot, ol_style_payload(style, payload), &swatch);
}

static void append_origin(OlLegend *self, GtkSnapshot *snapshot, const graphene_rect_t *name)
{
  float width = (float)sign_width(self, ORIGIN);
  graphene_rect_t bounds =
      GRAPHENE_RECT_INIT(name->origin.x - width, name->origin.y, width, name->size.height);
  cairo_t *cairo = gtk_snapshot_append_cairo(snapshot, &bounds);

  ol_chart_draw_origin_sign(cairo, bounds.origin.x, bounds.origin.y + bounds.size.height / 2,
                            get_trace(self), get_style(self));
  cairo_destroy(cairo);
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  OlLegend *self = OL_LEGEND(widget);

  for (int i = 0; i < N_ITEMS; i++) {
    graphene_rect_t name;
    if (!gtk_widget_get_visible(self->names[i]) ||
        !gtk_widget_compute_bounds(self->names[i], widget, &name))
      continue;
    if (i != ORIGIN)
      append_swatch(self, snapshot, (OlPayload)(i - PAYLOAD), &name);
    else if (get_trace(self))
      append_origin(self, snapshot, &name);
    gtk_widget_snapshot_child(widget, self->names[i], snapshot);
  }
}

static void on_run_shown(OlLegend *self)
{
  const OlTrace *trace = get_trace(self);

  gtk_label_set_text(GTK_LABEL(self->names[ORIGIN]), trace ? ol_origin_words(trace) : "");
  gtk_widget_set_visible(self->names[ORIGIN], trace != NULL);
  gtk_widget_queue_resize(GTK_WIDGET(self));
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

  for (int i = 0; i < N_ITEMS; i++)
    g_clear_pointer(&self->names[i], gtk_widget_unparent);
  g_clear_pointer(&self->style, ol_chart_style_free);
  g_clear_object(&self->session);
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
  for (int i = 0; i < N_ITEMS; i++) {
    self->names[i] = gtk_label_new(i == ORIGIN ? "" : ol_payload_name((OlPayload)(i - PAYLOAD)));
    gtk_widget_set_parent(self->names[i], GTK_WIDGET(self));
  }
  gtk_accessible_update_property(
      GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
      _("Where the figures come from, and colours of what the bytes are"), -1);
  ol_chart_look_watch(GTK_WIDGET(self), G_CALLBACK(on_look_changed));
}

GtkWidget *ol_legend_new(OlLabSession *session)
{
  OlLegend *self = g_object_new(OL_TYPE_LEGEND, NULL);

  self->session = g_object_ref(session);
  g_signal_connect_object(session, "run-shown", G_CALLBACK(on_run_shown), self, G_CONNECT_SWAPPED);
  on_run_shown(self);
  return GTK_WIDGET(self);
}
