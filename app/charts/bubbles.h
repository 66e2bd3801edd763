/* Where a rank's compute lane is idle within a step. In a pipeline that is its bubble: from the
 * step's first forward to its last backward (engine/trace/bubble.h); else all of the step counts.
 * Marked once a step has ended: only then is its window known. */
#pragma once

#include "app/charts/plot.h"

G_BEGIN_DECLS

typedef struct {
  double x0, x1;
} OlBubble;

/* In sight, in order of x, none narrower than half a unit of length. Caller unrefs. */
GArray *ol_bubbles_new(const OlChartView *view, const OlPlot *plot);

void ol_bubbles_draw(OlCanvas *canvas, const OlPlot *plot, double top, double height);
/* One box in the look of a bubble: for the key. */
void ol_bubbles_paint(OlCanvas *canvas, OlBox box);

G_END_DECLS
