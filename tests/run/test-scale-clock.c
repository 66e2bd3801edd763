/* The scale clock: what the simulator says a step takes, it takes, unless the run was late; and
 * what a run holds beyond its tiers is bounded, whatever the model's size. */
#include "tests/run/combinations.h"
#include "tests/run/run-fixture.h"

#include "engine/run/simulator.h"
#include "engine/run/slowdown.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* Seconds that a step is to take here, at first: so much that real work hardly shows. */
#define STEP_SECONDS 0.15

/* The assignments with hardware.slowdown last. Ends with NULL; the strings stay the caller's. */
static const char **with_slowdown(const char *const *set, const char *slowdown)
{
  GPtrArray *all = g_ptr_array_new();
  for (guint i = 0; set[i]; i++)
    g_ptr_array_add(all, (gpointer)set[i]);
  g_ptr_array_add(all, (gpointer)slowdown);
  g_ptr_array_add(all, NULL);
  return (const char **)g_ptr_array_free(all, FALSE);
}

static OlRun *open_slowed(const char *const *set, double slowdown)
{
  g_autofree char *s = g_strdup_printf("hardware.slowdown=%.6g", slowdown);
  g_autofree const char **all = with_slowdown(set, s);
  return fixture_open(all, NULL);
}

/* The s with which a step takes that long. */
static double choose_slowdown(const char *const *set)
{
  g_autoptr(OlRun) run = open_slowed(set, 1000);
  g_autoptr(OlTrace) simulated = ol_run_simulate(run);
  return 1000 * STEP_SECONDS / fixture_step_seconds(simulated);
}

/* Runs with a larger s when it was late; NULL when this machine is too busy for the claim. */
static OlRun *run_in_time(const char *const *set)
{
  double slowdown = choose_slowdown(set);
  for (guint tries = 0; tries < 2; tries++, slowdown *= 3) {
    g_autoptr(OlRun) run = open_slowed(set, slowdown);
    ol_run_execute(run);
    ck_assert_outcome(run, OL_OUTCOME_DONE);
    double late = NAN;
    ck_assert(ol_trace_get_number(ol_run_get_trace(run), "late", &late));
    ck_assert_double_ge(late, 0);
    if (late <= OL_LATE_SHARE)
      return g_steal_pointer(&run);
  }
  return NULL;
}

/* The step that the timetable allows: its critical path. */
static double planned_seconds(OlRun *run)
{
  const OlPlan *plan = ol_run_get_plan(run);
  g_autoptr(OlCosts) costs = ol_costs_new(plan, ol_run_get_machine(run), NULL);
  return ol_simulate_step_seconds(plan, costs, ol_run_get_slowdown(run));
}

/* A sample in which every meeting of two values occurs; a model so small that this machine's own
 * speed matters little. */
START_TEST(test_steps_take_their_time)
{
  static const char *const small[] = {SCALE, "model.width=32", "model.layers=3",
                                      "hardware.nvme_folder=.", NULL};
  g_autoptr(GArray) sample = combinations_sample(N_PLACING_KEYS, 2);
  guint held = 0;
  for (guint i = 0; i < sample->len; i++) {
    const Combination *combination = &g_array_index(sample, Combination, i);
    g_auto(GStrv) set = combination_dup_assignments(combination, small);
    g_autofree char *words = combination_dup_words(combination);
    g_autoptr(OlRun) run = run_in_time((const char *const *)set);
    if (!run) {
      printf("not held, this machine is too busy for a claim about time: %s\n", words);
      continue;
    }
    g_autoptr(OlTrace) simulated = ol_run_simulate(run);
    double expected = fixture_step_seconds(simulated), planned = planned_seconds(run);
    double measured = fixture_step_seconds(ol_run_get_trace(run));
    ck_assert_msg(fabs(measured - expected) <= 0.03 * expected, "%s: %g s, simulated %g s", words,
                  measured, expected);
    ck_assert_msg(measured <= 1.05 * planned, "%s: %g s, planned %g s", words, measured, planned);
    held++;
  }
  printf("times held for %u of %u combinations\n", held, sample->len);
}
END_TEST

/* When each node of each step is due, [steps][nodes] ns from the clock's start. */
static gint64 *dup_dues(const OlTrace *simulated)
{
  guint n = simulated->graph->nodes->len;
  gint64 *due = g_new0(gint64, simulated->steps->len * n);
  for (guint i = 0; i < simulated->spans->len; i++) {
    const OlSpan *span = ol_trace_span(simulated, i);
    if (ol_graph_node(simulated->graph, span->node)->part == OL_PART_STEP)
      due[(guint)span->step * n + span->node] = span->end_ns;
  }
  return due;
}

/* The clock starts after the last fill node's end, at some moment that the trace does not tell, and
 * not with step 0, whose first node may begin late. So this is the earliest that it can start. */
static gint64 fill_end(const OlTrace *trace)
{
  gint64 end = 0;
  for (guint i = 0; i < trace->spans->len; i++)
    if (ol_trace_span(trace, i)->step < 0)
      end = MAX(end, ol_trace_span(trace, i)->end_ns);
  return end;
}

/* Whatever the machine does, no step node of a lane ends before its due. */
START_TEST(test_never_early)
{
  const char *const set[] = {SCALE, ON_HOST, "overlap.prefetch=2", "hardware.slowdown=500", NULL};
  g_autoptr(OlRun) run = fixture_run(set, NULL);
  g_autoptr(OlTrace) simulated = ol_run_simulate(run);
  const OlTrace *trace = ol_run_get_trace(run);
  guint n = trace->graph->nodes->len, held = 0;
  ck_assert_outcome(run, OL_OUTCOME_DONE);
  ck_assert_uint_eq(trace->spans->len, simulated->spans->len);
  g_autofree gint64 *due = dup_dues(simulated);
  gint64 start = fill_end(trace);
  ck_assert_int_gt(start, 0);
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    if (ol_graph_node(trace->graph, span->node)->part != OL_PART_STEP)
      continue;
    ck_assert_int_ge(span->end_ns - start, due[(guint)span->step * n + span->node]);
    held++;
  }
  ck_assert_uint_gt(held, 0);
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
  return fixture_main("scale clock", tests, G_N_ELEMENTS(tests) - (IS_SANITIZED ? 1 : 0), 180);
}
