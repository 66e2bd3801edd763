/* Where a trace comes from: measured here, simulated, or opened from a file. Three looks that a
 * grey print still tells apart, alike in the badge, the frames of the charts and the legend:
 * measured is solid, simulated dashed and empty, replayed double and hatched. */
#pragma once

#include "app/charts/canvas.h"

G_BEGIN_DECLS

/* "measured", "simulated", "measured, replayed". Static. */
const char *ol_origin_words(const OlTrace *trace);

/* The frame of a chart's card. */
void ol_origin_draw_frame(OlCanvas *canvas, const OlTrace *trace, OlBox box, double radius);

/* The key of the legend: a small frame and its word, its middle at `y`. Returns the width used. */
double ol_origin_draw_key(OlCanvas *canvas, const OlTrace *trace, double x, double y);

G_END_DECLS
