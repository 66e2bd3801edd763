/* Weights: computed with on the GPU, at home where the placement says. Away from home they are
 * fetched per unit before each forward and backward, into a ring, and nothing is kept. */
#include "engine/plan/builder.h"

/* Tiers that updates run on, and so write new weights on. */
static const OlTier update_tiers[] = {OL_TIER_GPU, OL_TIER_HOST};

static gboolean is_updated_on(const OlBuilder *builder, OlTier tier)
{
  for (guint u = 0; u < builder->shape->n_units; u++)
    if (ol_builder_update_tier(builder, u) == tier)
      return TRUE;
  return FALSE;
}

void ol_weights_init(OlWeightsPath *path, OlBuilder *builder)
{
  guint e = builder->shape->element_bytes;
  OlTier home = builder->config->placement.weights;
  gboolean delayed = builder->config->optimizer.delayed;
  ol_carrier_init(&path->up, builder, OL_PAYLOAD_WEIGHTS, e, home, OL_TIER_GPU, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS(update_tiers); i++) {
    OlTier tier = update_tiers[i];
    if ((tier == home && !delayed) || !is_updated_on(builder, tier))
      continue;
    ol_ring_init_at_least(&path->out[tier], builder, tier, OL_PAYLOAD_WEIGHTS,
                          ol_shape_largest_unit(builder->shape) * e,
                          delayed ? builder->shape->n_units : 1);
    ol_carrier_init(&path->home[tier], builder, OL_PAYLOAD_WEIGHTS, e, tier, home, TRUE);
  }
}

void ol_weights_clear(OlWeightsPath *path)
{
  ol_carrier_clear(&path->up);
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    ol_carrier_clear(&path->home[tier]);
    ol_ring_clear(&path->out[tier]);
  }
}

guint ol_weights_fetch(OlWeightsPath *path, OlBuilder *builder, guint unit, int micro_batch)
{
  OlTier home = builder->config->placement.weights;
  OlTrip trip;
  ol_carrier_bring(&path->up, builder, unit, micro_batch, ol_builder_wire_bytes(builder, unit),
                   builder->homes[unit].weights, home, OL_TIER_GPU, OL_NONE, -1, &trip);
  return trip.stop[OL_TIER_GPU];
}

guint ol_weights_take_out(OlWeightsPath *path, OlBuilder *builder, guint unit)
{
  OlTier tier = ol_builder_update_tier(builder, unit);
  if (builder->config->optimizer.delayed)
    return g_array_index(path->out[tier].slots, guint, unit);
  if (tier == builder->config->placement.weights)
    return builder->homes[unit].weights;
  return ol_ring_take(&path->out[tier]);
}

void ol_weights_deliver(OlWeightsPath *path, OlBuilder *builder, guint unit, guint out)
{
  OlTier tier = ol_builder_update_tier(builder, unit), home = builder->config->placement.weights;
  if (tier == home) {
    /* Written at home already; or, delayed, beside it until the old weights are no longer read. */
    if ((int)out != builder->homes[unit].weights)
      ol_builder_add_copy(builder, ol_update_lane(tier), OL_PAYLOAD_WEIGHTS, unit, OL_NONE, out,
                          builder->homes[unit].weights, 0);
    return;
  }
  OlTrip trip;
  ol_carrier_bring(&path->home[tier], builder, unit, OL_NONE, ol_builder_wire_bytes(builder, unit),
                   out, tier, home, builder->homes[unit].weights, ol_update_lane(tier), &trip);
}
