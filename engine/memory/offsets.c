#include "engine/memory/offsets.h"

/* A run of free bytes. Holes never touch one another: releasing joins them. */
typedef struct {
  guint64 offset, bytes;
} Hole;

/* Every hole is found three ways: by size for the best fit, by where it starts and by where it
 * ends to join it with a block given back between. Each step costs O(log holes). */
struct OlOffsets {
  guint64 capacity, in_use, highest;
  GHashTable *blocks; /* offset -> rounded bytes, both guint64 */
  GHashTable *starts; /* Hole.offset -> Hole, owned here */
  GHashTable *ends;   /* offset + bytes -> Hole */
  GTree *by_size;     /* Hole -> Hole, by size, then by offset */
};

static int compare_holes(gconstpointer a, gconstpointer b, gpointer unused)
{
  const Hole *left = a, *right = b;

  if (left->bytes != right->bytes)
    return left->bytes < right->bytes ? -1 : 1;
  return left->offset < right->offset ? -1 : left->offset > right->offset;
}

static guint64 *new_key(guint64 value)
{
  return g_memdup2(&value, sizeof value);
}

static void add_hole(OlOffsets *offsets, guint64 offset, guint64 bytes)
{
  if (bytes == 0)
    return;
  Hole *hole = g_new(Hole, 1);
  *hole = (Hole){offset, bytes};
  g_hash_table_insert(offsets->starts, new_key(offset), hole);
  g_hash_table_insert(offsets->ends, new_key(offset + bytes), hole);
  g_tree_insert(offsets->by_size, hole, hole);
}

/* Takes the hole out and returns what it was. */
static Hole remove_hole(OlOffsets *offsets, const Hole *hole)
{
  Hole was = *hole;
  guint64 end = was.offset + was.bytes;

  g_tree_remove(offsets->by_size, hole);
  g_hash_table_remove(offsets->ends, &end);
  g_hash_table_remove(offsets->starts, &was.offset);
  return was;
}

OlOffsets *ol_offsets_new(guint64 capacity)
{
  OlOffsets *offsets = g_new0(OlOffsets, 1);

  offsets->capacity = capacity;
  offsets->blocks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
  offsets->starts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
  offsets->ends = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  offsets->by_size = g_tree_new_full(compare_holes, NULL, NULL, NULL);
  add_hole(offsets, 0, capacity - capacity % OL_OFFSETS_ALIGNMENT);
  return offsets;
}

void ol_offsets_free(OlOffsets *offsets)
{
  if (!offsets)
    return;
  g_tree_unref(offsets->by_size);
  g_hash_table_unref(offsets->ends);
  g_hash_table_unref(offsets->starts);
  g_hash_table_unref(offsets->blocks);
  g_free(offsets);
}

guint64 ol_offsets_acquire(OlOffsets *offsets, guint64 bytes)
{
  if (bytes > offsets->capacity)
    return OL_OFFSETS_FULL;
  guint64 units = bytes / OL_OFFSETS_ALIGNMENT + (bytes % OL_OFFSETS_ALIGNMENT != 0);
  guint64 rounded = MAX(units, 1) * OL_OFFSETS_ALIGNMENT;

  Hole wanted = {0, rounded};
  GTreeNode *fit = g_tree_lower_bound(offsets->by_size, &wanted);
  if (!fit)
    return OL_OFFSETS_FULL;

  Hole hole = remove_hole(offsets, g_tree_node_value(fit));
  add_hole(offsets, hole.offset + rounded, hole.bytes - rounded);
  g_hash_table_insert(offsets->blocks, new_key(hole.offset), new_key(rounded));
  offsets->in_use += rounded;
  offsets->highest = MAX(offsets->highest, hole.offset + rounded);
  return hole.offset;
}

void ol_offsets_release(OlOffsets *offsets, guint64 offset)
{
  const guint64 *bytes = g_hash_table_lookup(offsets->blocks, &offset);
  g_return_if_fail(bytes != NULL);

  guint64 begin = offset, end = offset + *bytes;
  const Hole *before = g_hash_table_lookup(offsets->ends, &begin);
  const Hole *after = g_hash_table_lookup(offsets->starts, &end);

  offsets->in_use -= *bytes;
  g_hash_table_remove(offsets->blocks, &offset);
  if (before)
    begin = remove_hole(offsets, before).offset;
  if (after)
    end += remove_hole(offsets, after).bytes;
  add_hole(offsets, begin, end - begin);
}

guint64 ol_offsets_get_capacity(const OlOffsets *offsets)
{
  return offsets->capacity;
}

guint64 ol_offsets_get_in_use(const OlOffsets *offsets)
{
  return offsets->in_use;
}

guint64 ol_offsets_get_largest_hole(const OlOffsets *offsets)
{
  GTreeNode *largest = g_tree_node_last(offsets->by_size);
  return largest ? ((const Hole *)g_tree_node_value(largest))->bytes : 0;
}

guint64 ol_offsets_get_highest(const OlOffsets *offsets)
{
  return offsets->highest;
}
