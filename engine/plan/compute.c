/* Forward and backward of one unit, and the activations between them: each transient is acquired
 * and released by the compute lane, in plan order. */
#include "engine/plan/builder.h"

void ol_compute_init(OlBuilder *builder, OlActivations *activations)
{
  guint n = builder->shape->n_units;
  activations->boundary = g_new(int, n);
  activations->inner = g_new(int, n);
  activations->d_boundary = g_new(int, n);
}

void ol_compute_clear(OlActivations *activations)
{
  g_clear_pointer(&activations->boundary, g_free);
  g_clear_pointer(&activations->inner, g_free);
  g_clear_pointer(&activations->d_boundary, g_free);
}

static int acquire_new(OlBuilder *builder, OlDraft *draft, OlPayload payload, guint64 bytes)
{
  if (bytes == 0)
    return OL_NONE;
  guint id = ol_builder_add_buffer(builder, OL_TIER_GPU, payload, OL_BUFFER_TRANSIENT, bytes);
  ol_draft_acquire(draft, id);
  return id;
}

static void release(OlDraft *draft, int buffer)
{
  if (buffer != OL_NONE)
    ol_draft_release(draft, buffer);
}

static void set_common_operands(OlBuilder *builder, const OlActivations *activations,
                                OlDraft *draft, guint unit)
{
  int *operand = draft->operands.buffer;
  operand[OL_OPERAND_WEIGHTS] = builder->homes[unit].weights;
  operand[OL_OPERAND_TOKENS] = activations->inner[0]; /* the embedding keeps the token ids */
  operand[OL_OPERAND_INPUT] = unit > 0 ? activations->boundary[unit - 1] : OL_NONE;
  operand[OL_OPERAND_OUTPUT] = activations->boundary[unit];
  operand[OL_OPERAND_INNER] = activations->inner[unit];
}

void ol_compute_forward(OlBuilder *builder, OlActivations *activations, guint unit,
                        guint micro_batch)
{
  const OlShape *shape = builder->shape;
  OlDraft *draft = ol_builder_add_node(builder, OL_PART_STEP, OL_OP_FORWARD, OL_LANE_COMPUTE,
                                       OL_PAYLOAD_ACTIVATIONS, unit, micro_batch);
  draft->node.flops = ol_shape_forward_flops(shape, unit);
  activations->inner[unit] =
      acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS, ol_shape_inner_bytes(shape, unit));
  activations->boundary[unit] =
      acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS, ol_shape_boundary_bytes(shape, unit));
  int work =
      acquire_new(builder, draft, OL_PAYLOAD_STAGING, ol_shape_forward_work_bytes(shape, unit));
  set_common_operands(builder, activations, draft, unit);
  draft->operands.buffer[OL_OPERAND_WORK] = work;
  release(draft, work);
}

void ol_compute_backward(OlBuilder *builder, OlActivations *activations, guint unit,
                         guint micro_batch, guint gradient, gboolean transient)
{
  const OlShape *shape = builder->shape;
  OlDraft *draft = ol_builder_add_node(builder, OL_PART_STEP, OL_OP_BACKWARD, OL_LANE_COMPUTE,
                                       OL_PAYLOAD_GRADIENTS, unit, micro_batch);
  int *operand = draft->operands.buffer;
  draft->node.flops = ol_shape_backward_flops(shape, unit);
  if (transient)
    ol_draft_acquire(draft, gradient);
  set_common_operands(builder, activations, draft, unit);
  operand[OL_OPERAND_GRADIENT] = gradient;
  gboolean last = unit + 1 == shape->n_units;
  operand[OL_OPERAND_D_OUTPUT] = last ? OL_NONE : activations->d_boundary[unit];
  if (unit > 0) {
    activations->d_boundary[unit - 1] = acquire_new(builder, draft, OL_PAYLOAD_ACTIVATIONS,
                                                    ol_shape_boundary_bytes(shape, unit - 1));
    operand[OL_OPERAND_D_INPUT] = activations->d_boundary[unit - 1];
  }
  operand[OL_OPERAND_WORK] =
      acquire_new(builder, draft, OL_PAYLOAD_STAGING, ol_shape_backward_work_bytes(shape, unit));
  release(draft, operand[OL_OPERAND_WORK]);
  release(draft, operand[OL_OPERAND_D_OUTPUT]);
  /* The unit's input was kept for this node alone; its own output went with the unit after it. */
  release(draft, operand[OL_OPERAND_INPUT]);
  release(draft, activations->inner[unit]);
}
