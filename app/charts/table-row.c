/* Rows of the tables: words for the eye, and beside them the figures that they round. */
#include "app/charts/chart-table-private.h"
#include "app/charts/moment.h"
#include "engine/base/clock.h"
#include "engine/base/intl.h"

#include <math.h>

OlTableRow *ol_table_add_row(GPtrArray *rows, const char *name)
{
  OlTableRow *row = g_new0(OlTableRow, 1);
  row->span = -1;
  row->number = ol_number(OL_NUMBER_NONE, 0);
  row->cells[0] = g_strdup(name);
  for (int i = 0; i < OL_TABLE_MOST_COLUMNS; i++)
    row->values[i] = NAN;
  g_ptr_array_add(rows, row);
  return row;
}

void ol_table_row_free(gpointer data)
{
  OlTableRow *row = data;
  for (int i = 0; i < OL_TABLE_MOST_COLUMNS; i++)
    g_free(row->cells[i]);
  g_free(row);
}

void ol_table_put_count(OlTableRow *row, guint column, gint64 count)
{
  row->cells[column] = g_strdup_printf("%" G_GINT64_FORMAT, count);
  row->values[column] = (double)count;
}

void ol_table_put_bytes(OlTableRow *row, guint column, const OlChartView *view, double bytes)
{
  row->cells[column] = ol_chart_view_dup_bytes(view, bytes);
  row->values[column] = bytes * ol_chart_view_byte_scale(view);
}

void ol_table_put_time(OlTableRow *row, guint column, const OlChartView *view, gint64 time_ns)
{
  double seconds = (double)time_ns / OL_NS_PER_SECOND;
  row->cells[column] = ol_chart_view_dup_seconds(view, seconds);
  row->values[column] = seconds * ol_chart_view_time_scale(view);
}

void ol_table_put_share(OlTableRow *row, guint column, double share)
{
  row->cells[column] =
      isfinite(share) ? ol_moment_dup_percent(MAX(share, 0)) : g_strdup(_("unknown"));
  row->values[column] = isfinite(share) ? MAX(share, 0) : NAN;
}
