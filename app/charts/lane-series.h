/* One lane's spans in order of time, with running sums of busy time: any range is answered by
 * binary search, whatever the number of spans. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gint64 begin_ns, end_ns;
  gint64 latest_end_ns;  /* of this span and all before it */
  gint64 busy_from_ns;   /* where this span adds busy time: after all before it have ended */
  gint64 busy_before_ns; /* busy time up to busy_from_ns */
  guint span;            /* index in the trace */
} OlLaneEntry;

typedef struct {
  GArray *entries; /* OlLaneEntry, by begin, then end */
} OlLaneSeries;

void ol_lane_series_init(OlLaneSeries *series);
void ol_lane_series_clear(OlLaneSeries *series);

/* Returns the position taken: the end, unless an earlier span came late. */
guint ol_lane_series_add(OlLaneSeries *series, guint span, gint64 begin_ns, gint64 end_ns);

/* The first entry that begins at or after `time_ns`; the count when there is none. */
guint ol_lane_series_first_from(const OlLaneSeries *series, gint64 time_ns);
/* The first entry that can be seen at or after `time_ns`. */
guint ol_lane_series_first_seen(const OlLaneSeries *series, gint64 time_ns);

gint64 ol_lane_series_busy(const OlLaneSeries *series, gint64 begin_ns, gint64 end_ns);

static inline const OlLaneEntry *ol_lane_series_entry(const OlLaneSeries *series, guint i)
{
  return &g_array_index(series->entries, OlLaneEntry, i);
}

G_END_DECLS
