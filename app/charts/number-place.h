/* Where a number of a chart comes from. Those that are metrics lead where their metric does. */
#pragma once

#include "app/charts/figure-place.h"

G_BEGIN_DECLS

/* FALSE when there is nothing to lead to (yet). Blocks are found by what was pressed (held.h). */
gboolean ol_number_place_find(const OlChartView *view, const OlNumber *number,
                              OlFigurePlace *place);

G_END_DECLS
