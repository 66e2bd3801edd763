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
  for (guint i = 0; i < G_N_ELEMENTS(payloads); i++)
    for (guint u = 0; u < builder->shape->n_units; u++)
      if (state_home(&builder->homes[u], payloads[i]) != OL_NONE)
        ol_carrier_init(&updates->states[i], builder, payloads[i], sizeof(float),
                        ol_builder_states_tier(builder, u), ol_builder_update_tier(builder, u),
                        FALSE);
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

guint ol_updates_add(OlUpdates *updates, OlBuilder *builder, const OlFinished *finished, int norms,
                     OlWeightsPath *weights, guint unit)
{
  const OlUnitHomes *homes = &builder->homes[unit];
  OlTier home = ol_builder_states_tier(builder, unit), at = ol_builder_update_tier(builder, unit);
  guint64 bytes = builder->shape->units[unit].parameters * sizeof(float);
  OlTrip trips[G_N_ELEMENTS(payloads)];

  for (guint i = 0; i < G_N_ELEMENTS(payloads); i++) {
    int state = state_home(homes, payloads[i]);
    if (state != OL_NONE)
      ol_carrier_bring(&updates->states[i], builder, unit, OL_NONE, bytes, state, home, at, OL_NONE,
                       -1, &trips[i]);
  }
  guint out = ol_weights_take_out(weights, builder, unit);
  OlDraft *draft = add_update_node(builder, finished, norms, unit, trips, out);
  if (finished->filler >= 0)
    ol_builder_await_drain(builder, finished->filler, draft);
  for (guint i = 0; i < G_N_ELEMENTS(payloads); i++)
    if (state_home(homes, payloads[i]) != OL_NONE)
      ol_carrier_return(&updates->states[i], builder, unit, bytes, at, home, ol_update_lane(at),
                        &trips[i]);
  return out;
}
