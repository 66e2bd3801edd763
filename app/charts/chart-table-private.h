/* How the files that make tables share the work. */
#pragma once

#include "app/charts/chart-table.h"

G_BEGIN_DECLS

/* Borrowed: the rows own it. `name` is copied into the first cell. */
OlTableRow *ol_table_add_row(GPtrArray *rows, const char *name);

void ol_table_add_ranks_rows(GPtrArray *rows, const OlChartView *view);
void ol_table_add_ties_rows(GPtrArray *rows, const OlChartView *view);
void ol_table_add_slices_rows(GPtrArray *rows, const OlChartView *view);
void ol_table_add_steps_rows(GPtrArray *rows, const OlChartView *view);
char *ol_table_dup_steps_note(const OlChartView *view); /* or NULL. Caller frees. */

G_END_DECLS
