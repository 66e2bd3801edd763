#include "app/charts/view.h"

#include "app/charts/moment.h"
#include "engine/base/clock.h"
#include "engine/base/intl.h"
#include "engine/base/measure.h"

#include <math.h>

const OlRanks *ol_chart_view_get_ranks(const OlChartView *view)
{
  static const OlRanks alone = {.n = 1, .lengths = {1, 1, 1}};
  return view != NULL && view->index != NULL ? ol_trace_index_get_ranks(view->index) : &alone;
}

gboolean ol_chart_view_has_ranks(const OlChartView *view)
{
  return ol_chart_view_get_ranks(view)->n > 1;
}

gboolean ol_chart_view_is_open(const OlChartView *view, OlChart chart, guint rank)
{
  return view->open_ranks != NULL ? view->open_ranks[rank] >> chart & 1 : rank == view->rank;
}

OlChartView ol_chart_view_whole(const OlTrace *trace, const OlTraceIndex *index)
{
  OlChartView view = {.trace = trace,
                      .index = index,
                      .cursor_ns = -1,
                      .selected_span = -1,
                      .hovered_span = -1,
                      .shown_payload = -1,
                      .shown_lane = -1,
                      .shown_tier = -1};
  view.end_ns = MAX(ol_moment_known_ns(&view), 1);
  view.rank = (guint)MAX(ol_moment_full_rank(trace), 0);
  return view;
}

OlChartView ol_chart_view_of_rank(const OlChartView *view, guint rank)
{
  OlChartView of_rank = *view;
  of_rank.rank = rank;
  return of_rank;
}

double ol_chart_view_byte_scale(const OlChartView *view)
{
  double mu = view->trace != NULL ? view->trace->header.mu : 1;
  return view->there && isfinite(mu) && mu > 0 ? mu : 1;
}

/* On the machine's clock a second is a second: there is no slow-down to undo. */
double ol_chart_view_time_scale(const OlChartView *view)
{
  double slowdown = view->trace != NULL ? view->trace->header.slowdown : NAN;
  return view->there && isfinite(slowdown) && slowdown > 0
             ? ol_chart_view_byte_scale(view) / slowdown
             : 1;
}

char *ol_chart_view_dup_bytes(const OlChartView *view, double bytes)
{
  return ol_measure_dup_bytes(bytes * ol_chart_view_byte_scale(view));
}

char *ol_chart_view_dup_seconds(const OlChartView *view, double seconds)
{
  return ol_measure_dup_seconds(seconds * ol_chart_view_time_scale(view));
}

char *ol_chart_view_dup_rate(const OlChartView *view, double bytes, double seconds)
{
  if (seconds <= 0)
    return g_strdup(_("idle"));
  return ol_measure_dup_rate(bytes * ol_chart_view_byte_scale(view) /
                             (seconds * ol_chart_view_time_scale(view)));
}

static const OlGraphNode *get_node(const OlTrace *trace, const OlSpan *span)
{
  return span->node < trace->graph->nodes->len ? ol_graph_node(trace->graph, span->node) : NULL;
}

static gboolean is_wait_of(const OlTrace *trace, const OlGraphNode *node, const OlSpan *span,
                           const OlSpan *earlier)
{
  const OlWait *waits = ol_graph_waits(trace->graph, node->waits);
  for (guint i = 0; i < node->waits.n; i++)
    if (waits[i].node == earlier->node && earlier->step + (int)waits[i].steps_back == span->step)
      return TRUE;
  return FALSE;
}

/* Of all that the span had to wait for, the one that ended last; -1 when there is none. A few
 * hundred spans back on each lane are looked at: waits reach one step back at most. */
static int find_last_wait(const OlChartView *view, const OlSpan *span, const OlGraphNode *node)
{
  const guint reach = 512;
  int found = -1;
  gint64 latest = G_MININT64;
  for (int lane = 0; lane < OL_N_LANES; lane++) {
    guint first, n;
    ol_trace_index_find(view->index, node->rank, lane, 0, span->begin_ns + 1, &first, &n);
    for (guint i = first + n; i > first && first + n - i < reach; i--) {
      guint candidate = ol_trace_index_lane_span(view->index, node->rank, lane, i - 1);
      const OlSpan *earlier = ol_trace_span(view->trace, candidate);
      if (earlier == span || earlier->end_ns <= latest)
        continue;
      if (lane == (int)node->lane || is_wait_of(view->trace, node, span, earlier)) {
        latest = earlier->end_ns;
        found = (int)candidate;
      }
    }
  }
  return found;
}

static void append_step(GString *text, const OlSpan *span, const OlGraphNode *node)
{
  if (node->part == OL_PART_FILL)
    g_string_append(text, _(" · before the first step"));
  else if (node->part == OL_PART_HASH)
    g_string_append(text, _(" · after the last step"));
  else
    g_string_append_printf(text, _(" · step %d"), span->step + 1);
}

static void append_times(GString *text, const OlChartView *view, const OlSpan *span)
{
  double seconds = (double)(span->end_ns - span->begin_ns) / OL_NS_PER_SECOND;
  g_autofree char *duration = ol_chart_view_dup_seconds(view, seconds);
  g_autofree char *begin =
      ol_chart_view_dup_seconds(view, (double)span->begin_ns / OL_NS_PER_SECOND);
  g_string_append_printf(text, _(" · %s, from %s"), duration, begin);
  if (span->bytes == 0)
    return;
  g_autofree char *bytes = ol_chart_view_dup_bytes(view, (double)span->bytes);
  g_autofree char *rate = ol_chart_view_dup_rate(view, (double)span->bytes, seconds);
  g_string_append_printf(text, _(" · %s at %s"), bytes, rate);
}

static void append_wait(GString *text, const OlChartView *view, const OlSpan *span,
                        const OlGraphNode *node)
{
  int wait = find_last_wait(view, span, node);
  if (wait < 0)
    return;
  const OlSpan *earlier = ol_trace_span(view->trace, (guint)wait);
  g_autofree char *title = ol_graph_dup_node_title(view->trace->graph, earlier->node);
  g_string_append_printf(text, _(" · waited for: %s"), title);
}

char *ol_chart_view_dup_span_details(const OlChartView *view, int span_id)
{
  if (view->trace == NULL || span_id < 0 || (guint)span_id >= view->trace->spans->len)
    return g_strdup("");
  const OlSpan *span = ol_trace_span(view->trace, (guint)span_id);
  const OlGraphNode *node = get_node(view->trace, span);
  if (node == NULL)
    return g_strdup("");
  GString *text = g_string_new(NULL);
  g_autofree char *title = ol_graph_dup_node_title(view->trace->graph, span->node);
  if (ol_chart_view_has_ranks(view))
    g_string_append_printf(text, _("Rank %u: "), node->rank);
  g_string_append(text, title);
  append_step(text, span, node);
  append_times(text, view, span);
  if (view->index != NULL)
    append_wait(text, view, span, node);
  return g_string_free(text, FALSE);
}
