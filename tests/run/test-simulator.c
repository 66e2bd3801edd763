/* The simulator held against design section 4's worked example, and against itself: linear in the
 * slow-down, bytes equal to the plan's. */
#include "engine/run/simulator.h"

#include "engine/base/error.h"
#include "engine/trace/metrics.h"
#include "tests/suite.h"

#include <math.h>

#define ON_GPU "placement.optimizer=gpu", "placement.gradients=gpu", "optimizer.runs_on=gpu"

typedef struct {
  OlMachine *machine;
  OlPlan *plan;
  OlCosts *costs;
  OlTrace *trace;
  OlMetrics *metrics;
} Fixture;

static void open_simulation(Fixture *f, double slowdown, const char *const *set)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(OlRunConfig) base = ol_run_config_new_default();
  g_autoptr(OlRunConfig) config = ol_run_config_with_assignments(base, set, &error);
  ck_assert_msg(config != NULL, "%s", error ? error->message : "");
  f->machine = ol_machine_new(config, NULL, &error);
  ck_assert_msg(f->machine != NULL, "%s", error ? error->message : "");
  f->plan = ol_plan_new(config, f->machine);
  f->costs = ol_costs_new(f->plan, f->machine, NULL);
  f->trace = ol_simulate(f->plan, f->machine, f->costs, slowdown);
  f->metrics = ol_metrics_new(f->trace);
}

static void close_simulation(Fixture *f)
{
  ol_metrics_free(f->metrics);
  ol_trace_unref(f->trace);
  ol_costs_free(f->costs);
  ol_plan_free(f->plan);
  ol_machine_free(f->machine);
}

static double number(const Fixture *f, const char *path)
{
  double value = NAN;
  ck_assert_msg(ol_metrics_get_number(f->metrics, path, &value), "%s is absent", path);
  return value;
}

/* Nanoseconds a parameter and step at slow-down 1. */
static double step_ns(const Fixture *f, double slowdown)
{
  return number(f, "step.seconds") * 1e9 / slowdown / f->plan->shape->parameters;
}

/* Per parameter and step: compute 0.35 ns by the rule of 6 flops a token, and s / 6h more for
 * attention in full (2104.04473 section 3.1), so 0.41; gradients down 0.083, update 0.19, weights
 * up 0.083. Serial is the sum; overlapped is little more than compute alone, most transfers hidden.
 * Embeddings, which hardly compute, pull the mean down: hence the tolerance. */
START_TEST(test_worked_example)
{
  const double compute = 0.351 * (1 + 128.0 / (6 * 128)), down = 0.083, update = 0.187, up = 0.083;
  Fixture serial, overlapped;
  open_simulation(&serial, 1000, (const char *const[]){"overlap.prefetch=0", NULL});
  ck_assert_double_eq_tol(step_ns(&serial, 1000), compute + down + update + up, 0.03);
  ck_assert_double_lt(number(&serial, "hidden.fraction"), 0.05);
  close_simulation(&serial);
  open_simulation(&overlapped, 1000, (const char *const[]){"overlap.prefetch=2", NULL});
  ck_assert_double_gt(step_ns(&overlapped, 1000), compute);
  ck_assert_double_lt(step_ns(&overlapped, 1000), compute + 0.08);
  ck_assert_double_ge(number(&overlapped, "hidden.fraction"), 0.7);
  close_simulation(&overlapped);
}
END_TEST

START_TEST(test_linear_in_the_slowdown)
{
  Fixture slow, slower;
  open_simulation(&slow, 1000, (const char *const[]){NULL});
  open_simulation(&slower, 5000, (const char *const[]){NULL});
  double ratio = number(&slower, "step.seconds") / number(&slow, "step.seconds");
  ck_assert_double_eq_tol(ratio, 5, 1e-4);
  close_simulation(&slow);
  close_simulation(&slower);
}
END_TEST

START_TEST(test_bytes_are_the_plans)
{
  Fixture f;
  open_simulation(&f, 1000, (const char *const[]){"placement.gradients=host", NULL});
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    for (int payload = 0; payload < OL_N_PAYLOADS; payload++) {
      g_autofree char *path =
          g_strdup_printf("peak.%s.%s", ol_tier_nick(tier), ol_payload_nick(payload));
      double value = 0;
      ol_metrics_get_number(f.metrics, path, &value);
      ck_assert_double_eq(value, f.plan->peak[tier][payload]);
    }
  ck_assert_double_eq(number(&f, "peak.gpu.total"), f.plan->peak_total[OL_TIER_GPU]);
  ck_assert_double_eq(number(&f, "peak.gpu.arena"), f.plan->arena_bytes[OL_TIER_GPU]);
  close_simulation(&f);
}
END_TEST

START_TEST(test_refused_plan_ends_out_of_memory)
{
  Fixture f;
  open_simulation(&f, 1000, (const char *const[]){ON_GPU, "hardware.gpu_mib=24", NULL});
  ck_assert_int_eq(f.trace->outcome, OL_OUTCOME_OUT_OF_MEMORY);
  ck_assert_ptr_nonnull(f.trace->table);
  ck_assert_double_eq(number(&f, "peak.gpu.total"), f.plan->peak_total[OL_TIER_GPU]);
  ck_assert_double_le(number(&f, "peak.gpu.total"), 24 << 20);
  close_simulation(&f);
}
END_TEST

/* Somebody who looks on, and ends the work at the last of so many looks. */
typedef struct {
  guint looks, last;
} Looker;

static gboolean look(double share, gpointer data)
{
  Looker *looker = data;
  ck_assert(share >= 0 && share <= 1);
  return ++looker->looks != looker->last;
}

/* Plan, simulation and metrics; FALSE when one of them was stopped, which then has made nothing. */
static gboolean make_all(const Fixture *f, Looker *looker, GError **error)
{
  const OlWatch watch = {look, looker};
  g_autoptr(OlPlan) plan = ol_plan_new_watched(f->plan->config, f->machine, &watch, error);
  g_autoptr(OlTrace) trace = NULL;
  g_autoptr(OlMetrics) metrics = NULL;
  if (plan != NULL)
    trace = ol_simulate_watched(plan, f->machine, f->costs, 1000, &watch, error);
  if (trace != NULL)
    metrics = ol_metrics_new_watched(trace, &watch, error);
  if (metrics == NULL)
    return FALSE;
  g_autofree char *made = ol_metrics_dup_json(metrics);
  g_autofree char *expected = ol_metrics_dup_json(f->metrics);
  ck_assert_str_eq(made, expected);
  return TRUE;
}

/* Whoever cancels is heard in every part: for each rank that is planned, in each step that is
 * simulated, for each rank that is measured; and at once. */
START_TEST(test_stops_at_any_look)
{
  static const char *const set[] = {"parallel.data=2", "parallel.tensor=2", "steps=3", NULL};
  Fixture f;
  Looker all = {0};
  open_simulation(&f, 1000, set);
  ck_assert(make_all(&f, &all, NULL));
  ck_assert_uint_ge(all.looks, 2 + 3 + 4);
  for (guint last = 1; last <= all.looks; last++) {
    Looker looker = {.last = last};
    g_autoptr(GError) error = NULL;
    ck_assert(!make_all(&f, &looker, &error));
    ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_STOPPED));
    ck_assert_uint_eq(looker.looks, last);
  }
  close_simulation(&f);
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("simulator");
  tcase_add_test(tcase, test_worked_example);
  tcase_add_test(tcase, test_linear_in_the_slowdown);
  tcase_add_test(tcase, test_bytes_are_the_plans);
  tcase_add_test(tcase, test_refused_plan_ends_out_of_memory);
  tcase_add_test(tcase, test_stops_at_any_look);
  return run_suite("simulator", tcase);
}
