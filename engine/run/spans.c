#include "engine/run/executor-private.h"

#include "engine/base/clock.h"
#include "engine/base/intl.h"
#include <math.h>

/* Trace time: from the run's first node, which is whoever asks first. */
static gint64 time_now(OlExecutor *executor)
{
  long long now = ol_clock_now_ns(), origin = 0;
  if (atomic_compare_exchange_strong(&executor->origin_ns, &origin, now))
    return 0;
  return MAX(now - origin, 0);
}

/* The pace let nobody through: stopped by hand, unless the run has ended some other way. */
static void tell_stopped(OlExecutor *executor)
{
  if (ol_control_is_stopped(executor->options.control))
    ol_executor_abort(executor, OL_OUTCOME_STOPPED, g_strdup(_("stopped")), NULL);
}

void ol_issue_begin(gpointer data)
{
  OlIssue *issue = data;
  OlExecutor *executor = issue->lane->executor;
  if (ol_executor_is_aborted(executor) || issue->lane->ended)
    return;
  if (!ol_pace_pass(executor->pace, issue->lane->index, issue->following)) {
    tell_stopped(executor);
    return;
  }
  issue->begin_ns = time_now(executor);
  OlRange range = ol_issue_node(executor, issue)->acquires;
  const guint *buffers = ol_graph_buffer_list(executor->graph, range);
  for (guint i = 0; i < range.n; i++)
    if (!ol_memory_acquire(executor, buffers[i], (int)issue->node, issue->begin_ns)) {
      issue->lane->ended = TRUE;
      return;
    }
  issue->begun = TRUE;
}

static gboolean hold_until_due(OlExecutor *executor, const OlIssue *issue)
{
  if (!executor->dues || ol_issue_node(executor, issue)->part != OL_PART_STEP)
    return TRUE;
  gint64 due = ol_dues_of(executor->dues, (guint)issue->step, issue->node), late = 0;
  if (!ol_pace_hold(executor->pace, issue->lane->index, due, &late)) {
    tell_stopped(executor);
    return FALSE;
  }
  long long largest = atomic_load(&executor->late_ns);
  while (late > largest && !atomic_compare_exchange_weak(&executor->late_ns, &largest, late))
    ;
  return TRUE;
}

/* The ranks' micro-batches' shares, in their order. */
static double step_loss(const OlExecutor *executor, guint step)
{
  guint micro_batches = executor->plan->config->batch.micro_batches;
  guint n = executor->graph->n_ranks * micro_batches;
  const double *shares = executor->losses + (step % OL_STEP_RING) * n;
  double loss = 0;
  for (guint i = 0; i < n; i++) /* all tensor ranks of a head have the same */
    if (ol_plan_slice(executor->plan->config, i / micro_batches) == 0)
      loss += shares[i];
  return loss;
}

static double step_norm(const OlExecutor *executor, guint step)
{
  gboolean clips = executor->plan->config->optimizer.clip_norm > 0;
  return clips ? ol_clip_of(executor, 0, step)->norm : NAN;
}

static void record_step(OlExecutor *executor, guint number, const OlStepState *state)
{
  OlStep step = {.step = number,
                 .begin_ns = state->begin_ns,
                 .end_ns = state->end_ns,
                 .loss = step_loss(executor, number),
                 .gradient_norm = step_norm(executor, number)};
  ol_recorder_step(executor->options.recorder, &step);
}

/* Of several processes rank 0's writes down steps, the others tell it of theirs. */
static void end_step(OlExecutor *executor, guint step, const OlStepState *state)
{
  OlRemote *remote = executor->remote;
  if (remote && ol_remote_get_rank(remote) > 0) {
    ol_remote_tell_step(remote, step, state);
    return;
  }
  record_step(executor, step, state);
  if (remote)
    ol_remote_tell_whole(remote, step + 1);
}

/* Under the lock. A step ends with its last node. Every lane ends a step's nodes before the next
 * step's, so steps end in order. */
static void count_down(OlExecutor *executor, guint step)
{
  OlStepState *state = &executor->steps[step % OL_STEP_RING];
  if (--state->nodes_left > 0)
    return;
  end_step(executor, step, state);
  *state = (OlStepState){.nodes_left = executor->step_nodes[step % 2], .begin_ns = G_MAXINT64};
}

static void widen(OlExecutor *executor, guint step, gint64 begin_ns, gint64 end_ns)
{
  OlStepState *state = &executor->steps[step % OL_STEP_RING];
  state->begin_ns = MIN(state->begin_ns, begin_ns);
  state->end_ns = MAX(state->end_ns, end_ns);
}

static void count_in_step(OlExecutor *executor, const OlSpan *span, gboolean worked)
{
  pthread_mutex_lock(&executor->lock);
  if (worked)
    widen(executor, (guint)span->step, span->begin_ns, span->end_ns);
  count_down(executor, (guint)span->step);
  pthread_mutex_unlock(&executor->lock);
}

void ol_step_take(OlExecutor *executor, guint step, guint rank, const OlStepState *of_rank,
                  const void *losses, gsize n)
{
  guint first = (step % OL_STEP_RING * executor->graph->n_ranks + rank) *
                executor->plan->config->batch.micro_batches;
  pthread_mutex_lock(&executor->lock);
  memcpy(executor->losses + first, losses, n);
  widen(executor, step, of_rank->begin_ns, of_rank->end_ns);
  count_down(executor, step);
  pthread_mutex_unlock(&executor->lock);
}

static void tell_done(OlExecutor *executor, const OlIssue *issue)
{
  OlExecutorLane *lane = issue->lane;
  guint node = issue->node;
  const GArray *nodes = ol_lane_nodes(lane, OL_PART_STEP, issue->step);
  atomic_fetch_add(&executor->nodes[node].done, 1);
  if (executor->remote)
    ol_remote_tell_done(executor->remote, node);
  if (issue->step >= 0 && nodes->len > 0 && g_array_index(nodes, guint, nodes->len - 1) == node) {
    atomic_store(&lane->steps_done, (guint)issue->step + 1);
    ol_listeners_ring_all(executor);
  } else {
    ol_listeners_ring(executor, node);
  }
}

void ol_issue_end(gpointer data)
{
  OlIssue *issue = data;
  OlExecutor *executor = issue->lane->executor;
  if (!issue->begun || ol_executor_is_aborted(executor) ||
      ol_executor_check_device(executor, issue->lane->rank) || !hold_until_due(executor, issue))
    return;
  const OlGraphNode *node = ol_issue_node(executor, issue);
  OlSpan span = {.node = issue->node,
                 .step = issue->step,
                 .begin_ns = issue->begin_ns,
                 .end_ns = time_now(executor),
                 .bytes = issue->bytes};
  const guint *buffers = ol_graph_buffer_list(executor->graph, node->releases);
  for (guint i = 0; i < node->releases.n; i++)
    ol_memory_release(executor, buffers[i], span.end_ns);
  gboolean worked = !ol_issue_is_idle(executor, issue);
  if (worked)
    ol_recorder_span(executor->options.recorder, &span);
  if (node->part == OL_PART_STEP)
    count_in_step(executor, &span, worked);
  tell_done(executor, issue);
}
