/* One question of a review: without its lesson's text, its options in an order of this time, and at
 * once whether the answer is right, and why. */
#pragma once

#include "lessons/progress.h"
#include "lessons/review.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_REVIEW_QUESTION (ol_review_question_get_type())
G_DECLARE_FINAL_TYPE(OlReviewQuestion, ol_review_question, OL, REVIEW_QUESTION, GtkBox)

/* Signals "answered" (gboolean right): it is kept in the progress by then; and "next": the learner
 * asks for what comes after it. */
GtkWidget *ol_review_question_new(OlProgress *progress);
/* last: no other question comes after it in this round. */
void ol_review_question_ask(OlReviewQuestion *view, const OlReviewCard *card, gboolean last);
void ol_review_question_grab(OlReviewQuestion *view);

G_END_DECLS
