/* Gradients at home on the host: the GPU has a ring; every micro-batch's gradient goes down, into
 * its home when there is one micro-batch, else into a host slot from which it is added. */
#include "engine/plan/builder.h"

typedef struct {
  OlRing gpu;  /* filled by backward, drained by the copy */
  OlRing host; /* filled by the copy, drained by the sum: more than one micro-batch only */
} State;

static void declare(OlBuilder *builder, gpointer data)
{
  State *state = data;
  guint e = builder->shape->element_bytes;
  ol_ring_init(&state->gpu, builder, OL_TIER_GPU, OL_PAYLOAD_GRADIENTS, e);
  if (builder->config->batch.micro_batches > 1)
    ol_ring_init(&state->host, builder, OL_TIER_HOST, OL_PAYLOAD_GRADIENTS, e);
}

static void backward(OlBuilder *builder, gpointer data, OlActivations *activations, guint unit,
                     guint micro_batch, gboolean last)
{
  State *state = data;
  const OlUnitHomes *homes = &builder->homes[unit];
  gboolean sums = homes->accumulator != OL_NONE;
  guint slot = ol_ring_take(&state->gpu);
  guint arrival = sums ? ol_ring_take(&state->host) : (guint)homes->gradient;
  ol_compute_backward(builder, activations, unit, micro_batch, slot, FALSE);
  OlDraft *down =
      ol_builder_add_copy(builder, OL_LANE_GPU_TO_HOST, OL_PAYLOAD_GRADIENTS, unit, micro_batch,
                          slot, arrival, ol_builder_wire_bytes(builder, unit));
  ol_builder_await_drain(builder, OL_LANE_COMPUTE, down);
  if (!sums)
    return;
  OlDraft *add = ol_builder_add_node(builder, OL_PART_STEP, OL_OP_ACCUMULATE, OL_LANE_HOST_UPDATE,
                                     OL_PAYLOAD_GRADIENTS, unit, micro_batch);
  add->operands.buffer[OL_OPERAND_GRADIENT] = arrival;
  add->operands.buffer[OL_OPERAND_ACCUMULATOR] = homes->accumulator;
  ol_builder_await_drain(builder, OL_LANE_GPU_TO_HOST, add);
}

static void clear(gpointer data)
{
  State *state = data;
  ol_ring_clear(&state->gpu);
  ol_ring_clear(&state->host);
}

const OlGradientPath ol_gradients_on_host = {declare, backward, clear, sizeof(State)};
