#include "engine/run/begin-trace.h"

static void set_facts(OlTrace *trace, const OlPlan *plan)
{
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    g_autofree char *path = g_strdup_printf("arena.%s", ol_tier_nick(tier));
    ol_trace_set_number(trace, path, plan->arena_bytes[tier]);
  }
  const OlRunConfig *config = plan->config;
  double tokens = (double)config->model.sequence * config->batch.micro_batch *
                  config->batch.micro_batches * config->parallel.data;
  ol_trace_set_number(trace, "tokens.per_step", tokens);
}

OlTrace *ol_begin_trace(OlSource source, const OlPlan *plan, const OlMachine *machine,
                        double slowdown)
{
  g_autofree char *config = ol_run_config_dup_text(plan->config, FALSE);
  g_autoptr(GArray) capacities = g_array_new(FALSE, FALSE, sizeof(guint64));
  for (guint rank = 0; rank < plan->graph->n_ranks; rank++)
    g_array_append_vals(capacities, plan->capacity, OL_N_TIERS);
  OlTraceHeader header = {config, machine->mu, machine->kappa, slowdown, capacities};
  OlTrace *trace = ol_trace_new(source, &header, plan->graph);
  set_facts(trace, plan);
  return trace;
}

void ol_end_trace_refused(OlTrace *trace, const OlPlan *plan)
{
  const OlGraphBuffer *asked = ol_graph_buffer(plan->graph, plan->refusal.buffer);
  g_autoptr(OlLedger) ledger = ol_plan_dup_ledger_at_refusal(plan);
  g_autofree char *message = ol_plan_dup_refusal(plan);
  g_autofree char *table =
      ol_ledger_dup_table(ledger, asked->rank, asked->tier, plan->capacity[asked->tier]);
  ol_trace_end(trace, OL_OUTCOME_OUT_OF_MEMORY, message, table);
}
