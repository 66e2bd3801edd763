#include "lessons/quiz-round.h"

OlQuizRound *ol_quiz_round_new(const OlQuiz *quiz)
{
  OlQuizRound *round = g_new0(OlQuizRound, 1);
  round->quiz = quiz;
  round->asked = g_array_new(FALSE, FALSE, sizeof(guint));
  round->missed = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint i = 0; i < quiz->questions->len; i++)
    if (ol_quiz_question_count_right(quiz->questions->pdata[i]) > 0)
      g_array_append_val(round->asked, i);
  return round;
}

void ol_quiz_round_free(OlQuizRound *round)
{
  if (round == NULL)
    return;
  g_array_unref(round->asked);
  g_array_unref(round->missed);
  g_free(round);
}

static const OlQuizQuestion *get(const OlQuizRound *round, const GArray *which, guint i)
{
  return i < which->len ? round->quiz->questions->pdata[g_array_index(which, guint, i)] : NULL;
}

const OlQuizQuestion *ol_quiz_round_get_question(const OlQuizRound *round)
{
  return get(round, round->asked, round->position);
}

gboolean ol_quiz_round_is_last(const OlQuizRound *round)
{
  return round->position + 1 >= round->asked->len;
}

gboolean ol_quiz_round_answer(OlQuizRound *round, guint option)
{
  gboolean right = ol_quiz_round_get_question(round)->options[option].right;
  round->answered++;
  round->right += right;
  if (!right)
    g_array_append_val(round->missed, g_array_index(round->asked, guint, round->position));
  return right;
}

void ol_quiz_round_go_on(OlQuizRound *round)
{
  round->position = MIN(round->position + 1, round->asked->len);
}

const OlQuizQuestion *ol_quiz_round_get_missed(const OlQuizRound *round, guint i)
{
  return get(round, round->missed, i);
}
