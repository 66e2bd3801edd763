/* The slow-down that is chosen for machines made up here: the smallest at which what design section
 * 4 asks for holds, worked out again from the costs alone. */
#include "tests/run/run-fixture.h"
#include "tests/suite.h"

#include "engine/run/cost.h"
#include "engine/run/simulator.h"
#include "engine/run/slowdown.h"
#include <math.h>

/* Real work that is next to nothing, so that one thing at a time can be made dear. */
static OlCalibration quick_machine(guint cores)
{
  return (OlCalibration){.compute_threads = 1,
                         .cores = cores,
                         .product_flops = 1e18,
                         .element_bytes = 1e18,
                         .copy_bytes = 1e18,
                         .update_seconds = 1e-18,
                         .node_seconds = 1e-12,
                         .wake_seconds = 1e-9};
}

static double choose(const OlCalibration *calibration, const OlRunConfig *config)
{
  double slowdown = 0;
  g_autoptr(GError) error = NULL;
  ck_assert_msg(ol_slowdown_choose_for(calibration, &config, 1, NULL, 0, &slowdown, &error), "%s",
                error ? error->message : "");
  return slowdown;
}

static double step_seconds(const OlRunConfig *config, double slowdown)
{
  g_autoptr(OlMachine) machine = ol_machine_new(config, NULL, NULL);
  g_autoptr(OlPlan) plan = ol_plan_new(config, machine);
  OlCosts *costs = ol_costs_new(plan, machine, NULL);
  double seconds = ol_simulate_step_seconds(plan, costs, slowdown);
  ol_costs_free(costs);
  return seconds;
}

/* The largest of 1, 2, 5 × 10^k below. */
static double one_less(double slowdown)
{
  double power = pow(10, floor(log10(slowdown) + 1e-9));
  double figure = round(slowdown / power);
  return figure == 5 ? 2 * power : figure == 2 ? power : power / 2;
}

/* `least`: seconds that a step has to take for 2 % of it to cover what wakes late. */
static void assert_covers(const OlRunConfig *config, double slowdown, double least)
{
  ck_assert_double_ge(step_seconds(config, slowdown), least);
  ck_assert_double_lt(step_seconds(config, one_less(slowdown)), least);
}

static OlRunConfig *eight_ranks(void)
{
  const char *set[] = {SCALE, ON_GPU, "parallel.data=8", "parallel.zero=2", NULL};
  return fixture_config(set);
}

START_TEST(a_late_waker_needs_a_long_step)
{
  const char *set[] = {SCALE, ON_GPU, NULL};
  g_autoptr(OlRunConfig) config = fixture_config(set);
  OlCalibration machine = quick_machine(2);
  machine.wake_seconds = 1e-3;
  assert_covers(config, choose(&machine, config), 1e-3 / OL_LATE_SHARE);
}
END_TEST

START_TEST(lanes_on_one_core_take_turns)
{
  g_autoptr(OlRunConfig) config = eight_ranks();
  OlCalibration own_cores = quick_machine(16), shared = quick_machine(2);
  /* Three turns of 4 ms, a tick of 250 Hz. */
  assert_covers(config, choose(&shared, config), 3 * 4e-3 / OL_LATE_SHARE);
  ck_assert_double_lt(choose(&own_cores, config), choose(&shared, config) / 100);
}
END_TEST

/* Each rank works on its share of a core: as if that were a core of its own, as much slower. */
START_TEST(shared_cores_are_slower_cores)
{
  g_autoptr(OlRunConfig) config = eight_ranks();
  OlCalibration shared = quick_machine(2), slow = quick_machine(8);
  shared.product_flops = 1e6; /* so little that turns do not matter */
  slow.product_flops = shared.product_flops / 4;
  ck_assert_double_eq(choose(&shared, config), choose(&slow, config));
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("slowdown");
  tcase_add_test(tcase, a_late_waker_needs_a_long_step);
  tcase_add_test(tcase, lanes_on_one_core_take_turns);
  tcase_add_test(tcase, shared_cores_are_slower_cores);
  return run_suite("slowdown", tcase);
}
