/* What reader, writer and files of the event stream share among themselves. */
#pragma once

#include "engine/trace/events.h"

G_BEGIN_DECLS

/* A line longer than this is refused: a config may have 16 MiB. */
#define OL_EVENTS_MAX_LINE  (32u << 20)
#define OL_EVENTS_MAX_RANKS 4096

/* As ol_events_writer_pull(), but stops once `text` is longer than `enough`. TRUE when there is
 * more to pull. */
gboolean ol_events_writer_pull_some(OlEventsWriter *writer, GString *text, gsize enough);
/* How much of what the trace has got is written: 0 … 1. */
double ol_events_writer_get_share(const OlEventsWriter *writer);

/* The state of a reader that lines are understood into (event-line.c). */
typedef struct {
  gboolean replayed;
  gboolean has_header;
  OlSource source;
  OlTraceHeader header;
  OlGraph *graph;
  OlTrace *trace; /* NULL until the graph is complete */
  gboolean has_summary;
  guint farthest_wait;      /* the largest id that a wait of the step before names … */
  guint64 farthest_line;    /* … and its line */
  gint64 bytes_so_far;      /* magnitudes of all byte counts, against overflow */
  guint64 line;             /* number of the line at hand, from 1 */
  GString *text, *text2;    /* scratch */
  GArray *waits, *lists[2]; /* scratch */
} OlEventsState;

void ol_events_state_init(OlEventsState *state, gboolean replayed);
void ol_events_state_clear(OlEventsState *state);

/* Understands one line, without its newline. FALSE with OL_ERROR_BAD_INPUT. */
gboolean ol_events_state_line(OlEventsState *state, const char *line, gsize length, GError **error);
/* Makes the trace out of header and graph, if that has not been done. */
gboolean ol_events_state_complete(OlEventsState *state, GError **error);

G_END_DECLS
