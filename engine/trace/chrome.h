/* A trace as Chrome's Trace Event Format, which Perfetto opens too: a process a rank, a thread a
 * lane, a complete event a span, a counter a tier. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

gboolean ol_chrome_write_file(const OlTrace *trace, const char *path, GError **error);

G_END_DECLS
