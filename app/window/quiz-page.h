/* Quick quizzes: the questions of a course or of a quiz file in a row, with immediate answers.
 * Nothing of them is kept. A quiz file can be edited here, too. */
#pragma once

#include "app/window/lab-pages.h"

G_BEGIN_DECLS

#define OL_TYPE_QUIZ_PAGE (ol_quiz_page_get_type())
G_DECLARE_FINAL_TYPE(OlQuizPage, ol_quiz_page, OL, QUIZ_PAGE, GtkBox)

GtkWidget *ol_quiz_page_new(const OlLabPageNeeds *needs);
void ol_quiz_page_open(GtkWidget *page);
/* Opens a quiz file, or tells why it cannot be. One that is being edited is asked about first. */
void ol_quiz_page_open_file(OlQuizPage *page, const char *path);

/* Whether a quiz file was changed and not saved since; and that this does not matter. */
gboolean ol_quiz_page_is_changed(GtkWidget *page);
void ol_quiz_page_forget(GtkWidget *page);

G_END_DECLS
