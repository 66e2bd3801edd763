/* A lane's loop. Waits point backwards in plan order only, and so does everything else that a lane
 * may wait for here, so nothing can lock up. */
#include "engine/run/executor-private.h"

gboolean ol_await_is_over(gconstpointer data)
{
  const OlAwait *await = data;
  return ol_executor_is_aborted(await->executor) || atomic_load(await->counter) >= await->at_least;
}

/* FALSE when aborted. */
static gboolean await(OlExecutorLane *lane, const atomic_uint *counter, guint at_least)
{
  OlAwait data = {lane->executor, counter, at_least};
  if (lane->looks)
    ol_remote_await(lane->executor->remote, ol_await_is_over, &data);
  else
    ol_bell_wait(&lane->bell, ol_await_is_over, &data);
  return !ol_executor_is_aborted(lane->executor);
}

/* How many instances of a node there are once that of `step` is. */
static guint instances(const OlExecutor *executor, guint id, int step)
{
  const OlGraphNode *node = ol_graph_node(executor->graph, id);
  if (node->part != OL_PART_STEP)
    return 1;
  return node->steps == OL_STEPS_ALL ? (guint)step + 1 : (guint)step / 2 + 1;
}

static gboolean await_done(OlExecutorLane *lane, guint node, int step)
{
  const OlExecutor *executor = lane->executor;
  return await(lane, &executor->nodes[node].done, instances(executor, node, step));
}

/* Place in plan order over the whole run. */
static guint64 place(const OlExecutor *executor, guint node, int step)
{
  return (guint64)(step + 1) * executor->graph->nodes->len + node;
}

const GArray *ol_lane_nodes(const OlExecutorLane *lane, OlPart part, int step)
{
  return lane->nodes[part][step >= 0 ? step % 2 : 0];
}

static guint nth_node(const OlExecutorLane *lane, OlPart part, int step, guint n)
{
  return g_array_index(ol_lane_nodes(lane, part, step), guint, n);
}

/* The place of the lane's first node in `part` of `step` or after. */
static guint64 first_place_from(const OlExecutorLane *lane, OlPart part, int step)
{
  const OlExecutor *executor = lane->executor;
  int steps = (int)executor->plan->config->steps;
  if (part == OL_PART_FILL && ol_lane_nodes(lane, OL_PART_FILL, -1)->len > 0)
    return place(executor, nth_node(lane, OL_PART_FILL, -1, 0), -1);
  /* A lane may have nodes in every other step only. */
  for (int s = MAX(step, 0); part != OL_PART_HASH && s < MIN(steps, MAX(step, 0) + 2); s++)
    if (ol_lane_nodes(lane, OL_PART_STEP, s)->len > 0)
      return place(executor, nth_node(lane, OL_PART_STEP, s, 0), s);
  if (step <= steps && ol_lane_nodes(lane, OL_PART_HASH, steps)->len > 0)
    return place(executor, nth_node(lane, OL_PART_HASH, steps, 0), steps);
  return OL_PACE_NO_MORE;
}

static guint64 place_after(const OlExecutorLane *lane, OlPart part, int step, guint index)
{
  if (index + 1 < ol_lane_nodes(lane, part, step)->len)
    return place(lane->executor, nth_node(lane, part, step, index + 1), step);
  return part == OL_PART_HASH ? OL_PACE_NO_MORE : first_place_from(lane, OL_PART_STEP, step + 1);
}

/* Before a node is issued: a waiter on the same device uses the stream's wait, unless `here`; any
 * other waits here. A stream can wait only for an event that has been recorded, so for the issue it
 * waits here as well. */
static gboolean await_one(OlExecutorLane *lane, const OlWait *wait, int step, gboolean here)
{
  OlExecutor *executor = lane->executor;
  OlNodeState *awaited = &executor->nodes[wait->node];
  int of_step = step - (int)wait->steps_back;
  if (wait->steps_back > 0 && of_step < 0)
    return TRUE;
  if (here || !lane->stream || !awaited->lane || !awaited->lane->stream ||
      awaited->lane->rank != lane->rank)
    return await_done(lane, wait->node, of_step);
  if (awaited->lane == lane)
    return TRUE;
  guint count = instances(executor, wait->node, of_step);
  if (!await(lane, &awaited->issued, count))
    return FALSE;
  if (atomic_load(&awaited->done) < count)
    executor->ops->event_wait_on_stream(awaited->events[(count - 1) % OL_STEP_RING], lane->stream);
  return TRUE;
}

static gboolean await_all(OlExecutorLane *lane, guint node, int step, gboolean here)
{
  const OlGraph *graph = lane->executor->graph;
  OlRange range = ol_graph_node(graph, node)->waits;
  const OlWait *waits = ol_graph_waits(graph, range);
  for (guint i = 0; i < range.n; i++)
    if (!await_one(lane, &waits[i], step, here))
      return FALSE;
  return TRUE;
}

/* The issue before the last must have ended: one node at most is issued ahead. */
static gboolean await_issue(OlExecutorLane *lane, guint back)
{
  if (lane->n_issued < back)
    return TRUE;
  const OlIssue *issue = &lane->issues[(lane->n_issued - back) % OL_ISSUE_RING];
  return await_done(lane, issue->node, issue->step);
}

static void run_on_stream(OlExecutorLane *lane, OlIssue *issue, guint instance)
{
  OlExecutor *executor = lane->executor;
  const OlDeviceOps *ops = executor->ops;
  ops->call(lane->stream, ol_issue_begin, issue);
  if (ol_memory_has_places(executor, issue->node) && !ol_issue_is_idle(executor, issue))
    ol_node_work(ol_issue_node(executor, issue)->op, TRUE)(executor, issue);
  ops->call(lane->stream, ol_issue_end, issue);
  OlEvent *event = executor->nodes[issue->node].events[instance % OL_STEP_RING];
  if (event)
    ops->event_record(event, lane->stream);
}

static void run_here(OlExecutorLane *lane, OlIssue *issue)
{
  OlExecutor *executor = lane->executor;
  ol_issue_begin(issue);
  if (!issue->begun)
    return;
  if (!ol_issue_is_idle(executor, issue))
    ol_node_work(ol_issue_node(executor, issue)->op, FALSE)(executor, issue);
  ol_issue_end(issue);
}

/* A clipped update is launched with the norm's scale, so the norm must be there before the launch,
 * not only before the work. */
static gboolean needs_norm(const OlExecutor *executor, guint node)
{
  return ol_graph_node(executor->graph, node)->op == OL_OP_UPDATE &&
         ol_plan_operands(executor->plan, node).buffer[OL_OPERAND_NORMS] != OL_NONE;
}

static gboolean run_node(OlExecutorLane *lane, OlPart part, guint index, int step)
{
  OlExecutor *executor = lane->executor;
  guint node = nth_node(lane, part, step, index);
  gboolean clipped = needs_norm(executor, node);
  if (!await_issue(lane, clipped ? 1 : 2) || !await_all(lane, node, step, clipped))
    return FALSE;
  guint slot = lane->n_issued++ % OL_ISSUE_RING;
  OlIssue *issue = &lane->issues[slot];
  *issue = (OlIssue){.lane = lane,
                     .node = node,
                     .step = step,
                     .slot = slot,
                     .following = place_after(lane, part, step, index)};
  if (lane->stream)
    run_on_stream(lane, issue, instances(executor, node, step) - 1);
  else
    run_here(lane, issue);
  atomic_fetch_add(&executor->nodes[node].issued, 1);
  ol_listeners_ring(executor, node);
  return TRUE;
}

static gboolean run_part(OlExecutorLane *lane, OlPart part, int step)
{
  for (guint i = 0; i < ol_lane_nodes(lane, part, step)->len; i++)
    if (!run_node(lane, part, i, step))
      return FALSE;
  return TRUE;
}

/* The last lane here to come says so to the other processes. */
static gboolean meet_with_others(OlExecutorLane *lane)
{
  OlExecutor *executor = lane->executor;
  guint meeting = ++lane->meetings;
  if (atomic_fetch_add(&executor->met, 1) + 1 == meeting * executor->n_lanes)
    ol_remote_arrive(executor->remote, meeting);
  return await(lane, ol_remote_get_met(executor->remote), meeting);
}

/* All lanes come here, idle; what they do next they do together. */
static gboolean meet(OlExecutorLane *lane)
{
  OlExecutor *executor = lane->executor;
  if (!await_issue(lane, 1))
    return FALSE;
  if (executor->remote)
    return meet_with_others(lane);
  atomic_fetch_add(&executor->met, 1);
  ol_listeners_ring_all(executor);
  return await(lane, &executor->met, ++lane->meetings * executor->n_lanes);
}

/* The same, and the first lane, a compute lane, does something while all others wait. */
static gboolean meet_for(OlExecutorLane *lane, void (*act)(OlExecutor *executor, guint step),
                         guint step)
{
  if (!meet(lane))
    return FALSE;
  if (lane->index == 0)
    act(lane->executor, step);
  return meet(lane);
}

static void start_clock(OlExecutor *executor, guint step)
{
  if (executor->remote)
    ol_pace_start_at(executor->pace, ol_remote_get_instant(executor->remote));
  else
    ol_pace_start(executor->pace);
}

static void call_before_step(OlExecutor *executor, guint step)
{
  executor->options.before_step(step, executor->options.before_step_data);
}

static gboolean await_others(OlExecutorLane *lane, guint step)
{
  OlExecutor *executor = lane->executor;
  if (step <= OL_STEPS_APART)
    return TRUE;
  if (executor->remote)
    return await(lane, ol_remote_get_steps_whole(executor->remote), step - OL_STEPS_APART);
  for (guint i = 0; i < executor->n_lanes; i++)
    if (!await(lane, &executor->lanes[i].steps_done, step - OL_STEPS_APART))
      return FALSE;
  return TRUE;
}

static gboolean begin_step(OlExecutorLane *lane, guint step)
{
  OlExecutor *executor = lane->executor;
  if (!await_others(lane, step))
    return FALSE;
  if (executor->options.before_step && !meet_for(lane, call_before_step, step))
    return FALSE;
  if (executor->dues)
    ol_dues_prepare(executor->dues, step);
  return TRUE;
}

/* A lane without nodes in this step has done with it. */
static void skip_step(OlExecutorLane *lane, guint step)
{
  if (atomic_load(&lane->steps_done) < step + 1)
    atomic_store(&lane->steps_done, step + 1);
  ol_listeners_ring_all(lane->executor);
}

static gboolean run_steps(OlExecutorLane *lane)
{
  guint steps = lane->executor->plan->config->steps;
  for (guint step = 0; step < steps; step++) {
    if (!begin_step(lane, step) || !run_part(lane, OL_PART_STEP, (int)step))
      return FALSE;
    if (ol_lane_nodes(lane, OL_PART_STEP, (int)step)->len == 0)
      skip_step(lane, step);
  }
  return TRUE;
}

void ol_lane_run(OlExecutorLane *lane)
{
  OlExecutor *executor = lane->executor;
  int steps = (int)executor->plan->config->steps;
  ol_pace_set_next(executor->pace, lane->index, first_place_from(lane, OL_PART_FILL, -1));
  /* Nobody begins before all have told where they stand. */
  if (meet(lane) && run_part(lane, OL_PART_FILL, -1) && meet_for(lane, start_clock, 0) &&
      run_steps(lane) && meet(lane) && run_part(lane, OL_PART_HASH, steps))
    meet(lane);
  atomic_fetch_sub(&executor->lanes_left, 1);
  ol_bell_ring(&executor->bell);
}
