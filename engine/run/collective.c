/* What the peer lane does: collectives of a rank's groups. They block until all members have come,
 * so they run as host functions on the lane's stream. */
#include "engine/run/executor-private.h"

#include "engine/base/intl.h"

static OlDtype wire_dtype(const OlExecutor *executor)
{
  return executor->plan->config->precision == OL_PRECISION_FP32 ? OL_DTYPE_FP32 : OL_DTYPE_BF16;
}

/* Each member's elements of the node's unit, for what is summed; in bytes, for what only moves. */
static gsize *member_counts(const OlExecutor *executor, const OlIssue *issue, gsize element)
{
  const OlShape *shape = executor->plan->shape;
  guint members = executor->plan->config->parallel.data;
  guint unit = (guint)ol_issue_node(executor, issue)->unit;
  gsize *counts = g_new(gsize, members);
  for (guint i = 0; i < members; i++)
    counts[i] = ol_shape_shard(shape, unit, members, i).count * element;
  return counts;
}

static void end_run(OlExecutor *executor)
{
  g_autofree char *failure = ol_comm_dup_failure(executor->comm);
  ol_executor_abort(executor, OL_OUTCOME_FAILED, g_strdup(failure ? failure : _("a rank failed")),
                    NULL);
}

/* Every part of the clipping norm comes from the rank that made it. */
static gboolean exchange_norms(OlExecutor *executor, OlIssue *issue)
{
  double *sums = ol_issue_operand(executor, issue, OL_OPERAND_NORMS);
  guint rank = ol_issue_node(executor, issue)->rank;
  const GArray *parts = executor->norm_parts;
  for (guint i = 0; i < parts->len; i++) {
    const OlNormPart *part = &g_array_index(parts, OlNormPart, i);
    if (!ol_comm_broadcast(issue->lane->rank->world, rank, part->rank, sums + part->first,
                           part->n * sizeof *sums))
      return FALSE;
  }
  ol_clip_finish(issue);
  return TRUE;
}

/* Activations, or their gradients, of the slices of a block. */
static gboolean sum_slices(OlExecutor *executor, OlIssue *issue)
{
  OlDtype dtype = wire_dtype(executor);
  void *part = ol_issue_operand(executor, issue, OL_OPERAND_SOURCE);
  gsize n = ol_shape_partial_bytes(executor->plan->shape) / ol_dtype_bytes(dtype);
  return ol_comm_all_reduce(issue->lane->rank->tensor_group, ol_issue_node(executor, issue)->rank,
                            part, part, n, dtype);
}

/* A unit's gradient or weights, of data ranks. */
static gboolean run_on_replicas(OlExecutor *executor, OlIssue *issue)
{
  const OlGraphNode *node = ol_issue_node(executor, issue);
  OlCommGroup *group = issue->lane->rank->data_group;
  OlDtype dtype = wire_dtype(executor);
  char *source = ol_issue_operand(executor, issue, OL_OPERAND_SOURCE);
  char *target = ol_issue_operand(executor, issue, OL_OPERAND_TARGET);
  g_autofree gsize *counts = member_counts(executor, issue, 1);
  g_autofree gsize *bytes = member_counts(executor, issue, ol_dtype_bytes(dtype));
  char *own = target; /* this rank's part of it */
  for (guint i = 0; i < ol_plan_data_index(executor->plan->config, node->rank); i++)
    own += bytes[i];
  switch (node->op) {
  case OL_OP_REDUCE_SCATTER:
    return ol_comm_reduce_scatter(group, node->rank, source, target, counts, dtype, dtype);
  case OL_OP_ALL_GATHER:
    return ol_comm_all_gather(group, node->rank, source == target ? own : source, target, bytes);
  default: /* all-reduce, as one and the other, in place (2101.06840 and 1910.02054 count it so) */
    return ol_comm_reduce_scatter(group, node->rank, source, own, counts, dtype, dtype) &&
           ol_comm_all_gather(group, node->rank, own, target, bytes);
  }
}

static gboolean run_collective(OlExecutor *executor, OlIssue *issue)
{
  switch (ol_issue_node(executor, issue)->group) {
  case OL_GROUP_WORLD:
    return exchange_norms(executor, issue);
  case OL_GROUP_TENSOR:
    return sum_slices(executor, issue);
  default:
    return run_on_replicas(executor, issue);
  }
}

static void collective(gpointer data)
{
  OlIssue *issue = data;
  OlExecutor *executor = issue->lane->executor;
  guint rank = ol_issue_node(executor, issue)->rank;
  if (!issue->begun)
    return;
  guint64 before = ol_comm_get_received(executor->comm, rank);
  if (run_collective(executor, issue))
    issue->bytes = ol_comm_get_received(executor->comm, rank) - before;
  else
    end_run(executor);
}

void ol_work_collective_here(OlExecutor *executor, OlIssue *issue)
{
  collective(issue);
}

void ol_work_send_here(OlExecutor *executor, OlIssue *issue)
{
  ol_remote_send(executor->remote, issue);
}

void ol_work_collective(OlExecutor *executor, OlIssue *issue)
{
  executor->ops->call(issue->lane->stream, collective, issue);
}

/* `n` ranks, this far apart. */
static OlCommGroup *group_of(OlExecutor *executor, guint first, guint n, guint apart)
{
  g_autofree guint *ranks = g_new(guint, n);
  for (guint i = 0; i < n; i++)
    ranks[i] = first + i * apart;
  return ol_comm_get_group(executor->comm, ranks, n);
}

void ol_collectives_open(OlExecutor *executor)
{
  const OlRunConfig *config = executor->plan->config;
  guint n = executor->graph->n_ranks, slices = config->parallel.tensor;
  guint replicas_apart = n / config->parallel.data;
  if (n == 1)
    return;
  executor->comm = executor->options.comm ? executor->options.comm : ol_comm_new_threads(n);
  executor->norm_parts = ol_plan_norm_parts(executor->plan);
  for (guint i = 0; i < n; i++) {
    OlRankState *rank = &executor->ranks[i];
    rank->world = group_of(executor, 0, n, 1);
    rank->data_group =
        group_of(executor, i % replicas_apart, config->parallel.data, replicas_apart);
    rank->tensor_group = group_of(executor, i / slices * slices, slices, 1);
  }
}
