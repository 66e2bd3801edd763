/* Which lanes there are, with their nodes, streams and events. */
#include "engine/run/executor-private.h"

static gboolean is_on_device(OlLane kind)
{
  return kind == OL_LANE_COMPUTE || kind == OL_LANE_GPU_TO_HOST || kind == OL_LANE_HOST_TO_GPU ||
         kind == OL_LANE_PEER;
}

static void open_lane(OlExecutor *executor, guint rank, OlLane kind)
{
  const OlRunConfig *config = executor->plan->config;
  OlExecutorLane *lane = &executor->lanes[executor->n_lanes];
  lane->executor = executor;
  lane->rank = &executor->ranks[rank];
  lane->index = executor->n_lanes++;
  lane->kind = kind;
  ol_bell_init(&lane->bell);
  for (guint i = 0; i < OL_N_PARTS; i++)
    for (guint odd = 0; odd < 2; odd++)
      lane->nodes[i][odd] = g_array_new(FALSE, FALSE, sizeof(guint));
  lane->looks = executor->remote && kind == OL_LANE_PEER;
  if (lane->looks)
    ol_remote_set_peer(executor->remote, lane);
  else if (is_on_device(kind))
    lane->stream = executor->ops->stream_new(lane->rank->device, ol_lane_nick(kind));
  if (kind == OL_LANE_COMPUTE)
    lane->tokens = g_new0(int32_t, (gsize)OL_ISSUE_RING * 2 * config->batch.micro_batch *
                                       config->model.sequence);
}

/* With its nodes; without any there is none, but for the one that looks after other processes. */
static void open_lane_if_needed(OlExecutor *executor, guint rank, OlLane kind)
{
  guint first = executor->n_lanes;
  if (executor->remote && kind == OL_LANE_PEER)
    open_lane(executor, rank, kind);
  for (guint id = 0; id < executor->graph->nodes->len; id++) {
    const OlGraphNode *node = ol_graph_node(executor->graph, id);
    if (node->rank != rank || node->lane != kind)
      continue;
    if (executor->n_lanes == first)
      open_lane(executor, rank, kind);
    OlExecutorLane *lane = &executor->lanes[first];
    for (guint odd = 0; odd < 2; odd++)
      if (node->part != OL_PART_STEP || ol_graph_node_is_in_step(node, odd))
        g_array_append_val(lane->nodes[node->part][odd], id);
    executor->nodes[id].lane = lane;
  }
}

/* A step of several processes has, at rank 0, the words of all others as well. */
static void count_step_nodes(OlExecutor *executor)
{
  if (executor->remote && ol_executor_is_here(executor, 0))
    executor->step_nodes[0] = executor->step_nodes[1] = executor->graph->n_ranks - 1;
  for (guint i = 0; i < executor->n_lanes; i++) {
    OlExecutorLane *lane = &executor->lanes[i];
    guint even = lane->nodes[OL_PART_STEP][0]->len, odd = lane->nodes[OL_PART_STEP][1]->len;
    executor->step_nodes[0] += even;
    executor->step_nodes[1] += odd;
    if (even + odd == 0) /* nobody has to wait for its steps */
      atomic_store(&lane->steps_done, G_MAXUINT);
  }
}

/* Lanes by rank and kind, so that the first of all is a compute lane: every plan computes. */
void ol_lanes_open(OlExecutor *executor)
{
  guint n_ranks = executor->graph->n_ranks;
  executor->lanes = g_new0(OlExecutorLane, n_ranks * OL_N_LANES);
  for (guint rank = 0; rank < n_ranks; rank++)
    for (guint kind = 0; kind < OL_N_LANES && ol_executor_is_here(executor, rank); kind++)
      open_lane_if_needed(executor, rank, kind);
  count_step_nodes(executor);
}

void ol_lanes_close(OlExecutor *executor)
{
  for (guint i = 0; i < executor->n_lanes; i++) {
    OlExecutorLane *lane = &executor->lanes[i];
    if (lane->stream)
      executor->ops->stream_free(lane->stream);
    for (guint part = 0; part < OL_N_PARTS; part++)
      for (guint odd = 0; odd < 2; odd++)
        g_array_unref(lane->nodes[part][odd]);
    g_free(lane->tokens);
    ol_bell_clear(&lane->bell);
  }
  g_free(executor->lanes);
}

/* Events for the nodes that another stream of their device waits for. */
void ol_lanes_open_events(OlExecutor *executor)
{
  const OlGraph *graph = executor->graph;
  for (guint id = 0; id < graph->nodes->len; id++) {
    const OlExecutorLane *lane = executor->nodes[id].lane;
    OlRange range = ol_graph_node(graph, id)->waits;
    const OlWait *waits = ol_graph_waits(graph, range);
    for (guint i = 0; i < range.n && lane && lane->stream; i++) {
      OlNodeState *awaited = &executor->nodes[waits[i].node];
      if (awaited->events[0] || awaited->lane == lane || !awaited->lane || !awaited->lane->stream ||
          awaited->lane->rank != lane->rank)
        continue;
      gboolean repeats = ol_graph_node(graph, waits[i].node)->part == OL_PART_STEP;
      for (guint e = 0; e < (repeats ? OL_STEP_RING : 1); e++)
        awaited->events[e] = executor->ops->event_new(lane->rank->device);
    }
  }
}

void ol_lanes_close_events(OlExecutor *executor)
{
  for (guint id = 0; id < executor->graph->nodes->len; id++)
    for (guint e = 0; e < OL_STEP_RING; e++)
      if (executor->nodes[id].events[e])
        executor->ops->event_free(executor->nodes[id].events[e]);
  g_free(executor->nodes);
}
