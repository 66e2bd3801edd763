/* The courses of the lab itself: they load, explain every option, and quote what a run can have. */
#include "engine/config/hardware.h"
#include "engine/plan/plan.h"
#include "lessons/course.h"
#include "lessons/quote.h"
#include <string.h>

#include "tests/lessons/suite.h"

static GPtrArray *courses;

static void set_up(void)
{
  GError *error = NULL;
  courses = ol_courses_load(NULL, &error);
  ck_assert_msg(courses != NULL, "%s", error != NULL ? error->message : "");
}

static void tear_down(void)
{
  g_ptr_array_unref(courses);
}

typedef void (*LessonTest)(const OlLesson *lesson);

static void for_each_lesson(LessonTest test)
{
  guint n = 0;
  for (guint i = 0; i < courses->len; i++) {
    const OlCourse *course = g_ptr_array_index(courses, i);
    for (guint j = 0; j < course->n_lessons; j++, n++)
      test(&course->lessons[j]);
  }
  ck_assert_uint_gt(n, 0);
}

/* A course's lessons in their order, and which option is right in the quiz's own order. */
typedef struct {
  const char *id;
  guint right;
} Expected;

static void assert_course(const char *id, guint place, const Expected *lessons, guint n)
{
  const OlCourse *course = g_ptr_array_index(courses, place);
  ck_assert_str_eq(course->id, id);
  ck_assert_uint_eq(course->n_lessons, n);
  for (guint i = 0; i < n; i++) {
    const OlQuestion *question = &course->lessons[i].question;
    ck_assert_str_eq(course->lessons[i].id, lessons[i].id);
    for (guint j = 0; j < question->n_options; j++)
      ck_assert_msg(question->options[j].right == (j == lessons[i].right), "%s, option %u",
                    lessons[i].id, j);
  }
}

START_TEST(the_offloading_course_is_there)
{
  static const Expected lessons[] = {{"why-offload", 3},         {"twelve-bytes", 1},
                                     {"who-made-it-popular", 2}, {"what-it-costs", 0},
                                     {"hide-the-transfer", 1},   {"where-adam-runs", 2},
                                     {"still-out-of-memory", 0}, {"find-the-bottleneck", 3}};
  assert_course("offloading", 0, lessons, G_N_ELEMENTS(lessons));
}
END_TEST

START_TEST(the_course_on_training_stacks_is_there)
{
  static const Expected lessons[] = {{"what-zero-shards", 0},     {"slice-a-matmul", 1},
                                     {"stages-and-bubbles", 2},   {"stage-that-saves-most", 3},
                                     {"recompute-for-memory", 0}, {"three-axes", 1},
                                     {"who-shards-first", 2},     {"offload-in-the-stack", 3}};
  assert_course("training-stacks", 1, lessons, G_N_ELEMENTS(lessons));
}
END_TEST

static gboolean is_unused(const OlLessonRun *run, const char *key)
{
  for (guint i = 0; run->recipe_unused[i] != NULL; i++)
    if (g_str_has_prefix(run->recipe_unused[i], key) &&
        g_str_has_prefix(run->recipe_unused[i] + strlen(key), ": "))
      return TRUE;
  return FALSE;
}

/* The text is what stands in the file, comments and all. */
static void assert_recipe(const OlLessonRun *run, const char *file)
{
  g_autofree char *path = g_build_filename(ol_data_folder(), "recipes", file, NULL);
  g_autofree char *text = NULL;
  ck_assert(g_file_get_contents(path, &text, NULL, NULL));
  ck_assert_str_eq(run->recipe_text, text);
  ck_assert(g_str_has_prefix(text, "//"));
}

/* What the papers say of the two: arXiv 2101.06840, section 4, and 2104.07857, section 5. */
START_TEST(recipes_mean_what_the_papers_say)
{
  const OlLesson *lesson = ol_courses_find(courses, "who-made-it-popular", NULL);
  const OlLessonRun *offload = ol_lesson_find_run(lesson, "offload");
  const OlLessonRun *infinity = ol_lesson_find_run(lesson, "infinity");
  assert_recipe(offload, "zero-offload.json");
  ck_assert_int_eq(offload->config->placement.optimizer, OL_TIER_HOST);
  ck_assert_int_eq(offload->config->placement.gradients, OL_TIER_HOST);
  ck_assert_int_eq(offload->config->placement.weights, OL_TIER_GPU);
  ck_assert_int_eq(offload->config->optimizer.runs_on, OL_RUNS_ON_HOST);
  ck_assert_uint_eq(offload->config->parallel.zero, 2);
  assert_recipe(infinity, "zero-infinity.json");
  ck_assert_int_eq(infinity->config->placement.optimizer, OL_TIER_NVME);
  ck_assert_int_eq(infinity->config->placement.weights, OL_TIER_NVME);
  ck_assert_int_eq(infinity->config->optimizer.runs_on, OL_RUNS_ON_HOST);
  ck_assert_uint_eq(infinity->config->parallel.zero, 3);
  ck_assert(infinity->config->hardware.nvme_folder == NULL);
  ck_assert_ptr_null(ol_lesson_find_run(lesson, "clipping")->recipe_text);
  ck_assert_ptr_null(ol_lesson_find_run(lesson, "clipping")->recipe_unused);
}
END_TEST

START_TEST(keys_that_change_nothing_are_listed)
{
  static const char *const unused[] = {
      "zero_optimization.sub_group_size", "zero_optimization.offload_optimizer.nvme_path",
      "zero_optimization.offload_param.buffer_size", "aio.single_submit", "aio.overlap_events"};
  const OlLesson *lesson = ol_courses_find(courses, "who-made-it-popular", NULL);
  const OlLessonRun *offload = ol_lesson_find_run(lesson, "offload");
  const OlLessonRun *infinity = ol_lesson_find_run(lesson, "infinity");
  for (guint i = 0; i < G_N_ELEMENTS(unused); i++)
    ck_assert_msg(is_unused(infinity, unused[i]), "%s is not listed", unused[i]);
  ck_assert(!is_unused(infinity, "zero_optimization.offload_optimizer.device"));
  ck_assert(is_unused(offload, "zero_optimization.reduce_bucket_size"));
  ck_assert_uint_eq(g_strv_length(offload->recipe_unused), 1);
}
END_TEST

static void assert_whole(const OlLesson *lesson)
{
  ck_assert_uint_eq(lesson->question.n_options, 4);
  ck_assert_ptr_nonnull(lesson->prediction);
  ck_assert_uint_gt(lesson->n_observations, 0);
  for (guint i = 0; i < lesson->n_observations; i++)
    ck_assert_msg(lesson->observations[i].show != OL_SHOW_NOTHING, "%s, %u shows nothing",
                  lesson->id, i);
}

START_TEST(every_lesson_is_whole)
{
  for_each_lesson(assert_whole);
}
END_TEST

static char *count_quote(const char *run, const char *metric, gpointer data)
{
  guint *n = data;
  ck_assert_ptr_nonnull(run);
  (*n)++;
  return NULL;
}

/* The loader has refused unknown runs and metrics; an explanation that quotes nothing proves
 * nothing either. */
static void assert_quoting(const OlLesson *lesson)
{
  for (guint i = 0; i < lesson->question.n_options; i++) {
    guint n = 0;
    g_free(ol_quotes_replace(lesson->question.options[i].why, count_quote, &n));
    ck_assert_msg(n > 0, "%s: option %u quotes no run", lesson->id, i);
  }
}

START_TEST(every_explanation_quotes_a_run)
{
  for_each_lesson(assert_quoting);
}
END_TEST

/* Options are shown in another order to every learner, so a letter or a place means nothing. */
static void assert_no_letters(const OlLesson *lesson)
{
  g_autoptr(GRegex) letter = g_regex_new("\\b(option|answer|choice|letter)s?\\s+[A-H1-8]\\b|"
                                         "\\b[A-H]\\)|\\b(first|second|third|fourth|last|above|"
                                         "below|previous|next)\\s+(option|answer|choice)",
                                         G_REGEX_CASELESS, 0, NULL);
  ck_assert(g_regex_match(letter, "See option B.", 0, NULL));
  ck_assert(g_regex_match(letter, "Unlike the first answer, this", 0, NULL));
  for (guint i = 0; i < lesson->question.n_options; i++) {
    const char *why = lesson->question.options[i].why;
    ck_assert_msg(!g_regex_match(letter, why, 0, NULL), "%s: %s", lesson->id, why);
    ck_assert(!g_regex_match(letter, lesson->question.options[i].text, 0, NULL));
  }
}

START_TEST(no_explanation_names_a_letter)
{
  for_each_lesson(assert_no_letters);
}
END_TEST

/* A claim about an outcome is decided by the plan alone: cheap to hold here, before any run. */
static void assert_plans_agree(const OlLesson *lesson)
{
  for (guint i = 0; i < lesson->n_claims; i++) {
    const OlClaim *claim = &lesson->claims[i];
    if (!g_str_equal(claim->metric, "outcome"))
      continue;
    const char *runs[] = {claim->run, claim->fails_on};
    for (guint j = 0; j < G_N_ELEMENTS(runs); j++) {
      const OlRunConfig *config = ol_lesson_find_run(lesson, runs[j])->config;
      g_autoptr(OlMachine) machine = ol_machine_new(config, NULL, NULL);
      g_autoptr(OlPlan) plan = ol_plan_new(config, machine);
      const char *outcome = plan->refusal.refused ? "out_of_memory" : "done";
      ck_assert_msg(g_str_equal(outcome, claim->value_text) == (j == 0), "%s, %s: %s", lesson->id,
                    runs[j], outcome);
    }
  }
}

START_TEST(plans_end_as_claimed)
{
  for_each_lesson(assert_plans_agree);
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {the_offloading_course_is_there,
                                the_course_on_training_stacks_is_there,
                                recipes_mean_what_the_papers_say,
                                keys_that_change_nothing_are_listed,
                                every_lesson_is_whole,
                                every_explanation_quotes_a_run,
                                no_explanation_names_a_letter,
                                plans_end_as_claimed,
                                NULL};
  return suite_run_with("courses", tests, 60, set_up, tear_down);
}
