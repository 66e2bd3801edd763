/* Homes: where bytes live for the whole run. They are filled before the first step, and weights and
 * masters are hashed after the last. */
#include "engine/plan/builder.h"

/* What a fill or a hash of a home that is not on the host passes through on the host, a piece at a
 * time. */
#define STAGING_BYTES (64u << 10)
/* What a pageable copy passes through, as in CUDA: a piece at a time, one slot a direction. */
#define BOUNCE_BYTES (256u << 10)

static int add_home(OlBuilder *builder, OlTier tier, OlPayload payload, guint unit,
                    guint bytes_per_parameter)
{
  guint64 bytes = ol_builder_home_elements(builder, payload, unit) * bytes_per_parameter;
  return ol_builder_add_buffer(builder, tier, payload, OL_BUFFER_HOME, bytes);
}

static guint add_staging(OlBuilder *builder, guint64 bytes)
{
  return ol_builder_add_buffer(builder, OL_TIER_HOST, OL_PAYLOAD_STAGING, OL_BUFFER_SLOT, bytes);
}

void ol_homes_declare(OlBuilder *builder)
{
  const OlRunConfig *config = builder->config;
  guint e = builder->shape->element_bytes;
  gboolean sums = config->batch.micro_batches > 1;
  for (guint i = 0; i < builder->n_units; i++) {
    guint u = builder->units[i];
    OlUnitHomes *homes = &builder->homes[u];
    *homes = (OlUnitHomes){OL_NONE, OL_NONE, OL_NONE, OL_NONE, OL_NONE, OL_NONE};
    homes->weights = add_home(builder, config->placement.weights, OL_PAYLOAD_WEIGHTS, u, e);
    int gradient = add_home(builder, config->placement.gradients, OL_PAYLOAD_GRADIENTS, u,
                            sums ? sizeof(float) : e);
    *(sums ? &homes->accumulator : &homes->gradient) = gradient;
    OlTier states = ol_builder_states_tier(builder, u);
    if (!ol_builder_is_fp32(builder))
      homes->master = add_home(builder, states, OL_PAYLOAD_MASTER, u, sizeof(float));
    homes->moment1 = add_home(builder, states, OL_PAYLOAD_MOMENT1, u, sizeof(float));
    homes->moment2 = add_home(builder, states, OL_PAYLOAD_MOMENT2, u, sizeof(float));
  }
  builder->staging = add_staging(builder, STAGING_BYTES);
  for (int lane = 0; lane < OL_N_LANES; lane++) {
    gboolean over_pcie = lane == OL_LANE_GPU_TO_HOST || lane == OL_LANE_HOST_TO_GPU;
    builder->bounce[lane] =
        over_pcie && !config->overlap.pinned ? (int)add_staging(builder, BOUNCE_BYTES) : OL_NONE;
  }
}

/* Fills and hashes of what does not lie on the host cross a link, a piece at a time. */
static OlLane lane_to(OlTier tier)
{
  return tier == OL_TIER_GPU    ? OL_LANE_HOST_TO_GPU
         : tier == OL_TIER_NVME ? OL_LANE_NVME_WRITE
                                : OL_LANE_HOST_UPDATE;
}

static OlLane lane_from(OlTier tier)
{
  return tier == OL_TIER_GPU    ? OL_LANE_GPU_TO_HOST
         : tier == OL_TIER_NVME ? OL_LANE_NVME_READ
                                : OL_LANE_HOST_UPDATE;
}

/* A home's bytes without the padding of a shard. */
static OlBytes filled_bytes(const OlBuilder *builder, const OlGraphBuffer *buffer, guint unit)
{
  guint64 elements = ol_builder_home_elements(builder, buffer->payload, unit);
  return ol_builder_home_bytes(builder, buffer->payload, unit, (guint)(buffer->bytes / elements));
}

static void fill(OlBuilder *builder, int home, guint unit)
{
  if (home == OL_NONE)
    return;
  const OlGraphBuffer *buffer = ol_graph_buffer(builder->plan->graph, home);
  OlPayload payload = buffer->payload;
  /* A GPU clears its own memory; nothing crosses the link for it. */
  gboolean zeros = payload == OL_PAYLOAD_MOMENT1 || payload == OL_PAYLOAD_MOMENT2;
  gboolean travels = buffer->tier == OL_TIER_NVME || (buffer->tier == OL_TIER_GPU && !zeros);
  OlBytes bytes = filled_bytes(builder, buffer, unit);
  OlDraft *draft =
      ol_builder_add_node(builder, OL_OP_FILL, lane_to(buffer->tier), payload, unit, OL_NONE);
  draft->operands.buffer[OL_OPERAND_TARGET] = home;
  if (travels) {
    draft->operands.buffer[OL_OPERAND_STAGING] = builder->staging;
    draft->bytes = bytes;
  }
}

void ol_homes_fill(OlBuilder *builder)
{
  for (guint i = 0; i < builder->n_units; i++) {
    guint u = builder->units[i];
    const OlUnitHomes *homes = &builder->homes[u];
    fill(builder, homes->weights, u);
    fill(builder, homes->master, u);
    fill(builder, homes->moment1, u);
    fill(builder, homes->moment2, u);
  }
}

static void hash(OlBuilder *builder, int home, guint unit)
{
  if (home == OL_NONE)
    return;
  const OlGraphBuffer *buffer = ol_graph_buffer(builder->plan->graph, home);
  gboolean travels = buffer->tier != OL_TIER_HOST;
  OlBytes bytes = filled_bytes(builder, buffer, unit);
  OlDraft *draft = ol_builder_add_node(builder, OL_OP_HASH, lane_from(buffer->tier),
                                       buffer->payload, unit, OL_NONE);
  draft->operands.buffer[OL_OPERAND_SOURCE] = home;
  if (travels) {
    draft->operands.buffer[OL_OPERAND_STAGING] = builder->staging;
    draft->bytes = bytes;
  }
}

void ol_homes_hash(OlBuilder *builder)
{
  for (guint i = 0; i < builder->n_units; i++) {
    guint u = builder->units[i];
    hash(builder, builder->homes[u].master, u);
    hash(builder, builder->homes[u].weights, u);
  }
}
