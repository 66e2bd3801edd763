/* Move 4: the question, its options in this learner's order, and what each answer is worth, in the
 * figures of the runs just made. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_QUESTION_VIEW (ol_question_view_get_type())
G_DECLARE_FINAL_TYPE(OlQuestionView, ol_question_view, OL, QUESTION_VIEW, GtkBox)

/* Signal "shown": the bench shows what an explanation speaks of. */
GtkWidget *ol_question_view_new(OlLabSession *session);
void ol_question_view_grab(OlQuestionView *view);

G_END_DECLS
