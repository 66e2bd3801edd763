#include "app/charts/columns.h"

#include <math.h>

void ol_columns_init(OlColumns *columns, const OlPlot *plot)
{
  guint n = (guint)MAX(ceil(plot->right) - floor(plot->left), 0) + 1;
  *columns = (OlColumns){(int)floor(plot->left), n, g_new(gint64, n * OL_N_LANES)};
  for (guint i = 0; i < n * OL_N_LANES; i++)
    columns->busy_ns[i] = OL_COLUMN_UNKNOWN;
}

void ol_columns_clear(OlColumns *columns)
{
  g_clear_pointer(&columns->busy_ns, g_free);
}

static gint64 *find(const OlColumns *columns, OlLane lane, double column)
{
  double i = column - columns->first;
  return i >= 0 && i < columns->n ? &columns->busy_ns[(guint)lane * columns->n + (guint)i] : NULL;
}

void ol_columns_set(OlColumns *columns, OlLane lane, double column, gint64 busy_ns)
{
  gint64 *at = find(columns, lane, column);
  if (at != NULL)
    *at = busy_ns;
}

gint64 ol_columns_get(const OlColumns *columns, OlLane lane, double column)
{
  const gint64 *at = find(columns, lane, column);
  return at != NULL ? *at : OL_COLUMN_UNKNOWN;
}

gint64 ol_columns_slack(const OlPlot *plot)
{
  return (gint64)(2 * ol_plot_unit_ns(plot) / OL_COLUMN_SHARES);
}
