#include "app/charts/memory-series.h"

#include <string.h>

#define FAN 16 /* points, or blocks of the level below, a block */

static void free_level(gpointer level)
{
  g_array_unref(level);
}

void ol_memory_series_init(OlMemorySeries *series)
{
  series->points = g_array_new(FALSE, FALSE, sizeof(OlMemoryPoint));
  series->levels = g_ptr_array_new_with_free_func(free_level);
  memset(series->peaks, 0, sizeof series->peaks);
}

void ol_memory_series_clear(OlMemorySeries *series)
{
  g_clear_pointer(&series->points, g_array_unref);
  g_clear_pointer(&series->levels, g_ptr_array_unref);
}

static guint higher(const OlMemorySeries *series, guint one, guint other)
{
  gint64 a = ol_memory_series_point(series, one)->total;
  gint64 b = ol_memory_series_point(series, other)->total;
  return a > b || (a == b && one < other) ? one : other;
}

/* Block j of level l; level 0 is the points themselves. */
static guint highest_of_block(const OlMemorySeries *series, guint l, guint j)
{
  return l == 0 ? j : g_array_index((GArray *)series->levels->pdata[l - 1], guint, j);
}

/* Takes point i into its block of every level; a level begins when the one below is full. */
static void raise_levels(OlMemorySeries *series, guint i)
{
  guint block = i, below = series->points->len;
  for (guint l = 0; below > FAN; l++) {
    if (l == series->levels->len)
      g_ptr_array_add(series->levels, g_array_new(FALSE, FALSE, sizeof(guint)));
    GArray *level = series->levels->pdata[l];
    block /= FAN;
    if (level->len == 0) { /* the first block of a new level: it covers all until now */
      guint highest = 0;
      for (guint j = 0; j < FAN; j++)
        highest = higher(series, highest, highest_of_block(series, l, j));
      g_array_append_val(level, highest);
    }
    if (block == level->len)
      g_array_append_val(level, i);
    guint *highest = &g_array_index(level, guint, block);
    *highest = higher(series, *highest, i);
    below = level->len;
  }
}

void ol_memory_series_add(OlMemorySeries *series, gint64 time_ns, OlPayload payload, gint64 bytes)
{
  OlMemoryPoint point = {.time_ns = time_ns};
  if (series->points->len > 0) {
    point = *ol_memory_series_point(series, series->points->len - 1);
    point.time_ns = MAX(point.time_ns, time_ns);
  }
  point.bytes[payload] += bytes;
  point.total += bytes;
  if (point.bytes[payload] > series->peaks[payload].bytes)
    series->peaks[payload] = (OlMemoryPeak){point.bytes[payload], point.time_ns};
  g_array_append_val(series->points, point);
  raise_levels(series, series->points->len - 1);
}

int ol_memory_series_find(const OlMemorySeries *series, gint64 time_ns)
{
  guint low = 0, high = series->points->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (ol_memory_series_point(series, middle)->time_ns <= time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return (int)low - 1;
}

/* Walks the range in the widest blocks that fit into it: at most 2 · FAN a level. */
guint ol_memory_series_highest(const OlMemorySeries *series, guint begin, guint end)
{
  guint highest = begin, i = begin;
  while (i < end) {
    guint width = 1, l = 0;
    while (l < series->levels->len && i % (width * FAN) == 0 && end - i >= width * FAN) {
      width *= FAN;
      l++;
    }
    highest = higher(series, highest, highest_of_block(series, l, i / width));
    i += width;
  }
  return highest;
}
