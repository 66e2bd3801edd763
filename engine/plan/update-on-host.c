/* Optimizer states at home on the host, updated there (ZeRO-Offload, 2101.06840 section 4): the
 * finished gradient comes down, the host updates the unit, its new bf16 weights go up. */
#include "engine/plan/builder.h"

typedef struct {
  OlRing cast;      /* on the GPU: an fp32 sum rounded for the wire */
  OlRing gradients; /* on the host: gradients that have their home on the GPU, on arrival */
  OlRing weights;   /* on the host: new weights on their way up */
} State;

static gboolean gradients_come_down(const OlBuilder *builder)
{
  return builder->config->placement.gradients == OL_TIER_GPU;
}

static void declare(OlBuilder *builder, gpointer data)
{
  State *state = data;
  guint e = builder->shape->element_bytes;
  if (gradients_come_down(builder)) {
    if (builder->config->batch.micro_batches > 1)
      ol_ring_init(&state->cast, builder, OL_TIER_GPU, OL_PAYLOAD_GRADIENTS, e);
    ol_ring_init(&state->gradients, builder, OL_TIER_HOST, OL_PAYLOAD_GRADIENTS, e);
  }
  ol_ring_init(&state->weights, builder, OL_TIER_HOST, OL_PAYLOAD_WEIGHTS, e);
}

/* The buffer on the GPU that holds what goes over the wire: the home, or the sum rounded once. */
static guint wire_gradient(OlBuilder *builder, State *state, guint unit)
{
  const OlUnitHomes *homes = &builder->homes[unit];
  if (homes->accumulator == OL_NONE)
    return homes->gradient;
  OlDraft *cast = ol_builder_add_node(builder, OL_PART_STEP, OL_OP_CAST, OL_LANE_COMPUTE,
                                      OL_PAYLOAD_GRADIENTS, unit, OL_NONE);
  guint slot = ol_ring_take(&state->cast);
  cast->operands.buffer[OL_OPERAND_ACCUMULATOR] = homes->accumulator;
  cast->operands.buffer[OL_OPERAND_GRADIENT] = slot;
  return slot;
}

static void unit_ready(OlBuilder *builder, gpointer data, guint unit)
{
  State *state = data;
  const OlUnitHomes *homes = &builder->homes[unit];
  guint64 bytes = ol_builder_wire_bytes(builder, unit);
  int gradient = homes->gradient, accumulator = homes->accumulator;
  gboolean down = gradients_come_down(builder);
  if (down) {
    guint source = wire_gradient(builder, state, unit);
    gradient = ol_ring_take(&state->gradients);
    OlDraft *copy = ol_builder_add_copy(builder, OL_LANE_GPU_TO_HOST, OL_PAYLOAD_GRADIENTS, unit,
                                        OL_NONE, source, gradient, bytes);
    if (accumulator != OL_NONE)
      ol_builder_await_drain(builder, OL_LANE_COMPUTE, copy);
    accumulator = OL_NONE;
  }
  guint slot = ol_ring_take(&state->weights);
  OlDraft *update =
      ol_builder_add_update(builder, OL_LANE_HOST_UPDATE, unit, gradient, accumulator, slot);
  if (down)
    ol_builder_await_drain(builder, OL_LANE_GPU_TO_HOST, update);
  OlDraft *up = ol_builder_add_copy(builder, OL_LANE_HOST_TO_GPU, OL_PAYLOAD_WEIGHTS, unit, OL_NONE,
                                    slot, homes->weights, bytes);
  ol_builder_await_drain(builder, OL_LANE_HOST_UPDATE, up);
}

static void clear(gpointer data)
{
  State *state = data;
  ol_ring_clear(&state->cast);
  ol_ring_clear(&state->gradients);
  ol_ring_clear(&state->weights);
}

const OlUpdatePath ol_update_on_host = {declare, unit_ready, NULL, clear, sizeof(State)};
