/* The formats in which a quiz can be saved, a row each. What a format cannot carry is listed before
 * it is asked where the file is to be. */
#pragma once

#include "lessons/quiz.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_QUIZ_SAVES (ol_quiz_saves_get_type())
G_DECLARE_FINAL_TYPE(OlQuizSaves, ol_quiz_saves, OL, QUIZ_SAVES, GtkBox)

/* Signal "saved": nothing of the quiz is missing in the file. */
GtkWidget *ol_quiz_saves_new(void);
/* The quiz is borrowed until another one takes its place; path: where it was read, by which a name
 * is proposed. */
void ol_quiz_saves_set(OlQuizSaves *saves, const OlQuiz *quiz, const char *path);

G_END_DECLS
