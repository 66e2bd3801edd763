/* offload-lab-cli review: questions that are due again, without their lessons' text. */
#include "lessons/review.h"

#include "app/cli/cli.h"
#include "app/cli/explain.h"
#include "app/cli/learner.h"
#include "app/cli/terminal.h"
#include "engine/base/intl.h"
#include "lessons/grading.h"
#include "lessons/quiz.h"

#include <stdio.h>

typedef struct {
  OlProgress *progress;
  const OlReviewCard *card;
  const OlQuizQuestion *question;
  gboolean complete; /* no figure is missing in the explanations */
} Asked;

static gint64 get_now(void)
{
  return g_get_real_time() / G_USEC_PER_SEC;
}

static void print_why(const char *why, gpointer data)
{
  if (why)
    ol_terminal_print("  ", why);
}

static void explain(const Asked *asked, guint shown, const guint *order)
{
  ol_explain_answer(asked->question->options, asked->question->n_options, order, shown, print_why,
                    NULL);
  if (!asked->complete)
    ol_terminal_print("  ", _("A figure shown as … can only be told by a run: that is what the "
                              "lesson is for."));
}

static void tell_when(const Asked *asked)
{
  gint64 now = get_now();
  OlReviewCard card;

  ol_review_look(asked->card->course, asked->card->lesson, asked->progress, now, &card);
  g_autofree char *when = ol_review_dup_when(card.due, now);
  g_autofree char *words = g_strdup_printf(_("This question comes back %s."), when);
  ol_terminal_print("  ", words);
}

/* Whether it was answered, and right: else -1, the learner has left. */
static int ask(const Asked *asked, guint number, guint n)
{
  const OlQuizQuestion *question = asked->question;
  g_autofree guint *order = g_new(guint, question->n_options);
  g_autofree char *before = g_strdup_printf(_("%u of %u  "), number, n);
  g_autoptr(GError) error = NULL;

  ol_grading_review_order(asked->card->lesson, ol_progress_get_learner(asked->progress),
                          asked->card->reviews, order);
  putchar('\n');
  ol_terminal_print(before, question->text);
  for (guint i = 0; i < question->n_options; i++)
    ol_terminal_print_option(i, question->options[order[i]].text);
  int shown = ol_terminal_ask_letter(_("  Your answer:"), question->n_options);
  if (shown < 0)
    return -1;
  guint chosen = order[shown];
  if (!ol_progress_review(asked->progress, asked->card->lesson->id, chosen,
                          question->options[chosen].right, &error))
    ol_cli_complain("%s", error->message);
  explain(asked, (guint)shown, order);
  tell_when(asked);
  return question->options[chosen].right;
}

static void tell_next(GPtrArray *courses, const OlProgress *progress)
{
  gint64 now = get_now();
  g_autoptr(GArray) cards = ol_review_list(courses, progress, now);

  if (cards->len == 0) {
    printf("%s\n", _("No question was answered in a lesson yet: only those come back."));
    return;
  }
  const OlReviewCard *first = &g_array_index(cards, OlReviewCard, 0);
  g_autofree char *when = ol_review_dup_when(first->due, now);
  g_autofree char *words = g_strdup_printf(_("The next question comes back %s."), when);
  printf("%s\n", words);
}

static OlExit review(GPtrArray *courses, OlProgress *progress)
{
  g_autoptr(GArray) cards = ol_review_list_due(courses, progress, get_now());
  guint n = cards->len, right = 0, answered = 0;
  g_autoptr(GError) error = NULL;

  if (n > 0)
    ol_terminal_print("", _("Answer with a letter or a number. The end of input (Ctrl+D) leaves "
                            "the rest for later."));
  for (guint i = 0; i < n; i++) {
    Asked asked = {.progress = progress, .card = &g_array_index(cards, OlReviewCard, i)};
    g_autoptr(OlQuiz) quiz = ol_quiz_new_from_lesson(asked.card->lesson, &asked.complete);
    asked.question = g_ptr_array_index(quiz->questions, 0);
    int grade = ask(&asked, i + 1, n);
    if (grade < 0)
      break;
    answered++;
    right += (guint)grade;
  }
  if (n > 0) {
    g_autofree char *words = g_strdup_printf(_("%u of %u answered, %u right."), answered, n, right);
    printf("\n%s\n", words);
  }
  if (answered == n)
    tell_next(courses, progress);
  return ol_cli_print("", &error) ? OL_EXIT_DONE : ol_cli_fail(error);
}

/* A line a question that comes back: when, how it went so far, and its lesson. */
static OlExit list(GPtrArray *courses, const OlProgress *progress)
{
  gint64 now = get_now();
  g_autoptr(GArray) cards = ol_review_list(courses, progress, now);
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < cards->len; i++) {
    const OlReviewCard *card = &g_array_index(cards, OlReviewCard, i);
    g_autofree char *when = ol_review_dup_when(card->due, now);
    g_string_append_printf(text, "  %-11s %2u/%-2u %s\n", when, card->right, card->reviews,
                           card->lesson->id);
  }
  if (cards->len > 0)
    g_string_prepend(text, _("  due         right lesson\n"));
  else
    g_string_append_printf(text, "%s\n",
                           _("No question was answered in a lesson yet: only those come back."));
  return ol_cli_print(text->str, &error) ? OL_EXIT_DONE : ol_cli_fail(error);
}

OlExit ol_command_review(int argc, char **argv)
{
  g_autofree char *learner = NULL;
  gboolean lists = FALSE;
  const GOptionEntry entries[] = {
      OL_LEARNER_OPTION(&learner),
      {"list", 'l', 0, G_OPTION_ARG_NONE, &lists, "Print when which question comes back", NULL},
      {NULL}};
  OlExit status;

  if (!ol_cli_parse(
          "",
          "Asks the questions that are due again, the missed ones first, with the reasons "
          "after each.\nThey come back at growing intervals while they are answered "
          "right; a miss begins anew.\nFirst answers in the lessons stay what they are.",
          entries, &argc, &argv, 0, &status))
    return status;
  if (!ol_learner_check(learner))
    return OL_EXIT_BAD_INPUT;
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) courses = ol_cli_load_courses(&error);
  if (!courses)
    return ol_cli_fail(error);
  g_autoptr(OlProgress) progress = ol_learner_progress(learner);
  return lists ? list(courses, progress) : review(courses, progress);
}
