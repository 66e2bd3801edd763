#include "app/cli/lesson.h"

#include "app/cli/explain.h"
#include "app/cli/terminal.h"
#include "engine/base/intl.h"
#include "engine/config/hardware.h"
#include "lessons/experiment.h"
#include "lessons/grading.h"
#include "lessons/next-lesson.h"
#include "lessons/sureness.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>

typedef struct {
  const OlLesson *lesson;
  OlExperiment *experiment;
  OlProgress *progress;
  gboolean asks; /* somebody is there to answer */
  gboolean has_prediction;
  double prediction;
} Session;

/* With each {run:metric} filled in. */
static void print_filled(Session *session, const char *before, const char *text)
{
  g_autofree char *filled = ol_experiment_fill(session->experiment, text, NULL);
  ol_terminal_print(before, filled);
}

static void print_heading(const char *heading)
{
  printf("\n%s\n", heading);
}

/* An answer is kept even where the disk refuses it: that is told, and the lesson goes on. */
static void tell_unsaved(gboolean saved, GError *error)
{
  if (!saved)
    ol_cli_complain("%s", error->message);
}

static gboolean ask_number(const OlPrediction *prediction, double *value)
{
  g_autofree char *prompt =
      g_strdup_printf(_("  %g to %g %s:"), prediction->from, prediction->to, _(prediction->unit));
  g_autofree char *steps =
      prediction->step > 0 ? g_strdup_printf(_(" in steps of %g"), prediction->step) : g_strdup("");
  for (;;) {
    g_autofree char *answer = ol_terminal_ask(prompt);
    if (!answer)
      return FALSE;
    if (ol_grading_parse_prediction(prediction, answer, value))
      return TRUE;
    printf(_("  One number from %g to %g%s, with nothing behind it but “%s”, please.\n"),
           prediction->from, prediction->to, steps, _(prediction->unit));
  }
}

/* The DeepSpeed JSON as it stands in its file, every line indented: where its keys stand matters.
 */
static void print_recipe(const OlLessonRun *run)
{
  g_autofree char *text = g_strchomp(g_strdup(run->recipe_text));
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

  ol_terminal_print("  ", run->title);
  for (guint i = 0; lines[i]; i++)
    printf("%s%s\n", *lines[i] ? "    " : "", lines[i]);
  if (*run->recipe_unused)
    ol_terminal_print("  ", _("What changes nothing in the lab:"));
  for (guint i = 0; run->recipe_unused[i]; i++)
    ol_terminal_print("  - ", run->recipe_unused[i]);
}

static void print_recipes(const OlLesson *lesson)
{
  gboolean any = FALSE;

  for (guint i = 0; i < lesson->n_runs; i++) {
    const OlLessonRun *run = &lesson->runs[i];
    if (run->hidden || !run->recipe_text)
      continue;
    if (any)
      putchar('\n');
    else
      print_heading(_("RECIPES, AS DEEPSPEED READS THEM"));
    any = TRUE;
    print_recipe(run);
  }
}

/* By a letter or a number; an empty line, or the end of input, leaves it unsaid: NAN. */
static double ask_sure(void)
{
  for (guint i = 0; i < OL_N_SURENESSES; i++)
    ol_terminal_print_option(i, ol_sureness_get_words((OlSureness)i));
  for (;;) {
    g_autofree char *answer = ol_terminal_ask(_("  How sure are you? (Enter: not said)"));
    int choice = answer ? ol_terminal_choice(answer, OL_N_SURENESSES) : -1;
    if (!answer || !*answer)
      return NAN;
    if (choice >= 0)
      return ol_sureness_get_share((OlSureness)choice);
    printf(_("  A letter from A to %c, or Enter, please.\n"), 'A' + OL_N_SURENESSES - 1);
  }
}

static void predict(Session *session)
{
  const OlPrediction *prediction = session->lesson->prediction;
  gboolean number = prediction && prediction->kind == OL_PREDICTION_NUMBER;
  g_autoptr(GError) error = NULL;

  if (!prediction)
    return;
  print_heading(_("PREDICT"));
  ol_terminal_print("  ", prediction->ask);
  for (guint i = 0; !number && prediction->choices[i]; i++)
    ol_terminal_print_option(i, prediction->choices[i]);
  if (!session->asks)
    return;
  if (number) {
    session->has_prediction = ask_number(prediction, &session->prediction);
  } else {
    session->prediction =
        ol_terminal_ask_letter(_("  Your guess:"), g_strv_length(prediction->choices));
    session->has_prediction = session->prediction >= 0;
  }
  if (session->has_prediction)
    tell_unsaved(ol_progress_predict_sure(session->progress, session->lesson->id,
                                          session->prediction, ask_sure(), &error),
                 error);
}

static void tell_run(const OlLessonRun *run, guint attempt, gpointer last_attempt)
{
  guint *last = last_attempt;

  if (attempt != *last)
    printf(_("  The machine was too busy: slower, once more.\n"));
  *last = attempt;
  if (!run->hidden)
    printf(_("  Running: %s …\n"), run->title);
  fflush(stdout);
}

/* "  Optimizer on the host: done, a step took 0.71 s, 31 MiB at most on the GPU". */
static void print_measured(Session *session, const OlLessonRun *run)
{
  OlExperiment *experiment = session->experiment;
  g_autofree char *outcome = ol_experiment_dup_words(experiment, run->name, "outcome");
  g_autofree char *step = ol_experiment_dup_words(experiment, run->name, "step.seconds");
  g_autofree char *peak = ol_experiment_dup_words(experiment, run->name, "peak.gpu.total");
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) words = g_string_new(NULL);

  g_string_printf(words, "%s: %s", run->title, outcome ? outcome : _("not run"));
  if (step)
    g_string_append_printf(words, _(", a step took %s"), step);
  if (peak)
    g_string_append_printf(words, _(", %s at most on the GPU"), peak);
  ol_terminal_print("  ", words->str);
  tell_unsaved(ol_progress_ran_measured(session->progress, session->lesson->id, run->name,
                                        ol_experiment_get_predicted(experiment, run->name), &error),
               error);
}

/* Below the figures, since a learner who runs on would take them for what the lesson is about. */
static void tell_late(Session *session)
{
  for (guint i = 0; i < session->lesson->n_runs; i++) {
    const OlLessonRun *run = &session->lesson->runs[i];
    if (run->hidden || !ol_experiment_is_late(session->experiment, run->name))
      continue;
    g_autofree char *words = g_strdup_printf(_("%s was late: its times do not count; close other "
                                               "programs and run the lesson again."),
                                             run->title);
    ol_terminal_print("  ", words);
  }
}

static gboolean run(Session *session, GError **error)
{
  guint attempt = 0;

  print_heading(_("RUN"));
  if (!ol_experiment_run_all(session->experiment, ol_data_folder(), TRUE, tell_run, &attempt,
                             error))
    return FALSE;
  print_heading(_("MEASURED"));
  for (guint i = 0; i < session->lesson->n_runs; i++)
    if (!session->lesson->runs[i].hidden)
      print_measured(session, &session->lesson->runs[i]);
  tell_late(session);
  return TRUE;
}

/* What the prediction was worth, now that it is known. */
static void compare_prediction(Session *session)
{
  const OlPrediction *prediction = session->lesson->prediction;
  double measured;

  if (!session->has_prediction)
    return;
  if (prediction->kind == OL_PREDICTION_CHOICE)
    measured = prediction->right_choice;
  else if (!ol_experiment_get_number(session->experiment, prediction->run, prediction->metric,
                                     &measured))
    return;
  g_autofree char *words =
      ol_grading_dup_prediction_words(prediction, session->prediction, measured);
  print_heading(_("YOUR PREDICTION"));
  ol_terminal_print("  ", words);
  if (prediction->kind == OL_PREDICTION_NUMBER &&
      ol_experiment_is_spoilt(session->experiment, prediction->run, prediction->metric))
    ol_terminal_print("  ", _("That run was late: this comparison does not count."));
}

static void observe(Session *session)
{
  if (session->lesson->n_observations)
    print_heading(_("OBSERVE"));
  for (guint i = 0; i < session->lesson->n_observations; i++)
    print_filled(session, "  - ", session->lesson->observations[i].text);
}

/* Without a learner: the right option, and why each is what it is. */
static void explain_all(Session *session, const guint *order)
{
  const OlQuestion *question = &session->lesson->question;
  for (guint i = 0; i < question->n_options; i++) {
    const OlOption *option = &question->options[order[i]];
    printf(_("\n  %c is %s.\n"), 'A' + (char)i, option->right ? _("right") : _("wrong"));
    print_filled(session, "  ", option->why);
  }
}

static void print_reason(const char *why, gpointer session)
{
  print_filled(session, "  ", why);
}

static void grade(Session *session, const guint *order, guint chosen)
{
  const OlQuestion *question = &session->lesson->question;
  const OlOption *option = &question->options[order[chosen]];
  g_autoptr(GError) error = NULL;

  tell_unsaved(ol_progress_answer(session->progress, session->lesson->id, order[chosen],
                                  option->right, &error),
               error);
  ol_explain_answer(question->options, question->n_options, order, chosen, print_reason, session);
}

static void answer(Session *session)
{
  const OlQuestion *question = &session->lesson->question;
  g_autofree guint *order = g_new(guint, question->n_options);
  int chosen;

  ol_grading_option_order(session->lesson, ol_progress_get_learner(session->progress), order);
  print_heading("ANSWER");
  print_filled(session, "  ", question->text);
  for (guint i = 0; i < question->n_options; i++) {
    g_autofree char *text =
        ol_experiment_fill(session->experiment, question->options[order[i]].text, NULL);
    ol_terminal_print_option(i, text);
  }
  if (!session->asks)
    explain_all(session, order);
  else if ((chosen = ol_terminal_ask_letter(_("  Your answer:"), question->n_options)) >= 0)
    grade(session, order, (guint)chosen);
}

/* Only for a learner who has done this one: to anybody else it is still the next. */
static void tell_next(const Session *session, GPtrArray *courses)
{
  const OlCourse *course = NULL;
  const OlLesson *next = ol_courses_find_next(courses, session->progress, session->lesson, &course);

  if (!session->asks || !ol_progress_is_done(session->progress, session->lesson->id))
    return;
  if (!next) {
    printf(_("\nThat was the last: you have done all lessons there are.\n"));
    return;
  }
  printf(_("\nNext: %s (%s)\n  offload-lab-cli lesson %s\n"), next->title, course->title, next->id);
}

OlExit ol_lesson_in_terminal(const OlLesson *lesson, GPtrArray *courses, OlProgress *progress)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(OlExperiment) experiment = ol_experiment_new(lesson);
  Session session = {.lesson = lesson,
                     .experiment = experiment,
                     .progress = progress,
                     .asks = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)};

  printf("%s\n", lesson->title);
  ol_terminal_print("  ", lesson->goal);
  print_recipes(lesson);
  predict(&session);
  if (!run(&session, &error))
    return ol_cli_fail(error);
  compare_prediction(&session);
  observe(&session);
  answer(&session);
  tell_next(&session, courses);
  return ol_cli_print("", &error) ? OL_EXIT_DONE : ol_cli_fail(error);
}
