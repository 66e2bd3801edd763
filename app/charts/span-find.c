#include "app/charts/span-find.h"

static const OlSpan *lane_span(const OlChartView *view, const OlGraphNode *of, guint i, guint *id)
{
  *id = ol_trace_index_lane_span(view->index, of->rank, of->lane, i);
  return ol_trace_span(view->trace, *id);
}

/* A lane runs its steps one after the other, and a step's nodes in plan order. Spans that begin at
 * the same moment, one of them of no length, may stand the other way round. */
#define ASIDE 4u

int ol_span_find(const OlChartView *view, guint node, int step)
{
  if (node >= view->trace->graph->nodes->len)
    return -1;
  const OlGraphNode *of = ol_graph_node(view->trace->graph, node);
  guint count = ol_trace_index_lane_count(view->index, of->rank, of->lane);
  guint low = 0, high = count, id;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    const OlSpan *span = lane_span(view, of, middle, &id);
    if (span->step < step || (span->step == step && span->node < node))
      low = middle + 1;
    else
      high = middle;
  }
  for (guint i = low > ASIDE ? low - ASIDE : 0; i < MIN(low + ASIDE, count); i++) {
    const OlSpan *span = lane_span(view, of, i, &id);
    if (span->step == step && span->node == node)
      return (int)id;
  }
  return -1;
}

int ol_span_find_wait(const OlChartView *view, const OlGraphNode *node, int step, guint i)
{
  const OlWait *wait = ol_graph_waits(view->trace->graph, node->waits) + i;
  return ol_span_find(view, wait->node, step - (int)wait->steps_back);
}
