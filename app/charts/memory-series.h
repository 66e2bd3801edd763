/* What one tier holds over time: a point a change. What all payloads hold is kept every few points
 * alone, with the highest total until the next, and a pyramid over these finds the highest total of
 * any range. A point costs 7 B: the trace has the rest. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef struct {
  gint64 time_ns;
  gint64 bytes[OL_N_PAYLOADS];
  gint64 total;
} OlMemoryPoint;

typedef struct {
  gint64 bytes, time_ns;
} OlMemoryPeak;

typedef struct {
  const OlTrace *trace;
  GArray *changes;    /* guint: changes of the trace, a point each */
  GArray *blocks;     /* of points: what the first of each holds, and the highest of it */
  GPtrArray *levels;  /* of GArray of guint: the highest block of each few of the level below */
  OlMemoryPoint last; /* the newest point; 0 at first */
  OlMemoryPeak peaks[OL_N_PAYLOADS]; /* the first highest of each payload so far */
} OlMemorySeries;

/* Borrows the trace. */
void ol_memory_series_init(OlMemorySeries *series, const OlTrace *trace);
void ol_memory_series_clear(OlMemorySeries *series);

/* Adds a change of the trace. A time earlier than the last point's counts as the last point's. */
void ol_memory_series_add(OlMemorySeries *series, guint id);

OlMemoryPoint ol_memory_series_point(const OlMemorySeries *series, guint i);
/* The last point at or before `time_ns`, or -1. Quick when it is soon after `from`, a point or -1.
 */
int ol_memory_series_find(const OlMemorySeries *series, int from, gint64 time_ns);
/* The first point with the highest total of [begin, end); begin < end. */
guint ol_memory_series_highest(const OlMemorySeries *series, guint begin, guint end);

static inline guint ol_memory_series_count(const OlMemorySeries *series)
{
  return series->changes->len;
}

G_END_DECLS
