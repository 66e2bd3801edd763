/* What all charts of one bench share: the trace, the visible range, cursor and selection. Plain
 * data, owned by whoever draws (the window's session, or the picture writer). */
#pragma once

#include "app/charts/style.h"
#include "app/charts/trace-index.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef struct {
  const OlTrace *trace;      /* NULL: the empty state */
  const OlTraceIndex *index; /* of that trace */
  gint64 begin_ns, end_ns;   /* visible range; begin < end */
  gint64 cursor_ns;          /* -1: none (then the newest moment counts) */
  int selected_span;         /* index in trace->spans, or -1 */
  int hovered_span;          /* or -1 */
  int shown_payload;         /* Show me: OlPayload to emphasise, or -1 */
  int shown_lane;            /* OlLane or -1 */
  int shown_tier;            /* OlTier or -1 */
  guint rank;
  gboolean there; /* units of what the scale model stands for, instead of here */
} OlChartView;

/* "18.1 MiB" or, in units of there, bytes × µ ("30.2 GiB"). Caller frees. */
char *ol_chart_view_dup_bytes(const OlChartView *view, double bytes);
/* "0.71 s" or seconds × µ / s there. Caller frees. */
char *ol_chart_view_dup_seconds(const OlChartView *view, double seconds);

/* What a details line says of a span: "Backward of block 3 · step 7 · 41 ms, from 0.51 s · waited
 * for: …". Caller frees. */
char *ol_chart_view_dup_span_details(const OlChartView *view, int span);

G_END_DECLS
