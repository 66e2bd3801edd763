/* Collectives between threads. Every call has the same shape: each member offers its buffers, all
 * meet, each does its share of the copying straight from and to the others' memory, all meet again
 * so that no buffer is taken back too early.
 *
 * A small source is offered as a copy, which makes the second meeting needless. A member offers
 * alternately in two places: it comes to the third call only after all have left the first. */
#include "engine/comm/sum-private.h"
#include "engine/comm/threads-private.h"

#include <sched.h>

#define SMALL_BYTES 4096u /* of a whole call; copying more costs more than meeting */
#define SUM_BYTES   8192u /* summed at a time: from all sources to all targets in the first cache */

typedef struct {
  OlCommTopic topic;
  const void *source;
  gsize source_bytes;
  void *target;
  char small[SMALL_BYTES];
} Offer;

typedef struct {
  _Alignas(OL_COMM_CACHE_LINE) Offer offers[2];
  guint n_calls;
  const void **sources; /* [n]: room for the arguments of a sum */
} Seat;

typedef struct {
  OlCommGroup base;
  Seat *seats; /* [n] */
  OlGate gate;
  atomic_uint arrived;
  atomic_uint inside; /* members that may be touching others' memory */
} Group;

/* A member's view of the call that it is in. */
typedef struct {
  const OlCommCall *of;
  Group *group;
  guint n, member, place;
  gboolean is_small;
  const gsize *blocks; /* [n] bytes of each member's source, where they may differ; else NULL */
} Call;

/* ---- life ---- */

OlCommGroup *ol_comm_threads_group_new(OlComm *comm, const guint *ranks, guint n)
{
  Group *group = g_new0(Group, 1);
  ol_comm_group_init(&group->base, comm, ranks, n);
  group->seats = g_aligned_alloc0(n, sizeof *group->seats, OL_COMM_CACHE_LINE);
  for (guint member = 0; member < n; member++)
    group->seats[member].sources = g_new(const void *, n);
  ol_gate_init(&group->gate);
  atomic_init(&group->arrived, 0);
  atomic_init(&group->inside, 0);
  return &group->base;
}

void ol_comm_threads_group_free(OlCommGroup *base)
{
  Group *group = (Group *)base;
  for (guint member = 0; member < base->n; member++)
    g_free(group->seats[member].sources);
  ol_gate_clear(&group->gate);
  g_aligned_free(group->seats);
  ol_comm_group_clear(base);
  g_free(group);
}

void ol_comm_threads_group_wake(OlCommGroup *group)
{
  ol_gate_step(&((Group *)group)->gate);
}

/* ---- meeting ---- */

/* An abort opens the gate before all have arrived; it is then never closed again, since whoever
 * comes later finds the flag. */
static gboolean meet(Group *group)
{
  guint64 seen = ol_gate_get(&group->gate);
  if (ol_comm_is_aborted(group->base.comm))
    return FALSE;
  if (atomic_fetch_add(&group->arrived, 1) + 1 == group->base.n) {
    atomic_store(&group->arrived, 0);
    ol_gate_step(&group->gate);
  } else {
    ol_gate_wait(&group->gate, seen + 1);
  }
  return !ol_comm_is_aborted(group->base.comm);
}

/* Whoever goes inside looks at the flag before it touches anything. */
gboolean ol_comm_threads_fail(OlCommGroup *group)
{
  while (atomic_load(&((Group *)group)->inside) > 0)
    sched_yield();
  return FALSE;
}

static gboolean fail(const Call *call)
{
  return ol_comm_threads_fail(&call->group->base);
}

static const Offer *offer_of(const Call *call, guint member)
{
  return &call->group->seats[member].offers[call->place];
}

/* Whether all members are in the same call. */
static gboolean agree(const Call *call)
{
  const Offer *mine = offer_of(call, call->member);

  for (guint k = 0; k < call->n; k++) {
    const Offer *other = offer_of(call, k);
    gboolean same = ol_comm_topic_is(&mine->topic, &other->topic);
    if (same && (!call->blocks || call->blocks[k] == other->source_bytes))
      continue;
    ol_comm_disagree(call->of, &mine->topic, k, &other->topic, same);
    return FALSE;
  }
  return TRUE;
}

static Call open_call(const OlCommCall *of)
{
  return (Call){.of = of, .group = (Group *)of->group, .n = of->group->n, .member = of->member};
}

/* Offers source and target, and comes back inside, with all members' offers to be read; or FALSE.
 * `whole_bytes`, by which small is judged, is alike in all members. */
static gboolean begin(Call *call, const OlCommTopic *topic, const void *source, gsize source_bytes,
                      void *target, gsize whole_bytes)
{
  Group *group = call->group;
  Seat *seat = &group->seats[call->member];
  call->place = seat->n_calls++ % 2;
  call->is_small = whole_bytes <= SMALL_BYTES;

  Offer *mine = &seat->offers[call->place];
  mine->topic = *topic;
  mine->source = source;
  mine->source_bytes = source_bytes;
  mine->target = target;
  if (call->is_small && source_bytes > 0)
    mine->source = memcpy(mine->small, source, source_bytes);

  if (!meet(group))
    return fail(call);
  atomic_fetch_add(&group->inside, 1);
  if (!ol_comm_is_aborted(group->base.comm) && agree(call))
    return TRUE;
  atomic_fetch_sub(&group->inside, 1);
  return fail(call);
}

static gboolean end(const Call *call, gsize received)
{
  Group *group = call->group;
  ol_comm_end(group->base.comm, call->of->rank)->received += received;
  atomic_fetch_sub(&group->inside, 1);
  return call->is_small || meet(group) || fail(call);
}

static void copy(void *target, const void *source, gsize bytes)
{
  if (bytes > 0 && target != source)
    memcpy(target, source, bytes);
}

/* ---- the calls ---- */

gboolean ol_comm_threads_barrier(const OlCommCall *of)
{
  Call call = open_call(of);
  return begin(&call, &(OlCommTopic){OL_COMM_BARRIER}, NULL, 0, NULL, 0) && end(&call, 0);
}

static const void *const *gather_sources(const Call *call)
{
  const void **sources = call->group->seats[call->member].sources;
  for (guint k = 0; k < call->n; k++)
    sources[k] = offer_of(call, k)->source;
  return sources;
}

/* Of two members each sums all by itself: what it takes from the other is what it would take in
 * shards, and nobody writes to another's target, so one meeting is enough. */
static gboolean sum_small_pair(Call *call, const void *source, void *target, gsize n, OlDtype dtype)
{
  OlCommTopic topic = {OL_COMM_ALL_REDUCE, n, dtype, dtype};
  gsize bytes = n * ol_dtype_bytes(dtype);

  if (!begin(call, &topic, source, bytes, target, bytes))
    return FALSE;
  ol_comm_sum(gather_sources(call), call->n, 0, n, dtype, target, dtype);
  return end(call, bytes);
}

/* Sums this member's shard piece by piece and puts each piece into every target. In place that
 * takes nothing from the others, who read nothing of that shard. */
gboolean ol_comm_threads_all_reduce(const OlCommCall *of, const void *source, void *target, gsize n,
                                    OlDtype dtype)
{
  gsize size = ol_dtype_bytes(dtype), step = SUM_BYTES / size;
  OlCommTopic topic = {OL_COMM_ALL_REDUCE, n, dtype, dtype};
  guint64 first, count;
  Call call = open_call(of);

  if (call.n == 2 && n * size <= SMALL_BYTES)
    return sum_small_pair(&call, source, target, n, dtype);
  if (!begin(&call, &topic, source, n * size, target, G_MAXSIZE))
    return FALSE;
  ol_comm_shard(n, call.n, call.member, OL_COMM_SUM_BYTES / size, &first, &count);
  const void *const *sources = gather_sources(&call);
  for (gsize at = first; at < first + count; at += step) {
    gsize piece = MIN(step, first + count - at);
    char *own = (char *)target + at * size;
    ol_comm_sum(sources, call.n, at, piece, dtype, own, dtype);
    for (guint k = 0; k < call.n; k++)
      copy((char *)offer_of(&call, k)->target + at * size, own, piece * size);
  }
  return end(&call, (count * (call.n - 1) + n - count) * size);
}

gboolean ol_comm_threads_reduce_scatter(const OlCommCall *of, const void *source, void *target,
                                        const gsize *counts, OlDtype dtype, OlDtype target_dtype)
{
  gsize size = ol_dtype_bytes(dtype), n = ol_comm_total(counts, of->group->n);
  gsize first = ol_comm_total(counts, of->member), count = counts[of->member];
  OlCommTopic topic = {OL_COMM_REDUCE_SCATTER, n, dtype, target_dtype};
  Call call = open_call(of);

  if (!begin(&call, &topic, source, n * size, target, n * size))
    return FALSE;
  ol_comm_sum(gather_sources(&call), call.n, first, count, dtype, target, target_dtype);
  return end(&call, count * (call.n - 1) * size);
}

gboolean ol_comm_threads_all_gather(const OlCommCall *of, const void *source, void *target,
                                    const gsize *bytes)
{
  gsize n = ol_comm_total(bytes, of->group->n), own = bytes[of->member], at = 0;
  Call call = open_call(of);

  call.blocks = bytes;
  if (!begin(&call, &(OlCommTopic){OL_COMM_ALL_GATHER, n}, source, own, target, n))
    return FALSE;
  for (guint k = 0; k < call.n; at += bytes[k++])
    copy((char *)target + at, k == call.member ? source : offer_of(&call, k)->source, bytes[k]);
  return end(&call, n - own);
}

gboolean ol_comm_threads_broadcast(const OlCommCall *of, guint root, void *buffer, gsize bytes)
{
  OlCommTopic topic = {.kind = OL_COMM_BROADCAST, .n = bytes, .root = root};
  gboolean gives = of->rank == root;
  Call call = open_call(of);

  if (!begin(&call, &topic, buffer, gives ? bytes : 0, buffer, bytes))
    return FALSE;
  if (!gives)
    copy(buffer, offer_of(&call, of->group->member_of[root])->source, bytes);
  return end(&call, gives ? 0 : bytes);
}
