/* What a progress file must look like for this lab to use it. Private to lessons/.
 *
 *   {"schema": 1, "learner": "Ada", "lessons": {"why-offload": {
 *     "predictions": [{"value": 9, "sure": 0.75, "time": "2025-01-31T09:30:00Z"}],
 *     "answers": [{"option": 3, "right": true, "time": "…"}],
 *     "runs": [{"run": "all-on-gpu", "measured": 12.4, "time": "…"}],
 *     "reviews": [{"option": 3, "right": true, "time": "…"}],
 *     "reset": {"before": "…", "time": "…"}}},
 *   "undo": {"time": "…", "lessons": {…}}}
 *
 * Each list is in the order of time. `sure` (a share, 0 to 1) may be absent, and so may `measured`:
 * what the prediction was about, in its unit. `reset`, once there
 * was one: no entry up to `before` counts, wherever it comes from; when it has been taken back
 * `before` is empty. `undo` has the lessons as they were before the last reset. Of two programs'
 * `reset` or `undo` the one of the later `time` counts. Keys beyond these are kept as they are. A
 * schema of 1.x adds keys only; one of 2 or more is for a newer lab. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define OL_PROGRESS_SCHEMA 1

gboolean ol_progress_schema_is_newer(JsonObject *root);
/* Whether a lesson's member of this name is a list of entries with times. */
gboolean ol_progress_schema_is_list(const char *key);
/* All entries of a lesson's member, over its lists. Borrowed; the caller unrefs the array. */
GPtrArray *ol_progress_schema_list_entries(JsonObject *lesson);
/* What is missing or of the wrong kind, in words; NULL when nothing is. Caller frees. */
char *ol_progress_schema_dup_misfit(JsonObject *root);
/* Whose it says it is; NULL when it does not, or is not for this lab. Borrowed. */
const char *ol_progress_schema_get_learner(JsonObject *root);

G_END_DECLS
