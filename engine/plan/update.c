/* One unit's update: states brought to where it runs and taken back. Where they lie at home
 * already, only the update itself is left. On the host: ZeRO-Offload (2101.06840 section 4); states
 * on NVMe: ZeRO-Infinity (2104.07857 section 5). */
#include "engine/plan/builder.h"

static const OlPayload payloads[] = {OL_PAYLOAD_MASTER, OL_PAYLOAD_MOMENT1, OL_PAYLOAD_MOMENT2};
static const OlOperand operands[] = {OL_OPERAND_MASTER, OL_OPERAND_MOMENT1, OL_OPERAND_MOMENT2};

static int state_home(const OlUnitHomes *homes, OlPayload payload)
{
  switch (payload) {
  case OL_PAYLOAD_MASTER:
    return homes->master;
  case OL_PAYLOAD_MOMENT1:
    return homes->moment1;
  default:
    return homes->moment2;
  }
}

void ol_updates_init(OlUpdates *updates, OlBuilder *builder)
{
  OlExtent extent = ol_builder_is_sharded(builder, OL_PAYLOAD_MASTER) ? OL_SHARDS : OL_WHOLE_UNITS;
  for (guint i = 0; i < G_N_ELEMENTS(payloads); i++)
    for (guint n = 0; n < builder->n_units; n++) {
      guint u = builder->units[n];
      if (state_home(&builder->homes[u], payloads[i]) != OL_NONE)
        ol_carrier_init(&updates->states[i], builder, payloads[i], sizeof(float), extent,
                        ol_builder_states_tier(builder, u), ol_builder_update_tier(builder, u),
                        FALSE);
    }
  /* Only a drive is worth saving from: what lives in host memory stays there anyway. */
  const OlRunConfig *config = builder->config;
  const GArray *slots = updates->states[1].at[OL_TIER_HOST].slots;
  while (updates->on_gpu < builder->n_units &&
         ol_builder_states_tier(builder, builder->units[updates->on_gpu]) == OL_TIER_GPU)
    updates->on_gpu++;
  if (config->overlap.order == OL_UNIT_ORDER_ALTERNATE &&
      config->placement.optimizer == OL_TIER_NVME && slots)
    updates->resident = MIN(slots->len, builder->n_units - updates->on_gpu);
}

void ol_updates_clear(OlUpdates *updates)
{
  for (guint i = 0; i < G_N_ELEMENTS(payloads); i++)
    ol_carrier_clear(&updates->states[i]);
}

static OlDraft *add_update_node(OlBuilder *builder, const OlFinished *finished, int norms,
                                guint unit, const OlTrip *trips, guint out)
{
  const OlUnitHomes *homes = &builder->homes[unit];
  OlTier at = ol_builder_update_tier(builder, unit);
  OlDraft *draft = ol_builder_add_node(builder, OL_OP_UPDATE, ol_update_lane(at), OL_PAYLOAD_MASTER,
                                       unit, OL_NONE);
  int *operand = draft->operands.buffer;
  for (guint i = 0; i < G_N_ELEMENTS(payloads); i++)
    if (state_home(homes, payloads[i]) != OL_NONE)
      operand[operands[i]] = trips[i].stop[at];
  operand[OL_OPERAND_GRADIENT] = finished->gradient;
  operand[OL_OPERAND_ACCUMULATOR] = finished->accumulator;
  operand[OL_OPERAND_NORMS] = norms;
  operand[ol_builder_is_fp32(builder) ? OL_OPERAND_MASTER : OL_OPERAND_WEIGHTS] = out;
  return draft;
}

/* Where a unit's states come from in this step, or go to: their home, or the host slot in which
 * they stay between two steps. With alternating order every unit has a slot of its own. */
typedef struct {
  OlTier tier;
  gboolean is_slot;
} Place;

static int host_slot(const OlUpdates *updates, const OlBuilder *builder, guint payload, guint unit)
{
  const GArray *slots = updates->states[payload].at[OL_TIER_HOST].slots;
  guint place = ol_builder_place_of(builder, unit);
  return slots ? (int)g_array_index(slots, guint, place % slots->len) : OL_NONE;
}

/* Of those whose states come and go, the units updated first in a step are the last of the step
 * before. */
static Place place_of(const OlUpdates *updates, const OlBuilder *builder, guint unit,
                      gboolean afterwards)
{
  guint n = builder->n_units - updates->on_gpu, place = ol_builder_place_of(builder, unit);
  if (place < updates->on_gpu)
    return (Place){OL_TIER_GPU, FALSE};
  guint turn =
      builder->steps == OL_STEPS_ODD ? place - updates->on_gpu : builder->n_units - 1 - place;
  gboolean resident = afterwards ? turn + updates->resident >= n : turn < updates->resident;
  return resident ? (Place){OL_TIER_HOST, TRUE}
                  : (Place){builder->config->placement.optimizer, FALSE};
}

static void bring_states(OlUpdates *updates, OlBuilder *builder, guint unit, OlTrip *trips)
{
  OlBytes bytes = ol_builder_home_bytes(builder, OL_PAYLOAD_MASTER, unit, sizeof(float));
  OlTier at = ol_builder_update_tier(builder, unit);
  Place from = place_of(updates, builder, unit, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS(payloads); i++) {
    int home = state_home(&builder->homes[unit], payloads[i]);
    if (home == OL_NONE)
      continue;
    OlCarrier *carrier = &updates->states[i];
    if (updates->resident > 0)
      /* So that the next slot is its own. */
      carrier->at[OL_TIER_HOST].next = ol_builder_place_of(builder, unit);
    guint source = (guint)(from.is_slot ? host_slot(updates, builder, i, unit) : home);
    ol_carrier_bring(carrier, builder, unit, OL_NONE, bytes, source, from.tier, at, OL_NONE, -1,
                     &trips[i]);
  }
}

static void return_states(OlUpdates *updates, OlBuilder *builder, guint unit, OlTrip *trips)
{
  OlBytes bytes = ol_builder_home_bytes(builder, OL_PAYLOAD_MASTER, unit, sizeof(float));
  OlTier at = ol_builder_update_tier(builder, unit);
  Place to = place_of(updates, builder, unit, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS(payloads); i++) {
    int home = state_home(&builder->homes[unit], payloads[i]);
    if (home == OL_NONE)
      continue;
    if (!to.is_slot)
      trips[i].stop[to.tier] = home;
    ol_carrier_return(&updates->states[i], builder, unit, bytes, at, to.tier, ol_update_lane(at),
                      &trips[i]);
  }
}

guint ol_updates_add(OlUpdates *updates, OlBuilder *builder, const OlFinished *finished, int norms,
                     OlWeightsPath *weights, guint unit)
{
  OlTrip trips[G_N_ELEMENTS(payloads)];
  bring_states(updates, builder, unit, trips);
  guint out = ol_weights_take_out(weights, builder, unit);
  OlDraft *draft = add_update_node(builder, finished, norms, unit, trips, out);
  if (finished->filler >= 0)
    ol_builder_await_drain(builder, finished->filler, draft);
  return_states(updates, builder, unit, trips);
  return out;
}

guint ol_updates_nth(const OlBuilder *builder, guint n)
{
  return builder->units[builder->steps == OL_STEPS_ODD ? n : builder->n_units - 1 - n];
}

static void move_states(OlUpdates *updates, OlBuilder *builder, guint unit, gboolean home)
{
  OlBytes bytes = ol_builder_home_bytes(builder, OL_PAYLOAD_MASTER, unit, sizeof(float));
  for (guint i = 0; i < G_N_ELEMENTS(payloads); i++) {
    guint on_drive = (guint)state_home(&builder->homes[unit], payloads[i]);
    guint slot = (guint)host_slot(updates, builder, i, unit);
    if (home)
      ol_carrier_hop(&updates->states[i], builder, unit, OL_NONE, bytes, OL_TIER_HOST, OL_TIER_NVME,
                     slot, on_drive);
    else
      ol_carrier_hop(&updates->states[i], builder, unit, OL_NONE, bytes, OL_TIER_NVME, OL_TIER_HOST,
                     on_drive, slot);
  }
}

/* The unit whose states are the n-th to come and go in the steps that are being added. */
static guint streamed_nth(const OlUpdates *updates, const OlBuilder *builder, guint n)
{
  return ol_updates_nth(builder, builder->steps == OL_STEPS_ODD ? updates->on_gpu + n : n);
}

void ol_updates_fill(OlUpdates *updates, OlBuilder *builder)
{
  for (guint n = 0; n < updates->resident; n++)
    move_states(updates, builder, streamed_nth(updates, builder, n), FALSE);
}

void ol_updates_flush(OlUpdates *updates, OlBuilder *builder)
{
  guint streamed = builder->n_units - updates->on_gpu;
  for (guint n = streamed - updates->resident; n < streamed; n++)
    move_states(updates, builder, streamed_nth(updates, builder, n), TRUE);
}
