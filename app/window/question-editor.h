/* A question to be edited: its text, its options with their reasons, which one is right, and their
 * order. It holds no question of its own that lasts: its owner keeps what was changed (with undo),
 * and sets it again. */
#pragma once

#include "lessons/course.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_QUESTION_EDITOR (ol_question_editor_get_type())
G_DECLARE_FINAL_TYPE(OlQuestionEditor, ol_question_editor, OL, QUESTION_EDITOR, GtkBox)

/* least, most: how many options there may be; the same number for both, and none can be added or
 * removed. Signal "changed" (const char *what), by the learner: "text", "option-2" or "why-0" while
 * one text is typed (one step of undo as long as it stays the same); "mark", "move", "add" and
 * "remove" are a step each. */
GtkWidget *ol_question_editor_new(guint least, guint most);
/* Emits nothing; a field whose text is the same keeps its cursor. NULL texts are empty. */
void ol_question_editor_set(OlQuestionEditor *editor, const char *text, const OlOption *options,
                            guint n_options);
/* As it stands there now, with space at both ends; the editor's own until the next change. */
const char *ol_question_editor_get_text(OlQuestionEditor *editor);
const OlOption *ol_question_editor_get_options(OlQuestionEditor *editor, guint *n_options);
void ol_question_editor_grab(OlQuestionEditor *editor);

G_END_DECLS
