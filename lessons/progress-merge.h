/* Two programs may keep the same learner's progress: what each added stays. Private to lessons/. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Adds to `into`, the root of the file as it lies on the disk, what only `from` has. A list that
 * grew in both is put in the order of time, so that its first entry is the first made and its last
 * the newest. Both fit the schema. */
void ol_progress_merge(JsonObject *into, JsonObject *from);

/* Makes room in each list that is too long: its first entry stays, the oldest after it go. Not
 * before a merge, which would bring them back. */
void ol_progress_trim(JsonObject *root);

G_END_DECLS
