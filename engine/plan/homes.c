/* Homes: where bytes live for the whole run. They are filled before the first step, and weights and
 * masters are hashed after the last. */
#include "engine/plan/builder.h"

/* What a fill or a hash of a GPU home passes through on the host, a piece at a time. */
#define STAGING_BYTES (64u << 10)

static int add_home(OlBuilder *builder, OlTier tier, OlPayload payload, guint unit,
                    guint bytes_per_parameter)
{
  guint64 bytes = builder->shape->units[unit].parameters * bytes_per_parameter;
  return ol_builder_add_buffer(builder, tier, payload, OL_BUFFER_HOME, bytes);
}

void ol_homes_declare(OlBuilder *builder)
{
  const OlRunConfig *config = builder->config;
  guint e = builder->shape->element_bytes;
  gboolean sums = config->batch.micro_batches > 1;
  /* One micro-batch on the host needs no sum: the gradient arrives in its bf16 home. */
  for (guint u = 0; u < builder->shape->n_units; u++) {
    OlUnitHomes *homes = &builder->homes[u];
    *homes = (OlUnitHomes){OL_NONE, OL_NONE, OL_NONE, OL_NONE, OL_NONE, OL_NONE};
    homes->weights = add_home(builder, config->placement.weights, OL_PAYLOAD_WEIGHTS, u, e);
    int gradient = add_home(builder, config->placement.gradients, OL_PAYLOAD_GRADIENTS, u,
                            sums ? sizeof(float) : e);
    *(sums ? &homes->accumulator : &homes->gradient) = gradient;
    OlTier states = config->placement.optimizer;
    if (!ol_builder_is_fp32(builder))
      homes->master = add_home(builder, states, OL_PAYLOAD_MASTER, u, sizeof(float));
    homes->moment1 = add_home(builder, states, OL_PAYLOAD_MOMENT1, u, sizeof(float));
    homes->moment2 = add_home(builder, states, OL_PAYLOAD_MOMENT2, u, sizeof(float));
  }
  builder->staging = ol_builder_add_buffer(builder, OL_TIER_HOST, OL_PAYLOAD_STAGING,
                                           OL_BUFFER_SLOT, STAGING_BYTES);
}

static void fill(OlBuilder *builder, int home, guint unit)
{
  if (home == OL_NONE)
    return;
  const OlGraphBuffer *buffer = ol_graph_buffer(builder->plan->graph, home);
  OlPayload payload = buffer->payload;
  gboolean on_gpu = buffer->tier == OL_TIER_GPU;
  gboolean zeros = payload == OL_PAYLOAD_MOMENT1 || payload == OL_PAYLOAD_MOMENT2;
  OlDraft *draft = ol_builder_add_node(builder, OL_PART_FILL, OL_OP_FILL,
                                       on_gpu ? OL_LANE_HOST_TO_GPU : OL_LANE_HOST_UPDATE, payload,
                                       unit, OL_NONE);
  draft->operands.buffer[OL_OPERAND_TARGET] = home;
  if (on_gpu && !zeros) {
    draft->operands.buffer[OL_OPERAND_STAGING] = builder->staging;
    draft->node.bytes = buffer->bytes;
  }
}

void ol_homes_fill(OlBuilder *builder)
{
  for (guint u = 0; u < builder->shape->n_units; u++) {
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
  gboolean on_gpu = buffer->tier == OL_TIER_GPU;
  OlDraft *draft = ol_builder_add_node(builder, OL_PART_HASH, OL_OP_HASH,
                                       on_gpu ? OL_LANE_GPU_TO_HOST : OL_LANE_HOST_UPDATE,
                                       buffer->payload, unit, OL_NONE);
  draft->operands.buffer[OL_OPERAND_SOURCE] = home;
  if (on_gpu) {
    draft->operands.buffer[OL_OPERAND_STAGING] = builder->staging;
    draft->node.bytes = buffer->bytes;
  }
}

void ol_homes_hash(OlBuilder *builder)
{
  for (guint u = 0; u < builder->shape->n_units; u++) {
    hash(builder, builder->homes[u].master, u);
    hash(builder, builder->homes[u].weights, u);
  }
}
