/* The critical path of a step: from its last span back, each time to the predecessor that ended
 * last among its waits and the span before it on its lane. Where ranks meet, it goes on through the
 * one that came last: the others only waited for that. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* guint: indices of spans on the path, first to last; caller unrefs. Empty when the step has no
 * spans. */
GArray *ol_critical_path(const OlTrace *trace, int step);

G_END_DECLS
