/* A made-up trace of several ranks on a grid: GPipe (Huang et al., 2019) with equal stages, so that
 * its bubble is known on paper, and on tensor ranks passes that stop twice to sum. */
#pragma once

#include "engine/trace/trace.h"

#include "tests/trace/hand-trace.h"

typedef struct {
  guint data, pipeline, tensor; /* each at least 1 */
  guint micro_batches, steps;
} RankTraceOptions;

/* Caller unrefs. */
OlTrace *rank_trace_new(const RankTraceOptions *options);

/* (p-1)/(m+p-1) where nothing is summed; with tensor ranks the sums are idle time, too. */
double rank_trace_bubble(const RankTraceOptions *options);
