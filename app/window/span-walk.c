#include "app/window/span-walk.h"

static const OlGraphNode *node_of(const OlChartView *view, int span)
{
  return ol_graph_node(view->trace->graph, ol_trace_span(view->trace, (guint)span)->node);
}

/* Position of a span in its lane's own order, or -1. */
static int position_on_lane(const OlChartView *view, int span_id)
{
  const OlSpan *span = ol_trace_span(view->trace, (guint)span_id);
  const OlGraphNode *node = node_of(view, span_id);
  guint first, n;

  ol_trace_index_find(view->index, node->rank, node->lane, span->begin_ns, span->end_ns + 1, &first,
                      &n);
  for (guint i = first; i < first + n; i++)
    if (ol_trace_index_lane_span(view->index, node->rank, node->lane, i) == (guint)span_id)
      return (int)i;
  return -1;
}

/* The first span of a lane that ends after a moment, else its last; -1 for an empty lane. */
static int nearest_on_lane(const OlChartView *view, guint rank, OlLane lane, gint64 time_ns)
{
  guint count = ol_trace_index_lane_count(view->index, rank, lane), first, n;

  if (count == 0)
    return -1;
  ol_trace_index_find(view->index, rank, lane, time_ns, G_MAXINT64, &first, &n);
  return (int)ol_trace_index_lane_span(view->index, rank, lane, n > 0 ? first : count - 1);
}

static int walk_along(const OlChartView *view, int from, int along)
{
  const OlGraphNode *node = node_of(view, from);
  int i = position_on_lane(view, from) + along;

  if (i < 0 || i >= (int)ol_trace_index_lane_count(view->index, node->rank, node->lane))
    return -1;
  return (int)ol_trace_index_lane_span(view->index, node->rank, node->lane, (guint)i);
}

/* A folded rank has a row for what it computes alone. */
static gboolean has_row(const OlChartView *view, guint rank, int lane)
{
  return lane == OL_LANE_COMPUTE || !ol_chart_view_has_ranks(view) ||
         ol_chart_view_is_open(view, OL_CHART_LANES, rank);
}

/* Looks at rows from this lane on, in the direction of `across`, and on at the next rank's. */
static int walk_across(const OlChartView *view, guint rank, int lane, int across, gint64 time_ns)
{
  int n_rows = (int)view->trace->graph->n_ranks * OL_N_LANES, to = -1;

  for (int row = (int)rank * OL_N_LANES + lane; row >= 0 && row < n_rows && to < 0; row += across)
    if (has_row(view, (guint)row / OL_N_LANES, row % OL_N_LANES))
      to = nearest_on_lane(view, (guint)row / OL_N_LANES, (OlLane)(row % OL_N_LANES), time_ns);
  return to;
}

int ol_span_walk(const OlChartView *view, int along, int across)
{
  int from = view->selected_span;

  if (!view->trace || view->trace->spans->len == 0)
    return -1;
  if (from < 0)
    return walk_across(view, view->rank, 0, 1, view->begin_ns);
  if (along)
    return walk_along(view, from, along);
  return walk_across(view, node_of(view, from)->rank, (int)node_of(view, from)->lane + across,
                     across, ol_trace_span(view->trace, (guint)from)->begin_ns);
}

int ol_span_find_unit(const OlChartView *view, int unit)
{
  int elsewhere = -1;

  for (int i = (int)view->trace->spans->len - 1; i >= 0; i--) {
    const OlGraphNode *node = node_of(view, i);
    if (node->unit != unit || node->lane != OL_LANE_COMPUTE || node->part != OL_PART_STEP)
      continue;
    if (node->rank == view->rank)
      return i;
    elsewhere = elsewhere < 0 ? i : elsewhere;
  }
  return elsewhere;
}
