#include "engine/run/cost.h"

#include <math.h>

/* Bytes that an update reads and writes a parameter: gradient in, three fp32 states read and
 * written, the weight out (28 B with bf16 gradient and weight; facts: 2101.06840 section 4). */
static double update_bytes(const OlPlan *plan, const OlOperands *operands)
{
  double gradient = operands->buffer[OL_OPERAND_ACCUMULATOR] != OL_NONE
                        ? sizeof(float)
                        : plan->shape->element_bytes;
  double out = operands->buffer[OL_OPERAND_WEIGHTS] != OL_NONE ? plan->shape->element_bytes : 0;
  return gradient + 6 * sizeof(float) + out;
}

/* Of the node's unit, those that its rank sums, rounds or updates: its shard of what is sharded. */
static double parameters_of(const OlPlan *plan, const OlGraphNode *node)
{
  gboolean sum = node->op == OL_OP_ACCUMULATE || node->op == OL_OP_CAST;
  if (ol_plan_is_sharded(plan->config, sum ? OL_PAYLOAD_GRADIENTS : OL_PAYLOAD_MASTER))
    return (double)ol_plan_shard(plan, node->rank, (guint)node->unit).count;
  return (double)plan->shape->units[node->unit].parameters;
}

/* Bytes that a node which is neither a product nor a copy moves through its memory. */
static double memory_bytes(const OlPlan *plan, guint id)
{
  const OlGraphNode *node = ol_graph_node(plan->graph, id);
  double parameters = parameters_of(plan, node);
  double e = plan->shape->element_bytes;
  switch (node->op) {
  case OL_OP_ACCUMULATE: /* the gradient read, the sum read and written */
    return parameters * (e + 2 * sizeof(float));
  case OL_OP_CAST:
    return parameters * (sizeof(float) + e);
  case OL_OP_NORM:
    return parameters * e;
  case OL_OP_COPY: /* within the host: read and written */
    return node->lane == OL_LANE_HOST_UPDATE ? 2 * parameters * e : 0;
  case OL_OP_UPDATE:
    return parameters * update_bytes(plan, ol_plan_operands(plan, id));
  default:
    return 0;
  }
}

static double touched_bytes(const OlPlan *plan, const OlGraphNode *node)
{
  return node->op == OL_OP_BACKWARD
             ? ol_shape_backward_touched(plan->shape, node->unit, node->piece)
             : ol_shape_forward_touched(plan->shape, node->unit, node->piece);
}

/* One rank's share of the host's memory bandwidth, or what its threads sustain if that is less. */
static double host_rate(const OlPlan *plan, const OlHardware *hardware)
{
  guint threads = plan->config->optimizer.threads;
  double share = 1.0 / hardware->gpus_per_host;
  double all = threads > 0 ? threads : hardware->host_threads * share;
  return MIN(hardware->host_bandwidth * share, all * hardware->host_rate_per_thread);
}

static gboolean is_model_work(OlOp op)
{
  return op == OL_OP_FORWARD || op == OL_OP_BACKWARD || op == OL_OP_RECOMPUTE;
}

/* A pageable copy goes through a bounce buffer, which is slower than the link. */
static double link_rate(const OlPlan *plan, double pinned, double pageable)
{
  return plan->config->overlap.pinned ? pinned : MIN(pinned, pageable);
}

static double modelled_compute(const OlPlan *plan, const OlMachine *machine, guint id)
{
  const OlGraphNode *node = ol_graph_node(plan->graph, id);
  const OlHardware *hardware = machine->hardware;
  double latency = hardware->launch_latency / machine->mu;
  if (!is_model_work(node->op))
    return memory_bytes(plan, id) / hardware->gpu_bandwidth + latency;
  double arithmetic = machine->kappa * node->flops / (hardware->peak_flops * hardware->utilisation);
  double memory = touched_bytes(plan, node) / hardware->gpu_bandwidth;
  return MAX(arithmetic, memory) + latency;
}

static double modelled_seconds(const OlPlan *plan, const OlMachine *machine, guint id)
{
  const OlGraphNode *node = ol_graph_node(plan->graph, id);
  const OlHardware *hardware = machine->hardware;
  double mu = machine->mu;
  if (node->part != OL_PART_STEP)
    return 0;
  switch (node->lane) {
  case OL_LANE_COMPUTE:
    return modelled_compute(plan, machine, id);
  case OL_LANE_GPU_TO_HOST:
    return node->bytes / link_rate(plan, hardware->gpu_to_host, hardware->pageable) +
           hardware->link_latency / mu;
  case OL_LANE_HOST_TO_GPU:
    return node->bytes / link_rate(plan, hardware->host_to_gpu, hardware->pageable) +
           hardware->link_latency / mu;
  case OL_LANE_HOST_UPDATE:
    return memory_bytes(plan, id) / host_rate(plan, hardware);
  case OL_LANE_NVME_READ:
    return node->bytes / (hardware->nvme_read / hardware->gpus_per_host) +
           hardware->nvme_latency / mu;
  case OL_LANE_NVME_WRITE:
    return node->bytes / (hardware->nvme_write / hardware->gpus_per_host) +
           hardware->nvme_latency / mu;
  case OL_LANE_PEER:
    return node->bytes / hardware->peer + hardware->peer_latency / mu;
  case OL_N_LANES:
    break;
  }
  g_return_val_if_reached(0);
}

/* 0 is unknown: a drive that nobody measured is taken for memory. */
static double real_copy(const OlGraphNode *node, const OlCalibration *calibration)
{
  double rate = node->lane == OL_LANE_NVME_READ    ? calibration->disk_read_bytes
                : node->lane == OL_LANE_NVME_WRITE ? calibration->disk_write_bytes
                                                   : calibration->copy_bytes;
  return node->bytes / (rate > 0 ? rate : calibration->copy_bytes);
}

/* Who meets others is woken twice more: when all have come, and before all go (comm/README.md). */
static double real_meeting(const OlGraphNode *node, const OlCalibration *calibration)
{
  return node->meeting != 0 ? 2 * calibration->node_seconds : 0;
}

static double real_seconds(const OlPlan *plan, const OlCalibration *calibration, guint id)
{
  const OlGraphNode *node = ol_graph_node(plan->graph, id);
  double issue = calibration->node_seconds;
  switch (node->op) {
  case OL_OP_FORWARD:
  case OL_OP_BACKWARD:
  case OL_OP_RECOMPUTE:
    return node->flops / calibration->product_flops +
           touched_bytes(plan, node) / calibration->element_bytes + issue;
  case OL_OP_UPDATE:
    return parameters_of(plan, node) * calibration->update_seconds + issue;
  case OL_OP_ACCUMULATE:
  case OL_OP_CAST:
  case OL_OP_NORM:
    return memory_bytes(plan, id) / calibration->element_bytes + issue;
  default:
    return real_copy(node, calibration) + real_meeting(node, calibration) + issue;
  }
}

OlCosts *ol_costs_new(const OlPlan *plan, const OlMachine *machine,
                      const OlCalibration *calibration)
{
  OlCosts *costs = g_new0(OlCosts, 1);
  costs->n = plan->graph->nodes->len;
  costs->modelled = g_new(double, costs->n);
  costs->real = calibration ? g_new(double, costs->n) : NULL;
  for (guint i = 0; i < costs->n; i++) {
    costs->modelled[i] = modelled_seconds(plan, machine, i);
    if (calibration)
      costs->real[i] = real_seconds(plan, calibration, i);
  }
  return costs;
}

void ol_costs_free(OlCosts *costs)
{
  if (costs == NULL)
    return;
  g_free(costs->modelled);
  g_free(costs->real);
  g_free(costs);
}

gint64 *ol_costs_dup_ns(const OlCosts *costs, double slowdown)
{
  gboolean machine_clock = isnan(slowdown);
  gint64 *ns = g_new(gint64, costs->n);
  for (guint i = 0; i < costs->n; i++)
    ns[i] = llround(1e9 * (machine_clock ? costs->real[i] : costs->modelled[i] * slowdown));
  return ns;
}
