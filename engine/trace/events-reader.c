#include "engine/trace/events-private.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"

#include <inttypes.h>
#include <string.h>

struct OlEventsReader {
  OlEventsState state;
  GString *partial; /* the line whose end has not come yet */
  GError *failed;   /* the first error: nothing is read after it */
};

OlEventsReader *ol_events_reader_new(gboolean replayed)
{
  OlEventsReader *reader = g_new0(OlEventsReader, 1);
  ol_events_state_init(&reader->state, replayed);
  reader->partial = g_string_new(NULL);
  return reader;
}

void ol_events_reader_free(OlEventsReader *reader)
{
  if (!reader)
    return;
  ol_events_state_clear(&reader->state);
  g_string_free(reader->partial, TRUE);
  g_clear_error(&reader->failed);
  g_free(reader);
}

static gboolean report(OlEventsReader *reader, GError **error)
{
  if (!reader->failed)
    return TRUE;
  g_propagate_error(error, g_error_copy(reader->failed));
  return FALSE;
}

/* Keeps the start of a line for later; too long a one is refused without waiting for its end. */
static void keep(OlEventsReader *reader, const char *bytes, gsize length)
{
  gsize room = OL_EVENTS_MAX_LINE + 1 - reader->partial->len;
  g_string_append_len(reader->partial, bytes, MIN(length, room));
  if (reader->partial->len > OL_EVENTS_MAX_LINE)
    ol_events_state_line(&reader->state, reader->partial->str, reader->partial->len,
                         &reader->failed);
}

static void take_line(OlEventsReader *reader, const char *bytes, gsize length)
{
  if (reader->partial->len == 0) {
    ol_events_state_line(&reader->state, bytes, length, &reader->failed);
    return;
  }
  keep(reader, bytes, length);
  if (!reader->failed)
    ol_events_state_line(&reader->state, reader->partial->str, reader->partial->len,
                         &reader->failed);
  g_string_truncate(reader->partial, 0);
}

gboolean ol_events_reader_feed(OlEventsReader *reader, const char *bytes, gsize length,
                               GError **error)
{
  const char *end = bytes + length;
  while (bytes < end && !reader->failed) {
    const char *newline = memchr(bytes, '\n', end - bytes);
    if (!newline) {
      keep(reader, bytes, end - bytes);
      break;
    }
    take_line(reader, bytes, newline - bytes);
    bytes = newline + 1;
  }
  return report(reader, error);
}

/* A last line that lacks nothing but its newline is whole. */
static void finish_partial(OlEventsReader *reader)
{
  g_autoptr(GError) why = NULL;
  if (reader->partial->len == 0)
    return;
  if (!ol_events_state_line(&reader->state, reader->partial->str, reader->partial->len, &why))
    g_set_error(&reader->failed, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("events, line %" PRIu64 ": the stream is cut off in this line"),
                reader->state.line);
  g_string_truncate(reader->partial, 0);
}

gboolean ol_events_reader_finish(OlEventsReader *reader, GError **error)
{
  OlEventsState *state = &reader->state;
  if (!reader->failed)
    finish_partial(reader);
  if (!state->has_header && !reader->failed)
    g_set_error(&reader->failed, OL_ERROR, OL_ERROR_BAD_INPUT, _("events: the stream is empty"));
  /* A stream that ended within the plan: the plan as far as it goes, if it holds together. */
  if (state->has_header)
    ol_events_state_complete(state, NULL);
  if (!reader->failed && !state->has_summary)
    g_set_error(&reader->failed, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("events: the stream is cut off after line %" PRIu64), state->line);
  return report(reader, error);
}

OlTrace *ol_events_reader_get_trace(OlEventsReader *reader)
{
  return reader->state.trace;
}
