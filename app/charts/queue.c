#include "app/charts/queue.h"

#include "app/charts/moment.h"
#include "app/charts/span-find.h"

/* Nodes of the plan looked at from the lane's own place on: a queue is what stands next. */
#define REACH 2048u

static gboolean has_ended(const OlChartView *view, int span, gint64 now_ns)
{
  return span >= 0 && ol_trace_span(view->trace, (guint)span)->end_ns <= now_ns;
}

static gboolean is_ready(const OlChartView *view, const OlGraphNode *node, int step, gint64 now_ns)
{
  const OlWait *waits = ol_graph_waits(view->trace->graph, node->waits);
  for (guint i = 0; i < node->waits.n; i++) {
    gboolean before_first = step - (int)waits[i].steps_back < 0;
    if (!before_first &&
        !has_ended(view, ol_span_find(view, waits[i].node, step - (int)waits[i].steps_back),
                   now_ns))
      return FALSE;
  }
  return TRUE;
}

int ol_queue_current_span(const OlChartView *view, OlLane lane, gint64 now_ns)
{
  guint first, n;
  ol_trace_index_find(view->index, view->rank, lane, now_ns + 1, G_MAXINT64, &first, &n);
  /* A span under way at that moment is found as well. */
  if (n > 0) {
    int id = (int)ol_trace_index_lane_span(view->index, view->rank, lane, first);
    if (ol_trace_span(view->trace, (guint)id)->begin_ns <= now_ns)
      return id;
  }
  return first > 0 ? (int)ol_trace_index_lane_span(view->index, view->rank, lane, first - 1) : -1;
}

OlQueue ol_queue_at_moment(const OlChartView *view, OlLane lane)
{
  OlQueue queue = {0};
  if (ol_moment_is_empty(view))
    return queue;
  gint64 now_ns = ol_moment_ns(view);
  int current = ol_queue_current_span(view, lane, now_ns);
  if (current < 0)
    return queue;
  const OlSpan *span = ol_trace_span(view->trace, (guint)current);
  const OlGraph *graph = view->trace->graph;
  if (ol_graph_node(graph, span->node)->part != OL_PART_STEP)
    return queue;
  for (guint n = span->node + 1; n < MIN(graph->nodes->len, span->node + REACH); n++) {
    const OlGraphNode *node = ol_graph_node(graph, n);
    if (node->rank != view->rank || node->lane != lane ||
        !ol_graph_node_is_in_step(node, (guint)span->step) || (int)node->steps_behind > span->step)
      continue;
    if (is_ready(view, node, span->step, now_ns)) {
      if (queue.n++ == 0) {
        queue.node = n;
        queue.step = span->step;
      }
      queue.bytes += node->bytes;
    }
  }
  return queue;
}
