#include "engine/trace/critical-path-private.h"

#include "engine/trace/span-lanes-private.h"

#define NOWHERE G_MAXUINT

/* Positions count within the step's spans, lane after lane: so the span before on the same lane is
 * the position before. */
struct OlPathFinder {
  const OlTrace *trace;
  guint *position_of; /* [nodes]: where a node's span of this step is, or NOWHERE */
};

OlPathFinder *ol_path_finder_new(const OlTrace *trace)
{
  OlPathFinder *finder = g_new0(OlPathFinder, 1);
  finder->trace = trace;
  finder->position_of = g_new(guint, trace->graph->nodes->len);
  for (guint i = 0; i < trace->graph->nodes->len; i++)
    finder->position_of[i] = NOWHERE;
  return finder;
}

void ol_path_finder_free(OlPathFinder *finder)
{
  if (!finder)
    return;
  g_free(finder->position_of);
  g_free(finder);
}

static const OlGraphNode *node_of(const OlTrace *trace, guint span)
{
  return ol_graph_node(trace->graph, ol_trace_span(trace, span)->node);
}

/* The position that ended last among waits and lane, or NOWHERE. A wait goes before the lane when
 * both ended at once: it says more. */
static guint predecessor(const OlPathFinder *finder, const guint *spans, guint position)
{
  const OlTrace *trace = finder->trace;
  const OlGraphNode *node = node_of(trace, spans[position]);
  guint best = NOWHERE;
  gint64 best_end = G_MININT64;
  for (guint i = 0; i < node->waits.n; i++) {
    const OlWait *wait = ol_graph_waits(trace->graph, node->waits) + i;
    guint candidate = wait->steps_back == 0 ? finder->position_of[wait->node] : NOWHERE;
    if (candidate != NOWHERE && ol_trace_span(trace, spans[candidate])->end_ns > best_end) {
      best = candidate;
      best_end = ol_trace_span(trace, spans[candidate])->end_ns;
    }
  }
  if (position > 0 &&
      ol_span_lane(trace, spans[position - 1]) == ol_span_lane(trace, spans[position]) &&
      ol_trace_span(trace, spans[position - 1])->end_ns > best_end)
    best = position - 1;
  return best;
}

/* Who meets waits for the last to come, so the way leads on through that one. Nodes that meet lie
 * side by side. */
static guint last_to_come(const OlPathFinder *finder, const guint *spans, guint position)
{
  const OlTrace *trace = finder->trace;
  guint nodes = trace->graph->nodes->len, node = ol_trace_span(trace, spans[position])->node;
  guint meeting = ol_graph_node(trace->graph, node)->meeting, last = position;
  if (meeting == 0)
    return position;
  while (node > 0 && ol_graph_node(trace->graph, node - 1)->meeting == meeting)
    node--;
  for (; node < nodes && ol_graph_node(trace->graph, node)->meeting == meeting; node++) {
    guint candidate = finder->position_of[node];
    if (candidate != NOWHERE && ol_trace_span(trace, spans[candidate])->begin_ns >
                                    ol_trace_span(trace, spans[last])->begin_ns)
      last = candidate;
  }
  return last;
}

static guint last_position(const OlTrace *trace, const guint *spans, guint n)
{
  guint last = 0;
  for (guint i = 1; i < n; i++)
    if (ol_trace_span(trace, spans[i])->end_ns > ol_trace_span(trace, spans[last])->end_ns)
      last = i;
  return last;
}

static void reverse(GArray *path)
{
  guint *items = (guint *)path->data;
  for (guint i = 0; i < path->len / 2; i++) {
    guint other = items[path->len - 1 - i];
    items[path->len - 1 - i] = items[i];
    items[i] = other;
  }
}

void ol_path_finder_find(OlPathFinder *finder, const guint *chosen, guint n, GArray *path)
{
  const OlTrace *trace = finder->trace;
  g_array_set_size(path, 0);
  if (n == 0)
    return;
  OlSpanLanes lanes;
  ol_span_lanes_init(&lanes, trace, chosen, n);
  const guint *spans = lanes.spans;
  for (guint i = 0; i < n; i++)
    finder->position_of[ol_trace_span(trace, spans[i])->node] = i;
  /* A path never needs more than n spans: a damaged file, whose waits and times run in a circle,
   * ends there. */
  for (guint at = last_position(trace, spans, n); at != NOWHERE && path->len < n;
       at = predecessor(finder, spans, at)) {
    at = last_to_come(finder, spans, at);
    g_array_append_val(path, spans[at]);
  }
  for (guint i = 0; i < n; i++)
    finder->position_of[ol_trace_span(trace, spans[i])->node] = NOWHERE;
  ol_span_lanes_clear(&lanes);
  reverse(path);
}

GArray *ol_critical_path(const OlTrace *trace, int step)
{
  GArray *path = g_array_new(FALSE, FALSE, sizeof(guint));
  g_autoptr(GArray) spans = g_array_new(FALSE, FALSE, sizeof(guint));
  g_autoptr(OlPathFinder) finder = ol_path_finder_new(trace);
  for (guint i = 0; i < trace->spans->len; i++)
    if (ol_trace_span(trace, i)->step == step)
      g_array_append_val(spans, i);
  ol_path_finder_find(finder, (guint *)spans->data, spans->len, path);
  return path;
}
