/* A communicator whose ranks are threads of one process: its life and its table. */
#include "engine/comm/threads-private.h"

static void threads_free(OlComm *comm)
{
  OlCommThreads *threads = (OlCommThreads *)comm;
  guint n_ranks = comm->n_ranks;
  ol_comm_clear(comm);
  for (guint rank = 0; rank < n_ranks; rank++)
    ol_comm_mail_free(threads->ends[rank].mail);
  g_aligned_free(threads->ends);
  g_free(threads);
}

static gboolean threads_is_local(const OlComm *comm, guint rank)
{
  return TRUE;
}

static guint64 threads_get_received(const OlComm *comm, guint rank)
{
  return ol_comm_end((OlComm *)comm, rank)->received;
}

static void threads_wake(OlComm *comm)
{
  pthread_mutex_lock(&comm->lock);
  for (guint i = 0; i < comm->groups->len; i++)
    ol_comm_threads_group_wake(g_ptr_array_index(comm->groups, i));
  pthread_mutex_unlock(&comm->lock);
  for (guint i = 0; i < comm->n_ranks; i++)
    ol_comm_mail_wake(ol_comm_end(comm, i)->mail);
}

static const OlCommOps threads_ops = {
    .free = threads_free,
    .is_local = threads_is_local,
    .get_received = threads_get_received,
    .group_new = ol_comm_threads_group_new,
    .group_free = ol_comm_threads_group_free,
    .wake = threads_wake,
    .fail = ol_comm_threads_fail,
    .barrier = ol_comm_threads_barrier,
    .all_reduce = ol_comm_threads_all_reduce,
    .reduce_scatter = ol_comm_threads_reduce_scatter,
    .all_gather = ol_comm_threads_all_gather,
    .broadcast = ol_comm_threads_broadcast,
    .post_receive = ol_comm_threads_post_receive,
    .wait_receive = ol_comm_threads_wait_receive,
    .send = ol_comm_threads_send,
};

OlComm *ol_comm_new_threads(guint n_ranks)
{
  OlCommThreads *threads = g_new0(OlCommThreads, 1);
  ol_comm_init(&threads->base, &threads_ops, n_ranks);
  threads->ends = g_aligned_alloc0(n_ranks, sizeof *threads->ends, OL_COMM_CACHE_LINE);
  for (guint rank = 0; rank < n_ranks; rank++)
    threads->ends[rank].mail = ol_comm_mail_new();
  return &threads->base;
}
