#include "app/window/tier-bar.h"

#include "app/window/chart-look.h"

/* In ems of chart text. */
#define HEIGHT       0.95
#define SHORTEST     6.0
#define DIM          0.45 /* of the text's colour: what comes and goes */
#define MARK_WIDTH   2.0f
#define BEYOND_ALPHA 0.85

struct _OlTierBar {
  GtkWidget parent_instance;
  OlTier tier;
  gboolean known;
  double home[OL_N_PAYLOADS], peak, capacity;
};

G_DEFINE_FINAL_TYPE(OlTierBar, ol_tier_bar, GTK_TYPE_WIDGET)

void ol_tier_bar_show(OlTierBar *self, const OlForecast *forecast)
{
  self->known = forecast != NULL;
  if (forecast) {
    for (int payload = 0; payload < OL_N_PAYLOADS; payload++)
      self->home[payload] = (double)forecast->home[self->tier][payload];
    self->capacity = (double)forecast->capacity[self->tier];
    self->peak = (double)(ol_forecast_fits(forecast, self->tier) ? forecast->peak[self->tier]
                                                                 : forecast->need[self->tier]);
  }
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void fill(GtkSnapshot *snapshot, OlColour colour, double alpha, double x, double width,
                 double height)
{
  GdkRGBA rgba = {(float)colour.r, (float)colour.g, (float)colour.b, (float)(colour.a * alpha)};

  gtk_snapshot_append_color(snapshot, &rgba,
                            &GRAPHENE_RECT_INIT((float)x, 0, (float)width, (float)height));
}

/* Payloads in their colours, then the rest of the peak. */
static void draw_held(OlTierBar *self, GtkSnapshot *snapshot, const OlChartStyle *style,
                      double scale, double height)
{
  double x = 0;

  for (int payload = 0; payload < OL_N_PAYLOADS; payload++) {
    double width = self->home[payload] * scale;
    fill(snapshot, ol_style_payload(style, (OlPayload)payload), 1, x, width, height);
    x += width;
  }
  if (self->peak * scale > x)
    fill(snapshot, ol_style_text(style), DIM, x, self->peak * scale - x, height);
}

static void draw_beyond(OlTierBar *self, GtkSnapshot *snapshot, const OlChartStyle *style,
                        double scale, double height)
{
  double x = self->capacity * scale;

  fill(snapshot, ol_style_capacity(style), BEYOND_ALPHA, x, self->peak * scale - x, height);
  fill(snapshot, ol_style_text(style), 1, x - MARK_WIDTH / 2, MARK_WIDTH, height);
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  OlTierBar *self = OL_TIER_BAR(widget);
  g_autoptr(OlChartStyle) style = ol_chart_look_dup_style(widget);
  double width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
  double most = MAX(self->capacity, self->peak);
  GskRoundedRect outline;
  OlColour line = ol_style_line(style);
  GdkRGBA rgba = {(float)line.r, (float)line.g, (float)line.b, (float)line.a};

  gsk_rounded_rect_init_from_rect(&outline, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height),
                                  (float)(height / 4));
  gtk_snapshot_push_rounded_clip(snapshot, &outline);
  if (self->known && most > 0) {
    draw_held(self, snapshot, style, width / most, height);
    if (self->peak > self->capacity)
      draw_beyond(self, snapshot, style, width / most, height);
  }
  gtk_snapshot_pop(snapshot);
  gtk_snapshot_append_border(snapshot, &outline, (const float[4]){1, 1, 1, 1},
                             (const GdkRGBA[4]){rgba, rgba, rgba, rgba});
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline)
{
  g_autoptr(OlChartStyle) style = ol_chart_look_dup_style(widget);
  double ems = orientation == GTK_ORIENTATION_VERTICAL ? HEIGHT : SHORTEST;

  *minimum = *natural = (int)(style->text_size * ems);
  *minimum_baseline = *natural_baseline = -1;
}

static void ol_tier_bar_class_init(OlTierBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

  widget_class->snapshot = snapshot;
  widget_class->measure = measure;
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void ol_tier_bar_init(OlTierBar *self)
{
  ol_chart_look_watch(GTK_WIDGET(self), G_CALLBACK(gtk_widget_queue_draw));
}

GtkWidget *ol_tier_bar_new(OlTier tier)
{
  OlTierBar *self = g_object_new(OL_TYPE_TIER_BAR, NULL);

  self->tier = tier;
  return GTK_WIDGET(self);
}
