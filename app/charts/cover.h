/* When transfers run, and which of them lie under compute. While there are few spans the parts are
 * exact; else they are pixel columns, runs of like columns merged. */
#pragma once

#include "app/charts/columns.h"

G_BEGIN_DECLS

typedef struct {
  double x0, x1;
  double hidden, exposed; /* shares of this stretch's time; the rest has no transfer */
} OlCoverRun;

/* Runs with a transfer, in order of x. Caller unrefs. `columns`: what was walked over already, or
 * NULL. */
GArray *ol_cover_runs(const OlChartView *view, const OlPlot *plot, const OlColumns *columns);

G_END_DECLS
