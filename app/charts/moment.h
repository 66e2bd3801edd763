/* The moment that the charts show and what happens at it: the cursor's, or the newest one. */
#pragma once

#include "app/charts/view.h"

G_BEGIN_DECLS

/* Whether there is nothing to draw yet. */
gboolean ol_moment_is_empty(const OlChartView *view);

/* Until when the trace is known. */
gint64 ol_moment_known_ns(const OlChartView *view);

/* The cursor; without one, while the trace grows its newest moment, and afterwards the end of the
 * last step (the end itself would show what clearing up left over) or, when it ended out of
 * memory, the moment before the block that did not fit. */
gint64 ol_moment_ns(const OlChartView *view);

/* The span that occupies the lane at the moment, or -1: at rest, when the run has ended and no
 * cursor asks for another moment, none does. While a trace grows a span is known only
 * when it has ended: the lane's newest one then counts for as long again. */
int ol_moment_active_span(const OlChartView *view, OlLane lane);

/* "24 GB/s": the mean over the copies that the lane makes in that span's step, as far as known. One
 * copy alone, shortened because the lane was behind, may seem faster than any link is. NULL when
 * the lane is idle. Caller frees. */
char *ol_moment_dup_lane_rate(const OlChartView *view, OlLane lane);

/* The block that did not fit, worked out from the graph: FALSE when the trace did not end out of
 * memory or when it cannot be told. */
typedef struct {
  OlTier tier;
  OlPayload payload;
  guint64 bytes;
  gint64 time_ns; /* when the last node was computed before it */
  gint64 above;   /* bytes that were held there then */
} OlRefusal;
gboolean ol_moment_refusal(const OlChartView *view, OlRefusal *refusal);

/* The tier of the view's rank that the outcome's message names, or -1. */
int ol_moment_full_tier(const OlChartView *view);
/* The rank that ran out of memory, as the message has it, or -1. */
int ol_moment_full_rank(const OlTrace *trace);

/* Whether the view's rank has any buffer on the tier. */
gboolean ol_moment_tier_is_used(const OlChartView *view, OlTier tier);

/* The most that the tier ever held, and when: of equal moments the first in sight, else the first
 * of all. Every step of a run may fill a memory as much as any other. */
gint64 ol_moment_peak(const OlChartView *view, OlTier tier, gint64 *time_ns);

/* The unit computed at `time_ns` ("block 5"), or NULL. Borrowed. */
const char *ol_moment_unit_at(const OlChartView *view, gint64 time_ns);

/* "75 %", "1.4 %", "under 0.01 %": small shares do not read as nothing. Caller frees. */
char *ol_moment_dup_percent(double share);

/* Bytes of the view a byte here. */
double ol_chart_view_byte_scale(const OlChartView *view);
/* Seconds of the view a second here. */
double ol_chart_view_time_scale(const OlChartView *view);
/* "24 GB/s" in units of the view. Caller frees. */
char *ol_chart_view_dup_rate(const OlChartView *view, double bytes, double seconds);

G_END_DECLS
