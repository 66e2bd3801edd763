/* One line of the event stream on its way into a reader's state: what the files that understand
 * the types share. */
#pragma once

#include "engine/trace/event-fields-private.h"
#include "engine/trace/events-private.h"

#include <stddef.h>

G_BEGIN_DECLS

typedef struct {
  OlEventsState *state;
  OlJsonCursor cursor; /* past `type` and its value */
  const char *type;    /* "" while unknown */
  GError **error;
} OlEventLine;

/* Rows of the tables of fields. */
#define OL_EVENT_INTEGER(Record, member, key, low, high)                                           \
  {                                                                                                \
    key, OL_FIELD_INTEGER, TRUE, offsetof(Record, member), low, high                               \
  }
#define OL_EVENT_ID(Record, member, key) OL_EVENT_INTEGER(Record, member, key, 0, G_MAXINT)
#define OL_EVENT_TIME(Record, member, key)                                                         \
  OL_EVENT_INTEGER(Record, member, key, -OL_EVENT_MAX_TIME, OL_EVENT_MAX_TIME)
#define OL_EVENT_SIZE(Record, member, key)                                                         \
  OL_EVENT_INTEGER(Record, member, key, 0, OL_EVENT_MAX_BYTES)
#define OL_EVENT_WORD(Record, member, key, type)                                                   \
  {                                                                                                \
    key, OL_FIELD_WORD, TRUE, offsetof(Record, member), 0, 0, ol_##type##_from_nick                \
  }
#define OL_EVENT_OPTIONAL(Record, member, key, kind)                                               \
  {                                                                                                \
    key, kind, FALSE, offsetof(Record, member)                                                     \
  }

/* Sets the error, with the line's number and type; always FALSE. */
gboolean ol_event_line_fail(const OlEventLine *line, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Reads the rest of the line by a table. */
gboolean ol_event_line_fields(OlEventLine *line, const OlField *fields, guint n, gpointer record);
/* Whether there is a `what` with this id. */
gboolean ol_event_line_below(OlEventLine *line, const char *what, gint64 id, guint n);
/* Keeps every sum of bytes within 63 bits. */
gboolean ol_event_line_count(OlEventLine *line, gint64 bytes);

/* The types, each into the graph (event-plan.c) or the trace (event-run.c). */
gboolean ol_event_line_run(OlEventLine *line);
gboolean ol_event_line_unit(OlEventLine *line);
gboolean ol_event_line_buffer(OlEventLine *line);
gboolean ol_event_line_node(OlEventLine *line);
gboolean ol_event_line_memory(OlEventLine *line);
gboolean ol_event_line_span(OlEventLine *line);
gboolean ol_event_line_step(OlEventLine *line);
gboolean ol_event_line_outcome(OlEventLine *line);

G_END_DECLS
