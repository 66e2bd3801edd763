#include "engine/trace/span-lanes-private.h"

guint ol_span_lane(const OlTrace *trace, guint span)
{
  const OlGraphNode *node = ol_graph_node(trace->graph, ol_trace_span(trace, span)->node);
  return node->rank * OL_N_LANES + node->lane;
}

static int compare_times(const OlTrace *trace, guint x, guint y)
{
  const OlSpan *span_x = ol_trace_span(trace, x), *span_y = ol_trace_span(trace, y);
  if (span_x->begin_ns != span_y->begin_ns)
    return span_x->begin_ns < span_y->begin_ns ? -1 : 1;
  if (span_x->end_ns != span_y->end_ns)
    return span_x->end_ns < span_y->end_ns ? -1 : 1;
  return x < y ? -1 : x > y;
}

static int compare_spans(gconstpointer a, gconstpointer b, gpointer data)
{
  return compare_times(data, *(const guint *)a, *(const guint *)b);
}

/* They mostly come in order already: sorted only if not. */
static void order(const OlTrace *trace, guint *spans, guint n)
{
  for (guint i = 1; i < n; i++)
    if (compare_times(trace, spans[i - 1], spans[i]) > 0) {
      g_qsort_with_data(spans, n, sizeof *spans, compare_spans, (gpointer)trace);
      return;
    }
}

/* `spans` NULL: the first n. */
static void init(OlSpanLanes *lanes, const OlTrace *trace, const guint *spans, guint n)
{
  guint n_lanes = trace->graph->n_ranks * OL_N_LANES;
  lanes->spans = g_new(guint, n);
  lanes->first = g_new0(guint, n_lanes + 1);
  for (guint i = 0; i < n; i++)
    lanes->first[ol_span_lane(trace, spans ? spans[i] : i) + 1]++;
  for (guint i = 0; i < n_lanes; i++)
    lanes->first[i + 1] += lanes->first[i];
  g_autofree guint *next = g_memdup2(lanes->first, (n_lanes + 1) * sizeof *next);
  for (guint i = 0; i < n; i++) {
    guint span = spans ? spans[i] : i;
    lanes->spans[next[ol_span_lane(trace, span)]++] = span;
  }
  for (guint i = 0; i < n_lanes; i++)
    order(trace, lanes->spans + lanes->first[i], lanes->first[i + 1] - lanes->first[i]);
}

void ol_span_lanes_init(OlSpanLanes *lanes, const OlTrace *trace, const guint *spans, guint n)
{
  init(lanes, trace, spans, n);
}

void ol_span_lanes_init_all(OlSpanLanes *lanes, const OlTrace *trace)
{
  init(lanes, trace, NULL, trace->spans->len);
}

void ol_span_lanes_clear(OlSpanLanes *lanes)
{
  g_free(lanes->spans);
  g_free(lanes->first);
}
