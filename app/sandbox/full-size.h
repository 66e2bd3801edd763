/* The planner's run: a config simulated at full size, with its metrics. Pure, but for the data
 * folder that it reads; made for a thread of its own. */
#pragma once

#include "engine/config/run-config.h"
#include "engine/trace/metrics.h"
#include "engine/trace/trace.h"
#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  OlTrace *trace; /* source simulated */
  OlMetrics *metrics;
} OlFullSize;

/* In order. */
typedef enum {
  OL_FULL_SIZE_PLANNING,
  OL_FULL_SIZE_SIMULATING,
  OL_FULL_SIZE_MEASURING,
  OL_N_FULL_SIZE_PARTS
} OlFullSizePart;

/* Spans that the window can show. */
#define OL_FULL_SIZE_MOST_SPANS 3000000u

/* The keys that make a config of full size one that is simulated: it stands for itself, on the
 * scale clock, a second for a second. A scale model becomes what it stands for. Caller frees; NULL
 * with an unknown machine or model. */
OlRunConfig *ol_full_size_dup_config(const OlRunConfig *config, const char *data_folder,
                                     GError **error);

/* `part` (atomic, may be NULL) tells how far it is. Refuses what is too large for the window with
 * OL_ERROR_BAD_INPUT; G_IO_ERROR_CANCELLED a moment after it was cancelled, in whichever part. A
 * config that does not fit is simulated to where it ends. */
OlFullSize *ol_full_size_new(const OlRunConfig *config, const char *data_folder, gint *part,
                             GCancellable *cancellable, GError **error);
/* The same on a thread. `done` is called in this thread's main context, with `source`, which is
 * kept until then and must be what `part` is in. */
void ol_full_size_start(GObject *source, const OlRunConfig *config, const char *data_folder,
                        gint *part, GCancellable *cancellable, GAsyncReadyCallback done);
OlFullSize *ol_full_size_finish(GAsyncResult *result, GError **error);
const OlRunConfig *ol_full_size_get_asked(GAsyncResult *result); /* what was given */
void ol_full_size_free(OlFullSize *full_size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlFullSize, ol_full_size_free)

G_END_DECLS
