/* A trace as long as one likes: a simulated run whose step is repeated as often as it takes. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* Every lane but the one between ranks, and `n_spans` spans or a few less than a step's more. NULL
 * with an error when the run cannot be planned. */
OlTrace *ol_long_trace_new(guint n_spans, GError **error);

G_END_DECLS
