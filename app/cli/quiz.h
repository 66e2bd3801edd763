/* The ways of offload-lab-cli quiz that ask somebody. */
#pragma once

#include "app/cli/cli.h"
#include "lessons/quiz.h"

G_BEGIN_DECLS

/* All questions in a row, each explained at once, the score, and what to look at again. End of
 * input ends it. Questions whose answer is not marked are passed over. `of_course`: its
 * explanations quote runs that have not been made. */
OlExit ol_quiz_in_terminal(const OlQuiz *quiz, gboolean of_course);

/* The questions with their options, the right ones marked, and how many there are. */
OlExit ol_quiz_list(const OlQuiz *quiz, const OlQuizFormat *format);

/* Asks which option is right, of each question that has none marked; the end of input leaves the
 * rest as it is. */
void ol_quiz_mark_in_terminal(OlQuiz *quiz);

G_END_DECLS
