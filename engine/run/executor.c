#include "engine/run/executor-private.h"

#include "engine/base/clock.h"
#include "engine/base/intl.h"
#include "engine/run/agree.h"
#include <math.h>

/* How often whoever waits for the lanes looks at the device and at the control. */
#define WATCH_NS 20000000

/* The first outcome stands. */
static void set_outcome(OlExecutor *executor, OlOutcome outcome, char **message, char **table)
{
  pthread_mutex_lock(&executor->lock);
  if (!ol_executor_is_aborted(executor)) {
    executor->outcome = outcome;
    executor->message = g_steal_pointer(message);
    executor->table = g_steal_pointer(table);
    atomic_store(&executor->aborted, TRUE);
  }
  pthread_mutex_unlock(&executor->lock);
}

static void end_lanes(OlExecutor *executor)
{
  ol_pace_close(executor->pace);
  if (executor->remote)
    ol_comm_leave(executor->comm);
  else if (executor->comm)
    ol_comm_abort(executor->comm, 0, _("the run has ended"));
  ol_listeners_ring_all(executor);
  ol_bell_ring(&executor->bell);
}

void ol_executor_abort(OlExecutor *executor, OlOutcome outcome, char *message, char *table)
{
  if (executor->remote && !ol_executor_is_aborted(executor))
    ol_remote_tell_end(executor->remote, outcome, message, table);
  set_outcome(executor, outcome, &message, &table);
  g_free(message);
  g_free(table);
  end_lanes(executor);
}

void ol_executor_hear_abort(OlExecutor *executor, OlOutcome outcome, const char *message,
                            const char *table)
{
  char *own_message = g_strdup(message), *own_table = g_strdup(table);
  set_outcome(executor, outcome, &own_message, &own_table);
  g_free(own_message);
  g_free(own_table);
  end_lanes(executor);
}

gboolean ol_executor_is_here(const OlExecutor *executor, guint rank)
{
  return !executor->remote || ol_remote_get_rank(executor->remote) == rank;
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
    if (ol_executor_is_here(executor, i) &&
        !ol_memory_reserve(executor, &executor->ranks[i], error)) {
      if (executor->graph->n_ranks > 1 && !executor->remote)
        g_prefix_error(error, _("rank %u: "), i);
      return FALSE;
    }
  return TRUE;
}

static void open_pace(OlExecutor *executor)
{
  OlPaceLook look = {ol_remote_look, executor->remote};
  executor->pace = ol_pace_new(executor->options.control, executor->n_lanes);
  for (guint i = 0; i < executor->n_lanes; i++)
    if (executor->lanes[i].looks)
      ol_pace_set_look(executor->pace, i, &look);
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
  if (options->comm && executor->graph->n_ranks > 1)
    executor->remote = ol_remote_new(executor, ol_agree_rank(options->comm));
  if (!open_ranks(executor, error))
    return NULL;
  ol_collectives_open(executor);
  ol_join_open(executor);
  for (guint i = 0; i < executor->graph->n_ranks; i++)
    executor->ranks[i].replica = g_checksum_new(G_CHECKSUM_SHA256);
  ol_lanes_open(executor);
  ol_listeners_open(executor);
  ol_lanes_open_events(executor);
  open_pools(executor);
  open_pace(executor);
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
  ol_lanes_close(executor);
  ol_lanes_close_events(executor);
  for (guint i = 0; i < executor->graph->n_ranks; i++) {
    g_clear_pointer(&executor->ranks[i].pool, ol_update_pool_free);
    ol_memory_clear(executor, &executor->ranks[i]);
  }
  for (guint i = 0; i < executor->graph->n_ranks; i++)
    g_clear_pointer(&executor->ranks[i].replica, g_checksum_free);
  g_free(executor->ranks);
  ol_join_close(executor);
  g_clear_pointer(&executor->remote, ol_remote_free);
  if (!executor->options.comm)
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
      if (ol_executor_is_here(executor, i))
        ol_executor_check_device(executor, &executor->ranks[i]);
    if (executor->remote)
      ol_remote_check(executor->remote);
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
static const char *replica_digest(const OlExecutor *executor, guint rank)
{
  return executor->remote ? ol_remote_get_digest(executor->remote, rank)
                          : g_checksum_get_string(executor->ranks[rank].replica);
}

static void compare_replicas(OlExecutor *executor)
{
  guint apart = executor->graph->n_ranks / executor->plan->config->parallel.data;
  for (guint i = apart; i < executor->graph->n_ranks; i++)
    if (strcmp(replica_digest(executor, i % apart), replica_digest(executor, i)) != 0) {
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
  gboolean knows_all = ol_executor_is_here(executor, 0);
  if (executor->outcome == OL_OUTCOME_DONE && knows_all)
    compare_replicas(executor);
  if (executor->outcome == OL_OUTCOME_DONE && knows_all) {
    g_autofree char *digits = g_strndup(g_checksum_get_string(executor->checksum), 16);
    ol_trace_set_text(trace, "weights.hash", digits);
  }
  ol_trace_end(trace, executor->outcome, executor->message, executor->table);
}

gboolean ol_executor_speaks_for_all(const OlExecutor *executor)
{
  return !executor->remote || ol_remote_is_first_alive(executor->remote);
}

void ol_executor_run(OlExecutor *executor)
{
  if (executor->remote)
    ol_remote_open(executor->remote);
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
  if (executor->remote)
    ol_remote_close(executor->remote);
  ol_recorder_with_trace(executor->options.recorder, end_trace, executor);
}
