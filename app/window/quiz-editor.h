/* A quiz file that is open: what reading it skipped or changed, its questions with their answers,
 * each to be edited, and ways to save them. */
#pragma once

#include "lessons/quiz.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_QUIZ_EDITOR (ol_quiz_editor_get_type())
G_DECLARE_FINAL_TYPE(OlQuizEditor, ol_quiz_editor, OL, QUIZ_EDITOR, GtkBox)

/* Signals "ask": the learner wants the questions to be asked; "left": to be done with the file. */
GtkWidget *ol_quiz_editor_new(void);
/* Questions that can be used are there, though others cannot. FALSE: a dialog says why it cannot be
 * opened, and what was open stays. */
gboolean ol_quiz_editor_open(OlQuizEditor *editor, const char *path);
/* Owned by the editor until another one is opened; NULL before the first. */
OlQuiz *ol_quiz_editor_get_quiz(OlQuizEditor *editor);
/* Whether something was edited and not saved since. */
gboolean ol_quiz_editor_is_changed(OlQuizEditor *editor);
void ol_quiz_editor_forget(OlQuizEditor *editor); /* that it was */
/* It comes in sight: shows its questions, and takes the focus. */
void ol_quiz_editor_show(OlQuizEditor *editor);

G_END_DECLS
