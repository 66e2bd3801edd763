/* What a unit keeps from its forward to its backward, and where.
 *
 * On the GPU: transients of the compute lane. On the host: what a block keeps (with full recompute,
 * the block's input) is copied down after its forward and up again before its backward, through
 * rings on the GPU. Blocks only: the embedding keeps token ids, the head is used at once. */
#include "engine/plan/builder.h"

static gboolean is_block(const OlBuilder *builder, guint unit)
{
  return builder->shape->units[unit].kind == OL_UNIT_BLOCK;
}

static gboolean parks(const OlBuilder *builder, OlParked parked)
{
  OlParked what =
      builder->config->recompute == OL_RECOMPUTE_FULL ? OL_PARKED_BOUNDARY : OL_PARKED_INNER;
  return builder->config->placement.activations == OL_TIER_HOST && parked == what;
}

gboolean ol_activations_are_parked(const OlBuilder *builder, guint unit, OlParked parked)
{
  if (!parks(builder, parked))
    return FALSE;
  return parked == OL_PARKED_INNER ? is_block(builder, unit) : !ol_builder_is_last(builder, unit);
}

guint64 ol_activations_inner_bytes(const OlBuilder *builder, guint unit)
{
  guint64 all = ol_shape_inner_bytes(builder->shape, unit);
  gboolean apart = builder->config->recompute == OL_RECOMPUTE_SELECTIVE && is_block(builder, unit);
  return apart ? all - ol_shape_probabilities_bytes(builder->shape, unit) : all;
}

static guint64 parked_bytes(const OlBuilder *builder, guint unit)
{
  return parks(builder, OL_PARKED_INNER) ? ol_activations_inner_bytes(builder, unit)
                                         : ol_shape_boundary_bytes(builder->shape, unit);
}

static gboolean is_parked(const OlBuilder *builder, guint unit)
{
  return ol_activations_are_parked(builder, unit, OL_PARKED_INNER) ||
         ol_activations_are_parked(builder, unit, OL_PARKED_BOUNDARY);
}

static guint in_flight(const OlBuilder *builder, guint unit)
{
  guint chunk = (guint)(ol_builder_chunk_of(builder, unit) - builder->chunks);
  return ol_turns_in_flight(builder->turns, builder->stage, chunk);
}

static GArray *add_homes(OlBuilder *builder, guint unit)
{
  GArray *homes = g_array_new(FALSE, FALSE, sizeof(guint));
  guint n = in_flight(builder, unit);
  for (guint i = 0; i < n; i++) {
    guint home = ol_builder_add_buffer(builder, OL_TIER_HOST, OL_PAYLOAD_ACTIVATIONS,
                                       OL_BUFFER_HOME, parked_bytes(builder, unit));
    g_array_append_val(homes, home);
  }
  return homes;
}

static guint parking_home(const OlActivations *activations, guint unit, guint micro_batch)
{
  const GArray *homes = activations->parked[unit];
  return g_array_index(homes, guint, micro_batch % homes->len);
}

static void declare_parking(OlActivations *activations, OlBuilder *builder)
{
  guint64 largest = 0;
  for (guint i = 0; i < builder->n_units; i++) {
    guint u = builder->units[i];
    if (!is_parked(builder, u))
      continue;
    activations->parked[u] = add_homes(builder, u);
    largest = MAX(largest, parked_bytes(builder, u));
  }
  if (largest == 0)
    return;
  /* A block reads its input from one boundary slot while it writes its output to another. */
  guint at_least = parks(builder, OL_PARKED_BOUNDARY) ? 2 : 1;
  ol_ring_init_at_least(&activations->down, builder, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, largest,
                        at_least);
  ol_ring_init(&activations->up, builder, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, largest);
}

void ol_activations_init(OlActivations *activations, OlBuilder *builder)
{
  guint n = builder->shape->n_units;
  activations->in_flight = 0;
  for (guint c = 0; c < builder->config->parallel.chunks; c++)
    activations->in_flight =
        MAX(activations->in_flight, ol_turns_in_flight(builder->turns, builder->stage, c));
  activations->kept = g_new0(OlKept, activations->in_flight);
  for (guint i = 0; i < activations->in_flight; i++) {
    OlKept *kept = &activations->kept[i];
    kept->boundary = g_new(int, n);
    kept->inner = g_new(int, n);
    kept->d_boundary = g_new(int, n);
  }
  activations->n_units = n;
  activations->parked = g_new0(GArray *, n);
  declare_parking(activations, builder);
}

void ol_activations_clear(OlActivations *activations)
{
  for (guint i = 0; i < activations->in_flight; i++) {
    g_free(activations->kept[i].boundary);
    g_free(activations->kept[i].inner);
    g_free(activations->kept[i].d_boundary);
  }
  for (guint u = 0; u < activations->n_units; u++)
    g_clear_pointer(&activations->parked[u], g_array_unref);
  g_clear_pointer(&activations->parked, g_free);
  g_clear_pointer(&activations->kept, g_free);
  ol_ring_clear(&activations->down);
  ol_ring_clear(&activations->up);
}

OlKept *ol_activations_of(OlActivations *activations, guint micro_batch)
{
  return &activations->kept[micro_batch % activations->in_flight];
}

void ol_activations_park_unit(OlActivations *activations, OlBuilder *builder, guint unit,
                              guint micro_batch, guint slot)
{
  guint home = parking_home(activations, unit, micro_batch);
  OlDraft *down =
      ol_builder_add_copy(builder, OL_LANE_GPU_TO_HOST, OL_PAYLOAD_ACTIVATIONS, unit, micro_batch,
                          slot, home, ol_bytes_all(parked_bytes(builder, unit)));
  ol_builder_await_drain(builder, OL_LANE_COMPUTE, down);
}

guint ol_activations_fetch_unit(OlActivations *activations, OlBuilder *builder, guint unit,
                                guint micro_batch)
{
  guint home = parking_home(activations, unit, micro_batch);
  guint slot = ol_ring_take(&activations->up);
  ol_builder_add_copy(builder, OL_LANE_HOST_TO_GPU, OL_PAYLOAD_ACTIVATIONS, unit, micro_batch, home,
                      slot, ol_bytes_all(parked_bytes(builder, unit)));
  return slot;
}
