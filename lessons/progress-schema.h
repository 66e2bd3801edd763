/* What a progress file must look like for this lab to use it. Private to lessons/.
 *
 *   {"schema": 1, "learner": "Ada", "lessons": {"why-offload": {
 *     "predictions": [{"value": 9, "time": "2025-01-31T09:30:00Z"}],
 *     "answers": [{"option": 3, "right": true, "time": "…"}],
 *     "runs": [{"run": "all-on-gpu", "time": "…"}]}}}
 *
 * Each list is in the order of time. Keys beyond these are kept as they are. A schema of 1.x adds
 * keys only; one of 2 or more is for a newer lab. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define OL_PROGRESS_SCHEMA 1

gboolean ol_progress_schema_is_newer(JsonObject *root);
/* Whether a lesson's member of this name is a list of entries with times. */
gboolean ol_progress_schema_is_list(const char *key);
/* What is missing or of the wrong kind, in words; NULL when nothing is. Caller frees. */
char *ol_progress_schema_dup_misfit(JsonObject *root);

G_END_DECLS
