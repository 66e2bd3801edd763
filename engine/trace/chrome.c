#include "engine/trace/chrome.h"

#include "engine/trace/json-line-private.h"
#include "engine/trace/text-file-private.h"

/* Trace Event Format (Google, "Trace Event Format", 2016): `ph` M names a process or a thread, X is
 * a complete event, C a counter; `ts` and `dur` are in µs. A process is a rank, numbered from 1,
 * since viewers take 0 for the system; a thread is a lane. */

typedef struct {
  const OlTrace *trace;
  OlTextFile *file;
  GString *text;
  gint64 (*held)[OL_N_TIERS][OL_N_PAYLOADS]; /* [ranks], as the counters go on */
  gboolean any;                              /* an event has been written */
} Chrome;

static void begin(Chrome *chrome, char phase, guint rank)
{
  g_string_append(chrome->text, chrome->any ? ",\n" : "\n");
  g_string_append_printf(chrome->text, "{\"ph\":\"%c\",\"pid\":%u", phase, rank + 1);
  chrome->any = TRUE;
}

static void put_key(Chrome *chrome, const char *key)
{
  g_string_append_printf(chrome->text, ",\"%s\":", key);
}

static void put_text(Chrome *chrome, const char *key, const char *value)
{
  put_key(chrome, key);
  ol_json_put_text(chrome->text, value);
}

static void put_microseconds(Chrome *chrome, const char *key, gint64 ns)
{
  put_key(chrome, key);
  if (ns < 0)
    g_string_append_c(chrome->text, '-');
  g_string_append_printf(chrome->text, "%" G_GINT64_FORMAT ".%03d", ABS(ns) / 1000,
                         (int)(ABS(ns) % 1000));
}

static void write_names(Chrome *chrome, guint rank)
{
  begin(chrome, 'M', rank);
  g_string_append_printf(chrome->text,
                         ",\"name\":\"process_name\",\"args\":{\"name\":\"Rank %u\"}}", rank);
  for (guint lane = 0; lane < OL_N_LANES; lane++) {
    begin(chrome, 'M', rank);
    g_string_append_printf(chrome->text, ",\"tid\":%u,\"name\":\"thread_name\",\"args\":{", lane);
    g_string_append(chrome->text, "\"name\":");
    ol_json_put_text(chrome->text, ol_lane_name(lane));
    g_string_append(chrome->text, "}}");
    begin(chrome, 'M', rank);
    g_string_append_printf(chrome->text,
                           ",\"tid\":%u,\"name\":\"thread_sort_index\","
                           "\"args\":{\"sort_index\":%u}}",
                           lane, lane);
  }
}

static void write_span(Chrome *chrome, const OlSpan *span)
{
  const OlGraph *graph = chrome->trace->graph;
  const OlGraphNode *node = ol_graph_node(graph, span->node);
  g_autofree char *title = ol_graph_dup_node_title(graph, span->node);
  begin(chrome, 'X', node->rank);
  g_string_append_printf(chrome->text, ",\"tid\":%u", node->lane);
  put_microseconds(chrome, "ts", span->begin_ns);
  put_microseconds(chrome, "dur", span->end_ns - span->begin_ns);
  put_text(chrome, "name", title);
  put_text(chrome, "cat", ol_op_nick(node->op));
  g_string_append_printf(
      chrome->text,
      ",\"args\":{\"step\":%d,\"node\":%u,\"payload\":\"%s\",\"bytes\":%" G_GUINT64_FORMAT "}}",
      span->step, span->node, ol_payload_nick(node->payload), span->bytes);
}

/* One counter a tier, stacked by payload. */
static void write_change(Chrome *chrome, const OlMemoryChange *change)
{
  const OlGraphBuffer *buffer = ol_graph_buffer(chrome->trace->graph, change->buffer);
  gint64 *held = chrome->held[buffer->rank][buffer->tier];
  held[buffer->payload] += change->bytes;
  begin(chrome, 'C', buffer->rank);
  g_string_append_printf(chrome->text, ",\"name\":\"%s memory\"", ol_tier_name(buffer->tier));
  put_microseconds(chrome, "ts", change->time_ns);
  put_key(chrome, "args");
  for (guint payload = 0; payload < OL_N_PAYLOADS; payload++)
    g_string_append_printf(chrome->text, "%c\"%s\":%" G_GINT64_FORMAT, payload == 0 ? '{' : ',',
                           ol_payload_nick(payload), held[payload]);
  g_string_append(chrome->text, "}}");
}

static gboolean write_events(Chrome *chrome, GError **error)
{
  const OlTrace *trace = chrome->trace;
  double all = (double)trace->spans->len + trace->changes->len + 1;
  for (guint rank = 0; rank < trace->graph->n_ranks; rank++)
    write_names(chrome, rank);
  for (guint i = 0; i < trace->spans->len; i++) {
    write_span(chrome, ol_trace_span(trace, i));
    if (!ol_text_file_flush(chrome->file, i / all, error))
      return FALSE;
  }
  for (guint i = 0; i < trace->changes->len; i++) {
    write_change(chrome, ol_trace_change(trace, i));
    if (!ol_text_file_flush(chrome->file, ((double)trace->spans->len + i) / all, error))
      return FALSE;
  }
  return TRUE;
}

gboolean ol_chrome_write_file(const OlTrace *trace, const char *path, GError **error)
{
  return ol_chrome_write_file_watched(trace, path, NULL, error);
}

gboolean ol_chrome_write_file_watched(const OlTrace *trace, const char *path, const OlWatch *watch,
                                      GError **error)
{
  OlTextFile *file = ol_text_file_open(path, watch, error);
  if (!file)
    return FALSE;
  Chrome chrome = {trace, file, ol_text_file_get_text(file),
                   g_malloc0_n(trace->graph->n_ranks, sizeof *chrome.held), FALSE};
  g_string_append(chrome.text, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
  gboolean fine = write_events(&chrome, error);
  g_string_append(chrome.text, "\n]}\n");
  g_free(chrome.held);
  return ol_text_file_close(file, fine ? error : NULL) && fine;
}
