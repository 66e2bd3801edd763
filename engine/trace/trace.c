#include "engine/trace/trace.h"

#include <math.h>

OlTrace *ol_trace_new(OlSource source, const OlTraceHeader *header, OlGraph *graph)
{
  OlTrace *trace = g_new0(OlTrace, 1);
  g_atomic_ref_count_init(&trace->ref_count);
  trace->source = source;
  trace->header = *header;
  trace->header.config = g_strdup(header->config);
  if (header->capacities)
    trace->header.capacities = g_array_copy(header->capacities);
  trace->graph = ol_graph_ref(graph);
  trace->spans = g_array_new(FALSE, FALSE, sizeof(OlSpan));
  trace->changes = g_array_new(FALSE, FALSE, sizeof(OlMemoryChange));
  trace->steps = g_array_new(FALSE, FALSE, sizeof(OlStep));
  trace->numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  trace->texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  return trace;
}

static void copy_array(GArray *to, const GArray *from)
{
  if (from->len > 0)
    g_array_append_vals(to, from->data, from->len);
}

OlTrace *ol_trace_dup_so_far(const OlTrace *trace)
{
  OlTrace *copy = ol_trace_new(trace->source, &trace->header, trace->graph);
  GHashTableIter iter;
  gpointer path, value;
  copy->replayed = trace->replayed;
  copy->touched = trace->touched;
  copy_array(copy->spans, trace->spans);
  copy_array(copy->changes, trace->changes);
  copy_array(copy->steps, trace->steps);
  for (g_hash_table_iter_init(&iter, trace->numbers); g_hash_table_iter_next(&iter, &path, &value);)
    ol_trace_set_number(copy, path, *(const double *)value);
  for (g_hash_table_iter_init(&iter, trace->texts); g_hash_table_iter_next(&iter, &path, &value);)
    ol_trace_set_text(copy, path, value);
  if (trace->ended)
    ol_trace_end(copy, trace->outcome, trace->message, trace->table);
  return copy;
}

OlTrace *ol_trace_ref(OlTrace *trace)
{
  g_atomic_ref_count_inc(&trace->ref_count);
  return trace;
}

void ol_trace_unref(OlTrace *trace)
{
  if (!g_atomic_ref_count_dec(&trace->ref_count))
    return;
  g_free(trace->header.config);
  g_clear_pointer(&trace->header.capacities, g_array_unref);
  ol_graph_unref(trace->graph);
  g_array_unref(trace->spans);
  g_array_unref(trace->changes);
  g_array_unref(trace->steps);
  g_free(trace->message);
  g_free(trace->table);
  g_hash_table_unref(trace->numbers);
  g_hash_table_unref(trace->texts);
  g_free(trace);
}

void ol_trace_set_number(OlTrace *trace, const char *path, double value)
{
  g_hash_table_remove(trace->texts, path);
  if (isfinite(value))
    g_hash_table_replace(trace->numbers, g_strdup(path), g_memdup2(&value, sizeof value));
  else
    g_hash_table_remove(trace->numbers, path);
}

void ol_trace_set_text(OlTrace *trace, const char *path, const char *text)
{
  g_hash_table_remove(trace->numbers, path);
  if (text)
    g_hash_table_replace(trace->texts, g_strdup(path), g_strdup(text));
  else
    g_hash_table_remove(trace->texts, path);
}

gboolean ol_trace_get_number(const OlTrace *trace, const char *path, double *value)
{
  const double *found = g_hash_table_lookup(trace->numbers, path);
  if (!found)
    return FALSE;
  *value = *found;
  return TRUE;
}

const char *ol_trace_get_text(const OlTrace *trace, const char *path)
{
  return g_hash_table_lookup(trace->texts, path);
}

void ol_trace_end(OlTrace *trace, OlOutcome outcome, const char *message, const char *table)
{
  g_return_if_fail(!trace->ended);
  trace->ended = TRUE;
  trace->outcome = outcome;
  trace->message = g_strdup(message);
  trace->table = g_strdup(table);
}

guint64 ol_trace_capacity(const OlTrace *trace, guint rank, OlTier tier)
{
  const GArray *capacities = trace->header.capacities;
  guint index = rank * OL_N_TIERS + tier;
  if (!capacities || index >= capacities->len)
    return 0;
  return g_array_index(capacities, guint64, index);
}

gint64 ol_trace_end_ns(const OlTrace *trace)
{
  gint64 end = 0;
  for (guint i = 0; i < trace->spans->len; i++)
    end = MAX(end, ol_trace_span(trace, i)->end_ns);
  return end;
}
