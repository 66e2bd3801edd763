#include "app/charts/canvas.h"

#include <math.h>
#include <pango/pangocairo.h>

#define LINE_EM 1.3 /* of text */

void ol_canvas_init(OlCanvas *canvas, cairo_t *cairo, const OlChartView *view,
                    const OlChartStyle *style, double width, double height)
{
  *canvas = (OlCanvas){.cairo = cairo,
                       .view = view,
                       .style = style,
                       .em = style->text_size,
                       .width = width,
                       .height = height};
  PangoContext *context = pango_font_map_create_context(pango_cairo_font_map_get_default());
  /* Without hinting a text is as wide as measured, on a screen as on paper. */
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(context, options);
  cairo_font_options_destroy(options);
  pango_context_set_round_glyph_positions(context, FALSE);
  canvas->layout = pango_layout_new(context);
  g_object_unref(context);

  /* Figures of one width: a number that changes does not make its neighbours jump. */
  PangoAttrList *attributes = pango_attr_list_new();
  pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"));
  pango_layout_set_attributes(canvas->layout, attributes);
  pango_attr_list_unref(attributes);
}

void ol_canvas_clear(OlCanvas *canvas)
{
  g_clear_object(&canvas->layout);
}

OlBox ol_text_box(OlCanvas *canvas, OlTextRole role, double x, double y, OlAlign align,
                  double max_width, const char *text)
{
  double width = ol_text_width(canvas, role, text), height = LINE_EM * canvas->em;
  if (max_width > 0)
    width = MIN(width, max_width);
  x -= align == OL_ALIGN_RIGHT ? width : align == OL_ALIGN_CENTRE ? width / 2 : 0;
  return (OlBox){x, y - height / 2, width, height};
}

void ol_paint_set(OlCanvas *canvas, OlColour colour)
{
  cairo_set_source_rgba(canvas->cairo, colour.r, colour.g, colour.b, colour.a);
}

void ol_paint_round_path(OlCanvas *canvas, OlBox box, double radius)
{
  cairo_t *cr = canvas->cairo;
  double r = MIN(radius, MIN(box.width, box.height) / 2);
  cairo_new_path(cr);
  if (r < 0.5) {
    cairo_rectangle(cr, box.x, box.y, box.width, box.height);
    return;
  }
  double right = box.x + box.width, bottom = box.y + box.height;
  cairo_arc(cr, right - r, box.y + r, r, -G_PI_2, 0);
  cairo_arc(cr, right - r, bottom - r, r, 0, G_PI_2);
  cairo_arc(cr, box.x + r, bottom - r, r, G_PI_2, G_PI);
  cairo_arc(cr, box.x + r, box.y + r, r, G_PI, 1.5 * G_PI);
  cairo_close_path(cr);
}

void ol_paint_fill(OlCanvas *canvas, OlBox box, double radius, OlColour colour)
{
  ol_paint_set(canvas, colour);
  ol_paint_round_path(canvas, box, radius);
  cairo_fill(canvas->cairo);
}

void ol_paint_outline(OlCanvas *canvas, OlBox box, double radius, double line, OlColour colour)
{
  if (box.width <= line || box.height <= line) {
    ol_paint_fill(canvas, box, 0, colour);
    return;
  }
  OlBox inner = {box.x + line / 2, box.y + line / 2, box.width - line, box.height - line};
  ol_paint_set(canvas, colour);
  ol_paint_round_path(canvas, inner, MAX(radius - line / 2, 0));
  cairo_set_line_width(canvas->cairo, line);
  cairo_stroke(canvas->cairo);
}

static void set_dashes(OlCanvas *canvas)
{
  double dashes[] = {0.36 * canvas->em, 0.27 * canvas->em};
  cairo_set_dash(canvas->cairo, dashes, G_N_ELEMENTS(dashes), 0);
}

void ol_paint_dashed_outline(OlCanvas *canvas, OlBox box, double radius, double line,
                             OlColour colour)
{
  cairo_save(canvas->cairo);
  set_dashes(canvas);
  ol_paint_outline(canvas, box, radius, line, colour);
  cairo_restore(canvas->cairo);
}

void ol_paint_line(OlCanvas *canvas, double x0, double y0, double x1, double y1, double line,
                   OlColour colour, gboolean dashed)
{
  cairo_save(canvas->cairo);
  if (dashed)
    set_dashes(canvas);
  ol_paint_set(canvas, colour);
  cairo_set_line_width(canvas->cairo, line);
  cairo_new_path(canvas->cairo);
  cairo_move_to(canvas->cairo, x0, y0);
  cairo_line_to(canvas->cairo, x1, y1);
  cairo_stroke(canvas->cairo);
  cairo_restore(canvas->cairo);
}

double ol_hatch_pitch(const OlCanvas *canvas)
{
  return 0.46 * canvas->em;
}

/* Diagonals start from multiples of the pitch, so that neighbours' hatches join; each is cut to the
 * box here, which is quicker than clipping. */
static void add_diagonals(OlCanvas *canvas, OlBox box, double pitch, gboolean rising)
{
  double bottom = box.y + box.height, right = box.x + box.width;
  for (double x = floor((box.x - box.height) / pitch) * pitch; x < right; x += pitch) {
    double x0 = MAX(x, box.x), x1 = MIN(x + box.height, right);
    if (x1 <= x0)
      continue;
    cairo_move_to(canvas->cairo, x0, rising ? bottom - (x0 - x) : box.y + (x0 - x));
    cairo_line_to(canvas->cairo, x1, rising ? bottom - (x1 - x) : box.y + (x1 - x));
  }
}

void ol_paint_add_hatch(OlCanvas *canvas, OlBox box, OlHatch hatch)
{
  cairo_t *cr = canvas->cairo;
  double pitch = ol_hatch_pitch(canvas), right = box.x + box.width, bottom = box.y + box.height;
  if (box.width <= 0 || box.height <= 0)
    return;
  if (hatch == OL_HATCH_RISING || hatch == OL_HATCH_CROSSED)
    add_diagonals(canvas, box, pitch, TRUE);
  if (hatch == OL_HATCH_FALLING || hatch == OL_HATCH_CROSSED)
    add_diagonals(canvas, box, pitch, FALSE);
  for (double y = box.y + pitch / 2; hatch == OL_HATCH_LEVEL && y < bottom; y += pitch) {
    cairo_move_to(cr, box.x, y);
    cairo_line_to(cr, right, y);
  }
  double x = ceil(box.x / pitch) * pitch;
  for (; hatch == OL_HATCH_UPRIGHT && x < right; x += pitch) {
    cairo_move_to(cr, x, box.y);
    cairo_line_to(cr, x, bottom);
  }
}

void ol_paint_hatch(OlCanvas *canvas, OlBox box, OlHatch hatch, OlColour colour)
{
  cairo_new_path(canvas->cairo);
  ol_paint_add_hatch(canvas, box, hatch);
  ol_paint_stroke_hatch(canvas, colour);
}

void ol_paint_stroke_hatch(OlCanvas *canvas, OlColour colour)
{
  ol_paint_set(canvas, colour);
  cairo_set_line_width(canvas->cairo, 0.08 * canvas->em);
  cairo_set_antialias(canvas->cairo, CAIRO_ANTIALIAS_FAST); /* hundreds of lines: half the time */
  cairo_stroke(canvas->cairo);
  cairo_set_antialias(canvas->cairo, CAIRO_ANTIALIAS_DEFAULT);
}

OlColour ol_colour_faded(const OlChartStyle *style, OlColour colour)
{
  return ol_colour_mix(colour, ol_style_background(style), 0.74);
}

OlColour ol_colour_with_alpha(OlColour colour, double alpha)
{
  colour.a *= alpha;
  return colour;
}

const char *ol_text_choose(OlCanvas *canvas, OlTextRole role, double room, const char *whole,
                           const char *brief)
{
  return ol_text_width(canvas, role, whole) <= room ? whole : brief;
}
