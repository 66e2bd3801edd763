/* A question outside its lesson, of a review or a quick quiz: answered once, and at once whether
 * that is right, and why. */
#pragma once

#include "lessons/quiz.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_ASKED_QUESTION (ol_asked_question_get_type())
G_DECLARE_FINAL_TYPE(OlAskedQuestion, ol_asked_question, OL, ASKED_QUESTION, GtkBox)

/* Signals "answered" (guint option): it is in sight by then whether it is right; and "next": the
 * learner asks for what comes after it. */
GtkWidget *ol_asked_question_new(void);
/* question: borrowed as long as it is asked. order: [n_options], shown position → option; NULL: as
 * they stand. last: no other question comes after it. */
void ol_asked_question_ask(OlAskedQuestion *view, const OlQuizQuestion *question,
                           const guint *order, gboolean last);
/* What there is to say once it is answered: a sentence of its asker's, or NULL, and, unless it is
 * `complete`, that figures are missing. */
void ol_asked_question_say(OlAskedQuestion *view, const char *aside, gboolean complete);
void ol_asked_question_grab(OlAskedQuestion *view);

G_END_DECLS
