#include "engine/run/remote-private.h"

#include "engine/base/clock.h"
#include <sys/prctl.h>

#define LOOK_NS  50000 /* between two looks of the peer lane that waits */
#define YIELDS   50    /* before it sleeps between them */
#define SLACK_NS 1000

/* ---- who waits for whom ---- */

typedef struct {
  guint node, rank;
} Hearing;

static int compare_hearings(gconstpointer a, gconstpointer b)
{
  const Hearing *left = a, *right = b;
  if (left->node != right->node)
    return left->node < right->node ? -1 : 1;
  return left->rank < right->rank ? -1 : left->rank > right->rank;
}

static void add_hearing(const OlRemote *remote, GArray *hearings, guint node, guint rank)
{
  const OlGraphNode *awaited = ol_graph_node(remote->executor->graph, node);
  Hearing hearing = {node, rank};
  if (awaited->rank == remote->rank && rank != remote->rank)
    g_array_append_val(hearings, hearing);
}

static void list_hearers(OlRemote *remote)
{
  const OlGraph *graph = remote->executor->graph;
  g_autoptr(GArray) hearings = g_array_new(FALSE, FALSE, sizeof(Hearing));
  for (guint id = 0; id < graph->nodes->len; id++) {
    OlRange range = ol_graph_node(graph, id)->waits;
    const OlWait *waits = ol_graph_waits(graph, range);
    for (guint i = 0; i < range.n; i++)
      add_hearing(remote, hearings, waits[i].node, ol_graph_node(graph, id)->rank);
    if (ol_remote_is_hash(remote, id)) /* rank 0 goes through all of them in order */
      add_hearing(remote, hearings, id, 0);
  }
  g_array_sort(hearings, compare_hearings);
  remote->hearers_of = g_new0(OlRange, graph->nodes->len);
  remote->hearers = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint i = 0; i < hearings->len; i++) {
    const Hearing *hearing = &g_array_index(hearings, Hearing, i);
    if (i > 0 && compare_hearings(hearing - 1, hearing) == 0)
      continue;
    OlRange *range = &remote->hearers_of[hearing->node];
    if (range->n++ == 0)
      range->first = remote->hearers->len;
    g_array_append_val(remote->hearers, hearing->rank);
  }
}

/* ---- life ---- */

OlRemote *ol_remote_new(OlExecutor *executor, guint rank)
{
  OlRemote *remote = g_new0(OlRemote, 1);
  remote->executor = executor;
  remote->comm = executor->options.comm;
  remote->n = executor->graph->n_ranks;
  remote->rank = rank;
  remote->speed = 1;
  remote->processes = g_new0(OlProcess, remote->n);
  remote->digests = g_new0(char *, remote->n);
  remote->places = g_new0(guint64, remote->n);
  remote->last_words = g_new0(gboolean, remote->n);
  pthread_mutex_init(&remote->lock, NULL);
  g_queue_init(&remote->held);
  list_hearers(remote);
  ol_remote_list_hashes(remote);
  return remote;
}

void ol_remote_set_peer(OlRemote *remote, OlExecutorLane *peer)
{
  remote->peer = peer;
}

void ol_remote_free(OlRemote *remote)
{
  if (!remote)
    return;
  ol_remote_close_watch(remote);
  for (guint rank = 0; rank < remote->n; rank++)
    g_free(remote->digests[rank]);
  g_free(remote->digests);
  g_free(remote->last_words);
  g_free(remote->places);
  g_free(remote->processes);
  g_free(remote->hearers_of);
  g_array_unref(remote->hearers);
  g_array_unref(remote->hashes);
  pthread_mutex_destroy(&remote->lock);
  g_free(remote);
}

guint ol_remote_get_rank(const OlRemote *remote)
{
  return remote->rank;
}

const char *ol_remote_get_digest(const OlRemote *remote, guint rank)
{
  return remote->digests[rank];
}

const atomic_uint *ol_remote_get_met(const OlRemote *remote)
{
  return &remote->met;
}

const atomic_uint *ol_remote_get_steps_whole(const OlRemote *remote)
{
  return &remote->steps_whole;
}

gint64 ol_remote_get_instant(const OlRemote *remote)
{
  return atomic_load(&remote->instant_ns);
}

/* ---- what is heard ---- */

void ol_remote_count_done(OlRemote *remote, guint node)
{
  atomic_fetch_add(&remote->executor->nodes[node].done, 1);
  ol_listeners_ring(remote->executor, node);
}

/* The sender has waited until the slot was read for the last time. */
static void hear_data(OlRemote *remote, guint from, const OlNote *note, const void *bytes, gsize n)
{
  OlExecutor *executor = remote->executor;
  int slot = ol_plan_operands(executor->plan, note->id).buffer[OL_OPERAND_TARGET];
  memcpy(ol_executor_get_buffer(executor, slot), bytes, n);
  ol_remote_tell(remote, from, &(OlNote){OL_NOTE_RECEIPT, .id = note->id}, NULL, 0);
}

static void hear_receipt(OlRemote *remote, guint from, const OlNote *note, const void *bytes,
                         gsize n)
{
  atomic_fetch_add(&remote->executor->nodes[note->id].received, 1);
}

static void hear_done(OlRemote *remote, guint from, const OlNote *note, const void *bytes, gsize n)
{
  if (ol_remote_is_hash(remote, note->id))
    ol_remote_hear_hash(remote, note, bytes, n);
  else
    ol_remote_count_done(remote, note->id);
}

static void hear_of_hash(OlRemote *remote, guint from, const OlNote *note, const void *bytes,
                         gsize n)
{
  ol_remote_hear_hash(remote, note, bytes, n);
}

static void hear_met(OlRemote *remote, guint from, const OlNote *note, const void *bytes, gsize n)
{
  if (remote->rank == 0)
    ol_remote_count_arrival(remote);
  else
    ol_remote_go_on(remote, note->id, note->begin_ns - remote->ahead_ns);
}

static void hear_step(OlRemote *remote, guint from, const OlNote *note, const void *bytes, gsize n)
{
  OlStepState of_rank = {.begin_ns = note->begin_ns, .end_ns = note->end_ns};
  ol_step_take(remote->executor, note->id, from, &of_rank, bytes, n);
}

static void hear_whole(OlRemote *remote, guint from, const OlNote *note, const void *bytes, gsize n)
{
  atomic_store(&remote->steps_whole, note->id);
  ol_listeners_ring_all(remote->executor);
}

static void hear_news(OlRemote *remote, guint from, const OlNote *note, const void *bytes, gsize n)
{
  gsize of_spans = note->id * sizeof(OlSpan);
  const void *changes = (const char *)bytes + of_spans;
  ol_recorder_append(remote->executor->options.recorder, bytes, note->id, changes,
                     (guint)((n - of_spans) / sizeof(OlMemoryChange)));
}

static void hear_end(OlRemote *remote, guint from, const OlNote *note, const void *bytes, gsize n)
{
  const char *message = bytes, *table = message + strlen(message) + 1;
  ol_executor_hear_abort(remote->executor, (OlOutcome)note->id, *message ? message : NULL,
                         *table ? table : NULL);
}

static void hear_last(OlRemote *remote, guint from, const OlNote *note, const void *bytes, gsize n)
{
  long long late = (long long)note->first;
  remote->last_words[from] = TRUE;
  remote->digests[from] = g_strndup(bytes, n);
  if (late > atomic_load(&remote->executor->late_ns))
    atomic_store(&remote->executor->late_ns, late);
}

static void hear_bye(OlRemote *remote, guint from, const OlNote *note, const void *bytes, gsize n)
{
  remote->bye = TRUE;
}

static void hear_ping(OlRemote *remote, guint from, const OlNote *note, const void *bytes, gsize n)
{
  ol_remote_tell(remote, from, &(OlNote){OL_NOTE_PONG, .begin_ns = ol_clock_now_ns()}, NULL, 0);
}

static void hear_pong(OlRemote *remote, guint from, const OlNote *note, const void *bytes, gsize n)
{
  remote->pong_ns = note->begin_ns;
}

static void hear_clocked(OlRemote *remote, guint from, const OlNote *note, const void *bytes,
                         gsize n)
{
  remote->clocked++;
}

static void hear_control(OlRemote *remote, guint from, const OlNote *note, const void *bytes,
                         gsize n)
{
  ol_remote_hear_control(remote, note);
}

static void hear_place(OlRemote *remote, guint from, const OlNote *note, const void *bytes, gsize n)
{
  ol_remote_hear_place(remote, from, note);
}

static void hear_next(OlRemote *remote, guint from, const OlNote *note, const void *bytes, gsize n)
{
  ol_remote_hear_next(remote, note);
}

void ol_remote_hear(guint from, const void *bytes, gsize n, gpointer data)
{
  static void (*const hear[])(OlRemote * remote, guint from, const OlNote *note, const void *bytes,
                              gsize n) = {
      [OL_NOTE_DONE] = hear_done,       [OL_NOTE_DATA] = hear_data,
      [OL_NOTE_RECEIPT] = hear_receipt, [OL_NOTE_MET] = hear_met,
      [OL_NOTE_STEP] = hear_step,       [OL_NOTE_WHOLE] = hear_whole,
      [OL_NOTE_NEWS] = hear_news,       [OL_NOTE_HASH] = hear_of_hash,
      [OL_NOTE_END] = hear_end,         [OL_NOTE_LAST] = hear_last,
      [OL_NOTE_BYE] = hear_bye,         [OL_NOTE_PING] = hear_ping,
      [OL_NOTE_PONG] = hear_pong,       [OL_NOTE_CLOCKED] = hear_clocked,
      [OL_NOTE_CONTROL] = hear_control, [OL_NOTE_PLACE] = hear_place,
      [OL_NOTE_NEXT] = hear_next,
  };
  OlNote note;
  memcpy(&note, bytes, sizeof note);
  hear[note.kind](data, from, &note, (const char *)bytes + sizeof note, n - sizeof note);
}

/* ---- waiting ---- */

void ol_remote_look(gpointer data)
{
  OlRemote *remote = data;
  atomic_store(&remote->to_tell, FALSE);
  ol_comm_look(remote->comm);
}

typedef struct {
  OlRemote *remote;
  gboolean (*ready)(gconstpointer data);
  gconstpointer data;
} Wait;

static gboolean is_to_go_on(gconstpointer data)
{
  const Wait *wait = data;
  return wait->ready(wait->data) || atomic_load(&wait->remote->to_tell);
}

/* As a bell waits, but with looks between. */
void ol_remote_await(OlRemote *remote, gboolean (*ready)(gconstpointer data), gconstpointer data)
{
  Wait wait = {remote, ready, data};
  prctl(PR_SET_TIMERSLACK, SLACK_NS);
  for (guint looks = 0; !ready(data); looks++) {
    ol_remote_look(remote);
    if (looks < YIELDS)
      sched_yield();
    else
      ol_bell_sleep(&remote->peer->bell, is_to_go_on, &wait, LOOK_NS);
  }
}

/* ---- a message to another stage ---- */

/* The bytes have crossed when the receiver says that they lie in its slot. */
void ol_remote_send(OlRemote *remote, OlIssue *issue)
{
  OlExecutor *executor = remote->executor;
  const OlGraphNode *node = ol_issue_node(executor, issue);
  int slot = ol_plan_operands(executor->plan, issue->node).buffer[OL_OPERAND_TARGET];
  OlNodeState *state = &executor->nodes[issue->node];
  OlAwait receipt = {executor, &state->received, atomic_load(&state->done) + 1};
  ol_remote_tell(remote, ol_graph_buffer(executor->graph, (guint)slot)->rank,
                 &(OlNote){OL_NOTE_DATA, .id = issue->node},
                 ol_issue_operand(executor, issue, OL_OPERAND_SOURCE), node->bytes);
  ol_remote_await(remote, ol_await_is_over, &receipt);
  issue->bytes = node->bytes;
}
