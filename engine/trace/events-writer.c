#include "engine/trace/events-private.h"

#include "engine/trace/json-line-private.h"
#include "engine/trace/metrics.h"

#include <math.h>

struct OlEventsWriter {
  OlTrace *trace;
  gboolean header_done, summary_done;
  guint units, buffers, nodes; /* written so far */
  guint changes, spans, steps; /* written so far */
};

OlEventsWriter *ol_events_writer_new(const OlTrace *trace)
{
  OlEventsWriter *writer = g_new0(OlEventsWriter, 1);
  writer->trace = ol_trace_ref((OlTrace *)trace);
  return writer;
}

void ol_events_writer_free(OlEventsWriter *writer)
{
  if (!writer)
    return;
  ol_trace_unref(writer->trace);
  g_free(writer);
}

static void begin(GString *text, const char *type)
{
  g_string_append(text, "{\"type\":\"");
  g_string_append(text, type);
  g_string_append_c(text, '"');
}

static void end(GString *text)
{
  g_string_append(text, "}\n");
}

static void put_key(GString *text, const char *key)
{
  g_string_append(text, ",\"");
  g_string_append(text, key);
  g_string_append(text, "\":");
}

static void put_integer(GString *text, const char *key, gint64 value)
{
  put_key(text, key);
  ol_json_put_integer(text, value);
}

/* What is unknown (NAN) is left out; so is what JSON has no word for. */
static void put_double(GString *text, const char *key, double value)
{
  if (!isfinite(value))
    return;
  put_key(text, key);
  ol_json_put_double(text, value);
}

static void put_text(GString *text, const char *key, const char *value)
{
  if (!value)
    return;
  put_key(text, key);
  ol_json_put_text(text, value);
}

static void put_capacities(GString *text, const GArray *capacities)
{
  put_key(text, "capacities");
  g_string_append_c(text, '[');
  for (guint i = 0; i + OL_N_TIERS <= capacities->len; i += OL_N_TIERS) {
    g_string_append(text, i == 0 ? "[" : ",[");
    for (guint tier = 0; tier < OL_N_TIERS; tier++) {
      if (tier > 0)
        g_string_append_c(text, ',');
      ol_json_put_integer(text, g_array_index(capacities, guint64, i + tier));
    }
    g_string_append_c(text, ']');
  }
  g_string_append_c(text, ']');
}

static void write_run(const OlTrace *trace, GString *text)
{
  begin(text, "run");
  put_integer(text, "format", OL_EVENTS_FORMAT);
  put_text(text, "source", ol_source_nick(trace->source));
  if (trace->header.config) {
    put_key(text, "config");
    ol_json_put_json(text, trace->header.config);
  }
  put_double(text, "mu", trace->header.mu);
  put_double(text, "kappa", trace->header.kappa);
  put_double(text, "slowdown", trace->header.slowdown);
  put_integer(text, "ranks", trace->graph->n_ranks);
  if (trace->header.capacities)
    put_capacities(text, trace->header.capacities);
  end(text);
}

static void write_unit(const OlGraph *graph, guint id, GString *text)
{
  const OlGraphUnit *unit = ol_graph_unit(graph, id);
  begin(text, "unit");
  put_integer(text, "id", id);
  put_text(text, "name", unit->name);
  put_integer(text, "parameters", unit->parameters);
  end(text);
}

static void write_buffer(const OlGraph *graph, guint id, GString *text)
{
  const OlGraphBuffer *buffer = ol_graph_buffer(graph, id);
  begin(text, "buffer");
  put_integer(text, "id", id);
  put_integer(text, "rank", buffer->rank);
  put_text(text, "tier", ol_tier_nick(buffer->tier));
  put_text(text, "payload", ol_payload_nick(buffer->payload));
  put_integer(text, "bytes", buffer->bytes);
  put_text(text, "kind", ol_buffer_kind_nick(buffer->kind));
  end(text);
}

static void put_waits(const OlGraph *graph, OlRange range, GString *text)
{
  if (range.n == 0)
    return;
  put_key(text, "waits");
  for (guint i = 0; i < range.n; i++) {
    const OlWait *wait = ol_graph_waits(graph, range) + i;
    g_string_append(text, i == 0 ? "[[" : ",[");
    ol_json_put_integer(text, wait->node);
    g_string_append_c(text, ',');
    ol_json_put_integer(text, wait->steps_back);
    g_string_append_c(text, ']');
  }
  g_string_append_c(text, ']');
}

static void put_buffers(const OlGraph *graph, const char *key, OlRange range, GString *text)
{
  if (range.n == 0)
    return;
  put_key(text, key);
  for (guint i = 0; i < range.n; i++) {
    g_string_append_c(text, i == 0 ? '[' : ',');
    ol_json_put_integer(text, ol_graph_buffer_list(graph, range)[i]);
  }
  g_string_append_c(text, ']');
}

static void write_node(const OlGraph *graph, guint id, GString *text)
{
  const OlGraphNode *node = ol_graph_node(graph, id);
  begin(text, "node");
  put_integer(text, "id", id);
  put_integer(text, "rank", node->rank);
  put_text(text, "lane", ol_lane_nick(node->lane));
  put_text(text, "op", ol_op_nick(node->op));
  if (node->part != OL_PART_STEP)
    put_text(text, "part", ol_part_nick(node->part));
  if (node->piece != OL_PIECE_WHOLE)
    put_text(text, "piece", ol_piece_nick(node->piece));
  if (node->group != OL_GROUP_NONE)
    put_text(text, "group", ol_group_nick(node->group));
  if (node->meeting != 0)
    put_integer(text, "meeting", node->meeting);
  if (node->steps != OL_STEPS_ALL)
    put_integer(text, "parity", node->steps == OL_STEPS_ODD);
  if (node->steps_behind > 0)
    put_integer(text, "steps_behind", node->steps_behind);
  if (node->unit != OL_NONE)
    put_integer(text, "unit", node->unit);
  if (node->micro_batch != OL_NONE)
    put_integer(text, "micro_batch", node->micro_batch);
  put_text(text, "payload", ol_payload_nick(node->payload));
  put_integer(text, "bytes", node->bytes);
  put_double(text, "flops", node->flops);
  put_waits(graph, node->waits, text);
  put_buffers(graph, "acquires", node->acquires, text);
  put_buffers(graph, "releases", node->releases, text);
  end(text);
}

static void write_change(const OlMemoryChange *change, GString *text)
{
  begin(text, "memory");
  put_integer(text, "time_ns", change->time_ns);
  put_integer(text, "buffer", change->buffer);
  put_integer(text, "bytes", change->bytes);
  end(text);
}

static void write_span(const OlSpan *span, GString *text)
{
  begin(text, "span");
  put_integer(text, "node", span->node);
  put_integer(text, "step", span->step);
  put_integer(text, "begin_ns", span->begin_ns);
  put_integer(text, "end_ns", span->end_ns);
  put_integer(text, "bytes", span->bytes);
  end(text);
}

static void write_step(const OlStep *step, GString *text)
{
  begin(text, "step");
  put_integer(text, "step", step->step);
  put_integer(text, "begin_ns", step->begin_ns);
  put_integer(text, "end_ns", step->end_ns);
  put_double(text, "loss", step->loss);
  put_double(text, "gradient_norm", step->gradient_norm);
  end(text);
}

static void put_fact(const OlTrace *trace, const char *path, GString *text)
{
  double number;
  ol_json_put_text(text, path);
  g_string_append_c(text, ':');
  if (ol_trace_get_number(trace, path, &number))
    ol_json_put_double(text, number);
  else
    ol_json_put_text(text, ol_trace_get_text(trace, path));
}

static int compare_paths(gconstpointer a, gconstpointer b)
{
  return strcmp(a, b);
}

/* In order of their paths, so that equal traces make equal files. */
static void put_facts(const OlTrace *trace, GString *text)
{
  GList *numbers = g_hash_table_get_keys(trace->numbers);
  GList *texts = g_hash_table_get_keys(trace->texts);
  GList *paths = g_list_sort(g_list_concat(numbers, texts), compare_paths);
  put_key(text, "facts");
  g_string_append_c(text, '{');
  for (GList *at = paths; at; at = at->next) {
    if (at != paths)
      g_string_append_c(text, ',');
    put_fact(trace, at->data, text);
  }
  g_string_append_c(text, '}');
  g_list_free(paths);
}

static void write_outcome(const OlTrace *trace, GString *text)
{
  begin(text, "outcome");
  put_text(text, "outcome", ol_outcome_nick(trace->outcome));
  put_text(text, "message", trace->message);
  put_text(text, "table", trace->table);
  if (trace->touched) {
    put_key(text, "touched");
    g_string_append(text, "true");
  }
  put_facts(trace, text);
  end(text);
}

static void write_summary(const OlTrace *trace, GString *text)
{
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  g_autofree char *json = ol_metrics_dup_json(metrics);
  begin(text, "summary");
  put_key(text, "metrics");
  g_string_append(text, json);
  end(text);
}

static gboolean write_plan_line(OlEventsWriter *writer, GString *text)
{
  const OlGraph *graph = writer->trace->graph;
  if (!writer->header_done) {
    write_run(writer->trace, text);
    writer->header_done = TRUE;
  } else if (writer->units < graph->units->len) {
    write_unit(graph, writer->units++, text);
  } else if (writer->buffers < graph->buffers->len) {
    write_buffer(graph, writer->buffers++, text);
  } else if (writer->nodes < graph->nodes->len) {
    write_node(graph, writer->nodes++, text);
  } else {
    return FALSE;
  }
  return TRUE;
}

/* The earliest of the next change, span and step; each kind keeps its own order. */
static gboolean write_run_line(OlEventsWriter *writer, GString *text)
{
  const OlTrace *trace = writer->trace;
  const OlMemoryChange *change =
      writer->changes < trace->changes->len ? ol_trace_change(trace, writer->changes) : NULL;
  const OlSpan *span =
      writer->spans < trace->spans->len ? ol_trace_span(trace, writer->spans) : NULL;
  const OlStep *step =
      writer->steps < trace->steps->len ? ol_trace_step(trace, writer->steps) : NULL;
  if (change && !(span && span->end_ns < change->time_ns) &&
      !(step && step->end_ns < change->time_ns)) {
    write_change(change, text);
    writer->changes++;
  } else if (span && !(step && step->end_ns < span->end_ns)) {
    write_span(span, text);
    writer->spans++;
  } else if (step) {
    write_step(step, text);
    writer->steps++;
  } else {
    return FALSE;
  }
  return TRUE;
}

gboolean ol_events_writer_pull_some(OlEventsWriter *writer, GString *text, gsize enough)
{
  while (text->len <= enough)
    if (!write_plan_line(writer, text) && !write_run_line(writer, text)) {
      if (writer->trace->ended && !writer->summary_done) {
        write_outcome(writer->trace, text);
        write_summary(writer->trace, text);
        writer->summary_done = TRUE;
      }
      return FALSE;
    }
  return TRUE;
}

double ol_events_writer_get_share(const OlEventsWriter *writer)
{
  const OlTrace *trace = writer->trace;
  double all = (double)trace->graph->nodes->len + trace->changes->len + trace->spans->len;
  double written = (double)writer->nodes + writer->changes + writer->spans;
  return all > 0 ? written / all : 1;
}

void ol_events_writer_pull(OlEventsWriter *writer, GString *text)
{
  ol_events_writer_pull_some(writer, text, G_MAXSIZE);
}
