/* A bounded memory tier of one rank: real, page-aligned memory behind offsets.h. Refuses beyond its
 * capacity. Blocks are 4096-aligned. Not thread-safe: the caller orders acquires and releases,
 * since their order decides the addresses. */
#pragma once

#include "engine/base/words.h"

G_BEGIN_DECLS

typedef struct OlArena OlArena;

typedef struct {
  OlTier tier;
  guint64 capacity;   /* bytes */
  void *base;         /* borrowed memory of `capacity` bytes (a device's); NULL: the arena's own */
  gboolean no_memory; /* addresses alone, as on a drive: nothing lies behind them */
  gboolean poison;    /* fill released blocks with NaN: for tests; not without memory */
} OlArenaOptions;

/* Reserves address space for the capacity; pages are taken when first touched. */
OlArena *ol_arena_new(const OlArenaOptions *options, GError **error);
void ol_arena_free(OlArena *arena);

/* The block, zero-filled only if never used before; NULL when there is no room (no GError: out of
 * memory is an outcome that the caller tells with the ledger's table). */
void *ol_arena_acquire(OlArena *arena, guint64 bytes);
void ol_arena_release(OlArena *arena, void *block);

gboolean ol_arena_contains(const OlArena *arena, const void *pointer, guint64 bytes);
guint64 ol_arena_get_highest(const OlArena *arena); /* highest address used, from 0 */
guint64 ol_arena_get_in_use(const OlArena *arena);
guint64 ol_arena_get_offset(const OlArena *arena, const void *block);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlArena, ol_arena_free)

G_END_DECLS
