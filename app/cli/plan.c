/* offload-lab-cli plan: what would lie where, who would do what, and how long a step would last. */
#include "app/cli/results.h"

#include "engine/base/intl.h"
#include "engine/base/measure.h"

/* One cell; what is not there is left empty, since a lone 0 B hides the figures that matter. */
static void append_bytes(GString *text, guint64 bytes)
{
  g_autofree char *words = bytes ? ol_measure_dup_bytes((double)bytes) : g_strdup("");
  g_string_append_printf(text, " %10s", words);
}

static void append_title(GString *text, const OlPlan *plan)
{
  const OlRunConfig *config = plan->config;
  g_autofree char *parameters = ol_measure_dup_count((double)plan->shape->parameters);

  g_string_append_printf(
      text, _("%s: GPT, %u layers of width %u, %s parameters; %u steps of %u tokens\n\n"),
      config->name && *config->name ? config->name : _("Plan"), config->model.layers,
      config->model.width, parameters, config->steps,
      config->model.sequence * config->batch.micro_batch * config->batch.micro_batches);
}

static guint64 home_total(const OlPlan *plan, OlTier tier)
{
  guint64 sum = 0;
  for (OlPayload payload = 0; payload < OL_N_PAYLOADS; payload++)
    sum += plan->home[tier][payload];
  return sum;
}

/* A row a payload; home and peak of each tier side by side. */
static void append_bytes_table(GString *text, const OlPlan *plan)
{
  g_string_append_printf(text, "%-12s", "");
  for (OlTier tier = 0; tier < OL_N_TIERS; tier++) {
    g_autofree char *home = g_strdup_printf(_("%s home"), ol_tier_name(tier));
    g_string_append_printf(text, " %10s %10s", home, _("peak"));
  }
  for (OlPayload payload = 0; payload < OL_N_PAYLOADS; payload++) {
    g_string_append_printf(text, "\n%-12s", ol_payload_name(payload));
    for (OlTier tier = 0; tier < OL_N_TIERS; tier++) {
      append_bytes(text, plan->home[tier][payload]);
      append_bytes(text, plan->peak[tier][payload]);
    }
  }
  g_string_append_printf(text, "\n%-12s", _("total"));
  for (OlTier tier = 0; tier < OL_N_TIERS; tier++) {
    append_bytes(text, home_total(plan, tier));
    append_bytes(text, plan->peak_total[tier]);
  }
  g_string_append_printf(text, "\n%-12s", _("capacity"));
  for (OlTier tier = 0; tier < OL_N_TIERS; tier++) {
    append_bytes(text, 0);
    append_bytes(text, plan->capacity[tier]);
  }
  g_string_append(text, "\n\n");
}

static void append_lanes(GString *text, const OlPlan *plan)
{
  guint counts[OL_N_LANES] = {0};
  const char *between = "";

  for (guint i = 0; i < plan->graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(plan->graph, i);
    counts[node->lane] += node->part == OL_PART_STEP;
  }
  g_string_append(text, _("Nodes a step: "));
  for (OlLane lane = 0; lane < OL_N_LANES; lane++) {
    if (counts[lane] == 0)
      continue;
    g_string_append_printf(text, "%s%s %u", between, ol_lane_name(lane), counts[lane]);
    between = " · ";
  }
  g_string_append_c(text, '\n');
}

static char *dup_words(OlRun *run, const OlTrace *trace)
{
  const OlPlan *plan = ol_run_get_plan(run);
  GString *text = g_string_new(NULL);

  append_title(text, plan);
  append_bytes_table(text, plan);
  append_lanes(text, plan);
  g_autofree char *simulated = ol_results_dup_words(trace, ol_run_get_machine(run));
  g_string_append(text, simulated);
  return g_string_free(text, FALSE);
}

OlExit ol_command_plan(int argc, char **argv)
{
  g_auto(OlRunArguments) arguments = {0};
  g_autoptr(GError) error = NULL;
  OlExit status;

  if (!ol_run_arguments_parse(&arguments, argc, argv, 0, &status))
    return status;
  g_autoptr(OlRunConfig) config = ol_run_arguments_load(&arguments, &error);
  if (!config)
    return ol_cli_fail(error);
  g_autoptr(OlRun) run = ol_run_new(config, &(OlRunOptions){0}, &error);
  if (!run)
    return ol_cli_fail(error);

  g_autoptr(OlTrace) trace = ol_run_simulate(run);
  g_autofree char *words = dup_words(run, trace);
  ol_results_tell_outcome(trace);
  return ol_results_write(&arguments, trace, words);
}
