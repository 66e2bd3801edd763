/* A payload on its way between tiers, a hop at a time: NVMe - host - GPU. */
#include "engine/plan/builder.h"

/* The next tier from `from` towards `to`: tiers are numbered from the GPU outwards. */
static OlTier next_stop(OlTier from, OlTier to)
{
  return from < to ? from + 1 : from - 1;
}

static OlLane hop_lane(OlTier from, OlTier to)
{
  if (from == OL_TIER_GPU)
    return OL_LANE_GPU_TO_HOST;
  if (to == OL_TIER_GPU)
    return OL_LANE_HOST_TO_GPU;
  return from == OL_TIER_NVME ? OL_LANE_NVME_READ : OL_LANE_NVME_WRITE;
}

void ol_carrier_init(OlCarrier *carrier, OlBuilder *builder, OlPayload payload,
                     guint bytes_per_parameter, OlExtent extent, OlTier from, OlTier to,
                     gboolean ends_in_home)
{
  carrier->payload = payload;
  while (from != to) {
    from = next_stop(from, to);
    if (carrier->at[from].slots == NULL && !(ends_in_home && from == to))
      ol_ring_init_for_units(&carrier->at[from], builder, from, payload, bytes_per_parameter,
                             extent);
  }
}

void ol_carrier_clear(OlCarrier *carrier)
{
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    ol_ring_clear(&carrier->at[tier]);
}

OlDraft *ol_carrier_hop(OlCarrier *carrier, OlBuilder *builder, guint unit, int micro_batch,
                        OlBytes bytes, OlTier from, OlTier to, guint source, guint target)
{
  return ol_builder_add_copy(builder, hop_lane(from, to), carrier->payload, unit, micro_batch,
                             source, target, bytes);
}

void ol_carrier_bring(OlCarrier *carrier, OlBuilder *builder, guint unit, int micro_batch,
                      OlBytes bytes, guint source, OlTier from, OlTier to, int home, int filler,
                      OlTrip *trip)
{
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    trip->stop[tier] = OL_NONE;
  trip->stop[from] = source;
  while (from != to) {
    OlTier next = next_stop(from, to);
    OlLane lane = hop_lane(from, next);
    trip->stop[next] = next == to && home != OL_NONE ? home : (int)ol_ring_take(&carrier->at[next]);
    OlDraft *copy = ol_builder_add_copy(builder, lane, carrier->payload, unit, micro_batch,
                                        trip->stop[from], trip->stop[next], bytes);
    if (filler >= 0) {
      ol_builder_await_drain(builder, filler, copy);
      filler = lane;
    }
    from = next;
  }
}

void ol_carrier_return(OlCarrier *carrier, OlBuilder *builder, guint unit, OlBytes bytes,
                       OlTier from, OlTier to, int filler, const OlTrip *trip)
{
  while (from != to) {
    OlTier next = next_stop(from, to);
    OlLane lane = hop_lane(from, next);
    OlDraft *copy = ol_builder_add_copy(builder, lane, carrier->payload, unit, OL_NONE,
                                        trip->stop[from], trip->stop[next], bytes);
    ol_builder_await_drain(builder, filler, copy);
    filler = lane;
    from = next;
  }
}
