/* A plan from a config: which ideas it is made of, and the order of a step. */
#include "engine/base/error.h"
#include "engine/plan/builder.h"

/* Ideas by placement. A new one is a row here and a file of its own. */
static const OlGradientPath *const gradient_paths[OL_N_TIERS] = {
    [OL_TIER_GPU] = &ol_gradients_on_gpu,
    [OL_TIER_HOST] = &ol_gradients_on_host,
};
static const OlUpdatePath *const update_paths[OL_N_TIERS] = {
    [OL_TIER_GPU] = &ol_update_on_gpu,
    [OL_TIER_HOST] = &ol_update_on_host,
};

static void free_draft(gpointer data)
{
  OlDraft *draft = data;
  g_clear_pointer(&draft->acquires, g_array_unref);
  g_clear_pointer(&draft->releases, g_array_unref);
  g_free(draft);
}

static void builder_init(OlBuilder *builder, OlPlan *plan)
{
  *builder = (OlBuilder){.plan = plan, .config = plan->config, .shape = plan->shape};
  builder->homes = g_new0(OlUnitHomes, plan->shape->n_units);
  builder->drafts = g_ptr_array_new_with_free_func(free_draft);
  for (int lane = 0; lane < OL_N_LANES; lane++)
    builder->lane_gate[lane] = OL_NONE;
}

static void builder_clear(OlBuilder *builder)
{
  g_free(builder->homes);
  g_ptr_array_unref(builder->drafts);
}

/* Micro-batches one after the other: forward through all units, backward through all in reverse.
 * A unit's update follows its last gradient, so that a serial plan waits for it there. */
static void write_step(OlBuilder *builder, const OlGradientPath *gradients, gpointer gradient_state,
                       const OlUpdatePath *update, gpointer update_state)
{
  guint n_units = builder->shape->n_units;
  guint n_micro_batches = builder->config->batch.micro_batches;
  OlActivations activations;
  ol_compute_init(builder, &activations);
  for (guint m = 0; m < n_micro_batches; m++) {
    gboolean last = m + 1 == n_micro_batches;
    for (guint u = 0; u < n_units; u++)
      ol_compute_forward(builder, &activations, u, m);
    for (guint u = n_units; u-- > 0;) {
      gradients->backward(builder, gradient_state, &activations, u, m, last);
      if (last)
        update->unit_ready(builder, update_state, u);
    }
  }
  if (update->step_end)
    update->step_end(builder, update_state);
  ol_compute_clear(&activations);
}

static void build(OlPlan *plan, const OlGradientPath *gradients, const OlUpdatePath *update)
{
  OlBuilder builder;
  builder_init(&builder, plan);
  gpointer gradient_state = g_malloc0(gradients->state_size + 1);
  gpointer update_state = g_malloc0(update->state_size + 1);

  ol_homes_declare(&builder);
  if (gradients->declare)
    gradients->declare(&builder, gradient_state);
  if (update->declare)
    update->declare(&builder, update_state);
  ol_homes_fill(&builder);
  write_step(&builder, gradients, gradient_state, update, update_state);
  ol_homes_hash(&builder);
  ol_builder_seal(&builder);

  if (gradients->clear)
    gradients->clear(gradient_state);
  if (update->clear)
    update->clear(update_state);
  g_free(gradient_state);
  g_free(update_state);
  builder_clear(&builder);
}

OlPlan *ol_plan_new(const OlRunConfig *config, const OlMachine *machine, GError **error)
{
  if (!ol_run_config_check_supported(config, error))
    return NULL;
  const OlGradientPath *gradients = gradient_paths[config->placement.gradients];
  const OlUpdatePath *update = update_paths[config->placement.optimizer];
  if (gradients == NULL || update == NULL) {
    g_set_error(error, OL_ERROR, OL_ERROR_NOT_YET,
                "placement: no plan yet for gradients on %s with the optimizer on %s",
                ol_tier_nick(config->placement.gradients),
                ol_tier_nick(config->placement.optimizer));
    return NULL;
  }

  OlPlan *plan = g_new0(OlPlan, 1);
  plan->config = ol_run_config_copy(config);
  plan->shape = ol_shape_new(config);
  plan->graph = ol_graph_new(1);
  plan->operands = g_array_new(FALSE, FALSE, sizeof(OlOperands));
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    plan->capacity[tier] = machine->capacity[tier];
  for (guint u = 0; u < plan->shape->n_units; u++)
    ol_graph_add_unit(plan->graph, plan->shape->units[u].name, plan->shape->units[u].parameters);
  build(plan, gradients, update);
  ol_plan_occupy(plan);
  return plan;
}

void ol_plan_free(OlPlan *plan)
{
  if (plan == NULL)
    return;
  ol_run_config_free(plan->config);
  ol_shape_free(plan->shape);
  ol_graph_unref(plan->graph);
  g_array_unref(plan->operands);
  g_free(plan->offset);
  g_free(plan);
}
