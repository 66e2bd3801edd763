/* A made-up trace for tests that need one to draw, to measure or to replay: a small model whose
 * optimizer lies on the host, with gradients going down, updates there and weights coming up.
 * The same options always give the same trace. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef struct {
  guint steps;      /* 0: 4 */
  guint blocks;     /* 0: 6; units are blocks + 2 (embed, head) */
  guint ranks;      /* 0: 1; with more, gradients cross the peer lane as well */
  gboolean serial;  /* every node waits for the one before it: no overlap */
  gboolean growing; /* not ended, cut in the middle of the last step */
  OlSource source;
  /* Done, or cut in the middle of the last step. */
  OlOutcome outcome;
} SampleOptions;

/* NULL: all defaults. Caller unrefs. */
OlTrace *sample_trace_new(const SampleOptions *options);

/* A new trace, not ended, with what `trace` had got by `time_ns`. Caller unrefs. */
OlTrace *sample_trace_until(const OlTrace *trace, gint64 time_ns);

G_END_DECLS
