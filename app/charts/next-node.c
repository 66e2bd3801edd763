#include "app/charts/next-node.h"

#include "app/charts/span-find.h"
#include "engine/base/intl.h"

#define MOST_WAITS_TOLD 3u
#define BEFORE_STEPS    N_("before the first step")
#define AFTER_STEPS     N_("after the last step")

/* Steps of the trace's run: fill is -1, hash comes after the last. */
static gboolean is_in(const OlGraphNode *node, int step, gboolean after_steps)
{
  if (node->part == OL_PART_FILL)
    return step < 0;
  if (node->part == OL_PART_HASH)
    return after_steps;
  return step >= (int)node->steps_behind && !after_steps &&
         ol_graph_node_is_in_step(node, (guint)step);
}

/* How far a lane has got: the node and step of its newest span; FALSE: it has begun nothing. */
static gboolean get_newest(const OlChartView *view, const OlGraphNode *of, OlNextNode *newest)
{
  guint count = ol_trace_index_lane_count(view->index, of->rank, of->lane);
  if (count == 0)
    return FALSE;
  const OlSpan *span = ol_trace_span(
      view->trace, ol_trace_index_lane_span(view->index, of->rank, of->lane, count - 1));
  *newest = (OlNextNode){span->node, span->step};
  return TRUE;
}

static gboolean has_run(const OlChartView *view, guint node, int step)
{
  OlNextNode newest;
  if (!get_newest(view, ol_graph_node(view->trace->graph, node), &newest))
    return FALSE;
  return newest.step > step || (newest.step == step && newest.node >= node);
}

/* The first node of a step that has left no span. */
static gboolean find_in_step(const OlChartView *view, int step, gboolean after_steps,
                             OlNextNode *next)
{
  const OlGraph *graph = view->trace->graph;
  for (guint n = 0; n < graph->nodes->len; n++)
    if (is_in(ol_graph_node(graph, n), step, after_steps) && !has_run(view, n, step)) {
      *next = (OlNextNode){n, step};
      return TRUE;
    }
  return FALSE;
}

gboolean ol_next_node_find(const OlChartView *view, OlNextNode *next)
{
  if (view->trace == NULL || view->index == NULL || view->trace->ended)
    return FALSE;
  int n_steps = (int)ol_chart_view_get_ranks(view)->steps;
  for (int step = MAX((int)view->trace->steps->len - 2, -1); step < n_steps; step++)
    if (find_in_step(view, step, FALSE, next))
      return TRUE;
  return find_in_step(view, n_steps, TRUE, next);
}

int ol_next_node_wait(const OlChartView *view, const OlNextNode *next, guint i)
{
  return ol_span_find_wait(view, ol_graph_node(view->trace->graph, next->node), next->step, i);
}

gboolean ol_next_node_is_filled(const OlTrace *trace)
{
  const OlGraph *graph = trace->graph;
  guint to_fill = 0, filled = 0;
  if (trace->steps->len > 0)
    return TRUE;
  for (guint n = 0; n < graph->nodes->len; n++)
    to_fill += ol_graph_node(graph, n)->part == OL_PART_FILL;
  for (guint i = 0; i < trace->spans->len; i++) {
    guint node = ol_trace_span(trace, i)->node;
    filled += node < graph->nodes->len && ol_graph_node(graph, node)->part == OL_PART_FILL;
  }
  return filled >= to_fill;
}

char *ol_next_node_dup_progress(const OlTrace *trace, guint n_steps)
{
  if (!ol_next_node_is_filled(trace))
    return g_strdup(_(BEFORE_STEPS));
  if (trace->steps->len >= n_steps)
    return g_strdup(_(AFTER_STEPS));
  return g_strdup_printf(_("step %u of %u"), trace->steps->len + 1, n_steps);
}

/* What waits for nothing else comes after the node before it on its lane. */
static void append_lane(GString *text, const OlChartView *view, const OlGraphNode *node)
{
  OlNextNode before;
  if (!get_newest(view, node, &before)) {
    g_string_append(text, _(" · waits for nothing"));
    return;
  }
  g_autofree char *title = ol_graph_dup_node_title(view->trace->graph, before.node);
  g_string_append_printf(text, _(" · comes after: %s (done)"), title);
}

static void append_waits(GString *text, const OlChartView *view, const OlNextNode *next)
{
  const OlGraph *graph = view->trace->graph;
  const OlGraphNode *node = ol_graph_node(graph, next->node);
  const OlWait *waits = ol_graph_waits(graph, node->waits);
  guint told = 0, all = 0;
  for (guint i = 0; i < node->waits.n; i++) {
    gboolean before_first = next->step == 0 && waits[i].steps_back > 0;
    if (before_first)
      continue;
    if (++all > MOST_WAITS_TOLD)
      continue;
    g_autofree char *title = ol_graph_dup_node_title(graph, waits[i].node);
    g_string_append_printf(text, "%s%s%s", told++ == 0 ? _(" · waits for: ") : ", ", title,
                           ol_next_node_wait(view, next, i) >= 0 ? _(" (done)") : _(" (not yet)"));
  }
  if (all > MOST_WAITS_TOLD)
    g_string_append_printf(text, _(" and %u more"), all - MOST_WAITS_TOLD);
  if (all == 0)
    append_lane(text, view, node);
}

char *ol_next_node_dup_words(const OlChartView *view, const OlNextNode *next)
{
  const OlGraphNode *node = ol_graph_node(view->trace->graph, next->node);
  GString *text = g_string_new(NULL);
  g_autofree char *title = ol_graph_dup_node_title(view->trace->graph, next->node);
  if (ol_chart_view_has_ranks(view))
    g_string_append_printf(text, _("Rank %u: "), node->rank);
  g_string_append_printf(text, _("%s, on %s"), title, ol_lane_name(node->lane));
  if (node->part == OL_PART_FILL)
    g_string_append_printf(text, " · %s", _(BEFORE_STEPS));
  else if (node->part == OL_PART_HASH)
    g_string_append_printf(text, " · %s", _(AFTER_STEPS));
  else
    g_string_append_printf(text, _(" · step %d"), next->step + 1);
  append_waits(text, view, next);
  return g_string_free(text, FALSE);
}
