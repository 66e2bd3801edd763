/* Every lesson for real: its runs are made, each claim holds, and each is false on its counter-run.
 * This is `lesson --check`. A machine too busy for a claim about time is told as such, and fails:
 * the runs have been repeated at larger slow-downs by then. */
#include "lessons/evidence.h"
#include <stdio.h>

#include "tests/lessons/suite.h"

static void tell(const OlLessonRun *run, guint attempt, gpointer data)
{
  printf("  %s%s\n", run->name, attempt > 0 ? " (again, slower)" : "");
}

/* Every text of the lesson finds what it quotes. */
static void assert_texts_filled(const OlExperiment *experiment)
{
  const OlLesson *lesson = ol_experiment_get_lesson(experiment);
  gboolean complete;
  for (guint i = 0; i < lesson->question.n_options; i++) {
    g_autofree char *why =
        ol_experiment_fill(experiment, lesson->question.options[i].why, &complete);
    printf("    %s\n", why);
    ck_assert_msg(complete, "%s: %s", lesson->id, why);
  }
  for (guint i = 0; i < lesson->n_observations; i++) {
    g_autofree char *text = ol_experiment_fill(experiment, lesson->observations[i].text, &complete);
    printf("    %s\n", text);
    ck_assert_msg(complete, "%s: %s", lesson->id, text);
  }
}

/* What the learner's prediction is held against is there and within what can be predicted. */
static void assert_prediction_measured(const OlExperiment *experiment)
{
  const OlPrediction *prediction = ol_experiment_get_lesson(experiment)->prediction;
  if (prediction == NULL || prediction->kind != OL_PREDICTION_NUMBER)
    return;
  double value;
  ck_assert(ol_experiment_get_number(experiment, prediction->run, prediction->metric, &value));
  ck_assert(value >= prediction->from && value <= prediction->to);
}

/* Late runs of a lesson that claims no times need not be made again: bytes are right as they are.
 */
static gboolean claims_times(const OlLesson *lesson)
{
  for (guint i = 0; i < lesson->n_claims; i++)
    if (ol_claim_is_about_time(&lesson->claims[i]))
      return TRUE;
  return FALSE;
}

/* Bytes, losses and weights are the same on any clock: as fast as this machine goes. */
static void hurry(const OlLesson *lesson)
{
  for (guint i = 0; i < lesson->n_runs; i++)
    if (lesson->runs[i].config != NULL && lesson->runs[i].config->hardware.slowdown == 0)
      lesson->runs[i].config->hardware.slowdown = 1;
}

/* A claim that no run could decide, since one was late after three doublings. */
static gboolean is_undecided(const OlExperiment *experiment)
{
  const OlLesson *lesson = ol_experiment_get_lesson(experiment);
  gboolean undecided = FALSE;
  for (guint i = 0; i < lesson->n_claims * 2; i++) {
    OlClaimResult result = ol_claim_judge(&lesson->claims[i / 2], experiment, i % 2);
    undecided = undecided || result.state == OL_CLAIM_ERROR;
    ol_claim_result_clear(&result);
  }
  return undecided;
}

/* Makes the runs; on a machine that is too busy again, far slower, so that the speed of
 * the machine decides nothing. */
static OlExperiment *make_runs(const OlLesson *lesson)
{
  static const double seconds_a_step[] = {0, 0.5};
  OlExperiment *experiment = NULL;
  for (guint i = 0; i < G_N_ELEMENTS(seconds_a_step); i++) {
    g_clear_pointer(&experiment, ol_experiment_free);
    experiment = ol_experiment_new(lesson);
    GError *error = NULL;
    ck_assert_msg(
        ol_experiment_prepare(experiment, NULL, seconds_a_step[i], &error) &&
            ol_experiment_run_all(experiment, NULL, claims_times(lesson), tell, NULL, &error),
        "%s", error != NULL ? error->message : "");
    if (!is_undecided(experiment))
      break;
    printf("  too busy\n");
  }
  return experiment;
}

static const OlLesson *find_lesson(GPtrArray *courses, guint number)
{
  for (guint i = 0; i < courses->len; i++) {
    const OlCourse *course = g_ptr_array_index(courses, i);
    if (number < course->n_lessons)
      return &course->lessons[number];
    number -= course->n_lessons;
  }
  return NULL;
}

static GPtrArray *load_courses(void)
{
  GError *error = NULL;
  GPtrArray *courses = ol_courses_load(NULL, &error);
  if (courses == NULL)
    g_error("%s", error->message);
  return courses;
}

/* Called once a lesson, over all courses: _i is its number. */
START_TEST(lesson_holds)
{
  g_autoptr(GPtrArray) courses = load_courses();
  const OlLesson *lesson = find_lesson(courses, (guint)_i);
  printf("%s\n", lesson->id);
  if (!claims_times(lesson))
    hurry(lesson);
  g_autoptr(OlExperiment) experiment = make_runs(lesson);
  g_autoptr(GString) report = g_string_new(NULL);
  gboolean held = ol_evidence_check(experiment, report);
  printf("%s", report->str);
  ck_assert_msg(held, "%s: %s", lesson->id, report->str);
  assert_texts_filled(experiment);
  assert_prediction_measured(experiment);
  fflush(stdout); /* the test's process leaves without doing so */
}
END_TEST

static int count_lessons(void)
{
  g_autoptr(GPtrArray) courses = load_courses();
  int n = 0;
  while (find_lesson(courses, (guint)n) != NULL)
    n++;
  return n;
}

int main(void)
{
  Suite *suite = suite_create("lessons run");
  TCase *tcase = tcase_create("lessons run");
  tcase_set_timeout(tcase, 800);
  tcase_add_loop_test(tcase, lesson_holds, 0, count_lessons());
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
