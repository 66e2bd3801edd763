#include "app/charts/moment.h"

#include "engine/base/clock.h"
#include "engine/base/intl.h"
#include <stdio.h>
#include <string.h>

gboolean ol_moment_is_empty(const OlChartView *view)
{
  return view->trace == NULL || view->index == NULL ||
         (view->trace->spans->len == 0 && view->trace->changes->len == 0);
}

gint64 ol_moment_known_ns(const OlChartView *view)
{
  return ol_moment_is_empty(view) ? 0 : ol_trace_index_known_ns(view->index);
}

/* The last moment at which something was acquired: what follows is clearing up. */
static gint64 last_acquired_ns(const OlTrace *trace)
{
  for (guint i = trace->changes->len; i > 0; i--)
    if (ol_trace_change(trace, i - 1)->bytes > 0)
      return ol_trace_change(trace, i - 1)->time_ns;
  return 0;
}

gint64 ol_moment_ns(const OlChartView *view)
{
  if (view->cursor_ns >= 0 || ol_moment_is_empty(view))
    return MAX(view->cursor_ns, 0);
  const OlTrace *trace = view->trace;
  if (!trace->ended)
    return MAX(ol_moment_known_ns(view) - 1, 0);
  if (trace->outcome == OL_OUTCOME_DONE && trace->steps->len > 0)
    return MAX(ol_trace_step(trace, trace->steps->len - 1)->end_ns - 1, 0);
  return last_acquired_ns(trace);
}

int ol_moment_active_span(const OlChartView *view, OlLane lane)
{
  if (ol_moment_is_empty(view) || (view->trace->ended && view->cursor_ns < 0))
    return -1;
  gint64 now = ol_moment_ns(view);
  guint first, n;
  ol_trace_index_find(view->index, view->rank, lane, now, now + 1, &first, &n);
  if (n > 0)
    return (int)ol_trace_index_lane_span(view->index, view->rank, lane, first + n - 1);
  guint count = ol_trace_index_lane_count(view->index, view->rank, lane);
  if (view->trace->ended || view->cursor_ns >= 0 || count == 0)
    return -1;
  guint newest = ol_trace_index_lane_span(view->index, view->rank, lane, count - 1);
  const OlSpan *span = ol_trace_span(view->trace, newest);
  return now - span->end_ns < span->end_ns - span->begin_ns ? (int)newest : -1;
}

static gboolean is_of_step(const OlTrace *trace, const OlSpan *span, const OlSpan *other)
{
  return other->step == span->step && ol_graph_node(trace->graph, other->node)->part ==
                                          ol_graph_node(trace->graph, span->node)->part;
}

/* Adds the copies of the span's step among the lane's spans begin, begin + by, … */
static void add_step(const OlChartView *view, OlLane lane, const OlSpan *span, gint64 begin, int by,
                     double *bytes, gint64 *ns)
{
  gint64 count = ol_trace_index_lane_count(view->index, view->rank, lane);
  for (gint64 i = begin; i >= 0 && i < count; i += by) {
    const OlSpan *copy = ol_trace_span(
        view->trace, ol_trace_index_lane_span(view->index, view->rank, lane, (guint)i));
    if (!is_of_step(view->trace, span, copy))
      return;
    *bytes += (double)copy->bytes;
    *ns += copy->end_ns - copy->begin_ns;
  }
}

char *ol_moment_dup_lane_rate(const OlChartView *view, OlLane lane)
{
  int active = ol_moment_active_span(view, lane);
  if (active < 0)
    return NULL;
  const OlSpan *span = ol_trace_span(view->trace, (guint)active);
  guint first, n;
  ol_trace_index_find(view->index, view->rank, lane, span->begin_ns, span->begin_ns + 1, &first,
                      &n);
  double bytes = 0;
  gint64 ns = 0;
  add_step(view, lane, span, (gint64)first, 1, &bytes, &ns);
  add_step(view, lane, span, (gint64)first - 1, -1, &bytes, &ns);
  return ol_chart_view_dup_rate(view, bytes, (double)ns / OL_NS_PER_SECOND);
}

gboolean ol_moment_tier_is_used(const OlChartView *view, OlTier tier)
{
  if (view->trace == NULL)
    return FALSE;
  const OlGraph *graph = view->trace->graph;
  for (guint i = 0; i < graph->buffers->len; i++) {
    const OlGraphBuffer *buffer = ol_graph_buffer(graph, i);
    if (buffer->rank == view->rank && buffer->tier == tier && buffer->bytes > 0)
      return TRUE;
  }
  return FALSE;
}

/* Times each buffer was acquired and not released again. */
static GArray *count_held(const OlTrace *trace, gboolean ever)
{
  GArray *held = g_array_new(FALSE, TRUE, sizeof(int));
  g_array_set_size(held, trace->graph->buffers->len);
  for (guint i = 0; i < trace->changes->len; i++) {
    const OlMemoryChange *change = ol_trace_change(trace, i);
    if (change->buffer < held->len && (!ever || change->bytes > 0))
      g_array_index(held, int, change->buffer) += change->bytes > 0 ? 1 : -1;
  }
  return held;
}

static gboolean refuse(const OlGraph *graph, guint buffer, OlRefusal *refusal)
{
  const OlGraphBuffer *found = ol_graph_buffer(graph, buffer);
  *refusal = (OlRefusal){.tier = found->tier, .payload = found->payload, .bytes = found->bytes};
  return found->bytes > 0;
}

/* Homes and slots are booked first, in the order of the graph. */
static gboolean find_refused_home(const OlChartView *view, OlRefusal *refusal)
{
  const OlGraph *graph = view->trace->graph;
  g_autoptr(GArray) held = count_held(view->trace, TRUE);
  for (guint i = 0; i < graph->buffers->len; i++) {
    const OlGraphBuffer *buffer = ol_graph_buffer(graph, i);
    if (buffer->rank == view->rank && buffer->kind != OL_BUFFER_TRANSIENT &&
        g_array_index(held, int, i) == 0 && buffer->bytes > 0)
      return refuse(graph, i, refusal);
  }
  return FALSE;
}

/* Transients are acquired by the compute lane in plan order: the refused one is what the node
 * after the last computed one wanted and did not get. */
static gboolean find_refused_transient(const OlChartView *view, OlRefusal *refusal)
{
  const OlTrace *trace = view->trace;
  const OlGraph *graph = trace->graph;
  guint count = ol_trace_index_lane_count(view->index, view->rank, OL_LANE_COMPUTE);
  guint begin = 0;
  if (count > 0) {
    guint last = ol_trace_index_lane_span(view->index, view->rank, OL_LANE_COMPUTE, count - 1);
    begin = ol_trace_span(trace, last)->node + 1;
  }
  g_autoptr(GArray) held = count_held(trace, FALSE);
  for (guint i = 0; i < graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(graph, (begin + i) % graph->nodes->len);
    if (node->rank != view->rank || node->lane != OL_LANE_COMPUTE || node->acquires.n == 0)
      continue;
    const guint *buffers = ol_graph_buffer_list(graph, node->acquires);
    for (guint j = 0; j < node->acquires.n; j++)
      if (buffers[j] < held->len && g_array_index(held, int, buffers[j]) <= 0)
        return refuse(graph, buffers[j], refusal);
  }
  return FALSE;
}

/* The outcome has no time of its own. What was held is what was before clearing up began. */
static void find_moment(const OlChartView *view, OlRefusal *refusal)
{
  gint64 acquired_ns = last_acquired_ns(view->trace), bytes[OL_N_PAYLOADS];
  guint count = ol_trace_index_lane_count(view->index, view->rank, OL_LANE_COMPUTE);
  refusal->time_ns = acquired_ns;
  if (count > 0) {
    guint last = ol_trace_index_lane_span(view->index, view->rank, OL_LANE_COMPUTE, count - 1);
    refusal->time_ns = MAX(acquired_ns, ol_trace_span(view->trace, last)->end_ns);
  }
  ol_trace_index_memory_at(view->index, view->rank, refusal->tier, acquired_ns, bytes);
  for (int p = 0; p < OL_N_PAYLOADS; p++)
    refusal->above += bytes[p];
}

gboolean ol_moment_refusal(const OlChartView *view, OlRefusal *refusal)
{
  if (view->trace == NULL || view->index == NULL || !view->trace->ended ||
      view->trace->outcome != OL_OUTCOME_OUT_OF_MEMORY)
    return FALSE;
  int rank = ol_moment_full_rank(view->trace);
  if (rank >= 0 && rank != (int)view->rank)
    return FALSE;
  if (!find_refused_home(view, refusal) && !find_refused_transient(view, refusal))
    return FALSE;
  find_moment(view, refusal);
  int named = ol_moment_full_tier(view);
  return named < 0 || (OlTier)named == refusal->tier;
}

/* What comes after "out of memory on <tier>" in the message, and the tier; NULL when it does not
 * say so. Names and nicks of tiers differ in case alone: kept traces have the one or the other. */
static char *dup_after_full(const OlTrace *trace, int *full)
{
  if (trace == NULL || !trace->ended || trace->outcome != OL_OUTCOME_OUT_OF_MEMORY ||
      trace->message == NULL)
    return NULL;
  g_autofree char *message = g_ascii_strdown(trace->message, -1);
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    g_autofree char *phrase = g_strconcat("out of memory on ", ol_tier_nick(tier), NULL);
    const char *found = strstr(message, phrase);
    *full = tier;
    if (found != NULL)
      return g_strdup(found + strlen(phrase));
  }
  return NULL;
}

int ol_moment_full_rank(const OlTrace *trace)
{
  int tier;
  unsigned rank;
  g_autofree char *after = dup_after_full(trace, &tier);
  gboolean named = after != NULL && sscanf(after, " of rank %u", &rank) == 1;
  return named && rank < trace->graph->n_ranks ? (int)rank : -1;
}

int ol_moment_full_tier(const OlChartView *view)
{
  int tier;
  g_autofree char *after = dup_after_full(view->trace, &tier);
  if (after == NULL)
    return -1;
  int rank = ol_moment_full_rank(view->trace);
  return rank < 0 || rank == (int)view->rank ? tier : -1;
}

/* The first moment in sight at which the tier holds at least so much, or -1. */
static gint64 find_held_in_sight(const OlChartView *view, OlTier tier, gint64 least)
{
  const OlTraceIndex *index = view->index;
  gint64 bytes[OL_N_PAYLOADS], held = 0;
  int first = ol_trace_index_memory_find(index, view->rank, tier, -1, view->begin_ns);
  int last = ol_trace_index_memory_find(index, view->rank, tier, first, view->end_ns);
  if (last < 0)
    return -1;
  guint highest =
      ol_trace_index_memory_highest(index, view->rank, tier, (guint)MAX(first, 0), (guint)last + 1);
  gint64 time_ns = ol_trace_index_memory_point(index, view->rank, tier, highest, bytes);
  for (int p = 0; p < OL_N_PAYLOADS; p++)
    held += bytes[p];
  return held >= least ? MAX(time_ns, view->begin_ns) : -1;
}

gint64 ol_moment_peak(const OlChartView *view, OlTier tier, gint64 *time_ns)
{
  gint64 peak = ol_trace_index_peak(view->index, view->rank, tier, time_ns);
  if (*time_ns >= view->begin_ns && *time_ns <= view->end_ns)
    return peak;
  gint64 in_sight = peak > 0 ? find_held_in_sight(view, tier, peak) : -1;
  if (in_sight >= 0)
    *time_ns = in_sight;
  return peak;
}

const char *ol_moment_unit_at(const OlChartView *view, gint64 time_ns)
{
  guint first, n;
  ol_trace_index_find(view->index, view->rank, OL_LANE_COMPUTE, time_ns, time_ns + 1, &first, &n);
  if (n == 0)
    return NULL;
  guint span = ol_trace_index_lane_span(view->index, view->rank, OL_LANE_COMPUTE, first + n - 1);
  const OlGraph *graph = view->trace->graph;
  const OlGraphNode *node = ol_graph_node(graph, ol_trace_span(view->trace, span)->node);
  return node->unit >= 0 && (guint)node->unit < graph->units->len
             ? ol_graph_unit(graph, (guint)node->unit)->name
             : NULL;
}

char *ol_moment_dup_percent(double share)
{
  double percent = 100 * share;
  if (percent > 0 && percent < 0.01)
    return g_strdup(_("under 0.01 %"));
  return g_strdup_printf(percent > 0 && percent < 9.95 ? "%.2g %%" : "%.0f %%", percent);
}
