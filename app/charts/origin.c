#include "app/charts/origin.h"

#include "app/charts/charts.h"
#include "engine/base/intl.h"

/* In ems. */
#define BADGE_HEIGHT 1.7
#define BADGE_EDGE   0.75 /* between its rounded end and its words */
#define BADGE_LINE   0.14
#define FRAME_LINE   0.08
#define SIGN_WIDTH   1.3
#define SIGN_HEIGHT  0.9
#define SIGN_GAP     0.4 /* between it and its word */

#define FRAME_ACCENT 0.7 /* its share in a frame that says something */

const char *ol_origin_words(const OlTrace *trace)
{
  if (trace->source == OL_SOURCE_SIMULATED)
    return trace->replayed ? _("simulated, replayed") : _("simulated");
  return trace->replayed ? _("measured, replayed") : _("measured");
}

static const char *badge_words(const OlTrace *trace)
{
  if (trace->source == OL_SOURCE_SIMULATED)
    return trace->replayed ? _("SIMULATED, REPLAYED") : _("SIMULATED");
  return trace->replayed ? _("MEASURED, REPLAYED") : _("MEASURED");
}

/* A second line within the first. */
static void draw_double(OlCanvas *canvas, const OlTrace *trace, OlBox box, double radius,
                        double line, OlColour colour)
{
  double step = 2.2 * line;
  OlBox inner = {box.x + step, box.y + step, box.width - 2 * step, box.height - 2 * step};
  ol_paint_outline(canvas, box, radius, line, colour);
  if (trace->source == OL_SOURCE_SIMULATED)
    ol_paint_dashed_outline(canvas, inner, radius - step, line, colour);
  else
    ol_paint_outline(canvas, inner, radius - step, line, colour);
}

void ol_origin_draw_frame(OlCanvas *canvas, const OlTrace *trace, OlBox box, double radius)
{
  double line = FRAME_LINE * canvas->em;
  OlColour accent =
      ol_colour_mix(ol_style_line(canvas->style), ol_style_accent(canvas->style), FRAME_ACCENT);
  if (trace != NULL && trace->replayed)
    draw_double(canvas, trace, box, radius, line, accent);
  else if (trace != NULL && trace->source == OL_SOURCE_SIMULATED)
    ol_paint_dashed_outline(canvas, box, radius, 1.5 * line, accent);
  else
    ol_paint_outline(canvas, box, radius, line, ol_style_line(canvas->style));
}

static void draw_sign(OlCanvas *canvas, const OlTrace *trace, double x, double y)
{
  double em = canvas->em;
  OlBox sign = {x, y - SIGN_HEIGHT * em / 2, SIGN_WIDTH * em, SIGN_HEIGHT * em};
  if (!trace->replayed && trace->source == OL_SOURCE_MEASURED)
    ol_paint_outline(canvas, sign, 0.25 * em, FRAME_LINE * em, ol_style_dim_text(canvas->style));
  else
    ol_origin_draw_frame(canvas, trace, sign, 0.25 * em);
}

double ol_chart_origin_sign_width(const OlChartStyle *style)
{
  return (SIGN_WIDTH + SIGN_GAP) * style->text_size;
}

void ol_chart_draw_origin_sign(cairo_t *cairo, double x, double y, const OlTrace *trace,
                               const OlChartStyle *style)
{
  OlCanvas canvas;
  ol_canvas_init(&canvas, cairo, NULL, style, 0, 0);
  draw_sign(&canvas, trace, x, y);
  ol_canvas_clear(&canvas);
}

double ol_origin_draw_key(OlCanvas *canvas, const OlTrace *trace, double x, double y)
{
  double sign = ol_chart_origin_sign_width(canvas->style);
  draw_sign(canvas, trace, x, y);
  return sign + ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_dim_text(canvas->style), x + sign, y,
                             OL_ALIGN_LEFT, 0, ol_origin_words(trace));
}

/* The badge */

static void fill_badge(OlCanvas *canvas, const OlTrace *trace, OlBox badge)
{
  OlColour accent = ol_style_accent(canvas->style);
  double radius = badge.height / 2, line = BADGE_LINE * canvas->em;
  if (trace->replayed) {
    cairo_save(canvas->cairo);
    ol_paint_round_path(canvas, badge, radius);
    cairo_clip(canvas->cairo);
    ol_paint_hatch(canvas, badge, OL_HATCH_RISING, ol_colour_with_alpha(accent, 0.25));
    cairo_restore(canvas->cairo);
  }
  if (trace->source == OL_SOURCE_SIMULATED)
    ol_paint_dashed_outline(canvas, badge, radius, line, accent);
  else if (trace->replayed)
    ol_paint_outline(canvas, badge, radius, line, accent);
  else
    ol_paint_fill(canvas, badge, radius, accent);
}

void ol_chart_badge_size(const OlTrace *trace, const OlChartStyle *style, double *width,
                         double *height)
{
  OlCanvas canvas;
  ol_canvas_init(&canvas, NULL, NULL, style, 0, 0);
  *width =
      ol_text_width(&canvas, OL_TEXT_SMALL_STRONG, badge_words(trace)) + 2 * BADGE_EDGE * canvas.em;
  *height = BADGE_HEIGHT * canvas.em;
  ol_canvas_clear(&canvas);
}

void ol_chart_draw_badge(cairo_t *cairo, double x, double y, const OlTrace *trace,
                         const OlChartStyle *style)
{
  OlCanvas canvas;
  OlBox badge = {.x = x, .y = y};
  gboolean is_filled = trace->source == OL_SOURCE_MEASURED && !trace->replayed;
  OlColour accent = ol_style_accent(style);
  ol_chart_badge_size(trace, style, &badge.width, &badge.height);
  ol_canvas_init(&canvas, cairo, NULL, style, badge.width, badge.height);
  fill_badge(&canvas, trace, badge);
  ol_text_draw(&canvas, OL_TEXT_SMALL_STRONG, is_filled ? ol_colour_on(style, accent) : accent,
               x + badge.width / 2, y + badge.height / 2, OL_ALIGN_CENTRE, 0, badge_words(trace));
  ol_canvas_clear(&canvas);
}
