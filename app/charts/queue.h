/* Copies that wait for their link: all that they wait for has ended, but the lane is still at an
 * earlier one. */
#pragma once

#include "app/charts/view.h"

G_BEGIN_DECLS

typedef struct {
  guint n;
  guint64 bytes;
  guint node; /* the first of them, and its step; when there is any */
  int step;
} OlQueue;

/* Of the view's rank on a lane, at the moment that the charts show (ol_moment_ns()). While a trace
 * grows, what is known to have ended until then counts. */
OlQueue ol_queue_at_moment(const OlChartView *view, OlLane lane);

/* The span that the lane works at, or has worked at last; -1 before its first. */
int ol_queue_current_span(const OlChartView *view, OlLane lane, gint64 now_ns);

G_END_DECLS
