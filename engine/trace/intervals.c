#include "engine/trace/intervals-private.h"

void ol_intervals_init(OlIntervals *set)
{
  set->items = g_array_new(FALSE, FALSE, sizeof(OlInterval));
}

void ol_intervals_clear(OlIntervals *set)
{
  g_clear_pointer(&set->items, g_array_unref);
}

void ol_intervals_empty(OlIntervals *set)
{
  g_array_set_size(set->items, 0);
}

static const OlInterval *item(const OlIntervals *set, guint i)
{
  return &g_array_index(set->items, OlInterval, i);
}

void ol_intervals_add(OlIntervals *set, gint64 begin, gint64 end)
{
  guint n = set->items->len;
  if (end <= begin)
    return;
  if (n > 0 && begin <= item(set, n - 1)->end) {
    OlInterval *last = &g_array_index(set->items, OlInterval, n - 1);
    last->end = MAX(last->end, end);
    return;
  }
  OlInterval added = {begin, end, ol_intervals_length(set)};
  g_array_append_val(set->items, added);
}

gint64 ol_intervals_length(const OlIntervals *set)
{
  guint n = set->items->len;
  if (n == 0)
    return 0;
  const OlInterval *last = item(set, n - 1);
  return last->before + last->end - last->begin;
}

/* How much of the set lies before a moment. */
static gint64 length_until(const OlIntervals *set, gint64 time)
{
  guint low = 0, high = set->items->len;
  while (low < high) { /* the first interval that begins at or after `time` */
    guint middle = low + (high - low) / 2;
    if (item(set, middle)->begin < time)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return 0;
  const OlInterval *last = item(set, low - 1);
  return last->before + MIN(time, last->end) - last->begin;
}

gint64 ol_intervals_covered(const OlIntervals *set, gint64 begin, gint64 end)
{
  return length_until(set, end) - length_until(set, begin);
}

gint64 ol_intervals_common(const OlIntervals *a, const OlIntervals *b)
{
  gint64 common = 0;
  guint i = 0, j = 0;
  while (i < a->items->len && j < b->items->len) {
    const OlInterval *x = item(a, i), *y = item(b, j);
    common += MAX(0, MIN(x->end, y->end) - MAX(x->begin, y->begin));
    if (x->end < y->end)
      i++;
    else
      j++;
  }
  return common;
}

void ol_intervals_unite(OlIntervals *all, const OlIntervals *sets, guint n)
{
  g_autofree guint *next = g_new0(guint, n);
  ol_intervals_empty(all);
  for (;;) {
    guint earliest = n;
    for (guint i = 0; i < n; i++)
      if (next[i] < sets[i].items->len &&
          (earliest == n ||
           item(&sets[i], next[i])->begin < item(&sets[earliest], next[earliest])->begin))
        earliest = i;
    if (earliest == n)
      return;
    const OlInterval *taken = item(&sets[earliest], next[earliest]++);
    ol_intervals_add(all, taken->begin, taken->end);
  }
}
