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

static void set_operands(const OlActivations *activations, OlDraft *draft, guint unit,
                         guint weights)
{
  int *operand = draft->operands.buffer;
  operand[OL_OPERAND_WEIGHTS] = weights;
  operand[OL_OPERAND_TOKENS] = activations->inner[0]; /* the embedding keeps the token ids */
  operand[OL_OPERAND_INPUT] = unit > 0 ? activations->boundary[unit - 1] : OL_NONE;
  operand[OL_OPERAND_INNER] = activations->inner[unit];
}

void ol_compute_forward(OlBuilder *builder, OlActivations *activations, OlWeightsPath *weights,
                        guint unit, guint micro_batch)
{
  const OlShape *shape = builder->shape;
  OlRecompute recompute = recompute_of(builder, unit);
  gboolean park_inner = ol_activations_are_parked(builder, unit, OL_PARKED_INNER);
  gboolean park_boundary = ol_activations_are_parked(builder, unit, OL_PARKED_BOUNDARY);
  guint fetched = ol_weights_fetch(weights, builder, unit, micro_batch);
  OlDraft *draft = ol_builder_add_node(builder, OL_OP_FORWARD, OL_LANE_COMPUTE,
                                       OL_PAYLOAD_ACTIVATIONS, unit, micro_batch);
  int *operand = draft->operands.buffer;
  draft->node.flops = ol_shape_forward_flops(shape, unit);
  activations->inner[unit] = park_inner ? (int)ol_ring_take(&activations->down)
                                        : acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS,
                                                      ol_activations_inner_bytes(builder, unit));
  activations->boundary[unit] = park_boundary ? (int)ol_ring_take(&activations->down)
                                              : acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS,
                                                            ol_shape_boundary_bytes(shape, unit));
  set_operands(activations, draft, unit, fetched);
  operand[OL_OPERAND_OUTPUT] = activations->boundary[unit];
  operand[OL_OPERAND_WORK] =
      acquire_new(builder, draft, OL_PAYLOAD_STAGING, ol_shape_forward_work_bytes(shape, unit));
  if (recompute == OL_RECOMPUTE_SELECTIVE)
    operand[OL_OPERAND_PROBABILITIES] = acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS,
                                                    ol_shape_probabilities_bytes(shape, unit));
  release_transient(builder, draft, operand[OL_OPERAND_WORK]);
  release_transient(builder, draft, operand[OL_OPERAND_PROBABILITIES]);
  if (recompute == OL_RECOMPUTE_FULL)
    release_transient(builder, draft, activations->inner[unit]);

  if (park_inner)
    ol_activations_park_unit(activations, builder, unit, micro_batch, activations->inner[unit]);
  if (park_boundary)
    ol_activations_park_unit(activations, builder, unit, micro_batch, activations->boundary[unit]);
}

/* Makes again what the forward did not keep; returns the attention probabilities' buffer when they
 * lie apart. */
static int add_recompute(OlBuilder *builder, OlActivations *activations, guint unit,
                         guint micro_batch, guint weights)
{
  OlRecompute recompute = recompute_of(builder, unit);
  if (recompute == OL_RECOMPUTE_NONE)
    return OL_NONE;
  OlDraft *draft = ol_builder_add_node(builder, OL_OP_RECOMPUTE, OL_LANE_COMPUTE,
                                       OL_PAYLOAD_ACTIVATIONS, unit, micro_batch);
  draft->node.flops = ol_shape_recompute_flops(builder->shape, unit, recompute);
  int probabilities = OL_NONE;
  if (recompute == OL_RECOMPUTE_FULL)
    activations->inner[unit] = acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS,
                                           ol_activations_inner_bytes(builder, unit));
  else
    probabilities = acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS,
                                ol_shape_probabilities_bytes(builder->shape, unit));
  set_operands(activations, draft, unit, weights);
  draft->operands.buffer[OL_OPERAND_PROBABILITIES] = probabilities;
  return probabilities;
}

void ol_compute_backward(OlBuilder *builder, OlActivations *activations, OlWeightsPath *weights,
                         guint unit, guint micro_batch, guint gradient, gboolean transient)
{
  const OlShape *shape = builder->shape;
  guint fetched = ol_weights_fetch(weights, builder, unit, micro_batch);
  if (ol_activations_are_parked(builder, unit, OL_PARKED_INNER))
    activations->inner[unit] = ol_activations_fetch_unit(activations, builder, unit, micro_batch);
  if (unit > 0 && ol_activations_are_parked(builder, unit - 1, OL_PARKED_BOUNDARY))
    activations->boundary[unit - 1] =
        ol_activations_fetch_unit(activations, builder, unit - 1, micro_batch);
  int probabilities = add_recompute(builder, activations, unit, micro_batch, fetched);

  OlDraft *draft = ol_builder_add_node(builder, OL_OP_BACKWARD, OL_LANE_COMPUTE,
                                       OL_PAYLOAD_GRADIENTS, unit, micro_batch);
  int *operand = draft->operands.buffer;
  draft->node.flops = ol_shape_backward_flops(shape, unit);
  if (transient)
    ol_draft_acquire(draft, gradient);
  set_operands(activations, draft, unit, fetched);
  operand[OL_OPERAND_GRADIENT] = gradient;
  operand[OL_OPERAND_PROBABILITIES] = probabilities;
  if (unit + 1 < shape->n_units)
    operand[OL_OPERAND_D_OUTPUT] = activations->d_boundary[unit];
  if (unit > 0)
    operand[OL_OPERAND_D_INPUT] = activations->d_boundary[unit - 1] = acquire_new(
        builder, draft, OL_PAYLOAD_ACTIVATIONS, ol_shape_boundary_bytes(shape, unit - 1));
  operand[OL_OPERAND_WORK] =
      acquire_new(builder, draft, OL_PAYLOAD_STAGING, ol_shape_backward_work_bytes(shape, unit));
  release_transient(builder, draft, operand[OL_OPERAND_WORK]);
  release_transient(builder, draft, operand[OL_OPERAND_D_OUTPUT]);
  release_transient(builder, draft, probabilities);
  /* The unit's input was kept for this node alone; its own output went with the unit after it. */
  release_transient(builder, draft, operand[OL_OPERAND_INPUT]);
  release_transient(builder, draft, activations->inner[unit]);
}
