/* What every chart draws with: shapes and text in the style of the room. All lengths that a chart
 * chooses are in ems of the body text, so that a larger text makes a larger chart. */
#pragma once

#include "app/charts/view.h"

G_BEGIN_DECLS

typedef enum {
  OL_TEXT_BODY,
  OL_TEXT_STRONG,
  OL_TEXT_SMALL,
  OL_TEXT_SMALL_STRONG,
  OL_TEXT_TITLE,
  OL_N_TEXT_ROLES
} OlTextRole;

typedef enum { OL_ALIGN_LEFT, OL_ALIGN_CENTRE, OL_ALIGN_RIGHT } OlAlign;

typedef enum {
  OL_HATCH_NONE,
  OL_HATCH_RISING,  /* //// */
  OL_HATCH_FALLING, /* \\\\ */
  OL_HATCH_LEVEL,   /* ---- */
  OL_HATCH_UPRIGHT, /* |||| */
  OL_HATCH_CROSSED, /* both diagonals */
} OlHatch;

typedef struct {
  double x, y, width, height;
} OlBox;

static inline gboolean ol_box_contains(OlBox box, double x, double y)
{
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}

typedef struct {
  cairo_t *cairo; /* NULL: only measuring */
  const OlChartView *view;
  const OlChartStyle *style;
  double em;
  double width, height;
  PangoLayout *layout;
} OlCanvas;

/* `cairo` NULL: for measuring. Everything is borrowed. */
void ol_canvas_init(OlCanvas *canvas, cairo_t *cairo, const OlChartView *view,
                    const OlChartStyle *style, double width, double height);
void ol_canvas_clear(OlCanvas *canvas);

/* Text of one line, its middle at `y`; cut with an ellipsis beyond `max_width` (0: no limit).
 * Returns the width drawn. */
double ol_text_draw(OlCanvas *canvas, OlTextRole role, OlColour colour, double x, double y,
                    OlAlign align, double max_width, const char *text);
double ol_text_width(OlCanvas *canvas, OlTextRole role, const char *text);
/* `whole`, or where there is no room for it what says the most important part of it. */
const char *ol_text_choose(OlCanvas *canvas, OlTextRole role, double room, const char *whole,
                           const char *brief);
/* What ol_text_draw() covers of that, as high as a line. */
OlBox ol_text_box(OlCanvas *canvas, OlTextRole role, double x, double y, OlAlign align,
                  double max_width, const char *text);
/* A paragraph, wrapped at `width` and cut after `max_lines`, its top at y. Returns its height. */
double ol_text_draw_paragraph(OlCanvas *canvas, OlTextRole role, OlColour colour, OlBox box,
                              OlAlign align, int max_lines, const char *text);
/* Text on a rounded patch of the background's colour, kept inside `inside`. */
void ol_text_draw_on_patch(OlCanvas *canvas, OlTextRole role, OlColour colour, double x, double y,
                           OlAlign align, OlBox inside, const char *text);

void ol_paint_set(OlCanvas *canvas, OlColour colour);
void ol_paint_round_path(OlCanvas *canvas, OlBox box, double radius);
void ol_paint_fill(OlCanvas *canvas, OlBox box, double radius, OlColour colour);
/* The line lies inside the box. */
void ol_paint_outline(OlCanvas *canvas, OlBox box, double radius, double line, OlColour colour);
void ol_paint_dashed_outline(OlCanvas *canvas, OlBox box, double radius, double line,
                             OlColour colour);
/* Between the lines of a hatch, along x. */
double ol_hatch_pitch(const OlCanvas *canvas);
/* Adds the lines of a hatch of the box to the path, to be stroked together with others. */
void ol_paint_add_hatch(OlCanvas *canvas, OlBox box, OlHatch hatch);
void ol_paint_stroke_hatch(OlCanvas *canvas, OlColour colour);
/* Both at once. */
void ol_paint_hatch(OlCanvas *canvas, OlBox box, OlHatch hatch, OlColour colour);
void ol_paint_line(OlCanvas *canvas, double x0, double y0, double x1, double y1, double line,
                   OlColour colour, gboolean dashed);

/* Towards the background, for what is not meant just now. */
OlColour ol_colour_faded(const OlChartStyle *style, OlColour colour);
OlColour ol_colour_with_alpha(OlColour colour, double alpha);

G_END_DECLS
