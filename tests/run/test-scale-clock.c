/* The scale clock: what the simulator says a step takes, it takes, unless the run was late; and
 * what a run holds beyond its tiers is bounded, whatever the model's size. */
#include "tests/run/run-fixture.h"

#include "engine/base/clock.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define LATE 0.02

/* Runs with s doubled until it is not late; FALSE when this machine is too busy for the claim. */
static gboolean run_in_time(const char *const *set, guint slowdown, OlRun **run)
{
  for (guint doubled = 0; doubled < 3; doubled++, slowdown *= 2) {
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    g_autofree char *s = g_strdup_printf("hardware.slowdown=%u", slowdown);
    for (guint i = 0; set[i]; i++)
      g_ptr_array_add(all, (gpointer)set[i]);
    g_ptr_array_add(all, s);
    g_ptr_array_add(all, NULL);
    *run = fixture_run((const char *const *)all->pdata, NULL);
    ck_assert_outcome(*run, OL_OUTCOME_DONE);
    double late = NAN;
    ck_assert(ol_trace_get_number(ol_run_get_trace(*run), "late", &late));
    ck_assert_double_ge(late, 0);
    if (late <= LATE)
      return TRUE;
    ol_run_free(*run);
  }
  return FALSE;
}

START_TEST(test_steps_take_their_time)
{
  static const char *const sets[][12] = {
      {SCALE, ON_GPU, NULL},
      {SCALE, ON_HOST, "overlap.prefetch=0", NULL},
      {SCALE, ON_HOST, "overlap.prefetch=2", NULL},
  };
  for (guint i = 0; i < G_N_ELEMENTS(sets); i++) {
    OlRun *run = NULL;
    if (!run_in_time(sets[i], 2000, &run)) {
      printf("case %u: this machine is too busy for a claim about time\n", i);
      continue;
    }
    g_autoptr(OlTrace) simulated = ol_run_simulate(run);
    double expected = fixture_step_seconds(simulated);
    double measured = fixture_step_seconds(ol_run_get_trace(run));
    ck_assert_double_eq_tol(measured, expected, 0.05 * expected);
    ol_run_free(run);
  }
}
END_TEST

/* Whatever the machine does, no step node of a lane ends before its due. */
START_TEST(test_never_early)
{
  const char *const set[] = {SCALE, ON_HOST, "overlap.prefetch=2", "hardware.slowdown=500", NULL};
  g_autoptr(OlRun) run = fixture_run(set, NULL);
  g_autoptr(OlTrace) simulated = ol_run_simulate(run);
  const OlTrace *trace = ol_run_get_trace(run);
  ck_assert_uint_eq(trace->steps->len, simulated->steps->len);
  gint64 origin = ol_trace_step(trace, 0)->begin_ns;
  for (guint i = 0; i < trace->steps->len; i++)
    ck_assert_int_ge(ol_trace_step(trace, i)->end_ns - origin + OL_NS_PER_SECOND / 1000,
                     ol_trace_step(simulated, i)->end_ns - ol_trace_step(simulated, 0)->begin_ns);
}
END_TEST

START_TEST(test_there)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(OlRunConfig) config = fixture_config((const char *const[]){SCALE, ON_HOST, NULL});
  double there = ol_run_step_seconds_there(config, NULL, &error);
  ck_assert_ptr_null(error);
  ck_assert(there > 0.01 && there < 1000);
  g_autoptr(OlRunConfig) tiny = fixture_config((const char *const[]){ON_HOST, NULL});
  ck_assert(isnan(ol_run_step_seconds_there(tiny, NULL, &error)));
  ck_assert_ptr_null(error);
}
END_TEST

static gsize resident_bytes(void)
{
  g_autofree char *text = NULL;
  ck_assert(g_file_get_contents("/proc/self/statm", &text, NULL, NULL));
  gsize pages = 0;
  ck_assert_int_eq(sscanf(text, "%*u %zu", &pages), 1);
  return pages * (gsize)sysconf(_SC_PAGESIZE);
}

static void note_resident(OlRun *run, guint step, gpointer data)
{
  *(gsize *)data = resident_bytes();
}

START_TEST(test_resident_memory_is_bounded)
{
  static const char *const widths[] = {"model.width=32", "model.width=128", "model.width=256"};
  const gsize bound = 64u << 20;
  for (guint i = 0; i < G_N_ELEMENTS(widths); i++)
    for (guint host = 0; host < 2; host++) {
      const char *const on_gpu[] = {ON_GPU, widths[i], "steps=2", NULL};
      const char *const on_host[] = {ON_HOST, widths[i], "steps=2", NULL};
      gsize during = 0, before = resident_bytes();
      OlRunOptions options = {.before_step = note_resident, .test_data = &during};
      g_autoptr(OlRun) run = fixture_run(host ? on_host : on_gpu, &options);
      const OlPlan *plan = ol_run_get_plan(run);
      guint64 arenas = plan->arena_bytes[OL_TIER_GPU] + plan->arena_bytes[OL_TIER_HOST];
      ck_assert_outcome(run, OL_OUTCOME_DONE);
      ck_assert_uint_gt(during, 0);
      ck_assert_uint_lt(during, before + arenas + bound);
    }
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {test_steps_take_their_time, test_never_early, test_there,
                                test_resident_memory_is_bounded};
  return fixture_main("scale clock", tests, G_N_ELEMENTS(tests) - (IS_SANITIZED ? 1 : 0), 60);
}
