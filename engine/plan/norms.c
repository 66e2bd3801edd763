/* Who makes which part of the clipping norm: every unit's chunks, once over all ranks. */
#include "engine/plan/builder.h"

static guint64 chunks_of(guint64 elements)
{
  return (elements + OL_SHARD_ALIGNMENT - 1) / OL_SHARD_ALIGNMENT;
}

guint64 ol_plan_norm_chunks(const OlShape *shape, guint unit)
{
  return chunks_of(shape->units[unit].parameters);
}

guint64 ol_plan_norm_place(const OlShape *shape, guint unit, guint slice)
{
  guint64 chunks = 0;
  for (guint u = 0; u < unit; u++)
    chunks += ol_plan_norm_chunks(shape, u) * shape->slices;
  return unit < shape->n_units ? chunks + slice * ol_plan_norm_chunks(shape, unit) : chunks;
}

static guint stage_of(const guint *first, guint stages, guint unit)
{
  guint stage = 0;
  while (stage + 1 < stages && unit >= first[stage + 1])
    stage++;
  return stage;
}

/* A unit's shards, or the whole of it by the first data rank where all have the same. Its sums
 * begin at `place`. */
static void append_slice(const OlPlan *plan, GArray *parts, guint unit, guint stage, guint slice,
                         guint64 place)
{
  const OlRunConfig *config = plan->config;
  gboolean sharded = ol_plan_is_sharded(config, OL_PAYLOAD_MASTER);
  guint owners = sharded ? config->parallel.data : 1;
  guint stride = config->parallel.pipeline * config->parallel.tensor;
  for (guint i = 0; i < owners; i++) {
    OlShard shard = ol_shape_shard(plan->shape, unit, owners, i);
    OlNormPart part = {.rank = i * stride + stage * config->parallel.tensor + slice,
                       .first = place + shard.first / OL_SHARD_ALIGNMENT,
                       .n = chunks_of(shard.count)};
    if (part.n > 0)
      g_array_append_val(parts, part);
  }
}

GArray *ol_plan_norm_parts(const OlPlan *plan)
{
  GArray *parts = g_array_new(FALSE, FALSE, sizeof(OlNormPart));
  guint ranks = plan->config->parallel.pipeline, stages = ranks * plan->config->parallel.chunks;
  g_autofree guint *first = g_new(guint, stages + 1);
  ol_stages_divide(plan->shape, stages, first);
  guint64 place = 0;
  for (guint u = 0; u < plan->shape->n_units; u++)
    for (guint slice = 0; slice < plan->shape->slices; slice++) {
      append_slice(plan, parts, u, stage_of(first, stages, u) % ranks, slice, place);
      place += ol_plan_norm_chunks(plan->shape, u);
    }
  return parts;
}

OlDraft *ol_builder_add_norm_exchange(OlBuilder *builder, guint norms)
{
  OlDraft *draft = ol_builder_add_node(builder, OL_OP_ALL_GATHER, OL_LANE_PEER, OL_PAYLOAD_STAGING,
                                       OL_NONE, OL_NONE);
  ol_builder_meet(builder, draft, OL_GROUP_WORLD);
  draft->operands.buffer[OL_OPERAND_NORMS] = (int)norms;
  return draft;
}

/* All units' sums but those that the rank makes itself. */
guint64 ol_norm_exchange_bytes(const OlBuilder *builder, guint data_index)
{
  gboolean sharded = ol_builder_is_sharded(builder, OL_PAYLOAD_MASTER);
  guint owners = sharded ? builder->config->parallel.data : 1;
  guint64 chunks = ol_plan_norm_place(builder->shape, builder->shape->n_units, 0);
  for (guint u = 0; u < builder->shape->n_units; u++) {
    gboolean makes = ol_builder_has_unit(builder, u) && data_index < owners;
    if (makes)
      chunks -= chunks_of(ol_shape_shard(builder->shape, u, owners, data_index).count);
  }
  return chunks * sizeof(double);
}
