/* What is told to ranks in other processes. Any thread may tell; it goes out at the next look. */
#include "engine/run/remote-private.h"

#include "engine/base/clock.h"

void ol_remote_tell(OlRemote *remote, guint to, const OlNote *note, const void *bytes, gsize n)
{
  g_autofree char *all = g_malloc(sizeof *note + n);
  memcpy(all, note, sizeof *note);
  if (n > 0)
    memcpy(all + sizeof *note, bytes, n);
  ol_comm_tell(remote->comm, to, all, sizeof *note + n);
  atomic_store(&remote->to_tell, TRUE);
  if (remote->peer)
    ol_bell_ring(&remote->peer->bell);
}

void ol_remote_tell_all(OlRemote *remote, const OlNote *note, const void *bytes, gsize n)
{
  for (guint rank = 0; rank < remote->n; rank++)
    if (rank != remote->rank)
      ol_remote_tell(remote, rank, note, bytes, n);
}

void ol_remote_tell_done(OlRemote *remote, guint node)
{
  OlRange hearers = remote->hearers_of[node];
  if (ol_remote_is_hash(remote, node))
    atomic_fetch_add(&remote->hashed, 1);
  for (guint i = 0; i < hearers.n; i++)
    ol_remote_tell(remote, g_array_index(remote->hearers, guint, hearers.first + i),
                   &(OlNote){OL_NOTE_DONE, .id = node}, NULL, 0);
}

/* From the first one on trace times are counted, alike in all processes. */
void ol_remote_go_on(OlRemote *remote, guint met, gint64 instant_ns)
{
  if (met == 1)
    atomic_store(&remote->executor->origin_ns, instant_ns);
  atomic_store(&remote->instant_ns, instant_ns);
  atomic_store(&remote->met, met);
  ol_listeners_ring_all(remote->executor);
}

/* Everybody's lanes have come. */
static void let_go(OlRemote *remote)
{
  gint64 now = ol_clock_now_ns();
  guint met = atomic_load(&remote->met) + 1;
  ol_remote_tell_all(remote, &(OlNote){OL_NOTE_MET, .id = met, .begin_ns = now}, NULL, 0);
  ol_remote_go_on(remote, met, now);
}

void ol_remote_count_arrival(OlRemote *remote)
{
  pthread_mutex_lock(&remote->lock);
  gboolean all = ++remote->arrived == remote->n;
  if (all)
    remote->arrived = 0;
  pthread_mutex_unlock(&remote->lock);
  if (all)
    let_go(remote);
}

void ol_remote_arrive(OlRemote *remote, guint meeting)
{
  if (remote->rank == 0)
    ol_remote_count_arrival(remote);
  else
    ol_remote_tell(remote, 0, &(OlNote){OL_NOTE_MET, .id = meeting}, NULL, 0);
}

void ol_remote_tell_hash(OlRemote *remote, guint node, guint64 first, const void *bytes, gsize n)
{
  ol_remote_tell(remote, 0, &(OlNote){OL_NOTE_HASH, .id = node, .first = first}, bytes, n);
}

void ol_remote_tell_end(OlRemote *remote, OlOutcome outcome, const char *message, const char *table)
{
  const char *words[] = {message ? message : "", table ? table : ""};
  g_autoptr(GString) text = g_string_new(NULL);
  for (guint i = 0; i < G_N_ELEMENTS(words); i++)
    g_string_append_len(text, words[i], (gssize)strlen(words[i]) + 1);
  ol_remote_tell_all(remote, &(OlNote){OL_NOTE_END, .id = outcome}, text->str, text->len);
}

/* ---- what rank 0 writes down ---- */

static void append_news(OlTrace *trace, gpointer data)
{
  OlRemote *remote = data;
  guint n_spans = trace->spans->len - remote->n_spans;
  guint n_changes = trace->changes->len - remote->n_changes;
  if (n_spans + n_changes == 0)
    return;
  g_autoptr(GByteArray) news = g_byte_array_new();
  if (n_spans > 0)
    g_byte_array_append(news, (const guint8 *)ol_trace_span(trace, remote->n_spans),
                        n_spans * (guint)sizeof(OlSpan));
  if (n_changes > 0)
    g_byte_array_append(news, (const guint8 *)ol_trace_change(trace, remote->n_changes),
                        n_changes * (guint)sizeof(OlMemoryChange));
  remote->n_spans = trace->spans->len;
  remote->n_changes = trace->changes->len;
  ol_remote_tell(remote, 0, &(OlNote){OL_NOTE_NEWS, .id = n_spans}, news->data, news->len);
}

/* Under the lock from taking to telling, so that no two of them go out in another order. */
void ol_remote_tell_news(OlRemote *remote)
{
  pthread_mutex_lock(&remote->lock);
  remote->news_ns = ol_clock_now_ns();
  ol_recorder_with_trace(remote->executor->options.recorder, append_news, remote);
  pthread_mutex_unlock(&remote->lock);
}

/* All that lies in the step goes before it. */
void ol_remote_tell_step(OlRemote *remote, guint step, const OlStepState *state)
{
  const OlExecutor *executor = remote->executor;
  guint n = executor->plan->config->batch.micro_batches;
  const double *losses =
      executor->losses + (gsize)(step % OL_STEP_RING * executor->graph->n_ranks + remote->rank) * n;
  OlNote note = {OL_NOTE_STEP, .id = step, .begin_ns = state->begin_ns, .end_ns = state->end_ns};
  ol_remote_tell_news(remote);
  ol_remote_tell(remote, 0, &note, losses, n * sizeof *losses);
}

void ol_remote_tell_whole(OlRemote *remote, guint steps)
{
  atomic_store(&remote->steps_whole, steps);
  ol_remote_tell_all(remote, &(OlNote){OL_NOTE_WHOLE, .id = steps}, NULL, 0);
  ol_listeners_ring_all(remote->executor);
}
