/* Random traces of any size for comparison with brute force: spans in the order they ended, lanes
 * that do one thing at a time, gaps and spans of length 0 included. */
#pragma once

#include "engine/trace/trace.h"

OlTrace *random_trace_new(guint32 seed, guint n_spans, guint n_changes);
