#include "engine/memory/arena.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/base/measure.h"
#include "engine/memory/offsets.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define POISON 0xff /* all bits set is a NaN in fp32 and in bf16 */

/* Where addresses begin when no memory lies behind them: not at NULL, which says "no room". */
#define NOWHERE ((void *)OL_OFFSETS_ALIGNMENT)

struct OlArena {
  OlArenaOptions options;
  char *base;
  gsize mapped; /* bytes of our own mapping; 0 when the memory is borrowed */
  OlOffsets *offsets;
};

/* Address space only: the system gives a zeroed page when one is first touched. */
static gboolean map_own_memory(OlArena *arena, GError **error)
{
  guint64 bytes = MAX(arena->options.capacity, OL_OFFSETS_ALIGNMENT);
  void *base = bytes > G_MAXSIZE ? MAP_FAILED
                                 : mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) {
    g_autofree char *asked = ol_measure_dup_bytes((double)bytes);
    g_set_error(error, OL_ERROR, OL_ERROR_OUT_OF_MEMORY,
                _("this machine cannot reserve %s for the %s tier: %s; a smaller model or capacity "
                  "(hardware.%s_mib) is needed"),
                asked, ol_tier_nick(arena->options.tier), g_strerror(errno ? errno : ENOMEM),
                ol_tier_nick(arena->options.tier));
    return FALSE;
  }
  arena->base = base;
  arena->mapped = bytes;
  return TRUE;
}

OlArena *ol_arena_new(const OlArenaOptions *options, GError **error)
{
  g_return_val_if_fail((guintptr)options->base % OL_OFFSETS_ALIGNMENT == 0, NULL);

  g_autoptr(OlArena) arena = g_new0(OlArena, 1);
  arena->options = *options;
  arena->base = options->no_memory ? NOWHERE : options->base;
  arena->offsets = ol_offsets_new(options->capacity);
  if (!arena->base && !map_own_memory(arena, error))
    return NULL;
  return g_steal_pointer(&arena);
}

void ol_arena_free(OlArena *arena)
{
  if (!arena)
    return;
  if (arena->mapped)
    munmap(arena->base, arena->mapped);
  ol_offsets_free(arena->offsets);
  g_free(arena);
}

void *ol_arena_acquire(OlArena *arena, guint64 bytes)
{
  guint64 offset = ol_offsets_acquire(arena->offsets, bytes);
  return offset == OL_OFFSETS_FULL ? NULL : arena->base + offset;
}

void ol_arena_release(OlArena *arena, void *block)
{
  if (!block)
    return;
  g_return_if_fail(ol_arena_contains(arena, block, 1));

  guint64 before = ol_offsets_get_in_use(arena->offsets);
  ol_offsets_release(arena->offsets, ol_arena_get_offset(arena, block));
  guint64 released = before - ol_offsets_get_in_use(arena->offsets);
  if (arena->options.poison && !arena->options.no_memory)
    memset(block, POISON, released);
}

gboolean ol_arena_contains(const OlArena *arena, const void *pointer, guint64 bytes)
{
  guintptr base = (guintptr)arena->base, at = (guintptr)pointer;
  guint64 capacity = arena->options.capacity;

  return at >= base && bytes <= capacity && at - base <= capacity - bytes;
}

guint64 ol_arena_get_highest(const OlArena *arena)
{
  return ol_offsets_get_highest(arena->offsets);
}

guint64 ol_arena_get_in_use(const OlArena *arena)
{
  return ol_offsets_get_in_use(arena->offsets);
}

guint64 ol_arena_get_offset(const OlArena *arena, const void *block)
{
  return (guintptr)block - (guintptr)arena->base;
}
