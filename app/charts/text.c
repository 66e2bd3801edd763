/* Text of the charts: one line or a paragraph, measured before it is drawn. */
#include "app/charts/text-cache.h"

#include <math.h>
#include <pango/pangocairo.h>

static const struct {
  double size; /* in ems of the body */
  PangoWeight weight;
} roles[OL_N_TEXT_ROLES] = {
    [OL_TEXT_BODY] = {0.92, PANGO_WEIGHT_NORMAL},
    [OL_TEXT_STRONG] = {0.96, PANGO_WEIGHT_SEMIBOLD},
    [OL_TEXT_SMALL] = {0.84, PANGO_WEIGHT_NORMAL},
    [OL_TEXT_SMALL_STRONG] = {0.8, PANGO_WEIGHT_SEMIBOLD},
    [OL_TEXT_TITLE] = {1.4, PANGO_WEIGHT_BOLD},
};

static void set_text(OlCanvas *canvas, OlTextRole role, const char *text)
{
  PangoFontDescription *font = pango_font_description_new();
  pango_font_description_set_family(font, canvas->style->font);
  pango_font_description_set_weight(font, roles[role].weight);
  pango_font_description_set_absolute_size(font, roles[role].size * canvas->em * PANGO_SCALE);
  pango_layout_set_font_description(canvas->layout, font);
  pango_font_description_free(font);
  pango_layout_set_width(canvas->layout, -1);
  pango_layout_set_height(canvas->layout, -1);
  pango_layout_set_alignment(canvas->layout, PANGO_ALIGN_LEFT);
  pango_layout_set_ellipsize(canvas->layout, PANGO_ELLIPSIZE_NONE);
  pango_layout_set_text(canvas->layout, text, -1);
}

/* The text on one line, as wide as it is. Borrowed until the next one. */
static PangoLayout *get_line(OlCanvas *canvas, OlTextRole role, const char *text)
{
  PangoLayout *line = ol_text_cache_find(canvas->style->lines, role, text);
  if (line != NULL)
    return line;
  set_text(canvas, role, text);
  line = pango_layout_copy(canvas->layout);
  ol_text_cache_keep(canvas->style->lines, role, line);
  return line;
}

static void get_size(PangoLayout *layout, double *width, double *height)
{
  int w, h;
  pango_layout_get_size(layout, &w, &h);
  *width = (double)w / PANGO_SCALE;
  *height = (double)h / PANGO_SCALE;
}

double ol_text_width(OlCanvas *canvas, OlTextRole role, const char *text)
{
  double width, height;
  get_size(get_line(canvas, role, text), &width, &height);
  return width;
}

static double left_of(double x, double width, OlAlign align)
{
  return align == OL_ALIGN_LEFT ? x : align == OL_ALIGN_RIGHT ? x - width : x - width / 2;
}

static void show(OlCanvas *canvas, PangoLayout *layout, OlColour colour, double x, double y)
{
  ol_paint_set(canvas, colour);
  cairo_move_to(canvas->cairo, x, y);
  pango_cairo_show_layout(canvas->cairo, layout);
  cairo_new_path(canvas->cairo);
}

double ol_text_draw(OlCanvas *canvas, OlTextRole role, OlColour colour, double x, double y,
                    OlAlign align, double max_width, const char *text)
{
  PangoLayout *line = get_line(canvas, role, text);
  double width, height;
  get_size(line, &width, &height);
  if (max_width > 0 && width > max_width + 0.01) {
    line = canvas->layout;
    set_text(canvas, role, text);
    pango_layout_set_ellipsize(line, PANGO_ELLIPSIZE_END);
    pango_layout_set_width(line, (int)(max_width * PANGO_SCALE));
    get_size(line, &width, &height);
  }
  show(canvas, line, colour, left_of(x, width, align), y - height / 2);
  return width;
}

double ol_text_draw_paragraph(OlCanvas *canvas, OlTextRole role, OlColour colour, OlBox box,
                              OlAlign align, int max_lines, const char *text)
{
  double width, height;
  set_text(canvas, role, text);
  pango_layout_set_width(canvas->layout, (int)(MAX(box.width, 1) * PANGO_SCALE));
  pango_layout_set_height(canvas->layout, -max_lines);
  pango_layout_set_ellipsize(canvas->layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_alignment(canvas->layout, align == OL_ALIGN_CENTRE  ? PANGO_ALIGN_CENTER
                                             : align == OL_ALIGN_RIGHT ? PANGO_ALIGN_RIGHT
                                                                       : PANGO_ALIGN_LEFT);
  get_size(canvas->layout, &width, &height);
  if (canvas->cairo != NULL)
    show(canvas, canvas->layout, colour, box.x, box.y);
  return height;
}

void ol_text_draw_on_patch(OlCanvas *canvas, OlTextRole role, OlColour colour, double x, double y,
                           OlAlign align, OlBox inside, const char *text)
{
  double width = ol_text_width(canvas, role, text), pad = 0.35 * canvas->em;
  double height = 1.3 * canvas->em;
  double left = left_of(x, width, align);
  left = MAX(inside.x + pad, MIN(left, inside.x + inside.width - width - pad));
  y = MAX(inside.y + height / 2, MIN(y, inside.y + inside.height - height / 2));
  OlBox patch = {left - pad, y - height / 2, width + 2 * pad, height};
  ol_paint_fill(canvas, patch, 0.3 * canvas->em,
                ol_colour_with_alpha(ol_style_background(canvas->style), 0.88));
  ol_text_draw(canvas, role, colour, left, y, OL_ALIGN_LEFT, 0, text);
}
