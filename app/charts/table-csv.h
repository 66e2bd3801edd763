/* A table as a CSV file: the same columns and rows as on screen, but figures exact (bytes, seconds,
 * shares of 1) and named so in the first line, and all spans in sight, of every rank, instead of
 * the first few of one. */
#pragma once

#include "app/charts/chart-table.h"
#include "engine/base/watch.h"

G_BEGIN_DECLS

typedef struct OlTableCsv OlTableCsv;

/* What is to be written, taken at once; the view may change or go afterwards. A trace that still
 * grows is copied. */
OlTableCsv *ol_table_csv_new(OlTableKind kind, const OlChartView *view);
void ol_table_csv_free(OlTableCsv *csv);

/* May take long, and run on another thread. `watch` may be NULL. OL_ERROR_STORAGE or
 * OL_ERROR_STOPPED: then the old file is still there. */
gboolean ol_table_csv_save(OlTableCsv *csv, const char *path, const OlWatch *watch, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlTableCsv, ol_table_csv_free)

G_END_DECLS
