/* What the sample trace is played on. */
#pragma once

#include "tests/trace/sample-trace.h"

G_BEGIN_DECLS

#define SAMPLE_WIDTH           128
#define SAMPLE_TOKENS_PER_STEP 512

/* Of the options, all set. */
OlGraph *sample_graph_new(const SampleOptions *options);

G_END_DECLS
