/* Weights: computed with on the GPU, at home where the placement says. Away from home they are
 * fetched per unit before each forward and backward, into a ring, and nothing is kept. Sharded over
 * data ranks (ZeRO 3) they are gathered for each use; with sharded states but whole weights (ZeRO 1
 * and 2) the new shards are gathered once, into everybody's home. */
#include "engine/plan/builder.h"

/* Tiers that updates run on, and so write new weights on. */
static const OlTier update_tiers[] = {OL_TIER_GPU, OL_TIER_HOST};

static gboolean is_updated_on(const OlBuilder *builder, OlTier tier)
{
  for (guint i = 0; i < builder->n_units; i++)
    if (ol_builder_update_tier(builder, builder->units[i]) == tier)
      return TRUE;
  return FALSE;
}

static OlExtent extent_of_update(const OlBuilder *builder)
{
  return ol_builder_is_sharded(builder, OL_PAYLOAD_MASTER) ? OL_SHARDS : OL_WHOLE_UNITS;
}

/* Whether an update makes a shard of weights that every rank has whole. */
static gboolean must_spread(const OlBuilder *builder)
{
  return ol_builder_is_sharded(builder, OL_PAYLOAD_MASTER) &&
         !ol_builder_is_sharded(builder, OL_PAYLOAD_WEIGHTS);
}

/* Whether an update writes the home itself: unless that is on another tier, whole where the update
 * makes a shard (but fp32 weights, their own master, are updated in it), or read until later. */
static gboolean is_updated_at_home(const OlBuilder *builder, OlTier tier)
{
  return tier == builder->config->placement.weights && !builder->config->optimizer.delayed &&
         (!must_spread(builder) || ol_builder_is_fp32(builder));
}

/* What a rank updates of a unit's weights. */
static OlBytes update_bytes(const OlBuilder *builder, guint unit)
{
  return ol_builder_home_bytes(builder, OL_PAYLOAD_MASTER, unit, builder->shape->element_bytes);
}

void ol_weights_init(OlWeightsPath *path, OlBuilder *builder)
{
  guint e = builder->shape->element_bytes;
  OlTier home = builder->config->placement.weights;
  gboolean delayed = builder->config->optimizer.delayed;
  OlExtent extent = extent_of_update(builder);
  gboolean sharded = ol_builder_is_sharded(builder, OL_PAYLOAD_WEIGHTS);
  ol_carrier_init(&path->up, builder, OL_PAYLOAD_WEIGHTS, e, sharded ? OL_SHARDS : OL_WHOLE_UNITS,
                  home, OL_TIER_GPU, FALSE);
  if (sharded)
    ol_ring_init_for_units(&path->gathered, builder, OL_TIER_GPU, OL_PAYLOAD_WEIGHTS, e,
                           OL_WHOLE_UNITS);
  for (guint i = 0; i < G_N_ELEMENTS(update_tiers); i++) {
    OlTier tier = update_tiers[i];
    if (is_updated_at_home(builder, tier) || !is_updated_on(builder, tier))
      continue;
    if (delayed)
      ol_ring_init_at_least(&path->out[tier], builder, tier, OL_PAYLOAD_WEIGHTS,
                            ol_shape_largest_unit(builder->shape) * e, builder->n_units);
    else
      ol_ring_init_for_units(&path->out[tier], builder, tier, OL_PAYLOAD_WEIGHTS, e, extent);
    ol_carrier_init(&path->home[tier], builder, OL_PAYLOAD_WEIGHTS, e, extent, tier, home,
                    !must_spread(builder));
  }
}

void ol_weights_clear(OlWeightsPath *path)
{
  ol_carrier_clear(&path->up);
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    ol_carrier_clear(&path->home[tier]);
    ol_ring_clear(&path->out[tier]);
  }
  ol_ring_clear(&path->gathered);
}

guint ol_weights_fetch(OlWeightsPath *path, OlBuilder *builder, guint unit, int micro_batch)
{
  OlTier home = builder->config->placement.weights;
  gboolean sharded = ol_builder_is_sharded(builder, OL_PAYLOAD_WEIGHTS);
  OlBytes bytes =
      ol_builder_home_bytes(builder, OL_PAYLOAD_WEIGHTS, unit, builder->shape->element_bytes);
  OlTrip trip;
  ol_carrier_bring(&path->up, builder, unit, micro_batch, bytes, builder->homes[unit].weights, home,
                   OL_TIER_GPU, OL_NONE, -1, &trip);
  if (!sharded)
    return trip.stop[OL_TIER_GPU];
  guint whole = ol_ring_take(&path->gathered);
  ol_builder_add_collective(builder, OL_OP_ALL_GATHER, OL_PAYLOAD_WEIGHTS, unit, micro_batch,
                            trip.stop[OL_TIER_GPU], whole);
  return whole;
}

guint ol_weights_take_out(OlWeightsPath *path, OlBuilder *builder, guint unit)
{
  OlTier tier = ol_builder_update_tier(builder, unit);
  if (builder->config->optimizer.delayed)
    return g_array_index(path->out[tier].slots, guint, ol_builder_place_of(builder, unit));
  if (is_updated_at_home(builder, tier))
    return builder->homes[unit].weights;
  return ol_ring_take(&path->out[tier]);
}

/* Into the home of a rank that has as much of the weights as it updates. */
static void deliver_home(OlWeightsPath *path, OlBuilder *builder, guint unit, guint out)
{
  OlTier tier = ol_builder_update_tier(builder, unit), home = builder->config->placement.weights;
  if (tier == home) {
    /* Written at home already; or, delayed, beside it until the old weights are no longer read. */
    if ((int)out != builder->homes[unit].weights)
      ol_builder_add_copy(builder, ol_update_lane(tier), OL_PAYLOAD_WEIGHTS, unit, OL_NONE, out,
                          builder->homes[unit].weights, ol_bytes_all(0));
    return;
  }
  OlTrip trip;
  ol_carrier_bring(&path->home[tier], builder, unit, OL_NONE, update_bytes(builder, unit), out,
                   tier, home, builder->homes[unit].weights, ol_update_lane(tier), &trip);
}

/* Up to the GPU, and there into every rank's home; from a part of the home itself in fp32. */
static void spread(OlWeightsPath *path, OlBuilder *builder, guint unit, guint out)
{
  OlTier tier = ol_builder_update_tier(builder, unit);
  OlTrip trip;
  ol_carrier_bring(&path->home[tier], builder, unit, OL_NONE, update_bytes(builder, unit), out,
                   tier, OL_TIER_GPU, OL_NONE, ol_update_lane(tier), &trip);
  OlDraft *gather =
      ol_builder_add_collective(builder, OL_OP_ALL_GATHER, OL_PAYLOAD_WEIGHTS, unit, OL_NONE,
                                trip.stop[OL_TIER_GPU], builder->homes[unit].weights);
  ol_builder_await_drain(builder, tier == OL_TIER_GPU ? OL_LANE_COMPUTE : OL_LANE_HOST_TO_GPU,
                         gather);
}

void ol_weights_deliver(OlWeightsPath *path, OlBuilder *builder, guint unit, guint out)
{
  if (must_spread(builder))
    spread(path, builder, unit, out);
  else
    deliver_home(path, builder, unit, out);
}
