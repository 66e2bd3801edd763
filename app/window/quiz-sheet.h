/* One question of a quiz to be edited, and the way to its neighbours. What is typed is the quiz's
 * at once, as long as it makes a question; else it is said what it lacks. */
#pragma once

#include "lessons/quiz.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_QUIZ_SHEET (ol_quiz_sheet_get_type())
G_DECLARE_FINAL_TYPE(OlQuizSheet, ol_quiz_sheet, OL, QUIZ_SHEET, GtkBox)

/* Signals "changed": the quiz is another; "done" (guint question): the learner leaves the sheet,
 * from that question. */
GtkWidget *ol_quiz_sheet_new(void);
/* The quiz is borrowed until "done". */
void ol_quiz_sheet_show(OlQuizSheet *sheet, OlQuiz *quiz, guint question);

G_END_DECLS
