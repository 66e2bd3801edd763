/* A saved run, opened from its events file: its trace as far as the file goes, and what is wrong
 * with the file where that is not to its end. No widgets. */
#pragma once

#include "app/window/run-parts.h"
#include "engine/base/watch.h"
#include "engine/trace/metrics.h"

G_BEGIN_DECLS

typedef struct OlReplay OlReplay;

/* Whether a file begins as the events of a run do: a look at its first bytes. */
gboolean ol_replay_is_run(const char *path);

OlReplay *ol_replay_new(const char *path);
void ol_replay_free(OlReplay *replay);

/* Reads the file; may take long, and run on another thread. FALSE when nothing of it can be shown,
 * or with OL_ERROR_STOPPED. */
gboolean ol_replay_load(OlReplay *replay, const OlWatch *watch, GError **error);

/* The file's own name, without its folder, and fit to be shown. Borrowed. */
const char *ol_replay_get_name(const OlReplay *replay);
/* What follows is known once it is loaded. */
OlTrace *ol_replay_get_trace(const OlReplay *replay);
/* "Line 213: …", or NULL for a whole file. Borrowed. */
const char *ol_replay_get_damage(const OlReplay *replay);

/* "GPT 2 B on an A100, PCIe 4 · 1 MiB is 1.7 GiB · 1 s is 1.7 s", or NULL when the run stands for
 * nothing. Caller frees. */
char *ol_replay_dup_scale(const OlReplay *replay);

/* "Done · 3 steps · 0.17 s a step · loss 3.41": of OlRunPart. Caller unrefs. */
GArray *ol_replay_new_state(const OlReplay *replay, gboolean there);

G_END_DECLS
