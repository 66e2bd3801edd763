#include "app/charts/guess.h"

#include "app/charts/tiers-content.h"
#include "app/charts/tiers-layout.h"
#include "engine/base/intl.h"

#include <math.h>

#define INSET_EM 0.22 /* from the box's edges */
#define HALF_GAP 0.08 /* between the two bars */
#define GRIP_EM  0.42 /* radius of what is taken hold of */
#define LOW_EM   2.6  /* a box lower than this */
#define CLEAR_EM 0.6  /* between a bar and its words */

typedef struct {
  const OlGuess *guess;
  OlBox box;           /* of the tier */
  double origin;       /* where the bytes begin */
  double units_a_byte; /* along x */
} Place;

/* Of several ranks in the selected one's box, which figures speak of. */
static gboolean find_place(OlCanvas *canvas, Place *place)
{
  const OlChartView *view = canvas->view;
  const OlGuess *guess = view->guess;
  for (guint i = 0; guess != NULL && i < ol_tiers_layout_count(canvas); i++) {
    OlTiersLayout layout;
    ol_tiers_layout_init(&layout, canvas, i);
    if (layout.rank != view->rank || layout.tiers[guess->tier].box.width <= 0)
      continue;
    OlTierContent content = ol_tier_content_get(view, guess->tier);
    OlBox box = layout.tiers[guess->tier].interior, before;
    *place = (Place){guess, box, box.x, ol_tier_content_scale(&content, box)};
    if (place->units_a_byte <= 0)
      place->units_a_byte = guess->capacity > 0 ? box.width / guess->capacity : 0;
    for (int p = 0; p < (int)guess->first; p++)
      if (ol_tier_content_segment(&content, box, canvas->em, p, &before))
        place->origin = before.x + before.width;
    return place->units_a_byte > 0;
  }
  return FALSE;
}

static double x_of(const Place *place, double bytes)
{
  return MIN(place->origin + bytes * place->units_a_byte, place->box.x + place->box.width);
}

/* A low box, of one of several ranks, has no room for two bars with words in them. */
static gboolean is_low(const OlCanvas *canvas, const Place *place)
{
  return place->box.height < LOW_EM * canvas->em;
}

/* Upper half: what was predicted; lower: what was measured, once that is known. */
static OlBox bar_of(const OlCanvas *canvas, const Place *place, double bytes, gboolean lower)
{
  gboolean alone = isnan(place->guess->measured);
  double inset = (is_low(canvas, place) ? 0 : INSET_EM) * canvas->em, gap = HALF_GAP * canvas->em;
  double middle = place->box.y + place->box.height / 2;
  double top = lower ? middle + gap : place->box.y + inset;
  double bottom = lower || alone ? place->box.y + place->box.height - inset : middle - gap;
  return (OlBox){place->origin, top, MAX(x_of(place, bytes) - place->origin, 0.1 * canvas->em),
                 bottom - top};
}

/* Words beside a bar, else in it; `clear` is how far from its end. */
static void draw_label(OlCanvas *canvas, const Place *place, OlBox bar, double clear, OlColour ink,
                       const char *text)
{
  double y = bar.y + bar.height / 2, end = bar.x + bar.width + clear;
  double width = ol_text_width(canvas, OL_TEXT_SMALL_STRONG, text) + 0.6 * canvas->em;
  if (end + width <= place->box.x + place->box.width)
    ol_text_draw_on_patch(canvas, OL_TEXT_SMALL_STRONG, ink, end, y, OL_ALIGN_LEFT, place->box,
                          text);
  else
    ol_text_draw_on_patch(canvas, OL_TEXT_SMALL_STRONG, ink,
                          (bar.x + MIN(end, place->box.x + place->box.width)) / 2, y,
                          OL_ALIGN_CENTRE, place->box, text);
}

static void draw_grip(OlCanvas *canvas, double x, OlBox bar)
{
  double em = canvas->em, y = bar.y + bar.height / 2;
  OlColour accent = ol_style_accent(canvas->style);
  ol_paint_line(canvas, x, bar.y - 0.1 * em, x, bar.y + bar.height + 0.1 * em, 0.18 * em, accent,
                FALSE);
  cairo_new_path(canvas->cairo);
  cairo_arc(canvas->cairo, x, y, GRIP_EM * em, 0, 2 * G_PI);
  ol_paint_set(canvas, ol_style_background(canvas->style));
  cairo_fill_preserve(canvas->cairo);
  ol_paint_set(canvas, accent);
  cairo_set_line_width(canvas->cairo, 0.16 * em);
  cairo_stroke(canvas->cairo);
}

/* A ghost: an empty bar with a broken line around it. */
static void draw_predicted(OlCanvas *canvas, const Place *place)
{
  const OlGuess *guess = place->guess;
  OlColour accent = ol_style_accent(canvas->style);
  OlBox bar = bar_of(canvas, place, isnan(guess->predicted) ? 0 : guess->predicted, FALSE);
  OlColour ground = ol_style_background(canvas->style);
  ol_paint_fill(canvas, bar, 0.2 * canvas->em, ol_colour_with_alpha(ground, 0.72));
  ol_paint_fill(canvas, bar, 0.2 * canvas->em, ol_colour_with_alpha(accent, 0.14));
  ol_paint_dashed_outline(canvas, bar, 0.2 * canvas->em, 0.13 * canvas->em, accent);
  if (!is_low(canvas, place))
    draw_label(canvas, place, bar, (CLEAR_EM + (guess->is_open ? GRIP_EM : 0)) * canvas->em, accent,
               guess->said);
  if (guess->is_open)
    draw_grip(canvas, bar.x + bar.width, bar);
}

static void draw_measured(OlCanvas *canvas, const Place *place)
{
  const OlGuess *guess = place->guess;
  if (isnan(guess->measured) || guess->found == NULL)
    return;
  OlColour ink = ol_style_text(canvas->style);
  OlBox bar = bar_of(canvas, place, guess->measured, TRUE);
  ol_paint_outline(canvas, bar, 0.2 * canvas->em, 0.15 * canvas->em, ink);
  if (!is_low(canvas, place))
    draw_label(canvas, place, bar, CLEAR_EM * canvas->em, ink, guess->found);
}

void ol_guess_draw(OlChart chart, OlCanvas *canvas)
{
  Place place;
  if (chart != OL_CHART_TIERS || canvas->view == NULL || !find_place(canvas, &place))
    return;
  if (isnan(place.guess->predicted) && !place.guess->is_open)
    return;
  draw_predicted(canvas, &place);
  draw_measured(canvas, &place);
}

char *ol_guess_dup_key(OlChart chart, const OlChartView *view)
{
  const OlGuess *guess = view->guess;
  if (chart != OL_CHART_TIERS || guess == NULL || isnan(guess->predicted) ||
      !ol_chart_view_has_ranks(view))
    return g_strdup("");
  if (guess->found == NULL)
    return g_strdup_printf(_("broken outline: %s"), guess->said);
  return g_strdup_printf(_("broken outline: %s · below it: %s"), guess->said, guess->found);
}

char *ol_guess_dup_words(OlChart chart, const OlChartView *view)
{
  const OlGuess *guess = view->guess;
  if (chart != OL_CHART_TIERS || guess == NULL || isnan(guess->predicted))
    return g_strdup("");
  const char *tier = ol_tier_name(guess->tier);
  if (guess->found == NULL)
    return g_strdup_printf(_("On %s: %s."), tier, guess->said);
  return g_strdup_printf(_("On %s: %s, %s."), tier, guess->said, guess->found);
}

gboolean ol_guess_is_at(OlChart chart, double x, double y, double width, double height,
                        const OlChartView *view, const OlChartStyle *style)
{
  if (chart != OL_CHART_TIERS || view->guess == NULL || !view->guess->is_open)
    return FALSE;
  OlCanvas canvas;
  Place place;
  ol_canvas_init(&canvas, NULL, view, style, width, height);
  double reach = GRIP_EM * canvas.em;
  gboolean is_at = find_place(&canvas, &place) &&
                   ol_box_contains((OlBox){place.origin - reach, place.box.y,
                                           place.box.x + place.box.width - place.origin + 2 * reach,
                                           place.box.height},
                                   x, y);
  ol_canvas_clear(&canvas);
  return is_at;
}

double ol_guess_bytes_at(double x, double width, double height, const OlChartView *view,
                         const OlChartStyle *style)
{
  OlCanvas canvas;
  Place place;
  ol_canvas_init(&canvas, NULL, view, style, width, height);
  double bytes = NAN;
  if (find_place(&canvas, &place)) {
    double edge = place.box.x + place.box.width;
    bytes = (CLAMP(x, place.origin, edge) - place.origin) / place.units_a_byte;
  }
  ol_canvas_clear(&canvas);
  return bytes;
}
