/* A first use costs what later ones do not: pages are taken when first touched, oneDNN makes code
 * for a product when it first sees its shape. On the scale clock that would make the first step
 * late, so each node of a step runs once before anything is recorded, on the very memory that the
 * fill then writes. Only the drive is left alone: its bytes are counted by the system as well. */
#include "engine/run/executor-private.h"

static void run_once(OlExecutor *executor, guint node)
{
  OlExecutorLane *lane = executor->nodes[node].lane;
  OlIssue issue = {.lane = lane, .node = node};
  ol_node_work(ol_graph_node(executor->graph, node)->op, lane->stream != NULL)(executor, &issue);
  if (lane->stream)
    executor->ops->stream_synchronize(lane->stream);
}

/* The drive, and collectives, which would wait for ranks that are not there. */
static gboolean is_left_alone(const OlGraphNode *node)
{
  return ol_lane_is_drive(node->lane) || node->lane == OL_LANE_PEER;
}

void ol_executor_warm_up(OlExecutor *executor)
{
  if (executor->plan->refusal.refused)
    return;
  for (guint id = 0; id < executor->graph->nodes->len; id++) {
    const OlGraphNode *node = ol_graph_node(executor->graph, id);
    if (ol_control_is_stopped(executor->options.control))
      return;
    /* Later micro-batches do the same again. */
    if (executor->nodes[id].lane && node->part == OL_PART_STEP && node->micro_batch <= 0 &&
        !is_left_alone(node))
      run_once(executor, id);
  }
}
