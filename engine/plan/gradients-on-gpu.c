/* Gradients at home on the GPU: with one micro-batch the backward writes the home itself; with more
 * each micro-batch's rounded gradient is a transient that is added to the fp32 home. */
#include "engine/plan/builder.h"

static void backward(OlBuilder *builder, gpointer state, OlActivations *activations, guint unit,
                     guint micro_batch, gboolean last)
{
  const OlUnitHomes *homes = &builder->homes[unit];
  if (homes->accumulator == OL_NONE) {
    ol_compute_backward(builder, activations, unit, micro_batch, homes->gradient, FALSE);
    return;
  }
  guint gradient = ol_builder_add_buffer(builder, OL_TIER_GPU, OL_PAYLOAD_GRADIENTS,
                                         OL_BUFFER_TRANSIENT, ol_builder_wire_bytes(builder, unit));
  ol_compute_backward(builder, activations, unit, micro_batch, gradient, TRUE);
  OlDraft *add = ol_builder_add_node(builder, OL_PART_STEP, OL_OP_ACCUMULATE, OL_LANE_COMPUTE,
                                     OL_PAYLOAD_GRADIENTS, unit, micro_batch);
  add->operands.buffer[OL_OPERAND_GRADIENT] = gradient;
  add->operands.buffer[OL_OPERAND_ACCUMULATOR] = homes->accumulator;
  ol_draft_release(add, gradient);
}

const OlGradientPath ol_gradients_on_gpu = {.backward = backward};
