/* A trace as Chrome's Trace Event Format, which Perfetto opens too: a process a rank, a thread a
 * lane, a complete event a span, a counter a tier. */
#pragma once

#include "engine/base/watch.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

gboolean ol_chrome_write_file(const OlTrace *trace, const char *path, GError **error);
/* `watch` may be NULL; a file that is stopped leaves nothing behind. */
gboolean ol_chrome_write_file_watched(const OlTrace *trace, const char *path, const OlWatch *watch,
                                      GError **error);

G_END_DECLS
