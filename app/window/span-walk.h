/* Walking from span to span with the arrow keys, and finding one to point at. Spans are indices in
 * the view's trace, or -1. */
#pragma once

#include "app/charts/view.h"

G_BEGIN_DECLS

/* The span before (along < 0) or after (> 0) the selected one on its lane, or the nearest in time
 * on the next lane up (across < 0) or down (> 0) that has any, also of the rank above or below.
 * With nothing selected: the first in sight. */
int ol_span_walk(const OlChartView *view, int along, int across);

/* A compute span of the unit, in the last step that has one: of the selected rank, else of one that
 * has the unit. */
int ol_span_find_unit(const OlChartView *view, int unit);

G_END_DECLS
