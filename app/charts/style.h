/* How a chart looks: the one palette, text and hatches, for light, dark and high contrast.
 * Colours are Okabe-Ito's; each payload keeps its colour everywhere. */
#pragma once

#include "engine/base/words.h"
#include <cairo.h>
#include <pango/pango.h>

G_BEGIN_DECLS

typedef struct {
  double r, g, b, a;
} OlColour;

typedef enum { OL_LOOK_LIGHT, OL_LOOK_DARK } OlLook;

/* Lines of text laid out in a style (text-cache.h). */
typedef struct OlTextCache OlTextCache;

/* Not for two threads at once. */
typedef struct {
  OlLook look;
  gboolean high_contrast;
  double text_size; /* points of body text times the desktop's scale, in cairo units per em */
  char *font;       /* family, "Inter" or the desktop's */
  OlTextCache *lines;
} OlChartStyle;

/* font NULL: the family that ./lab installs. */
OlChartStyle *ol_chart_style_new(OlLook look, gboolean high_contrast, double text_size,
                                 const char *font);
OlChartStyle *ol_chart_style_copy(const OlChartStyle *style);
void ol_chart_style_free(OlChartStyle *style);

OlColour ol_style_payload(const OlChartStyle *style, OlPayload payload);
/* The outline that gives a payload 3:1 contrast against the background. */
OlColour ol_style_payload_outline(const OlChartStyle *style, OlPayload payload);
OlColour ol_style_text(const OlChartStyle *style);
OlColour ol_style_dim_text(const OlChartStyle *style);
OlColour ol_style_background(const OlChartStyle *style); /* of a chart's card */
OlColour ol_style_line(const OlChartStyle *style);       /* card outlines, grid */
OlColour ol_style_accent(const OlChartStyle *style);     /* cursor, selection */
OlColour ol_style_capacity(const OlChartStyle *style);   /* the dashed line */
OlColour ol_style_hidden(const OlChartStyle *style);     /* transfer hidden under compute */

/* White or near black, whichever reads better on `fill`. */
OlColour ol_colour_on(const OlChartStyle *style, OlColour fill);

/* `share` 0: from; 1: to. */
OlColour ol_colour_mix(OlColour from, OlColour to, double share);
/* Contrast ratio of WCAG 2.1, 1 … 21; alpha is ignored. */
double ol_colour_contrast(OlColour one, OlColour other);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlChartStyle, ol_chart_style_free)

G_END_DECLS
