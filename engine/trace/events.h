/* The event stream, format 1: JSON lines, one object a line (contracts.md "Events"). The reader and
 * the writer are our own, since json-glib needs 8 µs a line.
 *
 * Beyond the contract's fields: `run` has `ranks`; `node` has `part` when it is not a step's,
 * `piece` when it is not all of a unit's pass and `group` when it is between ranks;
 * `outcome` has `touched` when true and `facts`, the trace's numbers and texts, so that a replayed
 * trace has the same metrics. */
#pragma once

#include "engine/base/watch.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

#define OL_EVENTS_FORMAT 1

/* Writes what a growing trace has got since the last call. Not thread-safe: the caller holds off
 * whoever grows the trace (run/recorder.h does). */
typedef struct OlEventsWriter OlEventsWriter;

OlEventsWriter *ol_events_writer_new(const OlTrace *trace);
void ol_events_writer_free(OlEventsWriter *writer);

/* Appends to `text` the lines for all that is new: header, units, buffers and nodes first, then
 * memory changes, spans and steps in the order of time as far as known; `outcome` and `summary`
 * last, once the trace has ended. */
void ol_events_writer_pull(OlEventsWriter *writer, GString *text);

/* Reads a stream as it comes, in pieces of any size. */
typedef struct OlEventsReader OlEventsReader;

OlEventsReader *ol_events_reader_new(gboolean replayed);
void ol_events_reader_free(OlEventsReader *reader);

/* Feeds bytes. FALSE with OL_ERROR_BAD_INPUT (line number, what is wrong there) when a line cannot
 * be understood: what was read until then stays. Unknown types and keys are skipped. */
gboolean ol_events_reader_feed(OlEventsReader *reader, const char *bytes, gsize length,
                               GError **error);

/* The end of the stream: FALSE when it was cut off (a partial line, or no summary). */
gboolean ol_events_reader_finish(OlEventsReader *reader, GError **error);

/* The trace as far as read; NULL until the graph is complete (the first memory, span, step or
 * outcome line). Borrowed; it grows with feed(). */
OlTrace *ol_events_reader_get_trace(OlEventsReader *reader);

/* A whole file: the trace as far as it goes; `error` is set as well when it is damaged. NULL when
 * nothing could be read. */
OlTrace *ol_events_read_file(const char *path, GError **error);
/* The same, looked on by `watch` (or NULL). Stopped, it is NULL with OL_ERROR_STOPPED. */
OlTrace *ol_events_read_file_watched(const char *path, const OlWatch *watch, GError **error);
/* Writes a whole trace; one that has not ended reads back as cut off. */
gboolean ol_events_write_file(const OlTrace *trace, const char *path, GError **error);
gboolean ol_events_write_file_watched(const OlTrace *trace, const char *path, const OlWatch *watch,
                                      GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlEventsWriter, ol_events_writer_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlEventsReader, ol_events_reader_free)

G_END_DECLS
