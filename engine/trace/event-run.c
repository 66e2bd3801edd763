/* Lines of the event stream that tell what happened: memory, span, step, outcome. */
#include "engine/trace/event-line-private.h"

#include "engine/base/intl.h"

#include <math.h>

/* memory {time_ns, buffer, bytes ±} */
typedef struct {
  gint64 time_ns, buffer, bytes;
} MemoryRecord;

gboolean ol_event_line_memory(OlEventLine *line)
{
  static const OlField fields[] = {
      OL_EVENT_TIME(MemoryRecord, time_ns, "time_ns"),
      OL_EVENT_ID(MemoryRecord, buffer, "buffer"),
      OL_EVENT_INTEGER(MemoryRecord, bytes, "bytes", -OL_EVENT_MAX_BYTES, OL_EVENT_MAX_BYTES),
  };
  OlTrace *trace = line->state->trace;
  MemoryRecord record;
  if (!ol_event_line_fields(line, fields, G_N_ELEMENTS(fields), &record) ||
      !ol_event_line_below(line, "buffer", record.buffer, trace->graph->buffers->len) ||
      !ol_event_line_count(line, record.bytes))
    return FALSE;
  OlMemoryChange change = {record.time_ns, record.bytes, record.buffer};
  g_array_append_val(trace->changes, change);
  return TRUE;
}

/* span {node, step, begin_ns, end_ns, bytes} */
typedef struct {
  gint64 node, step, begin_ns, end_ns, bytes;
} SpanRecord;

gboolean ol_event_line_span(OlEventLine *line)
{
  static const OlField fields[] = {
      OL_EVENT_ID(SpanRecord, node, "node"),
      OL_EVENT_INTEGER(SpanRecord, step, "step", -1, G_MAXINT),
      OL_EVENT_TIME(SpanRecord, begin_ns, "begin_ns"),
      OL_EVENT_TIME(SpanRecord, end_ns, "end_ns"),
      OL_EVENT_SIZE(SpanRecord, bytes, "bytes"),
  };
  OlTrace *trace = line->state->trace;
  SpanRecord record;
  if (!ol_event_line_fields(line, fields, G_N_ELEMENTS(fields), &record) ||
      !ol_event_line_below(line, "node", record.node, trace->graph->nodes->len) ||
      !ol_event_line_count(line, record.bytes))
    return FALSE;
  if (record.end_ns < record.begin_ns)
    return ol_event_line_fail(line, _("it ends before it begins"));
  OlSpan span = {record.node, record.step, record.begin_ns, record.end_ns, record.bytes};
  g_array_append_val(trace->spans, span);
  return TRUE;
}

/* step {step, begin_ns, end_ns, loss, gradient_norm} */
typedef struct {
  gint64 step, begin_ns, end_ns;
  double loss, gradient_norm;
} StepRecord;

gboolean ol_event_line_step(OlEventLine *line)
{
  static const OlField fields[] = {
      OL_EVENT_ID(StepRecord, step, "step"),
      OL_EVENT_TIME(StepRecord, begin_ns, "begin_ns"),
      OL_EVENT_TIME(StepRecord, end_ns, "end_ns"),
      OL_EVENT_OPTIONAL(StepRecord, loss, "loss", OL_FIELD_DOUBLE),
      OL_EVENT_OPTIONAL(StepRecord, gradient_norm, "gradient_norm", OL_FIELD_DOUBLE),
  };
  OlTrace *trace = line->state->trace;
  StepRecord record = {.loss = NAN, .gradient_norm = NAN};
  if (!ol_event_line_fields(line, fields, G_N_ELEMENTS(fields), &record))
    return FALSE;
  if (record.end_ns < record.begin_ns)
    return ol_event_line_fail(line, _("it ends before it begins"));
  if (trace->steps->len > 0 && record.step <= ol_trace_step(trace, trace->steps->len - 1)->step)
    return ol_event_line_fail(line, _("step %d comes after a later one or is there twice"),
                              (int)record.step);
  OlStep step = {record.step, record.begin_ns, record.end_ns, record.loss, record.gradient_norm};
  g_array_append_val(trace->steps, step);
  return TRUE;
}

/* outcome {outcome, message, table, touched, facts {path: number or text}} */
typedef struct {
  int outcome;
  GString *message, *table;
  gboolean touched;
  OlJsonSlice facts;
} OutcomeRecord;

static void read_fact(OlJsonCursor *cursor, OlTrace *trace, const char *path, GString *text)
{
  double number;
  if (ol_json_null(cursor)) /* steps over white space in any case */
    return;
  if (cursor->at < cursor->end && *cursor->at == '"') {
    g_string_truncate(text, 0);
    if (ol_json_text(cursor, text))
      ol_trace_set_text(trace, path, text->str);
  } else if (ol_json_double(cursor, &number)) {
    ol_trace_set_number(trace, path, number);
  }
}

static gboolean read_facts(OlEventLine *line, OlJsonSlice json)
{
  OlJsonCursor cursor = {json.text, json.text + json.length, NULL};
  g_autoptr(GString) path = g_string_new(NULL);
  g_autoptr(GString) text = g_string_new(NULL);
  gboolean first = TRUE;
  ol_json_open(&cursor, '{');
  while (ol_json_more(&cursor, '}', &first) && ol_json_key_text(&cursor, path))
    read_fact(&cursor, line->state->trace, path->str, text);
  return !cursor.problem || ol_event_line_fail(line, _("\"facts\": %s"), cursor.problem);
}

gboolean ol_event_line_outcome(OlEventLine *line)
{
  static const OlField fields[] = {
      OL_EVENT_WORD(OutcomeRecord, outcome, "outcome", outcome),
      OL_EVENT_OPTIONAL(OutcomeRecord, message, "message", OL_FIELD_TEXT),
      OL_EVENT_OPTIONAL(OutcomeRecord, table, "table", OL_FIELD_TEXT),
      OL_EVENT_OPTIONAL(OutcomeRecord, touched, "touched", OL_FIELD_BOOLEAN),
      OL_EVENT_OPTIONAL(OutcomeRecord, facts, "facts", OL_FIELD_RAW),
  };
  OlEventsState *state = line->state;
  OutcomeRecord record = {.message = g_string_truncate(state->text, 0),
                          .table = g_string_truncate(state->text2, 0)};
  if (!ol_event_line_fields(line, fields, G_N_ELEMENTS(fields), &record) ||
      (record.facts.text && !read_facts(line, record.facts)))
    return FALSE;
  state->trace->touched = record.touched;
  ol_trace_end(state->trace, record.outcome, record.message->len ? record.message->str : NULL,
               record.table->len ? record.table->str : NULL);
  return TRUE;
}
