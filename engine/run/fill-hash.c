/* The parts before and after the steps. Homes on the GPU are filled and read a piece at a time
 * through a staging slot on the host; these parts are not paced, so each piece is waited for. */
#include "engine/run/executor-private.h"

#include "engine/base/bf16.h"
#include "engine/model/task.h"
#include <math.h>

#define NORMAL_DEVIATION 0.02

static float initial_value(const OlExecutor *executor, const OlShapeTensor *tensor, guint64 index)
{
  const OlRunConfig *config = executor->plan->config;
  double scale = NORMAL_DEVIATION;
  switch (tensor->init) {
  case OL_INIT_ZERO:
    return 0;
  case OL_INIT_ONE:
    return 1;
  case OL_INIT_RESIDUAL:
    scale /= sqrt(2.0 * config->model.layers);
    break;
  case OL_INIT_NORMAL:
    break;
  }
  return (float)(scale * ol_task_initial_normal(config->seed, tensor->name, index));
}

/* Elements first … first + n of a unit's tensors on the node's rank. */
static void write_initial(const OlExecutor *executor, const OlIssue *issue, guint64 first,
                          guint64 n, OlDtype dtype, void *target)
{
  const OlShape *shape = executor->plan->shape;
  const OlShapeUnit *unit = ol_issue_unit(executor, issue);
  guint slice = ol_plan_slice(executor->plan->config, ol_issue_node(executor, issue)->rank);
  float *as_float = target;
  uint16_t *as_bf16 = target;
  for (guint t = 0; t < unit->n_tensors; t++) {
    const OlShapeTensor *tensor = &unit->tensors[t];
    guint64 begin = MAX(first, tensor->first);
    guint64 end = MIN(first + n, tensor->first + tensor->elements);
    for (guint64 i = begin; i < end; i++) {
      guint64 index = ol_shape_whole_index(shape, tensor, slice, i - tensor->first);
      float value = initial_value(executor, tensor, index);
      if (dtype == OL_DTYPE_BF16)
        as_bf16[i - first] = ol_bf16_from_float(value);
      else
        as_float[i - first] = value;
    }
  }
}

static const OlGraphBuffer *operand_buffer(const OlExecutor *executor, const OlIssue *issue,
                                           OlOperand operand)
{
  int id = ol_plan_operands(executor->plan, issue->node).buffer[operand];
  return ol_graph_buffer(executor->graph, (guint)id);
}

/* Waits until the stream has begun the node, or passed its copies. FALSE when the run ends. */
static gboolean is_going(OlExecutor *executor, OlIssue *issue)
{
  if (issue->lane->stream)
    executor->ops->stream_synchronize(issue->lane->stream);
  return issue->begun && !ol_executor_is_aborted(executor);
}

static void clear_home(OlExecutor *executor, OlIssue *issue, void *home, gsize bytes)
{
  if (issue->lane->stream)
    executor->ops->clear(issue->lane->stream, home, bytes);
  else
    memset(home, 0, bytes);
}

/* One piece between the staging slot and a home that is not on the host. FALSE when the run ends.
 */
static gboolean move_piece(OlExecutor *executor, OlIssue *issue, OlOperand home, guint64 first,
                           gsize bytes)
{
  gboolean up = home == OL_OPERAND_TARGET;
  void *staging = ol_issue_operand(executor, issue, OL_OPERAND_STAGING);
  int id = ol_plan_operands(executor->plan, issue->node).buffer[home];
  if (!issue->lane->stream)
    return ol_storage_move(executor, issue, id, first, staging, bytes, up);
  char *there = (char *)ol_executor_get_buffer(executor, id) + first;
  executor->ops->copy(issue->lane->stream, up ? there : staging, up ? staging : there, bytes);
  issue->bytes += bytes;
  return TRUE;
}

static gboolean is_on_host(const OlGraphBuffer *buffer)
{
  return buffer->tier == OL_TIER_HOST;
}

static gboolean begins_at_zero(OlPayload payload)
{
  return payload != OL_PAYLOAD_WEIGHTS && payload != OL_PAYLOAD_MASTER;
}

static void fill_through_staging(OlExecutor *executor, OlIssue *issue, OlDtype dtype,
                                 OlShard extent)
{
  void *staging = ol_issue_operand(executor, issue, OL_OPERAND_STAGING);
  gboolean zeros = begins_at_zero(ol_issue_node(executor, issue)->payload);
  gsize size = ol_dtype_bytes(dtype);
  guint64 piece = operand_buffer(executor, issue, OL_OPERAND_STAGING)->bytes / size;
  for (guint64 first = 0; first < extent.count && is_going(executor, issue); first += piece) {
    guint64 n = MIN(piece, extent.count - first);
    if (zeros)
      memset(staging, 0, n * size);
    else
      write_initial(executor, issue, extent.first + first, n, dtype, staging);
    if (!move_piece(executor, issue, OL_OPERAND_TARGET, first * size, n * size))
      return;
  }
  /* The staging slot is free for the next node, on whichever lane, once the last piece is up. */
  is_going(executor, issue);
}

void ol_work_fill(OlExecutor *executor, OlIssue *issue)
{
  const OlGraphBuffer *target = operand_buffer(executor, issue, OL_OPERAND_TARGET);
  OlPayload payload = target->payload;
  gboolean bf16 =
      payload == OL_PAYLOAD_WEIGHTS && executor->plan->config->precision == OL_PRECISION_BF16;
  OlDtype dtype = bf16 ? OL_DTYPE_BF16 : OL_DTYPE_FP32;
  void *home = ol_issue_operand(executor, issue, OL_OPERAND_TARGET);
  OlShard extent = ol_issue_extent(executor, issue, payload);
  if (begins_at_zero(payload) && target->tier != OL_TIER_NVME)
    clear_home(executor, issue, home, target->bytes);
  else if (!is_on_host(target))
    fill_through_staging(executor, issue, dtype, extent);
  else
    write_initial(executor, issue, extent.first, extent.count, dtype, home);
}

void ol_hash_add(OlExecutor *executor, guint node, guint64 first, const void *bytes, gsize n)
{
  int source = ol_plan_operands(executor->plan, node).buffer[OL_OPERAND_SOURCE];
  const OlGraphBuffer *home = ol_graph_buffer(executor->graph, (guint)source);
  OlShard extent = ol_node_extent(executor, node, home->payload);
  gsize size = home->bytes / extent.padded; /* of an element */
  if (executor->plan->shape->slices > 1)
    ol_join_add(executor, node, extent.first + first / size, bytes, n / size, size);
  else
    g_checksum_update(executor->checksum, bytes, (gssize)n);
}

/* Bytes of a home from its byte `first` on. Data replicas hold the same: the first one's counts,
 * and the others' must agree. */
static void add_to_hash(OlExecutor *executor, const OlIssue *issue, guint64 first,
                        const void *bytes, gsize n)
{
  const OlGraphNode *node = ol_issue_node(executor, issue);
  gboolean replica = !ol_plan_is_sharded(executor->plan->config, node->payload);
  if (replica)
    g_checksum_update(issue->lane->rank->replica, bytes, (gssize)n);
  if (replica && ol_plan_data_index(executor->plan->config, node->rank) > 0)
    return;
  if (executor->remote && ol_remote_get_rank(executor->remote) > 0)
    ol_remote_tell_hash(executor->remote, issue->node, first, bytes, n);
  else
    ol_hash_add(executor, issue->node, first, bytes, n);
}

static void hash_through_staging(OlExecutor *executor, OlIssue *issue, guint64 bytes)
{
  guchar *staging = ol_issue_operand(executor, issue, OL_OPERAND_STAGING);
  guint64 piece = operand_buffer(executor, issue, OL_OPERAND_STAGING)->bytes;
  for (guint64 first = 0; first < bytes && is_going(executor, issue); first += piece) {
    gsize n = MIN(piece, bytes - first);
    if (!move_piece(executor, issue, OL_OPERAND_SOURCE, first, n) || !is_going(executor, issue))
      return;
    add_to_hash(executor, issue, first, staging, n);
  }
}

void ol_work_hash(OlExecutor *executor, OlIssue *issue)
{
  const OlGraphBuffer *source = operand_buffer(executor, issue, OL_OPERAND_SOURCE);
  OlShard extent = ol_issue_extent(executor, issue, source->payload);
  gsize size = source->bytes / extent.padded; /* of an element */
  if (!is_on_host(source))
    hash_through_staging(executor, issue, extent.count * size);
  else
    add_to_hash(executor, issue, 0, ol_issue_operand(executor, issue, OL_OPERAND_SOURCE),
                extent.count * size);
}
