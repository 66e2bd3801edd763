/* How n elements are divided among the members of a group. Pure arithmetic, inline: a plan may
 * include it without linking this room.
 *
 * Every member gets a block of the same length, a whole number of `alignment` elements (at least
 * 1). The blocks lie one after another, so the last ones may hold fewer of the n elements than
 * they are long, or none: what is left of a block is padding. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* An all-reduce divides its elements at this many bytes: who sums which. */
#define OL_COMM_SUM_BYTES 64u

/* Elements of every member's block, padding included. */
static inline guint64 ol_comm_shard_length(guint64 n, guint members, guint64 alignment)
{
  guint64 units = n / alignment + (n % alignment != 0);
  return (units / members + (units % members != 0)) * alignment;
}

/* The elements of `member`: `count` of them from `first` on. Returns the length of its block;
 * length - count of it is padding. */
static inline guint64 ol_comm_shard(guint64 n, guint members, guint member, guint64 alignment,
                                    guint64 *first, guint64 *count)
{
  guint64 length = ol_comm_shard_length(n, members, alignment);
  /* Not member * length: in a block of padding that could lie beyond 64 bits. */
  *first = length == 0 || member > n / length ? n : member * length;
  *count = MIN(length, n - *first);
  return length;
}

G_END_DECLS
