/* Spans by rank and lane. A lane does one thing at a time, so its spans follow each other. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef struct {
  guint *spans; /* indices into the trace's, lane after lane, each in order of begin, then end */
  guint *first; /* [ranks · lanes + 1]: where each lane begins, by rank, then lane */
} OlSpanLanes;

/* Of `n` of the trace's spans, given by index. */
void ol_span_lanes_init(OlSpanLanes *lanes, const OlTrace *trace, const guint *spans, guint n);
/* Of all. */
void ol_span_lanes_init_all(OlSpanLanes *lanes, const OlTrace *trace);
void ol_span_lanes_clear(OlSpanLanes *lanes);

/* Which lane a span lies on, of all ranks'. */
guint ol_span_lane(const OlTrace *trace, guint span);

G_END_DECLS
