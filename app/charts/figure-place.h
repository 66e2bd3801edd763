/* Where a figure comes from: the spans, the moment and the memory that a number leads to. */
#pragma once

#include "app/charts/charts.h"
#include "engine/trace/metrics.h"

G_BEGIN_DECLS

typedef struct {
  OlChart chart;           /* that shows it best */
  gint64 begin_ns, end_ns; /* what to look at; begin < end */
  gint64 moment_ns;        /* of a peak, or -1 */
  int span;                /* the most telling one, or -1 */
  int rank;                /* whose figure it is */
  int lane, tier, payload; /* to emphasise, or -1 each */
  OlMark mark;             /* what the figure counts, to be marked */
} OlFigurePlace;

/* Of a metric of the view's trace; without metrics (NULL) a path that names no rank is taken for
 * the view's. FALSE when it comes from no place: the run says it of itself, or
 * nothing has run. */
gboolean ol_figure_place_find(const OlChartView *view, const OlMetrics *metrics, const char *path,
                              OlFigurePlace *place);

/* Of a moment that is known, and of the view's rank: the step that it lies in, else all that is
 * known; nothing to emphasise. */
OlFigurePlace ol_figure_place_at(const OlChartView *view, gint64 time_ns);

G_END_DECLS
