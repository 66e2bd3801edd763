/* How the files that make tables share the work. */
#pragma once

#include "app/charts/chart-table.h"

G_BEGIN_DECLS

/* Borrowed: the rows own it. `name` is copied into the first cell. */
OlTableRow *ol_table_add_row(GPtrArray *rows, const char *name);
void ol_table_row_free(gpointer row);

/* Fill a cell: its words, and the figure behind them, in units of the view. A share that is not
 * finite is unknown. */
void ol_table_put_count(OlTableRow *row, guint column, gint64 count);
void ol_table_put_bytes(OlTableRow *row, guint column, const OlChartView *view, double bytes);
void ol_table_put_time(OlTableRow *row, guint column, const OlChartView *view, gint64 time_ns);
void ol_table_put_share(OlTableRow *row, guint column, double share);

/* The cells of a span's row, whose first is its title. */
void ol_table_put_span(OlTableRow *row, const OlChartView *view, guint span, gboolean is_critical);

void ol_table_add_ranks_rows(GPtrArray *rows, const OlChartView *view);
void ol_table_add_ties_rows(GPtrArray *rows, const OlChartView *view);
void ol_table_add_slices_rows(GPtrArray *rows, const OlChartView *view);
void ol_table_add_steps_rows(GPtrArray *rows, const OlChartView *view);
char *ol_table_dup_steps_note(const OlChartView *view); /* or NULL. Caller frees. */

G_END_DECLS
