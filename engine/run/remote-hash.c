/* The sum over all weights is rank 0's to make, and its order is the plan's. The ranks' words come
 * in any order, so those about a later home are held back. */
#include "engine/run/remote-private.h"

typedef struct {
  OlNote note;
  void *bytes;
  gsize n;
} OlHeldNote;

void ol_remote_list_hashes(OlRemote *remote)
{
  const OlGraph *graph = remote->executor->graph;
  remote->hashes = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint id = 0; id < graph->nodes->len; id++)
    if (ol_graph_node(graph, id)->op == OL_OP_HASH)
      g_array_append_val(remote->hashes, id);
}

gboolean ol_remote_is_hash(const OlRemote *remote, guint node)
{
  return ol_graph_node(remote->executor->graph, node)->op == OL_OP_HASH;
}

static gboolean is_next(const OlRemote *remote, guint node)
{
  guint hashed = atomic_load(&remote->hashed);
  return hashed < remote->hashes->len && g_array_index(remote->hashes, guint, hashed) == node;
}

static void take(OlRemote *remote, const OlNote *note, const void *bytes, gsize n)
{
  if (note->kind == OL_NOTE_HASH) {
    ol_hash_add(remote->executor, note->id, note->first, bytes, n);
    return;
  }
  atomic_fetch_add(&remote->hashed, 1);
  ol_remote_count_done(remote, note->id);
}

static void take_held(OlRemote *remote)
{
  for (GList *link = remote->held.head; link;) {
    OlHeldNote *held = link->data;
    if (!is_next(remote, held->note.id)) {
      link = link->next;
      continue;
    }
    g_queue_delete_link(&remote->held, link);
    take(remote, &held->note, held->bytes, held->n);
    g_free(held->bytes);
    g_free(held);
    link = remote->held.head;
  }
}

static void hold(OlRemote *remote, const OlNote *note, const void *bytes, gsize n)
{
  OlHeldNote *held = g_new(OlHeldNote, 1);
  *held = (OlHeldNote){*note, n > 0 ? g_memdup2(bytes, n) : NULL, n};
  g_queue_push_tail(&remote->held, held);
}

/* Elsewhere than at rank 0 only that one has done matters, and to whom it matters. */
void ol_remote_hear_hash(OlRemote *remote, const OlNote *note, const void *bytes, gsize n)
{
  if (remote->rank > 0) {
    ol_remote_count_done(remote, note->id);
    return;
  }
  if (!is_next(remote, note->id)) {
    hold(remote, note, bytes, n);
    return;
  }
  take(remote, note, bytes, n);
  take_held(remote);
}
