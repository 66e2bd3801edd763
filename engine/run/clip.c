/* Clipping by global norm: each unit's squares by chunk, then one norm over all chunks in unit
 * order and what the gradients are multiplied by (1312.6026 section 3; the small term as PyTorch
 * has it). */
#include "engine/run/executor-private.h"

#include "engine/device/kernels/squares.h"
#include <math.h>

#define SMALL_TERM 1e-6

void ol_clip_finish(OlIssue *issue)
{
  OlExecutor *executor = issue->lane->executor;
  const double *sums = ol_issue_operand(executor, issue, OL_OPERAND_NORMS);
  guint64 n = ol_plan_norm_place(executor->plan->shape, executor->plan->shape->n_units, 0);
  double sum = 0, limit = executor->plan->config->optimizer.clip_norm;
  for (guint64 i = 0; i < n; i++)
    sum += sums[i];
  guint rank = ol_issue_node(executor, issue)->rank;
  OlClip *clip = ol_clip_of(executor, rank, (guint)issue->step);
  clip->norm = sqrt(sum);
  clip->scale = MIN(1, limit / (clip->norm + SMALL_TERM));
}

/* What all tensor ranks have is the first one's to sum. */
static gsize elements_left_out(const OlExecutor *executor, const OlIssue *issue, OlShard extent)
{
  guint64 whole = ol_issue_unit(executor, issue)->whole;
  guint slice = ol_plan_slice(executor->plan->config, ol_issue_node(executor, issue)->rank);
  return slice > 0 && whole > extent.first ? MIN(whole - extent.first, extent.count) : 0;
}

static OlSquares squares_launch(const OlExecutor *executor, const OlIssue *issue)
{
  const OlGraphNode *node = ol_issue_node(executor, issue);
  guint slice = ol_plan_slice(executor->plan->config, node->rank);
  const void *sum = ol_issue_operand(executor, issue, OL_OPERAND_ACCUMULATOR);
  gboolean fp32 = executor->plan->config->precision == OL_PRECISION_FP32;
  double *sums = ol_issue_operand(executor, issue, OL_OPERAND_NORMS);
  OlShard extent = ol_issue_extent(executor, issue, OL_PAYLOAD_MASTER);
  guint64 chunk = ol_plan_norm_place(executor->plan->shape, (guint)node->unit, slice) +
                  extent.first / OL_SHARD_ALIGNMENT;
  return (OlSquares){.n = extent.count,
                     .chunk = OL_SHARD_ALIGNMENT,
                     .skip = elements_left_out(executor, issue, extent),
                     .x = sum ? sum : ol_issue_operand(executor, issue, OL_OPERAND_GRADIENT),
                     .round = sum != NULL && !fp32,
                     .sums = sums + chunk,
                     .dtype = sum || fp32 ? OL_DTYPE_FP32 : OL_DTYPE_BF16};
}

/* A rank alone has all chunks once it has the first unit's: gradients are finished in reverse. Else
 * the ranks' exchange comes after it. */
static gboolean is_whole(const OlExecutor *executor, const OlIssue *issue)
{
  return executor->graph->n_ranks == 1 && ol_issue_node(executor, issue)->unit == 0;
}

static void finish(gpointer issue)
{
  ol_clip_finish(issue);
}

void ol_work_norm(OlExecutor *executor, OlIssue *issue)
{
  OlSquares launch = squares_launch(executor, issue);
  executor->ops->squares(issue->lane->stream, &launch);
  if (is_whole(executor, issue))
    executor->ops->call(issue->lane->stream, finish, issue);
}

void ol_work_norm_here(OlExecutor *executor, OlIssue *issue)
{
  OlSquares l = squares_launch(executor, issue);
  for (gsize i = 0; i * l.chunk < l.n; i++)
    l.sums[i] = ol_squares(l.x, ol_squares_first(&l, i), ol_squares_count(&l, i), l.dtype, l.round);
  if (is_whole(executor, issue))
    ol_clip_finish(issue);
}
