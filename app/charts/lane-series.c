#include "app/charts/lane-series.h"

void ol_lane_series_init(OlLaneSeries *series)
{
  series->entries = g_array_new(FALSE, FALSE, sizeof(OlLaneEntry));
}

void ol_lane_series_clear(OlLaneSeries *series)
{
  g_clear_pointer(&series->entries, g_array_unref);
}

/* Running sums of entry i from the one before it. A lane does one thing at a time, but a damaged
 * file may say otherwise: overlapping spans count once. */
static void sum_up(OlLaneSeries *series, guint i)
{
  OlLaneEntry *entry = &g_array_index(series->entries, OlLaneEntry, i);
  entry->latest_end_ns = entry->end_ns;
  entry->busy_from_ns = entry->begin_ns;
  entry->busy_before_ns = 0;
  if (i == 0)
    return;
  const OlLaneEntry *before = entry - 1;
  entry->latest_end_ns = MAX(entry->end_ns, before->latest_end_ns);
  entry->busy_from_ns = MAX(entry->begin_ns, before->latest_end_ns);
  entry->busy_before_ns =
      before->busy_before_ns + MAX(0, before->latest_end_ns - before->busy_from_ns);
}

static gboolean comes_before(const OlLaneEntry *one, const OlLaneEntry *other)
{
  return one->begin_ns < other->begin_ns ||
         (one->begin_ns == other->begin_ns && one->end_ns < other->end_ns);
}

guint ol_lane_series_add(OlLaneSeries *series, guint span, gint64 begin_ns, gint64 end_ns)
{
  OlLaneEntry entry = {.begin_ns = begin_ns, .end_ns = MAX(begin_ns, end_ns), .span = span};
  guint at = series->entries->len;
  while (at > 0 && comes_before(&entry, ol_lane_series_entry(series, at - 1)))
    at--;
  g_array_insert_val(series->entries, at, entry);
  for (guint i = at; i < series->entries->len; i++)
    sum_up(series, i);
  return at;
}

guint ol_lane_series_first_from(const OlLaneSeries *series, gint64 time_ns)
{
  guint low = 0, high = series->entries->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (ol_lane_series_entry(series, middle)->begin_ns < time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

guint ol_lane_series_first_seen(const OlLaneSeries *series, gint64 time_ns)
{
  guint low = 0, high = series->entries->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    const OlLaneEntry *entry = ol_lane_series_entry(series, middle);
    if (entry->latest_end_ns <= time_ns && entry->begin_ns < time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Busy time before `time_ns`: busy_from_ns grows along the series as begin_ns does. */
static gint64 busy_until(const OlLaneSeries *series, gint64 time_ns)
{
  guint low = 0, high = series->entries->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (ol_lane_series_entry(series, middle)->busy_from_ns < time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return 0;
  const OlLaneEntry *entry = ol_lane_series_entry(series, low - 1);
  return entry->busy_before_ns + MAX(0, MIN(time_ns, entry->latest_end_ns) - entry->busy_from_ns);
}

gint64 ol_lane_series_busy(const OlLaneSeries *series, gint64 begin_ns, gint64 end_ns)
{
  return end_ns > begin_ns ? busy_until(series, end_ns) - busy_until(series, begin_ns) : 0;
}
