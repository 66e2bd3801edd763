/* Collectives between processes. Each begins with a word from every member about what it calls,
 * which is a barrier too; then every member sends each other what that one needs. */
#include "engine/comm/mpi/mpi-private.h"
#include "engine/comm/sum-private.h"

#include <string.h>

typedef struct {
  OlCommTopic topic;
  gsize source_bytes;
} Word;

static OlMpi *mpi_of(const OlCommCall *call)
{
  return (OlMpi *)call->group->comm;
}

static gboolean agree(const OlCommCall *call, const Word *mine, const Word *other, guint k,
                      const gsize *blocks)
{
  gboolean same = ol_comm_topic_is(&mine->topic, &other->topic);
  if (same && (!blocks || blocks[k] == other->source_bytes))
    return TRUE;
  ol_comm_disagree(call, &mine->topic, k, &other->topic, same);
  return FALSE;
}

/* Whether all members are in the same call; blocks: [n] bytes of each one's source, or NULL. */
static gboolean begin(const OlCommCall *call, const OlCommTopic *topic, const gsize *blocks)
{
  const OlCommGroup *group = call->group;
  Word mine = {*topic, blocks ? blocks[call->member] : 0};
  g_autofree const Word **words = g_new0(const Word *, group->n);
  OlParcels parcels;

  if (!ol_mpi_look(mpi_of(call)))
    return FALSE;
  ol_parcels_init(&parcels, mpi_of(call), mpi_of(call)->calls);
  for (guint k = 0; k < group->n; k++) {
    if (k == call->member)
      continue;
    ol_parcels_send(&parcels, group->ranks[k], &mine, sizeof mine);
    words[k] = ol_parcels_receive(&parcels, group->ranks[k], sizeof mine);
  }
  gboolean goes_on = ol_parcels_wait(&parcels);
  for (guint k = 0; k < group->n && goes_on; k++)
    goes_on = k == call->member || agree(call, &mine, words[k], k, blocks);
  ol_parcels_clear(&parcels);
  return goes_on || ol_mpi_look(mpi_of(call)); /* FALSE, and the failure is told */
}

/* Member k's block: `bytes` from `first` on. */
typedef struct {
  gsize first, bytes;
} Block;

/* target[blocks[me]] = Σ members' source[blocks[me]], of it. */
static gboolean exchange_sums(const OlCommCall *call, const char *source, const Block *blocks,
                              OlDtype dtype, void *target, OlDtype target_dtype)
{
  const OlCommGroup *group = call->group;
  const Block *own = &blocks[call->member];
  g_autofree const void **sources = g_new(const void *, group->n);
  OlParcels parcels;

  ol_parcels_init(&parcels, mpi_of(call), mpi_of(call)->calls);
  for (guint k = 0; k < group->n; k++) {
    if (k == call->member) {
      sources[k] = source + own->first;
      continue;
    }
    ol_parcels_send(&parcels, group->ranks[k], source + blocks[k].first, blocks[k].bytes);
    sources[k] = ol_parcels_receive(&parcels, group->ranks[k], own->bytes);
  }
  gboolean done = ol_parcels_wait(&parcels);
  if (done) {
    ol_comm_sum(sources, group->n, 0, own->bytes / ol_dtype_bytes(dtype), dtype, target,
                target_dtype);
    mpi_of(call)->received += own->bytes * (group->n - 1);
  }
  ol_parcels_clear(&parcels);
  return done;
}

/* target[blocks[k]] = member k's source: [blocks[k].bytes] */
static gboolean exchange_blocks(const OlCommCall *call, const void *source, char *target,
                                const Block *blocks)
{
  const OlCommGroup *group = call->group;
  const Block *own = &blocks[call->member];
  g_autofree const void **sources = g_new(const void *, group->n);
  OlParcels parcels;

  ol_parcels_init(&parcels, mpi_of(call), mpi_of(call)->calls);
  for (guint k = 0; k < group->n; k++) {
    sources[k] = source;
    if (k == call->member)
      continue;
    ol_parcels_send(&parcels, group->ranks[k], source, own->bytes);
    sources[k] = ol_parcels_receive(&parcels, group->ranks[k], blocks[k].bytes);
  }
  gboolean done = ol_parcels_wait(&parcels);
  for (guint k = 0; k < group->n && done; k++) {
    if (blocks[k].bytes > 0 && sources[k] != target + blocks[k].first)
      memcpy(target + blocks[k].first, sources[k], blocks[k].bytes);
    mpi_of(call)->received += k == call->member ? 0 : blocks[k].bytes;
  }
  ol_parcels_clear(&parcels);
  return done;
}

static Block *make_blocks(const gsize *counts, guint n, gsize size)
{
  Block *blocks = g_new(Block, n);
  for (guint k = 0, first = 0; k < n; first += counts[k++])
    blocks[k] = (Block){first * size, counts[k] * size};
  return blocks;
}

/* ---- the calls ---- */

gboolean ol_mpi_barrier(const OlCommCall *call)
{
  return begin(call, &(OlCommTopic){OL_COMM_BARRIER}, NULL);
}

gboolean ol_mpi_all_reduce(const OlCommCall *call, const void *source, void *target, gsize n,
                           OlDtype dtype)
{
  guint n_members = call->group->n;
  gsize size = ol_dtype_bytes(dtype);
  g_autofree Block *blocks = g_new(Block, n_members);

  for (guint k = 0; k < n_members; k++) {
    guint64 first, count;
    ol_comm_shard(n, n_members, k, OL_COMM_SUM_BYTES / size, &first, &count);
    blocks[k] = (Block){first * size, count * size};
  }
  char *own = (char *)target + blocks[call->member].first;
  return begin(call, &(OlCommTopic){OL_COMM_ALL_REDUCE, n, dtype, dtype}, NULL) &&
         exchange_sums(call, source, blocks, dtype, own, dtype) &&
         exchange_blocks(call, own, target, blocks);
}

gboolean ol_mpi_reduce_scatter(const OlCommCall *call, const void *source, void *target,
                               const gsize *counts, OlDtype dtype, OlDtype target_dtype)
{
  gsize n = ol_comm_total(counts, call->group->n);
  g_autofree Block *blocks = make_blocks(counts, call->group->n, ol_dtype_bytes(dtype));

  return begin(call, &(OlCommTopic){OL_COMM_REDUCE_SCATTER, n, dtype, target_dtype}, NULL) &&
         exchange_sums(call, source, blocks, dtype, target, target_dtype);
}

gboolean ol_mpi_all_gather(const OlCommCall *call, const void *source, void *target,
                           const gsize *bytes)
{
  gsize n = ol_comm_total(bytes, call->group->n);
  g_autofree Block *blocks = make_blocks(bytes, call->group->n, 1);

  return begin(call, &(OlCommTopic){OL_COMM_ALL_GATHER, n}, bytes) &&
         exchange_blocks(call, source, target, blocks);
}

gboolean ol_mpi_broadcast(const OlCommCall *call, guint root, void *buffer, gsize bytes)
{
  const OlCommGroup *group = call->group;
  OlCommTopic topic = {.kind = OL_COMM_BROADCAST, .n = bytes, .root = root};
  const void *source = NULL;
  OlParcels parcels;

  if (!begin(call, &topic, NULL))
    return FALSE;
  ol_parcels_init(&parcels, mpi_of(call), mpi_of(call)->calls);
  for (guint k = 0; k < group->n && call->rank == root; k++) {
    if (k != call->member)
      ol_parcels_send(&parcels, group->ranks[k], buffer, bytes);
  }
  if (call->rank != root)
    source = ol_parcels_receive(&parcels, root, bytes);
  gboolean done = ol_parcels_wait(&parcels);
  if (done && source) {
    memcpy(buffer, source, bytes);
    mpi_of(call)->received += bytes;
  }
  ol_parcels_clear(&parcels);
  return done;
}
