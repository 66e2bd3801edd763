#include "engine/run/executor-private.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/base/measure.h"
#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>

/* Whether this processor can write the tier's memory: a real GPU's it cannot. */
static gboolean is_reachable(const OlExecutor *executor, OlTier tier)
{
  return tier != OL_TIER_GPU || executor->ops == ol_device_virtual();
}

/* A tier's arena over memory that is as large as the plan will use, with the capacity of the
 * machine that the config describes: what is refused is what that machine would refuse. */
static gboolean open_arena(OlExecutor *executor, OlRankState *rank, OlTier tier, GError **error)
{
  OlArenaOptions options = {.tier = tier,
                            .capacity = executor->plan->capacity[tier],
                            .base = rank->base[tier],
                            .poison = executor->options.poison && is_reachable(executor, tier)};
  rank->arenas[tier] = ol_arena_new(&options, error);
  return rank->arenas[tier] != NULL;
}

static gboolean reserve_host(OlExecutor *executor, OlRankState *rank, GError **error)
{
  rank->host_bytes = MAX(executor->plan->arena_bytes[OL_TIER_HOST], OL_OFFSETS_ALIGNMENT);
  void *memory = mmap(NULL, rank->host_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    int code = errno;
    g_autofree char *asked = ol_measure_dup_bytes((double)rank->host_bytes);
    g_set_error(error, OL_ERROR, OL_ERROR_OUT_OF_MEMORY,
                _("this machine cannot give %s for the host tier: %s; choose a smaller model"),
                asked, g_strerror(code));
    return FALSE;
  }
  rank->base[OL_TIER_HOST] = rank->host_memory = memory;
  /* A drive is a tenth faster from and to huge pages, and so is an update of a large model. */
  ol_disk_prefers_huge(memory, rank->host_bytes);
  return open_arena(executor, rank, OL_TIER_HOST, error);
}

static gboolean reserve_gpu(OlExecutor *executor, OlRankState *rank, GError **error)
{
  OlDeviceOptions options = {
      .compute_threads = executor->plan->config->hardware.compute_threads,
      .gpu_bytes = MAX(executor->plan->arena_bytes[OL_TIER_GPU], OL_OFFSETS_ALIGNMENT)};
  rank->device = executor->ops->open(&options, error);
  if (!rank->device)
    return FALSE;
  rank->base[OL_TIER_GPU] = executor->ops->get_gpu_memory(rank->device);
  return open_arena(executor, rank, OL_TIER_GPU, error);
}

/* Addresses only: what lies there is in the drive's file. */
static gboolean reserve_nvme(OlExecutor *executor, OlRankState *rank, GError **error)
{
  OlArenaOptions options = {
      .tier = OL_TIER_NVME, .capacity = executor->plan->capacity[OL_TIER_NVME], .no_memory = TRUE};
  rank->arenas[OL_TIER_NVME] = ol_arena_new(&options, error);
  return rank->arenas[OL_TIER_NVME] && ol_storage_open(executor, rank, error);
}

gboolean ol_memory_reserve(OlExecutor *executor, OlRankState *rank, GError **error)
{
  rank->pinned = g_array_new(FALSE, FALSE, sizeof(guint));
  return reserve_gpu(executor, rank, error) && reserve_host(executor, rank, error) &&
         reserve_nvme(executor, rank, error);
}

static void refuse(OlExecutor *executor, const OlGraphBuffer *buffer)
{
  guint64 capacity = executor->plan->capacity[buffer->tier];
  ol_executor_abort(executor, OL_OUTCOME_OUT_OF_MEMORY,
                    ol_ledger_dup_refusal(executor->ledger, buffer->rank, buffer->tier,
                                          buffer->payload, buffer->bytes, capacity),
                    ol_ledger_dup_table(executor->ledger, buffer->rank, buffer->tier, capacity));
}

/* Launches are issued with the plan's addresses before the arena is asked, so the arena must agree.
 */
static gboolean check_place(OlExecutor *executor, guint id, const void *block)
{
  const OlGraphBuffer *buffer = ol_graph_buffer(executor->graph, id);
  guint64 planned = executor->plan->offset[id];
  OlArena *arena = executor->ranks[buffer->rank].arenas[buffer->tier];
  guint64 real = block ? ol_arena_get_offset(arena, block) : OL_OFFSETS_FULL;
  if (planned == real)
    return TRUE;
  ol_executor_abort(executor, OL_OUTCOME_FAILED,
                    g_strdup_printf(_("plan and run disagree on buffer %u (%s on %s of rank %u): "
                                      "planned at 0x%" PRIx64 ", found at 0x%" PRIx64
                                      "; this is a fault of the lab"),
                                    id, ol_payload_nick(buffer->payload),
                                    ol_tier_nick(buffer->tier), buffer->rank, planned, real),
                    NULL);
  return FALSE;
}

static void book(OlExecutor *executor, guint id, gint64 bytes, gint64 time_ns)
{
  const OlGraphBuffer *buffer = ol_graph_buffer(executor->graph, id);
  ol_ledger_book(executor->ledger, buffer->rank, buffer->tier, buffer->payload, bytes);
  OlMemoryChange change = {.time_ns = time_ns, .bytes = bytes, .buffer = id};
  ol_recorder_memory(executor->options.recorder, &change);
}

/* Whether the plan ended, in plan order, before this buffer: a rank that gets there first waits for
 * the one that is refused. */
static gboolean is_beyond_plan(const OlExecutor *executor, guint id)
{
  const OlPlan *plan = executor->plan;
  return plan->refusal.refused && plan->refusal.buffer != id && plan->offset[id] == OL_OFFSETS_FULL;
}

gboolean ol_memory_acquire(OlExecutor *executor, guint id, int node, gint64 time_ns)
{
  const OlGraphBuffer *buffer = ol_graph_buffer(executor->graph, id);
  const OlRefusal *refusal = &executor->plan->refusal;
  if (is_beyond_plan(executor, id))
    return FALSE;
  void *block = ol_arena_acquire(executor->ranks[buffer->rank].arenas[buffer->tier], buffer->bytes);
  if (!block && refusal->refused && refusal->buffer == id && refusal->node == node) {
    refuse(executor, buffer);
    return FALSE;
  }
  if (!check_place(executor, id, block))
    return FALSE;
  book(executor, id, (gint64)buffer->bytes, time_ns);
  return TRUE;
}

void ol_memory_release(OlExecutor *executor, guint id, gint64 time_ns)
{
  const OlGraphBuffer *buffer = ol_graph_buffer(executor->graph, id);
  ol_arena_release(executor->ranks[buffer->rank].arenas[buffer->tier],
                   ol_executor_get_buffer(executor, id));
  book(executor, id, -(gint64)buffer->bytes, time_ns);
}

/* What the system refuses to lock stays pageable, which changes nothing else. */
static gboolean pin(OlExecutor *executor, guint id)
{
  const OlGraphBuffer *buffer = ol_graph_buffer(executor->graph, id);
  if (buffer->tier != OL_TIER_HOST || !executor->plan->config->overlap.pinned)
    return TRUE;
  OlRankState *rank = &executor->ranks[buffer->rank];
  if (!executor->ops->pin(rank->device, ol_executor_get_buffer(executor, id), buffer->bytes))
    return FALSE;
  g_array_append_val(rank->pinned, id);
  return TRUE;
}

static void unpin_all(OlExecutor *executor, OlRankState *rank)
{
  for (guint i = 0; i < rank->pinned->len; i++) {
    guint id = g_array_index(rank->pinned, guint, i);
    executor->ops->unpin(rank->device, ol_executor_get_buffer(executor, id),
                         ol_graph_buffer(executor->graph, id)->bytes);
  }
  g_array_set_size(rank->pinned, 0);
}

static void tell_pin(OlTrace *trace, gpointer data)
{
  ol_trace_set_text(trace, "pin", data);
}

gboolean ol_memory_acquire_homes(OlExecutor *executor)
{
  guint64 refused = 0;
  for (guint id = 0; id < executor->graph->buffers->len; id++) {
    const OlGraphBuffer *buffer = ol_graph_buffer(executor->graph, id);
    if (buffer->kind == OL_BUFFER_TRANSIENT || !ol_executor_is_here(executor, buffer->rank))
      continue;
    if (!ol_memory_acquire(executor, id, OL_NONE, 0))
      return FALSE;
    if (!pin(executor, id))
      refused += buffer->bytes;
  }
  if (refused > 0) {
    g_autofree char *bytes = ol_measure_dup_bytes((double)refused);
    g_autofree char *text = g_strdup_printf(
        "refused: the system does not let %s of host memory be locked (ulimit -l)", bytes);
    ol_recorder_with_trace(executor->options.recorder, tell_pin, text);
  }
  return TRUE;
}

gboolean ol_memory_has_places(const OlExecutor *executor, guint node)
{
  OlOperands operands = ol_plan_operands(executor->plan, node);
  for (guint i = 0; i < OL_N_OPERANDS; i++)
    if (operands.buffer[i] != OL_NONE &&
        executor->plan->offset[operands.buffer[i]] == OL_OFFSETS_FULL)
      return FALSE;
  return TRUE;
}

void ol_memory_clear(OlExecutor *executor, OlRankState *rank)
{
  if (rank->pinned)
    unpin_all(executor, rank);
  g_clear_pointer(&rank->pinned, g_array_unref);
  for (guint i = 0; i < OL_N_TIERS; i++)
    g_clear_pointer(&rank->arenas[i], ol_arena_free);
  g_clear_pointer(&rank->disk, ol_disk_free);
  if (rank->device)
    executor->ops->close(rank->device);
  if (rank->host_memory)
    munmap(rank->host_memory, rank->host_bytes);
}
