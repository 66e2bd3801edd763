/* Metrics of how a step hangs together: its critical path and its bubble. */
#include "engine/trace/metrics-private.h"

#include "engine/trace/bubble.h"
#include "engine/trace/critical-path-private.h"

/* Spans of the measured steps, grouped by step. */
typedef struct {
  guint *spans;
  guint *first; /* [steps + 1]: where each step begins */
} Groups;

static const OlGraphNode *node_of(const OlTrace *trace, guint span)
{
  return ol_graph_node(trace->graph, ol_trace_span(trace, span)->node);
}

static int place_of(const OlTrace *trace, const OlMeasuredSteps *steps, guint i)
{
  if (node_of(trace, i)->part != OL_PART_STEP)
    return -1;
  return ol_measured_steps_find(steps, ol_trace_span(trace, i)->step);
}

static void groups_init(Groups *groups, const OlTrace *trace, const OlMeasuredSteps *steps)
{
  guint n = steps->numbers->len;
  groups->spans = g_new(guint, trace->spans->len);
  groups->first = g_new0(guint, n + 1);
  for (guint i = 0; i < trace->spans->len; i++)
    groups->first[place_of(trace, steps, i) + 1]++;
  groups->first[0] = 0; /* there the others were counted */
  for (guint i = 0; i < n; i++)
    groups->first[i + 1] += groups->first[i];
  g_autofree guint *next = g_memdup2(groups->first, (n + 1) * sizeof *next);
  for (guint i = 0; i < trace->spans->len; i++) {
    int place = place_of(trace, steps, i);
    if (place >= 0)
      groups->spans[next[place]++] = i;
  }
}

static void groups_clear(Groups *groups)
{
  g_free(groups->spans);
  g_free(groups->first);
}

/* Adds each lane's share of the path's length; FALSE when the path has no length. */
static gboolean add_shares(const OlTrace *trace, const GArray *path, double *shares)
{
  double length[OL_N_LANES] = {0}, whole = 0;
  for (guint i = 0; i < path->len; i++) {
    const OlSpan *span = ol_trace_span(trace, g_array_index(path, guint, i));
    double ns = span->end_ns - span->begin_ns;
    length[ol_graph_node(trace->graph, span->node)->lane] += ns;
    whole += ns;
  }
  for (guint lane = 0; whole > 0 && lane < OL_N_LANES; lane++)
    shares[lane] += length[lane] / whole;
  return whole > 0;
}

static gboolean add_critical(OlMetrics *metrics, const OlTrace *trace, const Groups *groups,
                             guint n_steps, const OlWatch *watch, GError **error)
{
  g_autoptr(OlPathFinder) finder = ol_path_finder_new(trace);
  g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(guint));
  double shares[OL_N_LANES] = {0};
  guint n = 0;
  for (guint step = 0; step < n_steps; step++) {
    if (!ol_watch_tell(watch, (double)step / n_steps, error))
      return FALSE;
    ol_path_finder_find(finder, groups->spans + groups->first[step],
                        groups->first[step + 1] - groups->first[step], path);
    n += add_shares(trace, path, shares);
  }
  for (guint lane = 0; n > 0 && lane < OL_N_LANES; lane++) {
    g_autofree char *name = g_strconcat("critical.", ol_lane_nick(lane), NULL);
    ol_metrics_put_number(metrics, shares[lane] / n, name);
  }
  return TRUE;
}

static void add_bubble(OlMetrics *metrics, const OlTrace *trace, const Groups *groups,
                       guint n_steps)
{
  double sum = 0;
  guint counted = 0;
  for (guint step = 0; step < n_steps; step++) {
    OlBubbleWindow window = OL_BUBBLE_WINDOW_NONE;
    double busy = 0;
    for (guint i = groups->first[step]; i < groups->first[step + 1]; i++)
      ol_bubble_window_take(&window, node_of(trace, groups->spans[i]),
                            ol_trace_span(trace, groups->spans[i]));
    if (!ol_bubble_window_is_there(&window))
      continue;
    for (guint i = groups->first[step]; i < groups->first[step + 1]; i++)
      busy += ol_bubble_window_filled(&window, node_of(trace, groups->spans[i]),
                                      ol_trace_span(trace, groups->spans[i]));
    sum += ol_bubble_window_share(&window, busy, trace->graph->n_ranks);
    counted++;
  }
  ol_metrics_put_number(metrics, sum / counted, "bubble.fraction");
}

gboolean ol_metrics_add_schedule(OlMetrics *metrics, const OlTrace *trace,
                                 const OlMeasuredSteps *steps, const OlWatch *watch, GError **error)
{
  guint n_steps = steps->numbers->len;
  if (n_steps == 0)
    return TRUE;
  Groups groups;
  groups_init(&groups, trace, steps);
  gboolean whole = add_critical(metrics, trace, &groups, n_steps, watch, error);
  if (whole)
    add_bubble(metrics, trace, &groups, n_steps);
  groups_clear(&groups);
  return whole;
}
