/* An index over a growing trace: spans by lane in order of time, memory by tier over time, and
 * busy time of any range. Extended as the trace grows, at the cost of what is new; beside the
 * trace it holds 7 B a span and 7 B a memory change. */
#pragma once

#include "app/charts/lane-series.h"
#include "app/charts/ranks.h"
#include "engine/trace/bubble.h"

G_BEGIN_DECLS

typedef struct OlTraceIndex OlTraceIndex;

OlTraceIndex *ol_trace_index_new(const OlTrace *trace); /* takes a reference */
void ol_trace_index_free(OlTraceIndex *index);
/* Takes in what the trace has got since the last call. TRUE when there was something. */
gboolean ol_trace_index_extend(OlTraceIndex *index);

const OlTrace *ol_trace_index_get_trace(const OlTraceIndex *index); /* borrowed */

/* How the trace's ranks lie on the grid. Borrowed. */
const OlRanks *ol_trace_index_get_ranks(const OlTraceIndex *index);

/* The latest end of a span and time of a memory change, 0 when there is none. */
gint64 ol_trace_index_known_ns(const OlTraceIndex *index);
/* When the last span ended, 0 when there is none: as ol_trace_end_ns(), without a look at all. */
gint64 ol_trace_index_end_ns(const OlTraceIndex *index);

/* Ids of a lane's spans that overlap [begin, end), in order of time; *first of *n in the lane's
 * own order, to be read with ol_trace_index_lane_span(). */
void ol_trace_index_find(const OlTraceIndex *index, guint rank, OlLane lane, gint64 begin_ns,
                         gint64 end_ns, guint *first, guint *n);
guint ol_trace_index_lane_span(const OlTraceIndex *index, guint rank, OlLane lane, guint i);
guint ol_trace_index_lane_count(const OlTraceIndex *index, guint rank, OlLane lane);

/* Nanoseconds of [begin, end) in which the lane is busy. */
gint64 ol_trace_index_busy(const OlTraceIndex *index, guint rank, OlLane lane, gint64 begin_ns,
                           gint64 end_ns);
/* For who walks from one moment to the next: see ol_lane_series_go(). */
void ol_trace_index_go(const OlTraceIndex *index, guint rank, OlLane lane, gint64 time_ns,
                       gint64 slack_ns, OlLanePlace *place);

/* The share of the transfers' time that lies under compute, over all steps but the first (with one
 * step, that one), as far as known; NAN when nothing was moved. As metric `hidden.fraction`. */
double ol_trace_index_hidden(const OlTraceIndex *index, guint rank);

/* The bubble of the i-th step that has ended, over all ranks. FALSE when it has none. */
gboolean ol_trace_index_bubble_window(const OlTraceIndex *index, guint i, OlBubbleWindow *window);
/* The share of the steps' bubble windows in which the rank does not compute; the mean over ranks is
 * metric `bubble.fraction`. NAN when no step has ended. */
double ol_trace_index_bubble(const OlTraceIndex *index, guint rank);

/* Bytes held at `time_ns` by tier and payload: bytes: [OL_N_PAYLOADS]. */
void ol_trace_index_memory_at(const OlTraceIndex *index, guint rank, OlTier tier, gint64 time_ns,
                              gint64 *bytes);
/* The change points of a tier: cumulative bytes by payload after each, [OL_N_PAYLOADS]. */
guint ol_trace_index_memory_points(const OlTraceIndex *index, guint rank, OlTier tier);
gint64 ol_trace_index_memory_point(const OlTraceIndex *index, guint rank, OlTier tier, guint i,
                                   gint64 *bytes); /* returns its time */
/* Index of the last change point at or before time, or -1; see ol_memory_series_find(). */
int ol_trace_index_memory_find(const OlTraceIndex *index, guint rank, OlTier tier, int from,
                               gint64 time_ns);
/* The first change point with the highest total of points [begin, end); begin < end. */
guint ol_trace_index_memory_highest(const OlTraceIndex *index, guint rank, OlTier tier, guint begin,
                                    guint end);
/* The highest total so far and when. */
gint64 ol_trace_index_peak(const OlTraceIndex *index, guint rank, OlTier tier, gint64 *time_ns);
/* The same of one payload alone. */
gint64 ol_trace_index_payload_peak(const OlTraceIndex *index, guint rank, OlTier tier,
                                   OlPayload payload, gint64 *time_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlTraceIndex, ol_trace_index_free)

G_END_DECLS
