#include "engine/plan/builder.h"

#include <math.h>

const OlChunk *ol_builder_chunk_of(const OlBuilder *builder, guint unit)
{
  guint c = builder->config->parallel.chunks - 1;
  while (c > 0 && unit < builder->chunks[c].first)
    c--;
  return &builder->chunks[c];
}

guint ol_builder_place_of(const OlBuilder *builder, guint unit)
{
  const OlChunk *chunk = ol_builder_chunk_of(builder, unit);
  return chunk->before + unit - chunk->first;
}

gboolean ol_builder_is_first(const OlBuilder *builder, guint unit)
{
  return unit == ol_builder_chunk_of(builder, unit)->first;
}

gboolean ol_builder_is_last(const OlBuilder *builder, guint unit)
{
  return unit + 1 == ol_builder_chunk_of(builder, unit)->end;
}

gboolean ol_builder_has_unit(const OlBuilder *builder, guint unit)
{
  const OlChunk *chunk = ol_builder_chunk_of(builder, unit);
  return unit >= chunk->first && unit < chunk->end;
}

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
  double units = builder->config->optimizer.gpu_fraction * builder->n_units;
  return ol_builder_place_of(builder, unit) < (guint)llround(units);
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

guint ol_plan_data_index(const OlRunConfig *config, guint rank)
{
  return rank / (config->parallel.pipeline * config->parallel.tensor);
}

guint ol_plan_slice(const OlRunConfig *config, guint rank)
{
  return rank % config->parallel.tensor;
}

gboolean ol_plan_is_sharded(const OlRunConfig *config, OlPayload payload)
{
  if (config->parallel.data == 1)
    return FALSE;
  switch (payload) {
  case OL_PAYLOAD_MASTER:
  case OL_PAYLOAD_MOMENT1:
  case OL_PAYLOAD_MOMENT2:
    return config->parallel.zero >= 1;
  case OL_PAYLOAD_GRADIENTS:
    return config->parallel.zero >= 2;
  case OL_PAYLOAD_WEIGHTS:
    return config->parallel.zero >= 3;
  default:
    return FALSE;
  }
}

/* What a rank updates is what it has the states of. */
static OlShard shard_of(const OlRunConfig *config, const OlShape *shape, guint rank, guint unit)
{
  gboolean sharded = ol_plan_is_sharded(config, OL_PAYLOAD_MASTER);
  return ol_shape_shard(shape, unit, sharded ? config->parallel.data : 1,
                        sharded ? ol_plan_data_index(config, rank) : 0);
}

OlShard ol_plan_shard(const OlPlan *plan, guint rank, guint unit)
{
  return shard_of(plan->config, plan->shape, rank, unit);
}

OlShard ol_builder_shard(const OlBuilder *builder, guint unit)
{
  return shard_of(builder->config, builder->shape, builder->rank, unit);
}

gboolean ol_builder_is_sharded(const OlBuilder *builder, OlPayload payload)
{
  return ol_plan_is_sharded(builder->config, payload);
}

gboolean ol_builder_has_replicas(const OlBuilder *builder)
{
  return builder->config->parallel.data > 1;
}

guint64 ol_builder_home_elements(const OlBuilder *builder, OlPayload payload, guint unit)
{
  return ol_builder_is_sharded(builder, payload) ? ol_builder_shard(builder, unit).padded
                                                 : builder->shape->units[unit].parameters;
}

OlBytes ol_bytes_all(guint64 bytes)
{
  return (OlBytes){.all = (gint64)bytes};
}

OlBytes ol_builder_home_bytes(const OlBuilder *builder, OlPayload payload, guint unit,
                              guint element_bytes)
{
  if (ol_builder_is_sharded(builder, payload))
    return (OlBytes){.each = element_bytes};
  return ol_bytes_all(builder->shape->units[unit].parameters * element_bytes);
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
  guint n = MIN(builder->config->overlap.prefetch + 1, builder->n_units);
  n = MAX(n, at_least);
  ring->next = 0;
  ring->slots = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint i = 0; i < n; i++) {
    guint id = ol_builder_add_buffer(builder, tier, payload, OL_BUFFER_SLOT, bytes);
    g_array_append_val(ring->slots, id);
  }
}

void ol_ring_init_for_units(OlRing *ring, OlBuilder *builder, OlTier tier, OlPayload payload,
                            guint bytes_per_parameter, OlExtent extent)
{
  guint64 largest = 0;
  for (guint i = 0; i < builder->n_units; i++) {
    guint u = builder->units[i];
    largest = MAX(largest, extent == OL_SHARDS ? ol_builder_shard(builder, u).padded
                                               : builder->shape->units[u].parameters);
  }
  ol_ring_init(ring, builder, tier, payload, largest * bytes_per_parameter);
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
                             int micro_batch, guint source, guint target, OlBytes bytes)
{
  OlDraft *draft = ol_builder_add_node(builder, OL_OP_COPY, lane, payload, unit, micro_batch);
  draft->bytes = bytes;
  draft->operands.buffer[OL_OPERAND_SOURCE] = source;
  draft->operands.buffer[OL_OPERAND_TARGET] = target;
  draft->operands.buffer[OL_OPERAND_STAGING] = builder->bounce[lane];
  return draft;
}

/* A number for each data group (by its first rank), for each tensor group (by stage), and one for
 * all ranks. */
void ol_builder_meet(OlBuilder *builder, OlDraft *draft, OlGroup group)
{
  guint stages = builder->config->parallel.pipeline, sheets = stages * builder->shape->slices;
  guint number = group == OL_GROUP_DATA     ? builder->rank
                 : group == OL_GROUP_TENSOR ? sheets + builder->stage
                                            : sheets + stages;
  draft->node.group = group;
  draft->node.meeting = 1 + number + (sheets + stages + 1) * builder->collectives[group]++;
}

OlDraft *ol_builder_add_collective(OlBuilder *builder, OlOp op, OlPayload payload, int unit,
                                   int micro_batch, guint source, guint target)
{
  OlDraft *draft = ol_builder_add_node(builder, op, OL_LANE_PEER, payload, unit, micro_batch);
  guint members = builder->config->parallel.data, e = builder->shape->element_bytes;
  /* What comes in from the others: its part of all other ranks' sums, and all parts but its own. */
  if (op != OL_OP_ALL_GATHER)
    draft->bytes.each += (gint64)e * (members - 1);
  if (op != OL_OP_REDUCE_SCATTER) {
    draft->bytes.all += (gint64)ol_builder_wire_bytes(builder, unit);
    draft->bytes.each -= e;
  }
  ol_builder_meet(builder, draft, OL_GROUP_DATA);
  draft->operands.buffer[OL_OPERAND_SOURCE] = source;
  draft->operands.buffer[OL_OPERAND_TARGET] = target;
  return draft;
}

void ol_builder_await_drain(OlBuilder *builder, OlLane filler, const OlDraft *drain)
{
  /* Fill and hash have no gates: what they leave open would hold the first step. */
  if (!builder->config->overlap.write_back && builder->part == OL_PART_STEP)
    builder->lane_gate[filler] = draft_id(builder, drain);
}
