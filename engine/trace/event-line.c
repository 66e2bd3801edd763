/* A line of the event stream: its type, whether it may come here, and who understands it. */
#include "engine/trace/event-line-private.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include <inttypes.h>

gboolean ol_event_line_fail(const OlEventLine *line, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *what = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  g_set_error(line->error, OL_ERROR, OL_ERROR_BAD_INPUT, _("events, line %" PRIu64 ": %s%s%s"),
              line->state->line, line->type, *line->type ? ": " : "", what);
  return FALSE;
}

gboolean ol_event_line_fields(OlEventLine *line, const OlField *fields, guint n, gpointer record)
{
  const char *wrong = NULL;
  if (ol_event_fields_read(&line->cursor, fields, n, record, &wrong))
    return TRUE;
  if (wrong)
    return ol_event_line_fail(line, "\"%s\": %s", wrong, line->cursor.problem);
  return ol_event_line_fail(line, "%s", line->cursor.problem);
}

gboolean ol_event_line_below(OlEventLine *line, const char *what, gint64 id, guint n)
{
  if (id < n)
    return TRUE;
  return ol_event_line_fail(line, _("there is no %s %" PRId64 " (there are %u)"), what, id, n);
}

gboolean ol_event_line_count(OlEventLine *line, gint64 bytes)
{
  line->state->bytes_so_far += ABS(bytes);
  if (line->state->bytes_so_far <= OL_EVENT_MAX_BYTES)
    return TRUE;
  line->state->bytes_so_far -= ABS(bytes);
  return ol_event_line_fail(line, _("byte counts add up to more than any machine has"));
}

/* The reader works the metrics out itself: only the form is checked. */
static gboolean read_anything(OlEventLine *line)
{
  return ol_event_line_fields(line, NULL, 0, NULL);
}

static gboolean read_summary(OlEventLine *line)
{
  if (!read_anything(line))
    return FALSE;
  line->state->has_summary = TRUE;
  return TRUE;
}

/* Where in the stream a type may come. */
typedef enum { AT_BEGIN, IN_GRAPH, IN_RUN, AFTER_END } Place;

static const struct {
  const char *type;
  Place place;
  gboolean (*read)(OlEventLine *line);
} types[] = {
    {"span", IN_RUN, ol_event_line_span},       {"memory", IN_RUN, ol_event_line_memory},
    {"step", IN_RUN, ol_event_line_step},       {"node", IN_GRAPH, ol_event_line_node},
    {"buffer", IN_GRAPH, ol_event_line_buffer}, {"unit", IN_GRAPH, ol_event_line_unit},
    {"run", AT_BEGIN, ol_event_line_run},       {"outcome", IN_RUN, ol_event_line_outcome},
    {"summary", AFTER_END, read_summary},
};

static gboolean check_place(OlEventLine *line, Place place)
{
  OlEventsState *state = line->state;
  if (!state->has_header && place != AT_BEGIN)
    return ol_event_line_fail(line, _("the first line must be of type \"run\""));
  if (state->has_header && place == AT_BEGIN)
    return ol_event_line_fail(line, _("the stream has begun already"));
  if (state->trace && place == IN_GRAPH)
    return ol_event_line_fail(line, _("the plan is complete already"));
  if (state->trace && state->trace->ended && place == IN_RUN)
    return ol_event_line_fail(line, _("the run has ended already"));
  if (place == AFTER_END && !(state->trace && state->trace->ended))
    return ol_event_line_fail(line, _("the run has not ended yet"));
  return place != IN_RUN || ol_events_state_complete(state, line->error);
}

static gboolean read_typed(OlEventLine *line, OlJsonSlice type)
{
  for (guint i = 0; i < G_N_ELEMENTS(types); i++) {
    if (!ol_json_slice_is(type, types[i].type, strlen(types[i].type)))
      continue;
    line->type = types[i].type;
    return check_place(line, types[i].place) && types[i].read(line);
  }
  if (!line->state->has_header)
    return ol_event_line_fail(line, _("the first line must be of type \"run\""));
  return read_anything(line);
}

static gboolean is_blank(const char *text, gsize length)
{
  gsize i = 0;
  while (i < length && strchr(" \t\r", text[i]))
    i++;
  return i == length;
}

static gboolean read_line(OlEventLine *line)
{
  OlJsonSlice key, type;
  gboolean first = TRUE;
  if (!ol_json_open(&line->cursor, '{') || !ol_json_more(&line->cursor, '}', &first) ||
      !ol_json_key(&line->cursor, &key))
    return ol_event_line_fail(
        line, "%s", line->cursor.problem ? line->cursor.problem : _("\"type\" must come first"));
  if (!ol_json_slice_is(key, "type", 4))
    return ol_event_line_fail(line, _("\"type\" must come first"));
  if (!ol_json_word(&line->cursor, &type))
    return ol_event_line_fail(line, _("\"type\": %s"), line->cursor.problem);
  return read_typed(line, type);
}

gboolean ol_events_state_line(OlEventsState *state, const char *text, gsize length, GError **error)
{
  OlEventLine line = {state, {text, text + length, NULL}, "", error};
  state->line++;
  if (length > OL_EVENTS_MAX_LINE)
    return ol_event_line_fail(&line, _("longer than %u MiB"), OL_EVENTS_MAX_LINE >> 20);
  if (memchr(text, 0, length))
    return ol_event_line_fail(&line, _("it holds a NUL byte"));
  if (!g_utf8_validate(text, length, NULL))
    return ol_event_line_fail(&line, _("it is not UTF-8"));
  if (is_blank(text, length))
    return TRUE;
  if (state->has_summary)
    return ol_event_line_fail(&line, _("something follows the summary"));
  return read_line(&line);
}

gboolean ol_events_state_complete(OlEventsState *state, GError **error)
{
  if (state->trace)
    return TRUE;
  if (state->farthest_wait >= state->graph->nodes->len && state->farthest_line > 0) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("events, line %" PRIu64 ": node: it waits for node %u, which never comes"),
                state->farthest_line, state->farthest_wait);
    return FALSE;
  }
  state->trace = ol_trace_new(state->source, &state->header, state->graph);
  state->trace->replayed = state->replayed;
  return TRUE;
}

void ol_events_state_init(OlEventsState *state, gboolean replayed)
{
  *state = (OlEventsState){.replayed = replayed,
                           .text = g_string_new(NULL),
                           .text2 = g_string_new(NULL),
                           .waits = g_array_new(FALSE, FALSE, sizeof(OlWait))};
  for (guint i = 0; i < G_N_ELEMENTS(state->lists); i++)
    state->lists[i] = g_array_new(FALSE, FALSE, sizeof(guint));
}

void ol_events_state_clear(OlEventsState *state)
{
  g_free(state->header.config);
  g_clear_pointer(&state->header.capacities, g_array_unref);
  g_clear_pointer(&state->graph, ol_graph_unref);
  g_clear_pointer(&state->trace, ol_trace_unref);
  g_string_free(state->text, TRUE);
  g_string_free(state->text2, TRUE);
  g_array_unref(state->waits);
  for (guint i = 0; i < G_N_ELEMENTS(state->lists); i++)
    g_array_unref(state->lists[i]);
}
