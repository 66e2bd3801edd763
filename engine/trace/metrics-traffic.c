/* Metrics of what was done: bytes moved by lane and by group of ranks, and spans counted by op. */
#include "engine/trace/metrics-private.h"

typedef struct {
  guint n_ranks;
  double *moved, *total; /* [OL_N_LANES][ranks] */
  double *peer;          /* [OL_N_GROUPS][ranks] */
  double *count;         /* [OL_N_OPS][ranks] */
} Traffic;

/* A pass that stops for sums in between is one pass: one of its nodes counts. The sums count each.
 */
static gboolean counts(const OlGraphNode *node)
{
  return node->lane == OL_LANE_PEER || node->piece == OL_PIECE_WHOLE ||
         node->piece == OL_PIECE_ATTENTION;
}

/* Ops that come once a run, not a step. */
static gboolean is_once(OlOp op)
{
  return op == OL_OP_FILL || op == OL_OP_HASH;
}

/* Per-step figures take in the steps' own part alone: so an update that was pending at the end, or
 * states that were flushed then, count as no step's. */
static void count_spans(const OlTrace *trace, const OlMeasuredSteps *steps, Traffic *traffic)
{
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    const OlGraphNode *node = ol_graph_node(trace->graph, span->node);
    guint lane = node->lane * traffic->n_ranks + node->rank;
    guint op = node->op * traffic->n_ranks + node->rank;
    traffic->total[lane] += span->bytes;
    if (node->part != OL_PART_STEP) {
      traffic->count[op] += is_once(node->op);
    } else if (ol_measured_steps_find(steps, span->step) >= 0) {
      traffic->moved[lane] += span->bytes;
      traffic->peer[node->group * traffic->n_ranks + node->rank] += span->bytes;
      traffic->count[op] += counts(node);
    }
  }
}

/* Sums over `n` steps to means: divided once, so that whole numbers stay whole. */
static void put_means(OlMetrics *metrics, double *sums, const Traffic *traffic, guint n,
                      const char *stem, const char *argument)
{
  if (n == 0)
    return;
  for (guint rank = 0; rank < traffic->n_ranks; rank++)
    sums[rank] /= n;
  ol_metrics_put_ranks(metrics, sums, "%s.%s", stem, argument);
}

void ol_metrics_add_traffic(OlMetrics *metrics, const OlTrace *trace, const OlMeasuredSteps *steps)
{
  guint n = trace->graph->n_ranks;
  g_autofree double *moved = g_new0(double, n *OL_N_LANES);
  g_autofree double *total = g_new0(double, n *OL_N_LANES);
  g_autofree double *peer = g_new0(double, n *OL_N_GROUPS);
  g_autofree double *count = g_new0(double, n *OL_N_OPS);
  Traffic traffic = {n, moved, total, peer, count};
  count_spans(trace, steps, &traffic);
  guint n_steps = steps->numbers->len;
  for (guint lane = 0; lane < OL_N_LANES; lane++) {
    ol_metrics_put_ranks(metrics, total + lane * n, "total.moved.%s", ol_lane_nick(lane));
    put_means(metrics, moved + lane * n, &traffic, n_steps, "moved", ol_lane_nick(lane));
  }
  for (guint group = OL_GROUP_NONE + 1; group < OL_N_GROUPS; group++)
    put_means(metrics, peer + group * n, &traffic, n_steps, "moved.peer", ol_group_nick(group));
  for (guint op = 0; op < OL_N_OPS; op++)
    put_means(metrics, count + op * n, &traffic, is_once(op) ? 1 : n_steps, "count",
              ol_op_nick(op));
}
