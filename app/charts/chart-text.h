/* A chart as plain text, to be copied: its title, what it shows in sentences, and its tables with
 * tabs between the columns. */
#pragma once

#include "app/charts/chart-table.h"

G_BEGIN_DECLS

/* The tables that say what a chart shows, *n of them. */
const OlTableKind *ol_chart_tables(OlChart chart, guint *n);

/* Caller frees. */
char *ol_chart_dup_text(OlChart chart, const OlChartView *view);

G_END_DECLS
