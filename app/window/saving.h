/* What of the bench can be saved to a file, and a file of it under way. No widgets.
 *
 * What is to be saved is taken at once (drawn, or copied where it still grows), so that the bench
 * may go on; writing it is work for a thread. A file is replaced whole or not at all. */
#pragma once

#include "app/charts/chart-table.h"
#include "engine/base/watch.h"

G_BEGIN_DECLS

typedef enum { OL_SAVE_PICTURE, OL_SAVE_TABLE, OL_SAVE_RUN, OL_SAVE_TRACE, OL_N_SAVES } OlSave;

/* "Save the charts as a picture" */
const char *ol_save_title(OlSave save);
/* The names' suffixes, each with the words that choose it: {"png", "Picture (PNG)"} …, *n of them;
 * the first is the usual one. */
typedef struct {
  const char *suffix, *words;
} OlSaveSuffix;
const OlSaveSuffix *ol_save_suffixes(OlSave save, guint *n);
/* "run" → "run.png"; a name that has one of the suffixes keeps it. Caller frees. */
char *ol_save_dup_name(OlSave save, const char *name, const OlSaveSuffix *chosen);

typedef struct OlSaving OlSaving;

/* `table` counts for OL_SAVE_TABLE alone; `style` and the charts' `width` (0: of a page) for
 * pictures. The view has a trace. NULL with OL_ERROR_BAD_INPUT. */
OlSaving *ol_saving_new(OlSave save, OlTableKind table, const char *path, const OlChartView *view,
                        const OlChartStyle *style, double width, GError **error);
void ol_saving_free(OlSaving *saving);
/* On a thread. */
gboolean ol_saving_write(OlSaving *saving, const OlWatch *watch, GError **error);

G_END_DECLS
