/* The interface of every communicator: arguments, groups, the first failure; the rest is its
 * kind's. */
#include "engine/comm/comm-private.h"

#include "engine/base/intl.h"

#include <string.h>

/* ---- life ---- */

void ol_comm_init(OlComm *comm, const OlCommOps *ops, guint n_ranks)
{
  comm->ops = ops;
  comm->n_ranks = n_ranks;
  atomic_init(&comm->aborted, FALSE);
  pthread_mutex_init(&comm->lock, NULL);
  comm->groups = g_ptr_array_new_with_free_func((GDestroyNotify)ops->group_free);
}

void ol_comm_clear(OlComm *comm)
{
  g_ptr_array_unref(comm->groups);
  pthread_mutex_destroy(&comm->lock);
  g_free(comm->failure);
}

void ol_comm_free(OlComm *comm)
{
  if (comm)
    comm->ops->free(comm);
}

guint ol_comm_get_n_ranks(const OlComm *comm)
{
  return comm->n_ranks;
}

gboolean ol_comm_is_local(const OlComm *comm, guint rank)
{
  return rank < comm->n_ranks && comm->ops->is_local(comm, rank);
}

guint64 ol_comm_get_received(const OlComm *comm, guint rank)
{
  return comm->ops->get_received(comm, rank);
}

/* ---- groups ---- */

void ol_comm_group_init(OlCommGroup *group, OlComm *comm, const guint *ranks, guint n)
{
  group->comm = comm;
  group->n = n;
  group->ranks = g_memdup2(ranks, n * sizeof *ranks);
  group->member_of = g_new(guint, comm->n_ranks);
  for (guint rank = 0; rank < comm->n_ranks; rank++)
    group->member_of[rank] = OL_COMM_NO_MEMBER;
  for (guint member = 0; member < n; member++)
    group->member_of[ranks[member]] = member;
}

void ol_comm_group_clear(OlCommGroup *group)
{
  g_free(group->member_of);
  g_free(group->ranks);
}

static gboolean is_group(const OlCommGroup *group, const guint *ranks, guint n)
{
  return group->n == n && memcmp(group->ranks, ranks, n * sizeof *ranks) == 0;
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
    if (is_group(group, ranks, n))
      found = group;
  }
  if (!found) {
    found = comm->ops->group_new(comm, ranks, n);
    g_ptr_array_add(comm->groups, found);
  }
  pthread_mutex_unlock(&comm->lock);
  return found;
}

guint ol_comm_group_get_n_members(const OlCommGroup *group)
{
  return group->n;
}

/* ---- failure ---- */

/* Whoever begins to wait after this sees the flag; whoever waits already is woken. */
void ol_comm_fail(OlComm *comm, const char *failure)
{
  pthread_mutex_lock(&comm->lock);
  if (!comm->failure)
    comm->failure = g_strdup(failure);
  atomic_store(&comm->aborted, TRUE);
  pthread_mutex_unlock(&comm->lock);
  comm->ops->wake(comm);
}

void ol_comm_abort(OlComm *comm, guint rank, const char *message)
{
  g_autofree char *failure = g_strdup_printf(_("rank %u: %s"), rank, message);
  ol_comm_fail(comm, failure);
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

/* ---- calls that fit together ---- */

gboolean ol_comm_topic_is(const OlCommTopic *a, const OlCommTopic *b)
{
  return a->kind == b->kind && a->n == b->n && a->dtype == b->dtype &&
         a->target_dtype == b->target_dtype && a->root == b->root;
}

static char *dup_topic(const OlCommTopic *topic)
{
  static const char *const kinds[] = {"a barrier", "all-reduce", "reduce-scatter", "all-gather",
                                      "broadcast"};
  static const char *const types[] = {"fp32", "bf16"};

  if (topic->kind == OL_COMM_BARRIER)
    return g_strdup(kinds[topic->kind]);
  if (topic->kind == OL_COMM_ALL_REDUCE || topic->kind == OL_COMM_REDUCE_SCATTER)
    return g_strdup_printf(_("%s of %zu elements, %s to %s"), kinds[topic->kind], topic->n,
                           types[topic->dtype], types[topic->target_dtype]);
  if (topic->kind == OL_COMM_BROADCAST)
    return g_strdup_printf(_("%s of %zu bytes from rank %u"), kinds[topic->kind], topic->n,
                           topic->root);
  return g_strdup_printf(_("%s of %zu bytes"), kinds[topic->kind], topic->n);
}

void ol_comm_disagree(const OlCommCall *call, const OlCommTopic *mine, guint other,
                      const OlCommTopic *topic, gboolean blocks)
{
  g_autofree char *here = dup_topic(mine), *there = dup_topic(topic);
  ol_comm_abort_printf(call->group->comm, call->rank, _("called %s where rank %u called %s%s"),
                       here, call->group->ranks[other], there,
                       blocks ? _(" with other blocks") : "");
}

static guint find_member(const OlCommGroup *group, guint rank)
{
  return rank < group->comm->n_ranks ? group->member_of[rank] : OL_COMM_NO_MEMBER;
}

static gboolean refuse(OlCommGroup *group, guint rank, const char *reason)
{
  ol_comm_abort(group->comm, rank, reason);
  return group->comm->ops->fail(group);
}

static gboolean open_call(OlCommCall *call, OlCommGroup *group, guint rank)
{
  *call = (OlCommCall){group, rank, find_member(group, rank)};
  return call->member != OL_COMM_NO_MEMBER ||
         refuse(group, rank, _("called on a group of which it is no member"));
}

/* Whether part: [part_bytes] is exactly at its place in whole: [whole_bytes], or nowhere in it. */
static gboolean is_placed(const void *part, gsize part_bytes, const void *place, const void *whole,
                          gsize whole_bytes)
{
  uintptr_t part_at = (uintptr_t)part, whole_at = (uintptr_t)whole;
  return part == place || part_bytes == 0 || whole_bytes == 0 || part_at + part_bytes <= whole_at ||
         whole_at + whole_bytes <= part_at;
}

static gboolean refuse_overlap(const OlCommCall *call)
{
  return refuse(call->group, call->rank, _("source and target of a collective overlap"));
}

gboolean ol_comm_barrier(OlCommGroup *group, guint rank)
{
  OlCommCall call;
  return open_call(&call, group, rank) && group->comm->ops->barrier(&call);
}

gboolean ol_comm_all_reduce(OlCommGroup *group, guint rank, const void *source, void *target,
                            gsize n, OlDtype dtype)
{
  gsize bytes = n * ol_dtype_bytes(dtype);
  OlCommCall call;

  if (!open_call(&call, group, rank))
    return FALSE;
  if (!is_placed(target, bytes, source, source, bytes))
    return refuse_overlap(&call);
  return group->comm->ops->all_reduce(&call, source, target, n, dtype);
}

gboolean ol_comm_reduce_scatter(OlCommGroup *group, guint rank, const void *source, void *target,
                                const gsize *counts, OlDtype dtype, OlDtype target_dtype)
{
  gsize size = ol_dtype_bytes(dtype), n = ol_comm_total(counts, group->n);
  OlCommCall call;

  if (!open_call(&call, group, rank))
    return FALSE;
  const char *own = (const char *)source + ol_comm_total(counts, call.member) * size;
  gsize target_bytes = counts[call.member] * ol_dtype_bytes(target_dtype);
  if (!is_placed(target, target_bytes, dtype == target_dtype ? own : NULL, source, n * size))
    return refuse_overlap(&call);
  return group->comm->ops->reduce_scatter(&call, source, target, counts, dtype, target_dtype);
}

gboolean ol_comm_all_gather(OlCommGroup *group, guint rank, const void *source, void *target,
                            const gsize *bytes)
{
  OlCommCall call;

  if (!open_call(&call, group, rank))
    return FALSE;
  const char *own = (const char *)target + ol_comm_total(bytes, call.member);
  if (!is_placed(source, bytes[call.member], own, target, ol_comm_total(bytes, group->n)))
    return refuse_overlap(&call);
  return group->comm->ops->all_gather(&call, source, target, bytes);
}

gboolean ol_comm_broadcast(OlCommGroup *group, guint rank, guint root, void *buffer, gsize bytes)
{
  OlCommCall call;

  if (!open_call(&call, group, rank))
    return FALSE;
  if (find_member(group, root) == OL_COMM_NO_MEMBER)
    return refuse(group, rank, _("called for a broadcast from outside its group"));
  return group->comm->ops->broadcast(&call, root, buffer, bytes);
}

/* ---- from rank to rank ---- */

static gboolean are_ranks(OlComm *comm, guint rank, guint other)
{
  if (rank < comm->n_ranks && other < comm->n_ranks)
    return TRUE;
  ol_comm_abort_printf(comm, rank, _("a message between ranks %u and %u, of %u ranks"), rank, other,
                       comm->n_ranks);
  return FALSE;
}

void ol_comm_post_receive(OlComm *comm, guint to, guint from, guint tag, void *target, gsize bytes)
{
  if (are_ranks(comm, to, from))
    comm->ops->post_receive(comm, to, from, tag, target, bytes);
}

gboolean ol_comm_wait_receive(OlComm *comm, guint to, guint from, guint tag)
{
  return are_ranks(comm, to, from) && comm->ops->wait_receive(comm, to, from, tag);
}

gboolean ol_comm_send(OlComm *comm, guint from, guint to, guint tag, const void *source,
                      gsize bytes)
{
  return are_ranks(comm, from, to) && comm->ops->send(comm, from, to, tag, source, bytes);
}

/* ---- notes ---- */

void ol_comm_set_reader(OlComm *comm, OlCommReader reader, gpointer data)
{
  g_return_if_fail(comm->ops->set_reader != NULL);
  comm->ops->set_reader(comm, reader, data);
}

void ol_comm_tell(OlComm *comm, guint to, const void *note, gsize bytes)
{
  g_return_if_fail(comm->ops->tell != NULL);
  g_return_if_fail(to < comm->n_ranks && !comm->ops->is_local(comm, to));
  comm->ops->tell(comm, to, note, bytes);
}

void ol_comm_look(OlComm *comm)
{
  g_return_if_fail(comm->ops->look != NULL);
  comm->ops->look(comm);
}

gboolean ol_comm_is_quiet(OlComm *comm)
{
  g_return_val_if_fail(comm->ops->is_quiet != NULL, TRUE);
  return comm->ops->is_quiet(comm);
}

void ol_comm_leave(OlComm *comm)
{
  g_return_if_fail(comm->ops->leave != NULL);
  comm->ops->leave(comm);
  ol_comm_fail(comm, _("the run has ended"));
}

void ol_comm_lose(OlComm *comm)
{
  g_return_if_fail(comm->ops->lose != NULL);
  comm->ops->lose(comm);
}
