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
#define NO_MEMBER   G_MAXUINT

typedef enum { BARRIER, ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, BROADCAST } Kind;

/* What must be alike in all members. */
typedef struct {
  Kind kind;
  gsize n; /* elements of a sum, else bytes */
  OlDtype dtype, target_dtype;
  guint root; /* rank */
} Topic;

typedef struct {
  Topic topic;
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

struct OlCommGroup {
  OlComm *comm;
  guint n;
  guint *ranks;     /* [n] */
  guint *member_of; /* [n_ranks], or NO_MEMBER */
  Seat *seats;      /* [n] */
  OlGate gate;
  atomic_uint arrived;
  atomic_uint inside; /* members that may be touching others' memory */
};

/* A member's view of the call that it is in. */
typedef struct {
  OlCommGroup *group;
  guint rank, member, place;
  gboolean is_small;
  const gsize *blocks; /* [n] bytes of each member's source, where they may differ; else NULL */
} Call;

/* ---- life ---- */

OlCommGroup *ol_comm_group_new(OlComm *comm, const guint *ranks, guint n)
{
  OlCommGroup *group = g_new0(OlCommGroup, 1);
  group->comm = comm;
  group->n = n;
  group->ranks = g_memdup2(ranks, n * sizeof *ranks);
  group->member_of = g_new(guint, comm->n_ranks);
  for (guint rank = 0; rank < comm->n_ranks; rank++)
    group->member_of[rank] = NO_MEMBER;
  group->seats = g_aligned_alloc0(n, sizeof *group->seats, OL_COMM_CACHE_LINE);
  for (guint member = 0; member < n; member++) {
    group->member_of[ranks[member]] = member;
    group->seats[member].sources = g_new(const void *, n);
  }
  ol_gate_init(&group->gate);
  atomic_init(&group->arrived, 0);
  atomic_init(&group->inside, 0);
  return group;
}

void ol_comm_group_free(OlCommGroup *group)
{
  for (guint member = 0; member < group->n; member++)
    g_free(group->seats[member].sources);
  ol_gate_clear(&group->gate);
  g_aligned_free(group->seats);
  g_free(group->member_of);
  g_free(group->ranks);
  g_free(group);
}

gboolean ol_comm_group_is(const OlCommGroup *group, const guint *ranks, guint n)
{
  return group->n == n && memcmp(group->ranks, ranks, n * sizeof *ranks) == 0;
}

void ol_comm_group_wake(OlCommGroup *group)
{
  ol_gate_step(&group->gate);
}

guint ol_comm_group_get_n_members(const OlCommGroup *group)
{
  return group->n;
}

/* ---- meeting ---- */

/* An abort opens the gate before all have arrived; it is then never closed again, since whoever
 * comes later finds the flag. */
static gboolean meet(OlCommGroup *group)
{
  guint64 seen = ol_gate_get(&group->gate);
  if (ol_comm_is_aborted(group->comm))
    return FALSE;
  if (atomic_fetch_add(&group->arrived, 1) + 1 == group->n) {
    atomic_store(&group->arrived, 0);
    ol_gate_step(&group->gate);
  } else {
    ol_gate_wait(&group->gate, seen + 1);
  }
  return !ol_comm_is_aborted(group->comm);
}

/* FALSE to the caller of an aborted call, when nobody works on its buffers any more: whoever goes
 * inside looks at the flag before it touches anything. */
static gboolean fail(OlCommGroup *group)
{
  while (atomic_load(&group->inside) > 0)
    sched_yield();
  return FALSE;
}

static gboolean refuse(OlCommGroup *group, guint rank, const char *reason)
{
  ol_comm_abort(group->comm, rank, reason);
  return fail(group);
}

static const Offer *offer_of(const Call *call, guint member)
{
  return &call->group->seats[member].offers[call->place];
}

static char *dup_topic(const Topic *topic)
{
  static const char *const kinds[] = {"a barrier", "all-reduce", "reduce-scatter", "all-gather",
                                      "broadcast"};
  static const char *const types[] = {"fp32", "bf16"};

  if (topic->kind == BARRIER)
    return g_strdup(kinds[topic->kind]);
  if (topic->kind == ALL_REDUCE || topic->kind == REDUCE_SCATTER)
    return g_strdup_printf("%s of %" G_GSIZE_FORMAT " elements, %s to %s", kinds[topic->kind],
                           topic->n, types[topic->dtype], types[topic->target_dtype]);
  if (topic->kind == BROADCAST)
    return g_strdup_printf("%s of %" G_GSIZE_FORMAT " bytes from rank %u", kinds[topic->kind],
                           topic->n, topic->root);
  return g_strdup_printf("%s of %" G_GSIZE_FORMAT " bytes", kinds[topic->kind], topic->n);
}

static gboolean is_same_topic(const Topic *a, const Topic *b)
{
  return a->kind == b->kind && a->n == b->n && a->dtype == b->dtype &&
         a->target_dtype == b->target_dtype && a->root == b->root;
}

/* Whether all members are in the same call. */
static gboolean agree(const Call *call)
{
  OlCommGroup *group = call->group;
  const Offer *mine = offer_of(call, call->member);

  for (guint k = 0; k < group->n; k++) {
    const Offer *other = offer_of(call, k);
    if (is_same_topic(&mine->topic, &other->topic) &&
        (!call->blocks || call->blocks[k] == other->source_bytes))
      continue;
    g_autofree char *here = dup_topic(&mine->topic), *there = dup_topic(&other->topic);
    ol_comm_abort_printf(group->comm, call->rank, "called %s where rank %u called %s%s", here,
                         group->ranks[k], there,
                         strcmp(here, there) == 0 ? " with other blocks" : "");
    return FALSE;
  }
  return TRUE;
}

/* Offers source and target, and comes back inside, with all members' offers to be read; or FALSE.
 * `whole_bytes`, by which small is judged, is alike in all members. */
static gboolean begin(Call *call, const Topic *topic, const void *source, gsize source_bytes,
                      void *target, gsize whole_bytes)
{
  OlCommGroup *group = call->group;
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
    return fail(group);
  atomic_fetch_add(&group->inside, 1);
  if (!ol_comm_is_aborted(group->comm) && agree(call))
    return TRUE;
  atomic_fetch_sub(&group->inside, 1);
  return fail(group);
}

static gboolean end(const Call *call, gsize received)
{
  OlCommGroup *group = call->group;
  group->comm->ends[call->rank].received += received;
  atomic_fetch_sub(&group->inside, 1);
  return call->is_small || meet(group) || fail(group);
}

/* ---- arguments ---- */

static guint find_member(const OlCommGroup *group, guint rank)
{
  return rank < group->comm->n_ranks ? group->member_of[rank] : NO_MEMBER;
}

static gboolean open_call(Call *call, OlCommGroup *group, guint rank)
{
  *call = (Call){.group = group, .rank = rank, .member = find_member(group, rank)};
  return call->member != NO_MEMBER ||
         refuse(group, rank, "called on a group of which it is no member");
}

/* Whether part: [part_bytes] is exactly at its place in whole: [whole_bytes], or nowhere in it. */
static gboolean is_placed(const void *part, gsize part_bytes, const void *place, const void *whole,
                          gsize whole_bytes)
{
  uintptr_t part_at = (uintptr_t)part, whole_at = (uintptr_t)whole;
  return part == place || part_bytes == 0 || whole_bytes == 0 || part_at + part_bytes <= whole_at ||
         whole_at + whole_bytes <= part_at;
}

static gboolean refuse_overlap(const Call *call)
{
  return refuse(call->group, call->rank, "source and target of a collective overlap");
}

static gsize sum_of(const gsize *values, guint n)
{
  gsize sum = 0;
  for (guint i = 0; i < n; i++)
    sum += values[i];
  return sum;
}

static void copy(void *target, const void *source, gsize bytes)
{
  if (bytes > 0 && target != source)
    memcpy(target, source, bytes);
}

/* ---- the calls ---- */

gboolean ol_comm_barrier(OlCommGroup *group, guint rank)
{
  Call call;
  return open_call(&call, group, rank) && begin(&call, &(Topic){BARRIER}, NULL, 0, NULL, 0) &&
         end(&call, 0);
}

static const void *const *gather_sources(const Call *call)
{
  const void **sources = call->group->seats[call->member].sources;
  for (guint k = 0; k < call->group->n; k++)
    sources[k] = offer_of(call, k)->source;
  return sources;
}

/* Sums this member's shard piece by piece and puts each piece into every target. In place that
 * takes nothing from the others, who read nothing of that shard. */
gboolean ol_comm_all_reduce(OlCommGroup *group, guint rank, const void *source, void *target,
                            gsize n, OlDtype dtype)
{
  gsize size = ol_dtype_bytes(dtype), step = SUM_BYTES / size;
  Topic topic = {ALL_REDUCE, n, dtype, dtype};
  guint64 first, count;
  Call call;

  if (!open_call(&call, group, rank))
    return FALSE;
  if (!is_placed(target, n * size, source, source, n * size))
    return refuse_overlap(&call);
  if (!begin(&call, &topic, source, n * size, target, G_MAXSIZE))
    return FALSE;
  ol_comm_shard(n, group->n, call.member, OL_COMM_SUM_BYTES / size, &first, &count);
  const void *const *sources = gather_sources(&call);
  for (gsize at = first; at < first + count; at += step) {
    gsize piece = MIN(step, first + count - at);
    char *own = (char *)target + at * size;
    ol_comm_sum(sources, group->n, at, piece, dtype, own, dtype);
    for (guint k = 0; k < group->n; k++)
      copy((char *)offer_of(&call, k)->target + at * size, own, piece * size);
  }
  return end(&call, (count * (group->n - 1) + n - count) * size);
}

gboolean ol_comm_reduce_scatter(OlCommGroup *group, guint rank, const void *source, void *target,
                                const gsize *counts, OlDtype dtype, OlDtype target_dtype)
{
  gsize size = ol_dtype_bytes(dtype), n = sum_of(counts, group->n);
  Topic topic = {REDUCE_SCATTER, n, dtype, target_dtype};
  Call call;

  if (!open_call(&call, group, rank))
    return FALSE;
  gsize first = sum_of(counts, call.member), count = counts[call.member];
  const char *place = dtype == target_dtype ? (const char *)source + first * size : NULL;
  if (!is_placed(target, count * ol_dtype_bytes(target_dtype), place, source, n * size))
    return refuse_overlap(&call);
  if (!begin(&call, &topic, source, n * size, target, n * size))
    return FALSE;
  ol_comm_sum(gather_sources(&call), group->n, first, count, dtype, target, target_dtype);
  return end(&call, count * (group->n - 1) * size);
}

gboolean ol_comm_all_gather(OlCommGroup *group, guint rank, const void *source, void *target,
                            const gsize *bytes)
{
  gsize n = sum_of(bytes, group->n), at = 0;
  Call call;

  if (!open_call(&call, group, rank))
    return FALSE;
  gsize own = bytes[call.member];
  if (!is_placed(source, own, (char *)target + sum_of(bytes, call.member), target, n))
    return refuse_overlap(&call);
  call.blocks = bytes;
  if (!begin(&call, &(Topic){ALL_GATHER, n}, source, own, target, n))
    return FALSE;
  for (guint k = 0; k < group->n; at += bytes[k++])
    copy((char *)target + at, k == call.member ? source : offer_of(&call, k)->source, bytes[k]);
  return end(&call, n - own);
}

gboolean ol_comm_broadcast(OlCommGroup *group, guint rank, guint root, void *buffer, gsize bytes)
{
  Topic topic = {.kind = BROADCAST, .n = bytes, .root = root};
  guint giver = find_member(group, root);
  gboolean gives = rank == root;
  Call call;

  if (!open_call(&call, group, rank))
    return FALSE;
  if (giver == NO_MEMBER)
    return refuse(group, rank, "called for a broadcast from outside its group");
  if (!begin(&call, &topic, buffer, gives ? bytes : 0, buffer, bytes))
    return FALSE;
  if (!gives)
    copy(buffer, offer_of(&call, giver)->source, bytes);
  return end(&call, gives ? 0 : bytes);
}
