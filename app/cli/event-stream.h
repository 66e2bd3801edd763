/* Events to a file or a pipe while the run goes on. A thread of its own pulls from the recorder and
 * writes: a reader that stalls holds up this thread and never a lane. */
#pragma once

#include "engine/run/recorder.h"

G_BEGIN_DECLS

typedef struct OlEventStream OlEventStream;

/* Told once, on the writing thread, when the target can take no more. */
typedef void (*OlEventStreamBroken)(gpointer data);

/* `path` is a file or "-". Nothing is written before the first start. NULL on error. */
OlEventStream *ol_event_stream_open(const char *path, GError **error);

/* From now on writes what `recorder` gets for `trace`. Both outlive finish(). */
void ol_event_stream_start(OlEventStream *stream, OlRecorder *recorder, const OlTrace *trace,
                           OlEventStreamBroken broken, gpointer data);

/* Writes the rest, waits for the thread, closes. FALSE with OL_ERROR_STORAGE when something could
 * not be written; *reader_gone tells that it was because the reader of a pipe had closed it. */
gboolean ol_event_stream_finish(OlEventStream *stream, gboolean *reader_gone, GError **error);

/* Without finish(): closes what was opened. */
void ol_event_stream_free(OlEventStream *stream);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlEventStream, ol_event_stream_free)

G_END_DECLS
