/* How long a plan takes to make and to simulate: both must be instant while a slider moves, and a
 * large machine is only a larger plan. */
#include "app/cli/bench.h"
#include "engine/run/cost.h"
#include "engine/run/simulator.h"

#include <stdio.h>

#define SAMPLES        5u
#define SECONDS_A_NODE 1e-5 /* 100 000 nodes in a second */
#define MOST_GROWTH    3.0  /* of the time of a node when ten times as many leave the caches */
#define MICRO_BATCH_OF 1000 /* nodes, about, in the config below */
#define SLOWDOWN       1000.0

/* Everything away from the GPU, so that every kind of node is there. */
static OlRunConfig *new_config(guint micro_batches, GError **error)
{
  g_autofree char *text = g_strdup_printf(
      "{\"steps\": 1, \"model\": {\"layers\": 100}, \"batch\": {\"micro_batches\": %u},"
      " \"placement\": {\"weights\": \"nvme\", \"gradients\": \"host\", \"optimizer\": \"nvme\","
      "                 \"activations\": \"host\"},"
      " \"recompute\": \"full\", \"hardware\": {\"stands_for\": null, \"clock\": \"scale\"}}",
      micro_batches);
  return ol_run_config_parse(text, -1, "bench plan", error);
}

/* Seconds of one plan and its simulation; tells how many nodes it has. */
static gboolean time_plan(const OlRunConfig *config, guint *nodes, double *seconds, GError **error)
{
  g_autoptr(OlMachine) machine = ol_machine_new(config, NULL, error);
  if (!machine)
    return FALSE;
  double begin = ol_bench_core_seconds();
  g_autoptr(OlPlan) plan = ol_plan_new(config, machine);
  g_autoptr(OlCosts) costs = ol_costs_new(plan, machine, NULL);
  g_autoptr(OlTrace) trace = ol_simulate(plan, machine, costs, SLOWDOWN);
  *seconds = ol_bench_core_seconds() - begin;
  *nodes = plan->graph->nodes->len;
  if (trace->outcome == OL_OUTCOME_DONE)
    return TRUE;
  g_set_error(error, OL_ERROR, OL_ERROR_OUT_OF_MEMORY, "bench plan: %s", trace->message);
  return FALSE;
}

static gboolean measure(guint about, double *seconds_a_node, GError **error)
{
  g_autoptr(OlRunConfig) config = new_config(about / MICRO_BATCH_OF, error);
  OlBenchLine line = {.bench = "plan", .unit = "s", .is_target = TRUE};
  double seconds[SAMPLES];
  guint nodes;

  if (!config)
    return FALSE;
  for (guint i = 0; i < SAMPLES; i++)
    if (!time_plan(config, &nodes, &seconds[i], error))
      return FALSE;
  snprintf(line.name, sizeof line.name, "%u nodes", about);
  line.value = ol_bench_median(seconds, SAMPLES);
  line.limit = nodes * SECONDS_A_NODE;
  *seconds_a_node = line.value / nodes;
  return ol_bench_print(&line, error);
}

gboolean ol_bench_plan(GError **error)
{
  OlBenchLine growth = {.bench = "plan",
                        .name = "a node of 100000 against one of 10000",
                        .unit = "times",
                        .limit = MOST_GROWTH,
                        .is_target = TRUE};
  double few, many;

  if (!measure(10000, &few, error) || !measure(100000, &many, error))
    return FALSE;
  growth.value = many / few;
  return ol_bench_print(&growth, error);
}
