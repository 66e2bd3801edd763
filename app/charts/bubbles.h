/* Where a rank's compute lane is idle within a step. In a pipeline that is its bubble: from the
 * step's first forward to its last backward (engine/trace/bubble.h); else all of the step counts.
 * Marked once a step has ended: only then is its window known. */
#pragma once

#include "app/charts/plot.h"

G_BEGIN_DECLS

#define OL_MARK_EM 0.3 /* height of the line that marks what a share counts */

typedef struct {
  double x0, x1;
} OlBubble;

/* The ended steps' windows as far as they lie in [begin, end), in order of time and free of
 * overlaps: OlBubbleWindow. What is marked and what is said of idle time is all within these.
 * Caller unrefs. */
GArray *ol_bubbles_windows_new(const OlChartView *view, gint64 begin_ns, gint64 end_ns);
/* The share of the windows in sight in which the view's rank does not compute; NAN: none is in
 * sight. */
double ol_bubbles_share(const OlChartView *view);
/* The longest time that it is idle there, the first of equals; FALSE: none. Looks at every span in
 * sight. */
gboolean ol_bubbles_find_longest(const OlChartView *view, OlBubbleWindow *longest);

/* In sight, in order of x, none narrower than half a unit of length. Caller unrefs. */
GArray *ol_bubbles_new(const OlChartView *view, const OlPlot *plot);

void ol_bubbles_draw(OlCanvas *canvas, const OlPlot *plot, double top, double height);
/* One box in the look of a bubble: for the key. */
void ol_bubbles_paint(OlCanvas *canvas, OlBox box);

G_END_DECLS
