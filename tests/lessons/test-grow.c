/* An experiment whose lesson gets more and more runs, as the sandbox's does: each has a clock of
 * its own, and what was made before stays. */
#include "engine/run/run.h"
#include "lessons/experiment.h"
#include "tests/suite.h"

#include <math.h>

#define MOST 4

static OlLessonRun runs[MOST];
static OlLesson lesson;

static void add(const char *name, double slowdown)
{
  OlRunConfig *config = ol_run_config_new_default();
  config->hardware.slowdown = slowdown;
  config->steps = 1;
  runs[lesson.n_runs++] = (OlLessonRun){(char *)name, (char *)name, config, FALSE};
}

static void begin(void)
{
  lesson = (OlLesson){.id = (char *)"grows", .runs = runs};
}

static void end(void)
{
  for (guint i = 0; i < lesson.n_runs; i++)
    ol_run_config_free(runs[i].config);
}

static void prepare(OlExperiment *experiment, double expected)
{
  g_autoptr(GError) error = NULL;
  ck_assert_msg(ol_experiment_prepare(experiment, NULL, 0, &error), "%s",
                error ? error->message : "");
  ck_assert_double_eq(ol_experiment_get_slowdown(experiment), expected);
}

static OlTrace *simulate(OlExperiment *experiment, const char *name)
{
  g_autoptr(OlRunConfig) config = ol_experiment_dup_config(experiment, name, NULL, NULL);
  g_autoptr(OlRun) run = ol_run_new(config, NULL, NULL);
  return ol_run_simulate(run);
}

/* Runs of one lesson must agree on a clock; runs that are added must not. */
START_TEST(each_has_its_own_clock)
{
  g_autoptr(OlExperiment) experiment = ol_experiment_new(&lesson);
  add("first", 100);
  ol_experiment_grow(experiment);
  prepare(experiment, 100);
  add("second", 500);
  ol_experiment_grow(experiment);
  ck_assert_double_eq(ol_experiment_get_slowdown(experiment), 0);
  prepare(experiment, 500);
}
END_TEST

START_TEST(what_was_made_stays)
{
  g_autoptr(OlExperiment) experiment = ol_experiment_new(&lesson);
  add("first", 100);
  ol_experiment_grow(experiment);
  prepare(experiment, 100);
  g_autoptr(OlTrace) trace = simulate(experiment, "first");
  ol_experiment_take_trace(experiment, "first", trace);
  for (int i = 0; i < MOST - 1; i++) {
    add((const char *const[]){"second", "third", "fourth"}[i], 200);
    ol_experiment_grow(experiment);
  }
  ck_assert_ptr_eq(ol_experiment_get_trace(experiment, "first"), trace);
  ck_assert_ptr_nonnull(ol_experiment_get_metrics(experiment, "first"));
  ck_assert_ptr_null(ol_experiment_get_trace(experiment, "fourth"));
  ol_experiment_forget(experiment, "first");
  ck_assert_ptr_null(ol_experiment_get_trace(experiment, "first"));
}
END_TEST

/* A slower clock for the one that was late drops none of the others. */
START_TEST(only_the_newest_is_slowed_down)
{
  g_autoptr(OlExperiment) experiment = ol_experiment_new(&lesson);
  add("first", 100);
  ol_experiment_grow(experiment);
  prepare(experiment, 100);
  ck_assert(!ol_experiment_may_slow_down(experiment)); /* set, so not the lab's to raise */
  g_autoptr(OlTrace) first = simulate(experiment, "first");
  ol_experiment_take_trace(experiment, "first", first);
  add("second", 0);
  ol_experiment_grow(experiment);
  g_autoptr(GError) error = NULL;
  ck_assert(ol_experiment_prepare(experiment, NULL, 0, &error));
  double chosen = ol_experiment_get_slowdown(experiment);
  g_autoptr(OlTrace) second = simulate(experiment, "second");
  g_autoptr(OlMetrics) metrics = ol_metrics_new(second);
  ol_experiment_take_measured(experiment, "second", second, g_steal_pointer(&metrics));
  ck_assert(ol_experiment_slow_down(experiment));
  ck_assert_double_gt(ol_experiment_get_slowdown(experiment), chosen);
  ck_assert_ptr_eq(ol_experiment_get_trace(experiment, "first"), first);
  ck_assert_ptr_null(ol_experiment_get_trace(experiment, "second"));
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("grow");
  tcase_set_timeout(tcase, 50);
  tcase_add_checked_fixture(tcase, begin, end);
  tcase_add_test(tcase, each_has_its_own_clock);
  tcase_add_test(tcase, what_was_made_stays);
  tcase_add_test(tcase, only_the_newest_is_slowed_down);
  return run_suite("lessons-grow", tcase);
}
