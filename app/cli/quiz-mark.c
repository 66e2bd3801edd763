/* Answers for a quiz that came without. */
#include "app/cli/quiz.h"

#include "app/cli/terminal.h"
#include "engine/base/intl.h"
#include <stdio.h>

/* FALSE when whoever marks has left. */
static gboolean mark(OlQuizQuestion *question, guint number, guint n)
{
  g_autofree char *before = g_strdup_printf(_("%u of %u  "), number, n);

  putchar('\n');
  ol_terminal_print(before, question->text);
  for (guint i = 0; i < question->n_options; i++)
    ol_terminal_print_option(i, question->options[i].text);
  for (;;) {
    g_autofree char *answer = ol_terminal_ask(_("  Right is:"));
    if (!answer)
      return FALSE;
    int right = ol_terminal_choice(answer, question->n_options);
    if (right >= 0)
      ol_quiz_question_mark(question, right);
    if (right >= 0 || !*answer)
      return TRUE;
    printf(_("  A to %c, please, or just Enter to leave it open.\n"),
           'A' + (char)question->n_options - 1);
  }
}

void ol_quiz_mark_in_terminal(OlQuiz *quiz)
{
  guint n = ol_quiz_count_unmarked(quiz);

  printf("%s\n", quiz->title);
  ol_terminal_print("  ",
                    _("These questions came without answers. Say which option of each is right: "
                      "a letter or a number, or just Enter to leave a question open."));
  for (guint i = 0, number = 0; i < quiz->questions->len; i++) {
    OlQuizQuestion *question = quiz->questions->pdata[i];
    if (ol_quiz_question_count_right(question) == 0 && !mark(question, ++number, n))
      break;
  }
  clearerr(stdin); /* in a terminal the end of input is only a key: the quiz can still be asked */
}
