#include "app/charts/memory-series.h"

#define BLOCK 32u /* points */
#define FAN   16u /* blocks, or groups of the level below, a group */

typedef struct {
  OlMemoryPoint first;
  gint64 highest; /* total */
  guint at;       /* the first point that has it */
} Block;

static void free_level(gpointer level)
{
  g_array_unref(level);
}

void ol_memory_series_init(OlMemorySeries *series, const OlTrace *trace)
{
  *series = (OlMemorySeries){.trace = trace,
                             .changes = g_array_new(FALSE, FALSE, sizeof(guint)),
                             .blocks = g_array_new(FALSE, FALSE, sizeof(Block)),
                             .levels = g_ptr_array_new_with_free_func(free_level)};
}

void ol_memory_series_clear(OlMemorySeries *series)
{
  g_clear_pointer(&series->changes, g_array_unref);
  g_clear_pointer(&series->blocks, g_array_unref);
  g_clear_pointer(&series->levels, g_ptr_array_unref);
}

static Block *get_block(const OlMemorySeries *series, guint block)
{
  return &g_array_index(series->blocks, Block, block);
}

static const OlMemoryChange *get_change(const OlMemorySeries *series, guint i)
{
  return ol_trace_change(series->trace, g_array_index(series->changes, guint, i));
}

static OlPayload payload_of(const OlMemorySeries *series, const OlMemoryChange *change)
{
  return ol_graph_buffer(series->trace->graph, change->buffer)->payload;
}

/* From the point before a change to the one after it. */
static void apply(OlMemoryPoint *point, const OlMemorySeries *series, const OlMemoryChange *change)
{
  OlPayload payload = payload_of(series, change);
  point->time_ns = MAX(point->time_ns, change->time_ns);
  point->bytes[payload] += change->bytes;
  point->total += change->bytes;
}

/* The higher of two blocks, the first of two alike; one comes before the other. */
static guint higher(const OlMemorySeries *series, guint one, guint other)
{
  return get_block(series, other)->highest > get_block(series, one)->highest ? other : one;
}

/* Group j of level l; level 0 is the blocks themselves. */
static guint highest_of_group(const OlMemorySeries *series, guint l, guint j)
{
  return l == 0 ? j : g_array_index((GArray *)series->levels->pdata[l - 1], guint, j);
}

/* Takes what the last block has become into its group of every level; a level begins when the one
 * below has more than a group. */
static void raise_levels(OlMemorySeries *series)
{
  guint group = series->blocks->len - 1, below = series->blocks->len;
  for (guint l = 0; below > FAN; l++) {
    if (l == series->levels->len)
      g_ptr_array_add(series->levels, g_array_new(FALSE, FALSE, sizeof(guint)));
    GArray *level = series->levels->pdata[l];
    group /= FAN;
    guint begin = MIN(level->len, group);
    g_array_set_size(level, group + 1);
    for (guint j = begin; j <= group; j++) {
      guint highest = highest_of_group(series, l, j * FAN);
      for (guint k = j * FAN + 1; k < MIN((j + 1) * FAN, below); k++)
        highest = higher(series, highest, highest_of_group(series, l, k));
      g_array_index(level, guint, j) = highest;
    }
    below = level->len;
  }
}

static void take_peak(OlMemorySeries *series, OlPayload payload)
{
  const OlMemoryPoint *last = &series->last;
  if (last->bytes[payload] > series->peaks[payload].bytes)
    series->peaks[payload] = (OlMemoryPeak){last->bytes[payload], last->time_ns};
}

void ol_memory_series_add(OlMemorySeries *series, guint id)
{
  const OlMemoryChange *change = ol_trace_change(series->trace, id);
  guint i = series->changes->len;
  if (i == 0)
    series->last.time_ns = change->time_ns;
  apply(&series->last, series, change);
  take_peak(series, payload_of(series, change));
  g_array_append_val(series->changes, id);

  Block block = {series->last, series->last.total, i};
  if (i % BLOCK == 0)
    g_array_append_val(series->blocks, block);
  else if (block.highest <= get_block(series, i / BLOCK)->highest)
    return;
  get_block(series, i / BLOCK)->highest = block.highest;
  get_block(series, i / BLOCK)->at = i;
  raise_levels(series);
}

OlMemoryPoint ol_memory_series_point(const OlMemorySeries *series, guint i)
{
  OlMemoryPoint point = get_block(series, i / BLOCK)->first;
  for (guint k = i / BLOCK * BLOCK + 1; k <= i; k++)
    apply(&point, series, get_change(series, k));
  return point;
}

static gboolean begins_by(const OlMemorySeries *series, guint block, gint64 time_ns)
{
  return block < series->blocks->len && get_block(series, block)->first.time_ns <= time_ns;
}

int ol_memory_series_find(const OlMemorySeries *series, int from, gint64 time_ns)
{
  guint low = (guint)MAX(from, 0) / BLOCK, high = series->blocks->len;
  if (!begins_by(series, low, time_ns))
    low = 0;
  else if (from >= 0) /* ever longer strides, to be halved again below */
    for (guint stride = 1; low + stride < high; stride *= 2) {
      if (!begins_by(series, low + stride, time_ns))
        high = low + stride;
      else
        low += stride;
    }
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (begins_by(series, middle, time_ns))
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return -1;
  guint i = (low - 1) * BLOCK + 1, end = MIN(low * BLOCK, series->changes->len);
  while (i < end && get_change(series, i)->time_ns <= time_ns)
    i++;
  return (int)i - 1;
}

typedef struct {
  guint at;
  gint64 total;
} Highest;

/* Points [begin, end), all of one block. */
static void look_through(Highest *highest, const OlMemorySeries *series, guint begin, guint end)
{
  if (begin >= end)
    return;
  OlMemoryPoint point = ol_memory_series_point(series, begin);
  for (guint i = begin; i < end; i++) {
    if (i > begin)
      apply(&point, series, get_change(series, i));
    if (point.total > highest->total)
      *highest = (Highest){i, point.total};
  }
}

/* The first highest block of [begin, end), by the widest groups that fit into it: at most 2 · FAN a
 * level. */
static guint highest_block(const OlMemorySeries *series, guint begin, guint end)
{
  guint highest = begin, i = begin;
  while (i < end) {
    guint width = 1, l = 0;
    while (l < series->levels->len && i % (width * FAN) == 0 && end - i >= width * FAN) {
      width *= FAN;
      l++;
    }
    highest = higher(series, highest, highest_of_group(series, l, i / width));
    i += width;
  }
  return highest;
}

guint ol_memory_series_highest(const OlMemorySeries *series, guint begin, guint end)
{
  guint first_whole = (begin + BLOCK - 1) / BLOCK, end_whole = end / BLOCK;
  guint middle = MIN(first_whole * BLOCK, end);
  Highest highest = {begin, G_MININT64};
  look_through(&highest, series, begin, middle);
  if (first_whole < end_whole) {
    const Block *block = get_block(series, highest_block(series, first_whole, end_whole));
    if (block->highest > highest.total)
      highest = (Highest){block->at, block->highest};
  }
  look_through(&highest, series, MAX(middle, end_whole * BLOCK), end);
  return highest.at;
}
