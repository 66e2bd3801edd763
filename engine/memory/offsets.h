/* The pure, deterministic allocator that plan and arena both use: given the same sequence of
 * acquires and releases it gives the same addresses, so peaks, rounding and holes are known
 * before anything runs. Best fit, lowest address among equals. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define OL_OFFSETS_ALIGNMENT 4096u
#define OL_OFFSETS_FULL      G_MAXUINT64

typedef struct OlOffsets OlOffsets;

OlOffsets *ol_offsets_new(guint64 capacity);
void ol_offsets_free(OlOffsets *offsets);

/* The offset of a block of `bytes` (rounded up to the alignment; 0 bytes take one unit), or
 * OL_OFFSETS_FULL when no hole is large enough. */
guint64 ol_offsets_acquire(OlOffsets *offsets, guint64 bytes);

/* Gives back the block at `offset`, which must be acquired. Joins neighbouring holes. */
void ol_offsets_release(OlOffsets *offsets, guint64 offset);

guint64 ol_offsets_get_capacity(const OlOffsets *offsets);
guint64 ol_offsets_get_in_use(const OlOffsets *offsets); /* rounded bytes */
guint64 ol_offsets_get_largest_hole(const OlOffsets *offsets);
guint64 ol_offsets_get_highest(const OlOffsets *offsets); /* highest address ever used */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlOffsets, ol_offsets_free)

G_END_DECLS
