/* A course file while it is edited: its JSON as it stands, right or not yet. What an editor does
 * not show (a recipe, a hidden run, keys of a later lab) therefore stays in it. The rules are the
 * loader's alone: what it says about the draft is told by key path, for the field it is about.
 *
 * Key paths are those of the loader's faults: "lessons[0].question.options[2].why"; what follows
 * "set." is one key with dots in it. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct OlCourseDraft OlCourseDraft;

typedef struct {
  char *key;     /* "lessons[0].title"; "" when it is about the whole */
  char *message; /* "is missing" */
} OlDraftFault;

/* A course without lessons, which the loader does not accept yet. */
OlCourseDraft *ol_course_draft_new(const char *id, const char *title);
/* Any JSON object opens, however faulty as a course. OL_ERROR_BAD_INPUT for what is none. */
OlCourseDraft *ol_course_draft_open(const char *path, GError **error);
void ol_course_draft_free(OlCourseDraft *draft);

/* Written whole or not at all. OL_ERROR_STORAGE: then the old file stays and the draft is unsaved.
 */
gboolean ol_course_draft_save(OlCourseDraft *draft, const char *path, GError **error);
/* Whether it differs from what was opened or saved last. */
gboolean ol_course_draft_is_changed(const OlCourseDraft *draft);

/* Borrowed until the next change. NULL where nothing is. */
JsonNode *ol_course_draft_get(const OlCourseDraft *draft, const char *key_path);

/* Each change takes `value` and can be undone. FALSE, with nothing changed, where the path leads
 * nowhere: only its last part may be new. */
gboolean ol_course_draft_set(OlCourseDraft *draft, const char *key_path, JsonNode *value);
gboolean ol_course_draft_remove(OlCourseDraft *draft, const char *key_path);
gboolean ol_course_draft_append(OlCourseDraft *draft, const char *list_path, JsonNode *value);
/* Moves an element of a list to another place in it. */
gboolean ol_course_draft_move(OlCourseDraft *draft, const char *list_path, guint from, guint to);

gboolean ol_course_draft_can_undo(const OlCourseDraft *draft);
gboolean ol_course_draft_can_redo(const OlCourseDraft *draft);
void ol_course_draft_undo(OlCourseDraft *draft);
void ol_course_draft_redo(OlCourseDraft *draft);

/* What the loader says about it now, of OlDraftFault; empty when it is a course. Caller frees. */
GPtrArray *ol_course_draft_dup_faults(const OlCourseDraft *draft);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlCourseDraft, ol_course_draft_free)

G_END_DECLS
