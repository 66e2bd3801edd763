#include "app/window/tier-bar.h"

#include "app/window/bar.h"

/* In ems of chart text. */
#define HEIGHT     0.95
#define SHORTEST   6.0
#define LEAST      0.2  /* of what is there: nothing vanishes */
#define EDGE       0.08 /* of a part */
#define MARK_WIDTH 0.14

#define BEYOND_VEIL 0.6 /* of the background, over what has no room */

struct _OlTierBar {
  GtkWidget parent_instance;
  OlTier tier;
  gboolean known;
  double fullest[OL_N_PAYLOADS], peak, capacity;
};

G_DEFINE_FINAL_TYPE(OlTierBar, ol_tier_bar, GTK_TYPE_WIDGET)

void ol_tier_bar_show(OlTierBar *self, const OlForecast *forecast)
{
  self->known = forecast != NULL;
  if (forecast) {
    for (int payload = 0; payload < OL_N_PAYLOADS; payload++)
      self->fullest[payload] = (double)forecast->fullest[self->tier][payload];
    self->capacity = (double)forecast->capacity[self->tier];
    self->peak = (double)(ol_forecast_fits(forecast, self->tier) ? forecast->peak[self->tier]
                                                                 : forecast->need[self->tier]);
  }
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

/* Payloads as the charts stack them. */
static void draw_parts(OlTierBar *self, OlCanvas *canvas, double scale)
{
  double x = 0, edge = EDGE * canvas->em;

  for (int p = 0; p < OL_N_PAYLOADS; p++) {
    OlPayload payload = (OlPayload)p;
    if (self->fullest[p] <= 0)
      continue;
    OlBox part = {x, 0, MAX(self->fullest[p] * scale, LEAST * canvas->em), canvas->height};
    ol_paint_fill(canvas, part, 0, ol_style_payload(canvas->style, payload));
    ol_paint_outline(canvas, part, 0, edge, ol_style_payload_outline(canvas->style, payload));
    x += part.width;
  }
}

static void draw_beyond(OlTierBar *self, OlCanvas *canvas, double scale)
{
  OlColour ink = ol_style_capacity(canvas->style), ground = ol_style_background(canvas->style);
  double x = self->capacity * scale;
  OlBox beyond = {x, 0, canvas->width - x, canvas->height};

  ol_paint_fill(canvas, beyond, 0, ol_colour_with_alpha(ground, BEYOND_VEIL));
  ol_paint_hatch(canvas, beyond, OL_HATCH_RISING, ink);
  ol_paint_line(canvas, x, 0, x, canvas->height, MARK_WIDTH * canvas->em, ink, FALSE);
}

static void draw(GtkWidget *widget, OlCanvas *canvas)
{
  OlTierBar *self = OL_TIER_BAR(widget);
  OlBox all = {0, 0, canvas->width, canvas->height};
  double most = MAX(self->capacity, self->peak);

  ol_bar_begin_frame(canvas, all);
  if (self->known && most > 0) {
    draw_parts(self, canvas, canvas->width / most);
    if (self->peak > self->capacity)
      draw_beyond(self, canvas, canvas->width / most);
  }
  ol_bar_end_frame(canvas, all);
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  ol_bar_snapshot(widget, snapshot, draw);
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = ol_bar_size(widget, orientation, SHORTEST, HEIGHT);
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
  ol_bar_watch(GTK_WIDGET(self));
}

GtkWidget *ol_tier_bar_new(OlTier tier)
{
  OlTierBar *self = g_object_new(OL_TYPE_TIER_BAR, NULL);

  self->tier = tier;
  return GTK_WIDGET(self);
}
