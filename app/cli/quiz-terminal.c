/* A quick quiz, as on paper but with the answers at once. Nothing of it is kept. */
#include "app/cli/quiz.h"

#include "app/cli/explain.h"
#include "app/cli/terminal.h"
#include "engine/base/intl.h"
#include <stdio.h>

typedef struct {
  const OlQuiz *quiz;
  guint n; /* questions that are asked */
  guint answered, right;
  GArray *missed; /* guint: which of the quiz's questions */
} Round;

static void print_why(const char *why, gpointer data)
{
  if (why)
    ol_terminal_print("  ", why);
}

static void grade(Round *round, guint index, const OlQuizQuestion *question, guint chosen)
{
  gboolean right = question->options[chosen].right;

  round->answered++;
  round->right += right;
  ol_explain_answer(question->options, question->n_options, NULL, chosen, print_why, NULL);
  if (!right)
    g_array_append_val(round->missed, index);
  print_why(question->feedback, NULL);
}

/* FALSE when the learner has left. */
static gboolean ask(Round *round, guint index, guint number)
{
  const OlQuizQuestion *question = round->quiz->questions->pdata[index];
  g_autofree char *before = g_strdup_printf(_("%u of %u  "), number, round->n);

  putchar('\n');
  ol_terminal_print(before, question->text);
  for (guint i = 0; i < question->n_options; i++)
    ol_terminal_print_option(i, question->options[i].text);
  int chosen = ol_terminal_ask_letter(_("  Your answer:"), question->n_options);
  if (chosen >= 0)
    grade(round, index, question, (guint)chosen);
  return chosen >= 0;
}

static void print_score(const Round *round)
{
  printf(_("\n%u of %u answered, %u right.\n"), round->answered, round->n, round->right);
  if (round->missed->len > 0)
    printf(_("\nTo look at again:\n"));
  for (guint i = 0; i < round->missed->len; i++) {
    guint index = g_array_index(round->missed, guint, i);
    const OlQuizQuestion *question = round->quiz->questions->pdata[index];
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
  guint unmarked = ol_quiz_count_unmarked(quiz);
  g_autoptr(GArray) missed = g_array_new(FALSE, FALSE, sizeof(guint));
  g_autoptr(GError) error = NULL;
  Round round = {quiz, quiz->questions->len - unmarked, 0, 0, missed};

  introduce(quiz, of_course, unmarked);
  for (guint i = 0, number = 0; i < quiz->questions->len; i++)
    if (ol_quiz_question_count_right(quiz->questions->pdata[i]) > 0 && !ask(&round, i, ++number))
      break;
  print_score(&round);
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
