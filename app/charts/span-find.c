#include "app/charts/span-find.h"

static const OlSpan *lane_span(const OlChartView *view, const OlGraphNode *of, guint i, guint *id)
{
  *id = ol_trace_index_lane_span(view->index, of->rank, of->lane, i);
  return ol_trace_span(view->trace, *id);
}

int ol_span_find(const OlChartView *view, guint node, int step)
{
  if (node >= view->trace->graph->nodes->len)
    return -1;
  const OlGraphNode *of = ol_graph_node(view->trace->graph, node);
  guint count = ol_trace_index_lane_count(view->index, of->rank, of->lane);
  guint low = 0, high = count, id;
  while (low < high) { /* a lane runs its steps one after the other */
    guint middle = low + (high - low) / 2;
    if (lane_span(view, of, middle, &id)->step < step)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < count; low++) {
    const OlSpan *span = lane_span(view, of, low, &id);
    if (span->step != step)
      return -1;
    if (span->node == node)
      return (int)id;
  }
  return -1;
}

int ol_span_find_wait(const OlChartView *view, const OlGraphNode *node, int step, guint i)
{
  const OlWait *wait = ol_graph_waits(view->trace->graph, node->waits) + i;
  return ol_span_find(view, wait->node, step - (int)wait->steps_back);
}
