/* A quick quiz, as on paper but with the answers at once. Nothing of it is kept. */
#include "app/cli/quiz.h"

#include "app/cli/explain.h"
#include "app/cli/terminal.h"
#include "engine/base/intl.h"
#include "lessons/quiz-round.h"
#include <stdio.h>

static void print_why(const char *why, gpointer data)
{
  if (why)
    ol_terminal_print("  ", why);
}

/* FALSE when the learner has left. */
static gboolean ask(OlQuizRound *round)
{
  const OlQuizQuestion *question = ol_quiz_round_get_question(round);
  g_autofree char *before =
      g_strdup_printf(_("%u of %u  "), round->position + 1, round->asked->len);

  putchar('\n');
  ol_terminal_print(before, question->text);
  for (guint i = 0; i < question->n_options; i++)
    ol_terminal_print_option(i, question->options[i].text);
  int chosen = ol_terminal_ask_letter(_("  Your answer:"), question->n_options);
  if (chosen < 0)
    return FALSE;
  ol_quiz_round_answer(round, (guint)chosen);
  ol_explain_answer(question->options, question->n_options, NULL, (guint)chosen, print_why, NULL);
  print_why(question->feedback, NULL);
  ol_quiz_round_go_on(round);
  return TRUE;
}

static void print_score(const OlQuizRound *round)
{
  printf(_("\n%u of %u answered, %u right.\n"), round->answered, round->asked->len, round->right);
  if (round->missed->len > 0)
    printf(_("\nTo look at again:\n"));
  for (guint i = 0; i < round->missed->len; i++) {
    const OlQuizQuestion *question = ol_quiz_round_get_missed(round, i);
    ol_terminal_print("  ", question->lesson ? question->name : question->text);
    if (question->lesson)
      printf(_("    offload-lab-cli lesson %s\n"), question->lesson);
  }
}

static void introduce(const OlQuiz *quiz, gboolean of_course, guint unmarked)
{
  printf("%s\n", quiz->title);
  ol_terminal_print("  ",
                    _("Answer with a letter or a number. The end of input (Ctrl+D) ends the quiz "
                      "early. Nothing is kept."));
  if (of_course)
    ol_terminal_print("  ",
                      _("Where an explanation has “…”, only a run of yours can tell the figure: "
                        "that is what the lesson is for."));
  if (unmarked == 1)
    ol_terminal_print("  ", _("One question is passed over: its answer is not marked."));
  else if (unmarked > 1)
    printf(_("  %u questions are passed over: their answers are not marked.\n"), unmarked);
}

OlExit ol_quiz_in_terminal(const OlQuiz *quiz, gboolean of_course)
{
  g_autoptr(OlQuizRound) round = ol_quiz_round_new(quiz);
  g_autoptr(GError) error = NULL;

  introduce(quiz, of_course, ol_quiz_count_unmarked(quiz));
  while (ol_quiz_round_get_question(round) && ask(round))
    ;
  print_score(round);
  return ol_cli_print("", &error) ? OL_EXIT_DONE : ol_cli_fail(error);
}

OlExit ol_quiz_list(const OlQuiz *quiz, const OlQuizFormat *format)
{
  guint n = quiz->questions->len, unmarked = ol_quiz_count_unmarked(quiz);
  g_autoptr(GError) error = NULL;

  printf("%s\n", quiz->title);
  for (guint i = 0; i < n; i++) {
    const OlQuizQuestion *question = quiz->questions->pdata[i];
    g_autofree char *before = g_strdup_printf("%u. ", i + 1);
    putchar('\n');
    ol_terminal_print(before, question->text);
    for (guint j = 0; j < question->n_options; j++) {
      const OlOption *option = &question->options[j];
      g_autofree char *letter =
          g_strdup_printf(" %s %c  ", option->right ? "✓" : " ", 'A' + (char)j);
      ol_terminal_print(letter, option->text);
    }
  }
  putchar('\n');
  printf(ol_ngettext("%u question", "%u questions", n), n);
  if (format)
    printf(_(", read as %s"), _(format->name));
  if (unmarked > 0)
    printf(_("; %u without a marked answer"), unmarked);
  printf(".\n");
  return ol_cli_print("", &error) ? OL_EXIT_DONE : ol_cli_fail(error);
}
