/* Which span a node has left in a step, by binary search. */
#pragma once

#include "app/charts/view.h"

G_BEGIN_DECLS

/* Index in the trace, or -1: it has not ended yet, or is not in that step. */
int ol_span_find(const OlChartView *view, guint node, int step);
/* The span that the i-th wait of `node`, in `step`, is for; or -1. */
int ol_span_find_wait(const OlChartView *view, const OlGraphNode *node, int step, guint i);

G_END_DECLS
