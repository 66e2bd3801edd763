/* Forward and backward of one unit, and forward again where something was not kept. Transients are
 * acquired and released here, by the compute lane, in plan order. */
#include "engine/plan/builder.h"

static int acquire_new(OlBuilder *builder, OlDraft *draft, OlPayload payload, guint64 bytes)
{
  if (bytes == 0)
    return OL_NONE;
  guint id = ol_builder_add_buffer(builder, OL_TIER_GPU, payload, OL_BUFFER_TRANSIENT, bytes);
  ol_draft_acquire(draft, id);
  return id;
}

/* Slots and homes stay; only transients come and go. */
static void release_transient(OlBuilder *builder, OlDraft *draft, int buffer)
{
  if (buffer != OL_NONE &&
      ol_graph_buffer(builder->plan->graph, buffer)->kind == OL_BUFFER_TRANSIENT)
    ol_draft_release(draft, buffer);
}

static OlRecompute recompute_of(const OlBuilder *builder, guint unit)
{
  return builder->shape->units[unit].kind == OL_UNIT_BLOCK ? builder->config->recompute
                                                           : OL_RECOMPUTE_NONE;
}

static void set_operands(const OlKept *kept, OlDraft *draft, guint unit, guint weights)
{
  int *operand = draft->operands.buffer;
  operand[OL_OPERAND_WEIGHTS] = weights;
  operand[OL_OPERAND_TOKENS] = kept->tokens;
  operand[OL_OPERAND_INPUT] = unit > 0 ? kept->boundary[unit - 1] : OL_NONE;
  operand[OL_OPERAND_INNER] = kept->inner[unit];
}

/* A stage's input arrives in a slot; what the backward will need is kept beside it. */
static void take_input(OlBuilder *builder, OlKept *kept, OlDraft *draft, guint unit, int arrived)
{
  if (arrived == OL_NONE)
    return;
  kept->boundary[unit - 1] = acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS,
                                         ol_shape_boundary_bytes(builder->shape, unit - 1));
  draft->operands.buffer[OL_OPERAND_SOURCE] = arrived;
}

/* A head without the embedding beside it has the targets' ids from the task itself. */
static void take_tokens(OlBuilder *builder, OlKept *kept, OlDraft *draft, guint unit)
{
  OlUnitKind kind = builder->shape->units[unit].kind;
  if (kind == OL_UNIT_EMBED)
    kept->tokens = kept->inner[unit];
  else if (kind == OL_UNIT_HEAD && builder->units[0] > 0)
    kept->tokens = acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS,
                               ol_shape_inner_bytes(builder->shape, 0));
  else if (builder->units[0] > 0)
    kept->tokens = OL_NONE;
}

/* Where a unit's output goes: to the next stage, to the host, or to the next unit. */
static int take_output(OlBuilder *builder, OlActivations *activations, OlPipeline *pipeline,
                       OlDraft *draft, guint unit)
{
  if (ol_pipeline_goes_out(builder, unit))
    return (int)ol_pipeline_take_out(pipeline, FALSE);
  if (ol_activations_are_parked(builder, unit, OL_PARKED_BOUNDARY))
    return (int)ol_ring_take(&activations->down);
  return acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS,
                     ol_shape_boundary_bytes(builder->shape, unit));
}

/* The attention probabilities of a selective recompute are needed by one piece alone. */
static void borrow_probabilities(OlBuilder *builder, OlDraft *draft, guint unit)
{
  if (recompute_of(builder, unit) != OL_RECOMPUTE_SELECTIVE)
    return;
  int probabilities = acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS,
                                  ol_shape_probabilities_bytes(builder->shape, unit));
  draft->operands.buffer[OL_OPERAND_PROBABILITIES] = probabilities;
  release_transient(builder, draft, probabilities);
}

/* What comes into being with the first piece of a forward. */
static void begin_forward(OlBuilder *builder, OlActivations *activations, OlKept *kept,
                          OlDraft *draft, guint unit, int arrived)
{
  gboolean park_inner = ol_activations_are_parked(builder, unit, OL_PARKED_INNER);
  take_input(builder, kept, draft, unit, arrived);
  kept->inner[unit] = park_inner ? (int)ol_ring_take(&activations->down)
                                 : acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS,
                                               ol_activations_inner_bytes(builder, unit));
  take_tokens(builder, kept, draft, unit);
  borrow_probabilities(builder, draft, unit);
}

static void end_forward(OlBuilder *builder, OlKept *kept, OlDraft *draft, guint unit, int output)
{
  int *operand = draft->operands.buffer;
  kept->boundary[unit] = operand[OL_OPERAND_OUTPUT] = output;
  operand[OL_OPERAND_WORK] = acquire_new(builder, draft, OL_PAYLOAD_STAGING,
                                         ol_shape_forward_work_bytes(builder->shape, unit));
  release_transient(builder, draft, operand[OL_OPERAND_WORK]);
  if (recompute_of(builder, unit) == OL_RECOMPUTE_FULL)
    release_transient(builder, draft, kept->inner[unit]);
}

static void add_forward(OlBuilder *builder, OlActivations *activations, OlPipeline *pipeline,
                        guint unit, guint micro_batch, guint weights, int arrived)
{
  OlKept *kept = ol_activations_of(activations, micro_batch);
  OlPieces pieces = ol_tensor_pieces(builder, unit, OL_OP_FORWARD);
  int summed = OL_NONE;
  for (guint i = 0; i < pieces.n; i++) {
    OlDraft *draft = ol_builder_add_node(builder, OL_OP_FORWARD, OL_LANE_COMPUTE,
                                         OL_PAYLOAD_ACTIVATIONS, unit, (int)micro_batch);
    draft->node.piece = pieces.piece[i];
    draft->node.flops = ol_shape_forward_flops(builder->shape, unit, pieces.piece[i]);
    if (i == 0)
      begin_forward(builder, activations, kept, draft, unit, arrived);
    set_operands(kept, draft, unit, weights);
    if (i + 1 == pieces.n)
      end_forward(builder, kept, draft, unit,
                  take_output(builder, activations, pipeline, draft, unit));
    summed = ol_tensor_exchange(builder, draft, summed);
  }
}

void ol_compute_forward(OlBuilder *builder, OlActivations *activations, OlPipeline *pipeline,
                        OlWeightsPath *weights, guint unit, guint micro_batch)
{
  OlKept *kept = ol_activations_of(activations, micro_batch);
  guint fetched = ol_weights_fetch(weights, builder, unit, (int)micro_batch);
  int arrived = ol_pipeline_comes_in(builder, unit)
                    ? (int)ol_pipeline_receive(pipeline, builder, FALSE, unit, micro_batch)
                    : OL_NONE;
  add_forward(builder, activations, pipeline, unit, micro_batch, fetched, arrived);
  if (ol_activations_are_parked(builder, unit, OL_PARKED_INNER))
    ol_activations_park_unit(activations, builder, unit, micro_batch, (guint)kept->inner[unit]);
  if (ol_activations_are_parked(builder, unit, OL_PARKED_BOUNDARY))
    ol_activations_park_unit(activations, builder, unit, micro_batch, (guint)kept->boundary[unit]);
  if (ol_pipeline_goes_out(builder, unit))
    ol_pipeline_send(pipeline, builder, FALSE, unit, micro_batch, (guint)kept->boundary[unit]);
}

/* Makes again what the forward did not keep; returns the attention probabilities' buffer when they
 * lie apart. */
static int add_recompute(OlBuilder *builder, OlKept *kept, guint unit, guint micro_batch,
                         guint weights)
{
  OlRecompute recompute = recompute_of(builder, unit);
  OlPieces pieces = ol_tensor_pieces(builder, unit, OL_OP_RECOMPUTE);
  int probabilities = OL_NONE, summed = OL_NONE;
  for (guint i = 0; i < pieces.n && recompute != OL_RECOMPUTE_NONE; i++) {
    OlDraft *draft = ol_builder_add_node(builder, OL_OP_RECOMPUTE, OL_LANE_COMPUTE,
                                         OL_PAYLOAD_ACTIVATIONS, unit, (int)micro_batch);
    draft->node.piece = pieces.piece[i];
    draft->node.flops = ol_shape_recompute_flops(builder->shape, unit, recompute, pieces.piece[i]);
    if (i == 0 && recompute == OL_RECOMPUTE_FULL)
      kept->inner[unit] = acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS,
                                      ol_activations_inner_bytes(builder, unit));
    else if (i == 0)
      probabilities = acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS,
                                  ol_shape_probabilities_bytes(builder->shape, unit));
    set_operands(kept, draft, unit, weights);
    draft->operands.buffer[OL_OPERAND_PROBABILITIES] = probabilities;
    summed = ol_tensor_exchange(builder, draft, summed);
  }
  return probabilities;
}

/* What was parked on the host comes up again. */
static void fetch_parked(OlBuilder *builder, OlActivations *activations, OlKept *kept, guint unit,
                         guint micro_batch)
{
  if (ol_activations_are_parked(builder, unit, OL_PARKED_INNER))
    kept->inner[unit] = (int)ol_activations_fetch_unit(activations, builder, unit, micro_batch);
  if (!ol_builder_is_first(builder, unit) &&
      ol_activations_are_parked(builder, unit - 1, OL_PARKED_BOUNDARY))
    kept->boundary[unit - 1] =
        (int)ol_activations_fetch_unit(activations, builder, unit - 1, micro_batch);
}

/* The gradient of a unit's input: for the unit before it, or for the stage before. */
static void take_d_input(OlBuilder *builder, OlPipeline *pipeline, OlKept *kept, OlDraft *draft,
                         guint unit)
{
  if (unit == 0)
    return;
  gboolean sent = ol_pipeline_comes_in(builder, unit);
  kept->d_boundary[unit - 1] = sent
                                   ? (int)ol_pipeline_take_out(pipeline, TRUE)
                                   : acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS,
                                                 ol_shape_boundary_bytes(builder->shape, unit - 1));
}

/* What a unit's backward uses beside what was kept. */
typedef struct {
  guint weights, gradient;
  gboolean gradient_is_transient;
  int probabilities, work;
} Backward;

static void set_backward_operands(const OlShape *shape, const OlKept *kept, const Backward *uses,
                                  OlDraft *draft, guint unit)
{
  int *operand = draft->operands.buffer;
  set_operands(kept, draft, unit, uses->weights);
  operand[OL_OPERAND_GRADIENT] = (int)uses->gradient;
  operand[OL_OPERAND_PROBABILITIES] = uses->probabilities;
  operand[OL_OPERAND_WORK] = uses->work;
  if (unit > 0)
    operand[OL_OPERAND_D_INPUT] = kept->d_boundary[unit - 1];
  if (unit + 1 < shape->n_units)
    operand[OL_OPERAND_D_OUTPUT] = kept->d_boundary[unit];
}

/* What comes into being with the first piece of a backward. */
static void begin_backward(OlBuilder *builder, OlPipeline *pipeline, OlKept *kept, Backward *uses,
                           OlDraft *draft, guint unit)
{
  if (uses->gradient_is_transient)
    ol_draft_acquire(draft, uses->gradient);
  take_d_input(builder, pipeline, kept, draft, unit);
  uses->work = acquire_new(builder, draft, OL_PAYLOAD_STAGING,
                           ol_shape_backward_work_bytes(builder->shape, unit));
}

static void release_backward(OlBuilder *builder, const OlKept *kept, const Backward *uses,
                             OlDraft *draft, guint unit)
{
  const int *operand = draft->operands.buffer;
  release_transient(builder, draft, uses->work);
  release_transient(builder, draft, operand[OL_OPERAND_D_OUTPUT]);
  release_transient(builder, draft, uses->probabilities);
  /* The unit's input was kept for this node alone; its own output went with the unit after it. */
  release_transient(builder, draft, operand[OL_OPERAND_INPUT]);
  release_transient(builder, draft, kept->inner[unit]);
  if (builder->shape->units[unit].kind == OL_UNIT_HEAD && builder->units[0] > 0)
    release_transient(builder, draft, kept->tokens);
}

static void add_backward(OlBuilder *builder, OlPipeline *pipeline, OlKept *kept, Backward *uses,
                         guint unit, guint micro_batch)
{
  const OlShape *shape = builder->shape;
  OlPieces pieces = ol_tensor_pieces(builder, unit, OL_OP_BACKWARD);
  int summed = OL_NONE;
  for (guint i = 0; i < pieces.n; i++) {
    OlDraft *draft = ol_builder_add_node(builder, OL_OP_BACKWARD, OL_LANE_COMPUTE,
                                         OL_PAYLOAD_GRADIENTS, unit, (int)micro_batch);
    draft->node.piece = pieces.piece[i];
    draft->node.flops = ol_shape_backward_flops(shape, unit, pieces.piece[i]);
    if (i == 0)
      begin_backward(builder, pipeline, kept, uses, draft, unit);
    set_backward_operands(shape, kept, uses, draft, unit);
    if (i + 1 == pieces.n)
      release_backward(builder, kept, uses, draft, unit);
    summed = ol_tensor_exchange(builder, draft, summed);
  }
}

void ol_compute_backward(OlBuilder *builder, OlActivations *activations, OlPipeline *pipeline,
                         OlWeightsPath *weights, guint unit, guint micro_batch, guint gradient,
                         gboolean transient)
{
  OlKept *kept = ol_activations_of(activations, micro_batch);
  Backward uses = {.weights = ol_weights_fetch(weights, builder, unit, (int)micro_batch),
                   .gradient = gradient,
                   .gradient_is_transient = transient};
  fetch_parked(builder, activations, kept, unit, micro_batch);
  uses.probabilities = add_recompute(builder, kept, unit, micro_batch, uses.weights);
  if (ol_pipeline_goes_out(builder, unit))
    kept->d_boundary[unit] = (int)ol_pipeline_receive(pipeline, builder, TRUE, unit, micro_batch);
  add_backward(builder, pipeline, kept, &uses, unit, micro_batch);
  if (ol_pipeline_comes_in(builder, unit))
    ol_pipeline_send(pipeline, builder, TRUE, unit, micro_batch, (guint)kept->d_boundary[unit - 1]);
}
