/* Two programs may keep the same learner's progress: what each added stays. Private to lessons/. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Adds to `into`, the root of the file as it lies on the disk, what only `from` has. A list that
 * grew in both is put in the order of time, so that its first entry is the first made and its last
 * the newest. What one of them has reset does not come back from the other, which is changed too.
 * Both fit the schema. */
void ol_progress_merge(JsonObject *into, JsonObject *from);
/* The same of one lesson's members. */
void ol_progress_merge_lesson(JsonObject *into, JsonObject *from);

/* Of a lesson's member (may be NULL): up to when entries do not count, and when that was said; NULL
 * when there is no reset. Borrowed. */
const char *ol_progress_reset_before(JsonObject *lesson);
const char *ol_progress_reset_time(JsonObject *lesson);
void ol_progress_set_reset(JsonObject *lesson, const char *before, const char *time);
/* Whether an entry does not count; one without a proper time is taken for an old one. */
gboolean ol_progress_is_reset(const char *before, JsonObject *entry);

/* Makes room in each list that is too long: its first entry stays, the oldest after it go. Not
 * before a merge, which would bring them back. */
void ol_progress_trim(JsonObject *root);

G_END_DECLS
