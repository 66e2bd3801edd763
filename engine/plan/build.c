/* A plan from a config: the ideas it is made of, and the order of a step. */
#include "engine/plan/builder.h"

/* What a plan is made of: an idea each, with the buffers that it declared. */
typedef struct {
  OlWeightsPath weights;
  OlActivations activations;
  OlPipeline pipeline;
  OlGradients gradients;
  OlUpdates updates;
} Ideas;

static void free_draft(gpointer data)
{
  OlDraft *draft = data;
  g_clear_pointer(&draft->acquires, g_array_unref);
  g_clear_pointer(&draft->releases, g_array_unref);
  g_clear_pointer(&draft->foreign, g_array_unref);
  g_free(draft);
}

static void list_units(OlBuilder *builder)
{
  const OlChunk *chunks = builder->chunks, *last = &chunks[builder->config->parallel.chunks - 1];
  builder->units = g_new(guint, last->before + last->end - last->first);
  for (const OlChunk *chunk = chunks; chunk <= last; chunk++)
    for (guint u = chunk->first; u < chunk->end; u++)
      builder->units[builder->n_units++] = u;
}

static void builder_init(OlBuilder *builder, OlPlan *plan, const OlTurns *turns, guint rank)
{
  *builder = (OlBuilder){.plan = plan, .config = plan->config, .shape = plan->shape, .rank = rank};
  const OlRunConfig *config = plan->config;
  builder->turns = turns;
  builder->stage = rank / config->parallel.tensor % config->parallel.pipeline;
  builder->slice = ol_plan_slice(config, rank);
  builder->chunks = ol_stages_dup_chunks(plan->shape, config, builder->stage);
  list_units(builder);
  builder->first_buffer = plan->graph->buffers->len;
  builder->homes = g_new0(OlUnitHomes, plan->shape->n_units);
  builder->drafts = g_ptr_array_new_with_free_func(free_draft);
  for (int lane = 0; lane < OL_N_LANES; lane++)
    builder->lane_gate[lane] = OL_NONE;
}

static void builder_clear(OlBuilder *builder)
{
  g_free(builder->homes);
  g_free(builder->chunks);
  g_free(builder->units);
  g_ptr_array_unref(builder->drafts);
}

/* Whether a unit's update must wait for the whole backward: the clipping norm is a barrier; every
 * other step of an alternating order begins with the gradient that comes last; and a GPU with the
 * states at home updates at the end, as it does without a host. */
static gboolean is_updated_last(const OlBuilder *builder, guint unit)
{
  return builder->config->optimizer.clip_norm > 0 ||
         builder->config->overlap.order == OL_UNIT_ORDER_ALTERNATE ||
         (ol_builder_states_tier(builder, unit) == OL_TIER_GPU &&
          ol_builder_update_tier(builder, unit) == OL_TIER_GPU);
}

static void update(OlBuilder *builder, Ideas *ideas, guint unit)
{
  OlFinished finished = ol_gradients_bring(&ideas->gradients, builder, unit);
  guint out = ol_updates_add(&ideas->updates, builder, &finished, ideas->gradients.norms,
                             &ideas->weights, unit);
  ol_weights_deliver(&ideas->weights, builder, unit, out);
}

/* The update of the step before, with what waits since then; its new weights stay where they are
 * until this step's last use of the old ones (delayed parameter update, 2101.06840 section 5.2). */
static void update_delayed(OlBuilder *builder, Ideas *ideas, guint unit)
{
  guint first = builder->drafts->len;
  OlFinished waiting = ol_gradients_waiting(&ideas->gradients, builder, unit);
  ol_updates_add(&ideas->updates, builder, &waiting, ideas->gradients.norms, &ideas->weights, unit);
  for (guint i = first; i < builder->drafts->len; i++)
    ((OlDraft *)g_ptr_array_index(builder->drafts, i))->node.steps_behind = 1;
}

static void deliver_delayed(OlBuilder *builder, Ideas *ideas, guint unit)
{
  guint first = builder->drafts->len;
  ol_weights_deliver(&ideas->weights, builder, unit,
                     ol_weights_take_out(&ideas->weights, builder, unit));
  for (guint i = first; i < builder->drafts->len; i++)
    ((OlDraft *)g_ptr_array_index(builder->drafts, i))->node.steps_behind = 1;
}

/* After the last gradient of a unit. */
static void finish_unit(OlBuilder *builder, Ideas *ideas, guint unit)
{
  ol_gradients_add_norm(&ideas->gradients, builder, unit);
  if (builder->config->optimizer.delayed) {
    deliver_delayed(builder, ideas, unit);
    ol_gradients_bring(&ideas->gradients, builder, unit);
  } else if (!is_updated_last(builder, unit)) {
    update(builder, ideas, unit);
  }
}

static void write_forward(OlBuilder *builder, Ideas *ideas, const OlTurn *turn)
{
  const OlChunk *chunk = &builder->chunks[turn->chunk];
  for (guint u = chunk->first; u < chunk->end; u++)
    ol_compute_forward(builder, &ideas->activations, &ideas->pipeline, &ideas->weights, u,
                       turn->micro_batch);
}

/* A unit's update follows its last gradient, so that a serial plan waits for it there. */
static void write_backward(OlBuilder *builder, Ideas *ideas, const OlTurn *turn)
{
  const OlChunk *chunk = &builder->chunks[turn->chunk];
  for (guint u = chunk->end; u-- > chunk->first;) {
    ol_gradients_backward(&ideas->gradients, builder, u, turn->micro_batch);
    if (turn->micro_batch + 1 == builder->config->batch.micro_batches)
      finish_unit(builder, ideas, u);
  }
}

static void write_turns(OlBuilder *builder, Ideas *ideas)
{
  const GArray *turns = builder->turns->of[builder->stage];
  for (guint i = 0; i < turns->len; i++) {
    const OlTurn *turn = &g_array_index(turns, OlTurn, i);
    gboolean ahead = i + 1 < turns->len && turn[1].is_ahead;
    ideas->pipeline.ahead = ahead ? turn + 1 : NULL;
    (turn->backward ? write_backward : write_forward)(builder, ideas, turn);
  }
}

static void write_step(OlBuilder *builder, Ideas *ideas)
{
  guint n_units = builder->n_units;
  gboolean delayed = builder->config->optimizer.delayed;
  for (guint n = 0; delayed && n < n_units; n++)
    update_delayed(builder, ideas, ol_updates_nth(builder, n));
  write_turns(builder, ideas);
  ol_gradients_finish_norm(&ideas->gradients, builder);
  for (guint n = 0; !delayed && n < n_units; n++)
    if (is_updated_last(builder, ol_updates_nth(builder, n)))
      update(builder, ideas, ol_updates_nth(builder, n));
}

static gboolean alternates(const OlBuilder *builder)
{
  return builder->config->overlap.order == OL_UNIT_ORDER_ALTERNATE;
}

/* The kind of step that the n-th update of a run belongs to; a delayed one comes a step later. */
static OlSteps steps_of_update(const OlBuilder *builder, guint n)
{
  if (!alternates(builder))
    return OL_STEPS_ALL;
  return (n + builder->config->optimizer.delayed) % 2 == 0 ? OL_STEPS_EVEN : OL_STEPS_ODD;
}

static void write_fill(OlBuilder *builder, Ideas *ideas)
{
  builder->part = OL_PART_FILL;
  builder->steps = steps_of_update(builder, 0);
  ol_homes_fill(builder);
  ol_updates_fill(&ideas->updates, builder);
}

/* Steps that alternate are written as two. */
static void write_steps(OlBuilder *builder, Ideas *ideas)
{
  builder->part = OL_PART_STEP;
  builder->steps = alternates(builder) ? OL_STEPS_EVEN : OL_STEPS_ALL;
  write_step(builder, ideas);
  if (!alternates(builder))
    return;
  builder->steps = OL_STEPS_ODD;
  write_step(builder, ideas);
}

/* A pending delayed update is finished before the hash. */
static void write_hash(OlBuilder *builder, Ideas *ideas)
{
  builder->part = OL_PART_HASH;
  builder->steps = steps_of_update(builder, builder->config->steps - 1);
  guint n_units = builder->n_units;
  for (guint n = 0; builder->config->optimizer.delayed && n < n_units; n++) {
    update_delayed(builder, ideas, ol_updates_nth(builder, n));
    deliver_delayed(builder, ideas, ol_updates_nth(builder, n));
  }
  ol_updates_flush(&ideas->updates, builder);
  ol_homes_hash(builder);
}

static void write_stage(OlBuilder *builder)
{
  Ideas ideas = {0};
  ol_homes_declare(builder);
  ol_weights_init(&ideas.weights, builder);
  ol_activations_init(&ideas.activations, builder);
  ol_tensor_init(builder);
  ol_pipeline_init(&ideas.pipeline, builder);
  ol_gradients_init(&ideas.gradients, builder);
  ideas.gradients.activations = &ideas.activations;
  ideas.gradients.pipeline = &ideas.pipeline;
  ideas.gradients.weights = &ideas.weights;
  ol_updates_init(&ideas.updates, builder);

  write_fill(builder, &ideas);
  write_steps(builder, &ideas);
  write_hash(builder, &ideas);
  builder->n_buffers = builder->plan->graph->buffers->len - builder->first_buffer;
  ol_builder_find_waits(builder);

  ol_weights_clear(&ideas.weights);
  ol_activations_clear(&ideas.activations);
  ol_pipeline_clear(&ideas.pipeline);
  ol_gradients_clear(&ideas.gradients);
  ol_updates_clear(&ideas.updates);
}

/* FALSE when it is to stop. */
static gboolean build(OlPlan *plan, const OlWatch *watch, GError **error)
{
  guint n = plan->graph->n_ranks / plan->config->parallel.data;
  g_autofree OlBuilder *builders = g_new(OlBuilder, n);
  OlTurns *turns = ol_turns_new(plan->config);
  guint written = 0;
  while (written < n && ol_watch_tell(watch, 0.5 * written / n, error)) {
    builder_init(&builders[written], plan, turns, written);
    write_stage(&builders[written++]);
  }
  gboolean go_on = written == n && ol_watch_tell(watch, 0.5, error);
  if (go_on) {
    ol_pipeline_join(builders, n);
    ol_builders_write_graph(builders, n);
  }
  for (guint rank = 0; rank < written; rank++)
    builder_clear(&builders[rank]);
  ol_turns_free(turns);
  return go_on;
}

OlPlan *ol_plan_new_watched(const OlRunConfig *config, const OlMachine *machine,
                            const OlWatch *watch, GError **error)
{
  g_autoptr(OlPlan) plan = g_new0(OlPlan, 1);
  plan->config = ol_run_config_copy(config);
  plan->shape = ol_shape_new(config);
  plan->graph =
      ol_graph_new(config->parallel.data * config->parallel.pipeline * config->parallel.tensor);
  plan->operands = g_array_new(FALSE, FALSE, sizeof(OlOperands));
  plan->operands_of = g_array_new(FALSE, FALSE, sizeof(guint));
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    plan->capacity[tier] = machine->capacity[tier];
  for (guint u = 0; u < plan->shape->n_units; u++)
    ol_graph_add_unit(plan->graph, plan->shape->units[u].name,
                      plan->shape->units[u].model_parameters);
  if (!build(plan, watch, error) || !ol_watch_tell(watch, 0.8, error))
    return NULL;
  ol_plan_occupy(plan);
  return g_steal_pointer(&plan);
}

OlPlan *ol_plan_new(const OlRunConfig *config, const OlMachine *machine)
{
  return ol_plan_new_watched(config, machine, NULL, NULL);
}

void ol_plan_free(OlPlan *plan)
{
  if (plan == NULL)
    return;
  ol_run_config_free(plan->config);
  ol_shape_free(plan->shape);
  ol_graph_unref(plan->graph);
  g_array_unref(plan->operands);
  g_array_unref(plan->operands_of);
  g_free(plan->offset);
  g_free(plan);
}
