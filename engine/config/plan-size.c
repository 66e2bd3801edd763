#include "engine/config/plan-size.h"

/* Of a node, with its waits, its buffers, its cost and its times. */
#define BYTES_A_NODE 100.0
/* Of a unit on a rank, whatever its micro-batches: homes, fill, update, hash. */
#define BYTES_A_UNIT 4096.0
/* While it is written, a node of the first data rank takes as much more as this many nodes. */
#define DRAFT_NODES 4.0
/* Send and receive, each way. */
#define NODES_A_STAGE 4.0

/* Nodes that take one micro-batch forward and back through a unit: at most. */
static guint pass_nodes(const OlRunConfig *config, gboolean block)
{
  gboolean sharded = config->parallel.data > 1 && config->parallel.zero == 3;
  gboolean scattered = config->parallel.data > 1 && config->parallel.zero >= 2;
  gboolean sliced = block && config->parallel.tensor > 1;
  guint compute = 2 * (sliced ? 5 : 1); /* three pieces and the two sums between them */
  if (block && config->recompute != OL_RECOMPUTE_NONE)
    compute += sliced ? 3 : 1;
  guint fetched = 2 * ((guint)config->placement.weights + sharded); /* a copy a tier, a gather */
  guint kept = block && config->placement.activations == OL_TIER_HOST ? 2 : 0;
  guint gradients = 1 + (config->placement.gradients == OL_TIER_HOST) + scattered;
  return compute + fetched + kept + gradients;
}

double ol_plan_size_bytes(const OlRunConfig *config)
{
  double sheets = (double)config->parallel.data * config->parallel.tensor;
  double stages = (double)config->parallel.pipeline * config->parallel.chunks;
  double layers = config->model.layers, ends = 2;
  double nodes = layers * pass_nodes(config, TRUE) + ends * pass_nodes(config, FALSE);
  if (config->parallel.pipeline > 1)
    nodes += stages * NODES_A_STAGE;
  double step = config->batch.micro_batches * nodes * BYTES_A_NODE + (layers + ends) * BYTES_A_UNIT;
  double steps = config->overlap.order == OL_UNIT_ORDER_ALTERNATE ? 2 : 1;
  return steps * step * sheets * (1 + DRAFT_NODES / config->parallel.data);
}
