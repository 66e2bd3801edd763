/* One lane's spans in order of time, with the busy time so far every few of them: any range is
 * answered by a binary search and a walk over one block, whatever the number of spans. A span costs
 * 7 B: the trace has the rest. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef struct {
  gint64 begin_ns;      /* of the block's first span */
  gint64 latest_end_ns; /* of that span and all before it */
  gint64 busy_ns;       /* of these together; where they overlap it counts once */
} OlLaneBlock;

typedef struct {
  const OlTrace *trace;
  GArray *order;        /* guint: spans of the trace, by begin, then end, then as they came */
  GArray *blocks;       /* OlLaneBlock */
  guint settled;        /* of `order`, that are in order and in the blocks */
  gint64 latest_end_ns; /* of these; G_MININT64 when there are none */
  gint64 busy_ns;
} OlLaneSeries;

/* Borrows the trace. */
void ol_lane_series_init(OlLaneSeries *series, const OlTrace *trace);
void ol_lane_series_clear(OlLaneSeries *series);

/* Adds a span of the trace. What was added is there for the functions below once it is settled. */
void ol_lane_series_add(OlLaneSeries *series, guint span);
/* Returns the first position whose span is another than before: the count so far, unless an earlier
 * span came late. The cost is that of what was added, and of what lies after it. */
guint ol_lane_series_settle(OlLaneSeries *series);

/* The first position that begins at or after `time_ns`; the count when there is none. */
guint ol_lane_series_first_from(const OlLaneSeries *series, gint64 time_ns);
/* The first position that can be seen at or after `time_ns`. */
guint ol_lane_series_first_seen(const OlLaneSeries *series, gint64 time_ns);

/* Where a walk along the series has come to; zero it to begin. */
typedef struct {
  gint64 time_ns;   /* where it is */
  guint block;      /* that it lies in */
  guint ahead;      /* that the next moment lies in, if that is as far again */
  guint first_seen; /* as ol_lane_series_first_seen() */
  gint64 busy_ns;   /* busy time before that moment */
} OlLanePlace;

/* Goes on to a moment, best to one soon after the last. What a stride as long as this one will read
 * is fetched meanwhile: most of the time of a walk is waiting for memory.
 *
 * The eight spans in whose midst the moment lies are not looked into when they take no longer than
 * `slack_ns`: the busy time is then wrong by less than that, which one stride has too much of and
 * the next too little; and the first seen position may be some of these early. 0: all is exact. */
void ol_lane_series_go(const OlLaneSeries *series, gint64 time_ns, gint64 slack_ns,
                       OlLanePlace *place);

gint64 ol_lane_series_busy(const OlLaneSeries *series, gint64 begin_ns, gint64 end_ns);

static inline guint ol_lane_series_count(const OlLaneSeries *series)
{
  return series->settled;
}

/* The span at a position, as an index in the trace. */
static inline guint ol_lane_series_span(const OlLaneSeries *series, guint i)
{
  return g_array_index(series->order, guint, i);
}

G_END_DECLS
