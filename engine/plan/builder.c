#include "engine/plan/builder.h"

#include <math.h>

gboolean ol_builder_is_fp32(const OlBuilder *builder)
{
  return builder->config->precision == OL_PRECISION_FP32;
}

guint64 ol_builder_wire_bytes(const OlBuilder *builder, guint unit)
{
  return builder->shape->units[unit].parameters * builder->shape->element_bytes;
}

/* The first units: their gradients are the last of a step, so theirs are the updates that nothing
 * would hide. */
static gboolean is_in_gpu_fraction(const OlBuilder *builder, guint unit)
{
  double units = builder->config->optimizer.gpu_fraction * builder->shape->n_units;
  return unit < (guint)llround(units);
}

OlTier ol_builder_states_tier(const OlBuilder *builder, guint unit)
{
  return is_in_gpu_fraction(builder, unit) ? OL_TIER_GPU : builder->config->placement.optimizer;
}

OlTier ol_builder_update_tier(const OlBuilder *builder, guint unit)
{
  gboolean on_gpu =
      is_in_gpu_fraction(builder, unit) || builder->config->optimizer.runs_on == OL_RUNS_ON_GPU;
  return on_gpu ? OL_TIER_GPU : OL_TIER_HOST;
}

guint64 ol_plan_norm_chunks(const OlShape *shape, guint unit)
{
  return (shape->units[unit].parameters + OL_NORM_CHUNK - 1) / OL_NORM_CHUNK;
}

OlLane ol_update_lane(OlTier tier)
{
  return tier == OL_TIER_GPU ? OL_LANE_COMPUTE : OL_LANE_HOST_UPDATE;
}

guint ol_builder_add_buffer(OlBuilder *builder, OlTier tier, OlPayload payload, OlBufferKind kind,
                            guint64 bytes)
{
  OlGraphBuffer buffer = {builder->rank, tier, payload, kind, bytes};
  return ol_graph_add_buffer(builder->plan->graph, &buffer);
}

void ol_ring_init(OlRing *ring, OlBuilder *builder, OlTier tier, OlPayload payload, guint64 bytes)
{
  ol_ring_init_at_least(ring, builder, tier, payload, bytes, 1);
}

void ol_ring_init_at_least(OlRing *ring, OlBuilder *builder, OlTier tier, OlPayload payload,
                           guint64 bytes, guint at_least)
{
  guint n = MIN(builder->config->overlap.prefetch + 1, builder->shape->n_units);
  n = MAX(n, at_least);
  ring->next = 0;
  ring->slots = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint i = 0; i < n; i++) {
    guint id = ol_builder_add_buffer(builder, tier, payload, OL_BUFFER_SLOT, bytes);
    g_array_append_val(ring->slots, id);
  }
}

void ol_ring_init_for_units(OlRing *ring, OlBuilder *builder, OlTier tier, OlPayload payload,
                            guint bytes_per_parameter)
{
  ol_ring_init(ring, builder, tier, payload,
               ol_shape_largest_unit(builder->shape) * bytes_per_parameter);
}

void ol_ring_clear(OlRing *ring)
{
  g_clear_pointer(&ring->slots, g_array_unref);
}

guint ol_ring_take(OlRing *ring)
{
  return g_array_index(ring->slots, guint, ring->next++ % ring->slots->len);
}

OlDraft *ol_builder_add_node(OlBuilder *builder, OlOp op, OlLane lane, OlPayload payload, int unit,
                             int micro_batch)
{
  OlDraft *draft = g_new0(OlDraft, 1);
  draft->node.rank = builder->rank;
  draft->node.part = builder->part;
  draft->node.op = op;
  draft->node.lane = lane;
  draft->node.payload = payload;
  draft->node.unit = unit;
  draft->node.micro_batch = micro_batch;
  for (int i = 0; i < OL_N_OPERANDS; i++)
    draft->operands.buffer[i] = OL_NONE;
  draft->gate = OL_NONE;
  if (builder->part == OL_PART_STEP) {
    draft->node.steps = builder->steps;
    draft->gate = builder->lane_gate[lane];
    builder->lane_gate[lane] = OL_NONE;
  }
  g_ptr_array_add(builder->drafts, draft);
  return draft;
}

/* The draft asked for is nearly always the newest. */
static guint draft_id(const OlBuilder *builder, const OlDraft *draft)
{
  for (guint i = builder->drafts->len; i-- > 0;)
    if (g_ptr_array_index(builder->drafts, i) == draft)
      return i;
  g_return_val_if_reached(0);
}

static void append_id(GArray **list, guint buffer)
{
  if (*list == NULL)
    *list = g_array_new(FALSE, FALSE, sizeof(guint));
  g_array_append_val(*list, buffer);
}

void ol_draft_acquire(OlDraft *draft, guint buffer)
{
  append_id(&draft->acquires, buffer);
}

void ol_draft_release(OlDraft *draft, guint buffer)
{
  append_id(&draft->releases, buffer);
}

OlDraft *ol_builder_add_copy(OlBuilder *builder, OlLane lane, OlPayload payload, int unit,
                             int micro_batch, guint source, guint target, guint64 bytes)
{
  OlDraft *draft = ol_builder_add_node(builder, OL_OP_COPY, lane, payload, unit, micro_batch);
  draft->node.bytes = bytes;
  draft->operands.buffer[OL_OPERAND_SOURCE] = source;
  draft->operands.buffer[OL_OPERAND_TARGET] = target;
  draft->operands.buffer[OL_OPERAND_STAGING] = builder->bounce[lane];
  return draft;
}

void ol_builder_await_drain(OlBuilder *builder, OlLane filler, const OlDraft *drain)
{
  if (!builder->config->overlap.write_back)
    builder->lane_gate[filler] = draft_id(builder, drain);
}
