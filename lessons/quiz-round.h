/* A quick quiz under way: the questions of a quiz, one after the other, as on paper but with the
 * answers at once. Those whose answer is not marked are passed over. Nothing of it is kept. */
#pragma once

#include "lessons/quiz.h"

G_BEGIN_DECLS

typedef struct {
  const OlQuiz *quiz; /* borrowed */
  GArray *asked;      /* guint: which of the quiz's questions, in order */
  guint position;     /* in `asked`: the one whose turn it is */
  guint answered, right;
  GArray *missed; /* guint: which of the quiz's questions */
} OlQuizRound;

/* The quiz must outlive it, and stay as it is. */
OlQuizRound *ol_quiz_round_new(const OlQuiz *quiz);
void ol_quiz_round_free(OlQuizRound *round);

/* NULL once all have been asked. */
const OlQuizQuestion *ol_quiz_round_get_question(const OlQuizRound *round);
gboolean ol_quiz_round_is_last(const OlQuizRound *round);
/* Whether it is right. Once for each question. */
gboolean ol_quiz_round_answer(OlQuizRound *round, guint option);
void ol_quiz_round_go_on(OlQuizRound *round);
/* A question that was answered wrong, 0 the first of them. */
const OlQuizQuestion *ol_quiz_round_get_missed(const OlQuizRound *round, guint i);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlQuizRound, ol_quiz_round_free)

G_END_DECLS
