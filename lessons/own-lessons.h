/* Lessons of the user's own, as an editor has them: one course file in the folder of own courses.
 * A new one begins as a copy of a lesson that is there, whose experiment and evidence it keeps. */
#pragma once

#include "lessons/course-draft.h"
#include "lessons/course.h"

G_BEGIN_DECLS

/* <user data>/offload-lab/courses/mine.json. Caller frees. */
char *ol_own_lessons_dup_path(void);
/* That file, or a course without lessons when there is none. OL_ERROR_BAD_INPUT when it is none of
 * JSON. */
OlCourseDraft *ol_own_lessons_open(GError **error);
/* Replaces the file; with no lesson left it is removed. OL_ERROR_STORAGE: it is as it was. */
gboolean ol_own_lessons_save(OlCourseDraft *draft, GError **error);
/* Undoes the last change, or does it again. Returns the lesson that is another than before, or -1
 * when one came or went. */
int ol_own_lessons_undo(OlCourseDraft *draft, gboolean again);
/* Puts a file that cannot be used aside, where the next opening does not find it. Returns where it
 * lies then. Caller frees. */
char *ol_own_lessons_put_aside(GError **error);

guint ol_own_lessons_count(const OlCourseDraft *draft);
/* A text of a lesson: `key` as "title" or "question.text". "" where there is none; borrowed until
 * the next change. */
const char *ol_own_lessons_get_text(const OlCourseDraft *draft, guint lesson, const char *key);

/* Adds a copy of a lesson of `course`, under an id that is new; its place, or -1 with
 * OL_ERROR_BAD_INPUT when its file cannot be read any more. */
int ol_own_lessons_add(OlCourseDraft *draft, const OlCourse *course, const OlLesson *lesson,
                       const char *data_folder, GError **error);

/* The options of its question as the window shows them; texts are borrowed until the next change.
 * Caller frees the array. */
OlOption *ol_own_lessons_dup_options(const OlCourseDraft *draft, guint lesson, guint *n_options);
/* Puts others in their place. What an option has besides (a run to show, a moment) stays with the
 * option whose text or reason is still the same. */
void ol_own_lessons_set_options(OlCourseDraft *draft, guint lesson, const OlOption *options,
                                guint n_options);

/* What must hold of the lesson's runs, a line each: "adam · state.bytes_per_parameter · exactly
 * 12". Caller frees. */
char *ol_own_lessons_dup_evidence(const OlCourseDraft *draft, guint lesson);

G_END_DECLS
