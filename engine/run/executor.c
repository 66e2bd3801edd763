#include "engine/run/executor-private.h"

#include "engine/base/clock.h"
#include "engine/base/intl.h"
#include <math.h>

/* How often whoever waits for the lanes looks at the device and at the control. */
#define WATCH_NS 20000000

void ol_executor_abort(OlExecutor *executor, OlOutcome outcome, char *message, char *table)
{
  pthread_mutex_lock(&executor->lock);
  gboolean first = !ol_executor_is_aborted(executor);
  if (first) {
    executor->outcome = outcome;
    executor->message = g_steal_pointer(&message);
    executor->table = g_steal_pointer(&table);
    atomic_store(&executor->aborted, TRUE);
  }
  pthread_mutex_unlock(&executor->lock);
  g_free(message);
  g_free(table);
  ol_pace_close(executor->pace);
  if (executor->comm)
    ol_comm_abort(executor->comm, 0, _("the run has ended"));
  ol_listeners_ring_all(executor);
  ol_bell_ring(&executor->bell);
}

gboolean ol_executor_is_aborted(const OlExecutor *executor)
{
  return atomic_load(&executor->aborted);
}

void ol_executor_fail(OlExecutor *executor, const OlRankState *rank, const char *message)
{
  gboolean alone = executor->graph->n_ranks == 1;
  char *words = alone ? g_strdup(message)
                      : g_strdup_printf(_("rank %u: %s"), (guint)(rank - executor->ranks), message);
  ol_executor_abort(executor, OL_OUTCOME_FAILED, words, NULL);
}

gboolean ol_executor_check_device(OlExecutor *executor, const OlRankState *rank)
{
  g_autoptr(GError) error = NULL;
  if (!executor->ops->get_error(rank->device, &error))
    return FALSE;
  ol_executor_fail(executor, rank, error->message);
  return TRUE;
}

void *ol_executor_get_buffer(const OlExecutor *executor, int id)
{
  if (id == OL_NONE || executor->plan->offset[id] == OL_OFFSETS_FULL)
    return NULL;
  const OlGraphBuffer *buffer = ol_graph_buffer(executor->graph, (guint)id);
  return executor->ranks[buffer->rank].base[buffer->tier] + executor->plan->offset[id];
}

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
  if (is_on_device(kind))
    lane->stream = executor->ops->stream_new(lane->rank->device, ol_lane_nick(kind));
  if (kind == OL_LANE_COMPUTE)
    lane->tokens = g_new0(int32_t, (gsize)OL_ISSUE_RING * 2 * config->batch.micro_batch *
                                       config->model.sequence);
}

/* Lanes by rank and kind, so that the first of all is a compute lane: every plan computes. */
static void open_lanes(OlExecutor *executor)
{
  guint n_ranks = executor->graph->n_ranks;
  executor->lanes = g_new0(OlExecutorLane, n_ranks * OL_N_LANES);
  for (guint rank = 0; rank < n_ranks; rank++)
    for (guint kind = 0; kind < OL_N_LANES; kind++) {
      guint first = executor->n_lanes;
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
  for (guint i = 0; i < executor->n_lanes; i++) {
    OlExecutorLane *lane = &executor->lanes[i];
    guint even = lane->nodes[OL_PART_STEP][0]->len, odd = lane->nodes[OL_PART_STEP][1]->len;
    executor->step_nodes[0] += even;
    executor->step_nodes[1] += odd;
    if (even + odd == 0) /* nobody has to wait for its steps */
      atomic_store(&lane->steps_done, G_MAXUINT);
  }
}

static void close_lanes(OlExecutor *executor)
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
static void open_events(OlExecutor *executor)
{
  const OlGraph *graph = executor->graph;
  for (guint id = 0; id < graph->nodes->len; id++) {
    const OlExecutorLane *lane = executor->nodes[id].lane;
    OlRange range = ol_graph_node(graph, id)->waits;
    const OlWait *waits = ol_graph_waits(graph, range);
    for (guint i = 0; i < range.n && lane->stream; i++) {
      OlNodeState *awaited = &executor->nodes[waits[i].node];
      if (awaited->events[0] || awaited->lane == lane || !awaited->lane->stream ||
          awaited->lane->rank != lane->rank)
        continue;
      gboolean repeats = ol_graph_node(graph, waits[i].node)->part == OL_PART_STEP;
      for (guint e = 0; e < (repeats ? OL_STEP_RING : 1); e++)
        awaited->events[e] = executor->ops->event_new(lane->rank->device);
    }
  }
}

static void close_events(OlExecutor *executor)
{
  for (guint id = 0; id < executor->graph->nodes->len; id++)
    for (guint e = 0; e < OL_STEP_RING; e++)
      if (executor->nodes[id].events[e])
        executor->ops->event_free(executor->nodes[id].events[e]);
  g_free(executor->nodes);
}

/* The modelled host may have more threads than this machine has cores; more than those would only
 * get in each other's way. */
static void open_pools(OlExecutor *executor)
{
  guint asked = executor->plan->config->optimizer.threads, cores = g_get_num_processors();
  for (guint i = 0; i < executor->n_lanes; i++)
    if (executor->lanes[i].kind == OL_LANE_HOST_UPDATE)
      executor->lanes[i].rank->pool = ol_update_pool_new(asked ? MIN(asked, cores) : cores);
}

static gboolean open_ranks(OlExecutor *executor, GError **error)
{
  executor->ranks = g_new0(OlRankState, executor->graph->n_ranks);
  for (guint i = 0; i < executor->graph->n_ranks; i++)
    if (!ol_memory_reserve(executor, &executor->ranks[i], error)) {
      if (executor->graph->n_ranks > 1)
        g_prefix_error(error, _("rank %u: "), i);
      return FALSE;
    }
  return TRUE;
}

OlExecutor *ol_executor_new(const OlExecutorOptions *options, GError **error)
{
  const OlRunConfig *config = options->plan->config;
  g_autoptr(OlExecutor) executor = g_new0(OlExecutor, 1);
  executor->options = *options;
  executor->plan = options->plan;
  executor->graph = options->plan->graph;
  executor->ops = options->ops;
  executor->outcome = OL_OUTCOME_DONE;
  pthread_mutex_init(&executor->lock, NULL);
  ol_bell_init(&executor->bell);
  executor->nodes = g_new0(OlNodeState, executor->graph->nodes->len);
  executor->ledger = ol_ledger_new(executor->graph->n_ranks);
  executor->losses =
      g_new0(double, (gsize)OL_STEP_RING * executor->graph->n_ranks * config->batch.micro_batches);
  executor->clips = g_new0(OlClip, (gsize)OL_STEP_RING * executor->graph->n_ranks);
  executor->checksum = g_checksum_new(G_CHECKSUM_SHA256);
  if (!open_ranks(executor, error))
    return NULL;
  ol_collectives_open(executor);
  ol_join_open(executor);
  for (guint i = 0; i < executor->graph->n_ranks; i++)
    executor->ranks[i].replica = g_checksum_new(G_CHECKSUM_SHA256);
  open_lanes(executor);
  ol_listeners_open(executor);
  open_events(executor);
  open_pools(executor);
  executor->pace = ol_pace_new(options->control, executor->n_lanes);
  if (!isnan(options->slowdown))
    executor->dues = ol_dues_new(executor->graph, options->costs, options->slowdown);
  for (guint i = 0; i < OL_STEP_RING; i++)
    executor->steps[i] =
        (OlStepState){.nodes_left = executor->step_nodes[i % 2], .begin_ns = G_MAXINT64};
  return g_steal_pointer(&executor);
}

void ol_executor_free(OlExecutor *executor)
{
  if (!executor)
    return;
  close_lanes(executor);
  close_events(executor);
  for (guint i = 0; i < executor->graph->n_ranks; i++) {
    g_clear_pointer(&executor->ranks[i].pool, ol_update_pool_free);
    ol_memory_clear(executor, &executor->ranks[i]);
  }
  for (guint i = 0; i < executor->graph->n_ranks; i++)
    g_clear_pointer(&executor->ranks[i].replica, g_checksum_free);
  g_free(executor->ranks);
  ol_join_close(executor);
  g_clear_pointer(&executor->comm, ol_comm_free);
  g_clear_pointer(&executor->norm_parts, g_array_unref);
  g_clear_pointer(&executor->listeners, g_array_unref);
  ol_dues_free(executor->dues);
  ol_pace_free(executor->pace);
  ol_ledger_free(executor->ledger);
  g_checksum_free(executor->checksum);
  g_free(executor->losses);
  g_free(executor->clips);
  g_free(executor->message);
  g_free(executor->table);
  ol_bell_clear(&executor->bell);
  pthread_mutex_destroy(&executor->lock);
  g_free(executor);
}

static void *lane_main(void *data)
{
  ol_lane_run(data);
  return NULL;
}

static gboolean all_lanes_ended(gconstpointer data)
{
  const OlExecutor *executor = data;
  return atomic_load(&executor->lanes_left) == 0;
}

/* A failed device skips the work that would tell, and a stopped run may be in nobody's hands, so
 * both are looked at from outside as well. */
static void watch(OlExecutor *executor)
{
  while (!ol_bell_sleep(&executor->bell, all_lanes_ended, executor, WATCH_NS)) {
    for (guint i = 0; i < executor->graph->n_ranks; i++)
      ol_executor_check_device(executor, &executor->ranks[i]);
    if (ol_control_is_stopped(executor->options.control))
      ol_executor_abort(executor, OL_OUTCOME_STOPPED, g_strdup(_("stopped")), NULL);
  }
}

static void run_lanes(OlExecutor *executor)
{
  guint started = 0;
  atomic_store(&executor->lanes_left, executor->n_lanes);
  for (; started < executor->n_lanes; started++) {
    int code = pthread_create(&executor->lanes[started].thread, NULL, lane_main,
                              &executor->lanes[started]);
    if (code == 0)
      continue;
    atomic_fetch_sub(&executor->lanes_left, executor->n_lanes - started);
    g_autofree char *message = g_strdup_printf(
        _("the system gives no thread for the lane \"%s\": %s; allow more processes (ulimit -u)"),
        ol_lane_name(executor->lanes[started].kind), g_strerror(code));
    ol_executor_fail(executor, executor->lanes[started].rank, message);
    break;
  }
  watch(executor);
  for (guint i = 0; i < started; i++)
    pthread_join(executor->lanes[i].thread, NULL);
}

/* Data replicas hold the same weights to the bit, or something is wrong with the lab. Ranks that
 * differ in their data index alone are this many apart. */
static void compare_replicas(OlExecutor *executor)
{
  guint apart = executor->graph->n_ranks / executor->plan->config->parallel.data;
  for (guint i = apart; i < executor->graph->n_ranks; i++)
    if (strcmp(g_checksum_get_string(executor->ranks[i % apart].replica),
               g_checksum_get_string(executor->ranks[i].replica)) != 0) {
      executor->outcome = OL_OUTCOME_FAILED;
      executor->message = g_strdup_printf(
          _("rank %u ended with other weights than rank %u; this is a fault of the lab"), i,
          i % apart);
      return;
    }
}

static void end_trace(OlTrace *trace, gpointer data)
{
  OlExecutor *executor = data;
  trace->touched = ol_control_was_touched(executor->options.control);
  if (executor->dues && !trace->touched && trace->steps->len > 0)
    ol_trace_set_number(trace, "late",
                        (double)atomic_load(&executor->late_ns) /
                            (executor->options.step_seconds * (double)OL_NS_PER_SECOND));
  if (executor->outcome == OL_OUTCOME_DONE)
    compare_replicas(executor);
  if (executor->outcome == OL_OUTCOME_DONE) {
    g_autofree char *digits = g_strndup(g_checksum_get_string(executor->checksum), 16);
    ol_trace_set_text(trace, "weights.hash", digits);
  }
  ol_trace_end(trace, executor->outcome, executor->message, executor->table);
}

void ol_executor_run(OlExecutor *executor)
{
  if (ol_memory_acquire_homes(executor)) {
    for (guint rank = 0; rank < executor->graph->n_ranks; rank++)
      ol_storage_register(executor, rank);
    ol_executor_warm_up(executor);
    run_lanes(executor);
  }
  /* The last nodes of an ended run may still be on their streams. */
  for (guint i = 0; i < executor->n_lanes; i++)
    if (executor->lanes[i].stream)
      executor->ops->stream_synchronize(executor->lanes[i].stream);
  ol_recorder_with_trace(executor->options.recorder, end_trace, executor);
}
