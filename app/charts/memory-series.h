/* What one tier holds over time: a point a change, each with the bytes of every payload, and a
 * pyramid over them that finds the highest total of any range of points. */
#pragma once

#include "engine/base/words.h"

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
  GArray *points;    /* OlMemoryPoint, by time */
  GPtrArray *levels; /* of GArray of guint: the highest point of each 16 of the level below */
  OlMemoryPeak peaks[OL_N_PAYLOADS]; /* the first highest of each payload so far */
} OlMemorySeries;

void ol_memory_series_init(OlMemorySeries *series);
void ol_memory_series_clear(OlMemorySeries *series);

/* `time_ns` earlier than the last point's counts as the last point's. */
void ol_memory_series_add(OlMemorySeries *series, gint64 time_ns, OlPayload payload, gint64 bytes);

/* The last point at or before `time_ns`, or -1. */
int ol_memory_series_find(const OlMemorySeries *series, gint64 time_ns);
/* The first point with the highest total of [begin, end); begin < end. */
guint ol_memory_series_highest(const OlMemorySeries *series, guint begin, guint end);

static inline const OlMemoryPoint *ol_memory_series_point(const OlMemorySeries *series, guint i)
{
  return &g_array_index(series->points, OlMemoryPoint, i);
}

G_END_DECLS
