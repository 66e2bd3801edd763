#include "engine/plan/builder.h"

gboolean ol_builder_is_fp32(const OlBuilder *builder)
{
  return builder->config->precision == OL_PRECISION_FP32;
}

guint64 ol_builder_wire_bytes(const OlBuilder *builder, guint unit)
{
  return builder->shape->units[unit].parameters * builder->shape->element_bytes;
}

guint ol_builder_add_buffer(OlBuilder *builder, OlTier tier, OlPayload payload, OlBufferKind kind,
                            guint64 bytes)
{
  OlGraphBuffer buffer = {builder->rank, tier, payload, kind, bytes};
  return ol_graph_add_buffer(builder->plan->graph, &buffer);
}

void ol_ring_init(OlRing *ring, OlBuilder *builder, OlTier tier, OlPayload payload,
                  guint bytes_per_parameter)
{
  guint n = MIN(builder->config->overlap.prefetch + 1, builder->shape->n_units);
  guint64 bytes = ol_shape_largest_unit(builder->shape) * bytes_per_parameter;
  ring->next = 0;
  ring->slots = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint i = 0; i < n; i++) {
    guint id = ol_builder_add_buffer(builder, tier, payload, OL_BUFFER_SLOT, bytes);
    g_array_append_val(ring->slots, id);
  }
}

void ol_ring_clear(OlRing *ring)
{
  g_clear_pointer(&ring->slots, g_array_unref);
}

guint ol_ring_take(OlRing *ring)
{
  return g_array_index(ring->slots, guint, ring->next++ % ring->slots->len);
}

OlDraft *ol_builder_add_node(OlBuilder *builder, OlPart part, OlOp op, OlLane lane,
                             OlPayload payload, int unit, int micro_batch)
{
  OlDraft *draft = g_new0(OlDraft, 1);
  draft->node.rank = builder->rank;
  draft->node.part = part;
  draft->node.op = op;
  draft->node.lane = lane;
  draft->node.payload = payload;
  draft->node.unit = unit;
  draft->node.micro_batch = micro_batch;
  for (int i = 0; i < OL_N_OPERANDS; i++)
    draft->operands.buffer[i] = OL_NONE;
  draft->gate = OL_NONE;
  if (part == OL_PART_STEP) {
    draft->gate = builder->lane_gate[lane];
    builder->lane_gate[lane] = OL_NONE;
  }
  g_ptr_array_add(builder->drafts, draft);
  return draft;
}

guint ol_draft_id(const OlBuilder *builder, const OlDraft *draft)
{
  /* The draft asked for is nearly always the newest. */
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
  OlDraft *draft =
      ol_builder_add_node(builder, OL_PART_STEP, OL_OP_COPY, lane, payload, unit, micro_batch);
  draft->node.bytes = bytes;
  draft->operands.buffer[OL_OPERAND_SOURCE] = source;
  draft->operands.buffer[OL_OPERAND_TARGET] = target;
  return draft;
}

void ol_builder_await_drain(OlBuilder *builder, OlLane filler, const OlDraft *drain)
{
  if (!builder->config->overlap.write_back)
    builder->lane_gate[filler] = ol_draft_id(builder, drain);
}

OlDraft *ol_builder_add_update(OlBuilder *builder, OlLane lane, guint unit, int gradient,
                               int accumulator, int weights_out)
{
  const OlUnitHomes *homes = &builder->homes[unit];
  OlDraft *draft = ol_builder_add_node(builder, OL_PART_STEP, OL_OP_UPDATE, lane, OL_PAYLOAD_MASTER,
                                       unit, OL_NONE);
  int *operand = draft->operands.buffer;
  /* In fp32 the weights are their own master. */
  operand[OL_OPERAND_MASTER] = ol_builder_is_fp32(builder) ? homes->weights : homes->master;
  operand[OL_OPERAND_MOMENT1] = homes->moment1;
  operand[OL_OPERAND_MOMENT2] = homes->moment2;
  operand[OL_OPERAND_GRADIENT] = accumulator == OL_NONE ? gradient : OL_NONE;
  operand[OL_OPERAND_ACCUMULATOR] = accumulator;
  operand[OL_OPERAND_WEIGHTS] = ol_builder_is_fp32(builder) ? OL_NONE : weights_out;
  return draft;
}
