/* A communicator whose ranks are threads of one process: its life, its groups, its failure. */
#include "engine/comm/threads-private.h"

OlComm *ol_comm_new_threads(guint n_ranks)
{
  OlComm *comm = g_new0(OlComm, 1);
  comm->n_ranks = n_ranks;
  comm->ends = g_aligned_alloc0(n_ranks, sizeof *comm->ends, OL_COMM_CACHE_LINE);
  for (guint rank = 0; rank < n_ranks; rank++)
    comm->ends[rank].mail = ol_comm_mail_new();
  atomic_init(&comm->aborted, FALSE);
  pthread_mutex_init(&comm->lock, NULL);
  comm->groups = g_ptr_array_new_with_free_func((GDestroyNotify)ol_comm_group_free);
  return comm;
}

void ol_comm_free(OlComm *comm)
{
  if (!comm)
    return;
  g_ptr_array_unref(comm->groups);
  for (guint rank = 0; rank < comm->n_ranks; rank++)
    ol_comm_mail_free(comm->ends[rank].mail);
  g_aligned_free(comm->ends);
  pthread_mutex_destroy(&comm->lock);
  g_free(comm->failure);
  g_free(comm);
}

guint ol_comm_get_n_ranks(const OlComm *comm)
{
  return comm->n_ranks;
}

gboolean ol_comm_is_local(const OlComm *comm, guint rank)
{
  return rank < comm->n_ranks;
}

guint64 ol_comm_get_received(const OlComm *comm, guint rank)
{
  return comm->ends[rank].received;
}

OlCommGroup *ol_comm_get_group(OlComm *comm, const guint *ranks, guint n)
{
  OlCommGroup *found = NULL;

  g_return_val_if_fail(n >= 1, NULL);
  for (guint i = 0; i < n; i++)
    g_return_val_if_fail(ranks[i] < comm->n_ranks, NULL);
  pthread_mutex_lock(&comm->lock);
  for (guint i = 0; i < comm->groups->len && !found; i++) {
    OlCommGroup *group = g_ptr_array_index(comm->groups, i);
    if (ol_comm_group_is(group, ranks, n))
      found = group;
  }
  if (!found) {
    found = ol_comm_group_new(comm, ranks, n);
    g_ptr_array_add(comm->groups, found);
  }
  pthread_mutex_unlock(&comm->lock);
  return found;
}

/* Whoever begins to wait after this sees the flag; whoever waits already is let through. */
void ol_comm_abort(OlComm *comm, guint rank, const char *message)
{
  pthread_mutex_lock(&comm->lock);
  if (!comm->failure)
    comm->failure = g_strdup_printf("rank %u: %s", rank, message);
  atomic_store(&comm->aborted, TRUE);
  for (guint i = 0; i < comm->groups->len; i++)
    ol_comm_group_wake(g_ptr_array_index(comm->groups, i));
  pthread_mutex_unlock(&comm->lock);
  for (guint i = 0; i < comm->n_ranks; i++)
    ol_comm_mail_wake(comm->ends[i].mail);
}

void ol_comm_abort_printf(OlComm *comm, guint rank, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  ol_comm_abort(comm, rank, message);
}

char *ol_comm_dup_failure(OlComm *comm)
{
  pthread_mutex_lock(&comm->lock);
  char *failure = g_strdup(comm->failure);
  pthread_mutex_unlock(&comm->lock);
  return failure;
}
