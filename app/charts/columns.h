/* How busy lanes of one rank are up to the left edge of each pixel column of a plot. Rows walk over
 * them, and what needs the same figures in the same frame takes them from here. */
#pragma once

#include "app/charts/plot.h"
#include "engine/base/words.h"

G_BEGIN_DECLS

#define OL_COLUMN_UNKNOWN G_MININT64
#define OL_COLUMN_SHARES  16 /* shares of a column's time that are told apart */

typedef struct {
  int first; /* the column of the plot's left edge */
  guint n;
  gint64 *busy_ns; /* [OL_N_LANES][n], nanoseconds since the trace began; OL_COLUMN_UNKNOWN */
} OlColumns;

void ol_columns_init(OlColumns *columns, const OlPlot *plot);
void ol_columns_clear(OlColumns *columns);

/* What need not be looked into where a column ends: two of these shares of its time, in ns. */
gint64 ol_columns_slack(const OlPlot *plot);

/* Columns outside the plot are forgotten, and unknown. */
void ol_columns_set(OlColumns *columns, OlLane lane, double column, gint64 busy_ns);
gint64 ol_columns_get(const OlColumns *columns, OlLane lane, double column);

G_END_DECLS
