#include "app/charts/ties.h"

#include "app/charts/span-find.h"
#include "engine/base/clock.h"
#include "engine/base/intl.h"

#define NOWHERE (-1)

/* Where what a lane moves comes from and goes to. */
static const struct {
  int from, to;
} ways[OL_N_LANES] = {
    [OL_LANE_COMPUTE] = {NOWHERE, OL_TIER_GPU},
    [OL_LANE_GPU_TO_HOST] = {OL_TIER_GPU, OL_TIER_HOST},
    [OL_LANE_HOST_TO_GPU] = {OL_TIER_HOST, OL_TIER_GPU},
    [OL_LANE_HOST_UPDATE] = {NOWHERE, OL_TIER_HOST},
    [OL_LANE_NVME_READ] = {OL_TIER_NVME, OL_TIER_HOST},
    [OL_LANE_NVME_WRITE] = {OL_TIER_HOST, OL_TIER_NVME},
    [OL_LANE_PEER] = {OL_TIER_GPU, OL_TIER_GPU},
};

static const OlGraphNode *node_of(const OlTrace *trace, guint span)
{
  return ol_graph_node(trace->graph, ol_trace_span(trace, span)->node);
}

static gboolean is_state(OlPayload payload)
{
  return payload == OL_PAYLOAD_MASTER || payload == OL_PAYLOAD_MOMENT1 ||
         payload == OL_PAYLOAD_MOMENT2;
}

static gboolean brings(const OlGraphNode *node, OlTier tier, OlPayload payload)
{
  gboolean updates = node->op == OL_OP_UPDATE && is_state(payload);
  return ways[node->lane].to == (int)tier && (node->payload == payload || updates);
}

static gboolean takes(const OlGraphNode *node, OlTier tier, OlPayload payload)
{
  gboolean updates = node->op == OL_OP_UPDATE && ways[node->lane].to == (int)tier &&
                     (is_state(payload) || payload == OL_PAYLOAD_GRADIENTS);
  return updates || (ways[node->lane].from == (int)tier && node->payload == payload);
}

static OlTies *ties_new(int span)
{
  OlTies *ties = g_new0(OlTies, 1);
  ties->span = span;
  ties->made = ties->freed = -1;
  ties->waits = g_array_new(FALSE, FALSE, sizeof(guint));
  ties->waiters = g_array_new(FALSE, FALSE, sizeof(guint));
  ties->held = g_array_new(FALSE, FALSE, sizeof(OlHeld));
  return ties;
}

void ol_ties_free(OlTies *ties)
{
  if (ties == NULL)
    return;
  g_array_unref(ties->waits);
  g_array_unref(ties->waiters);
  g_array_unref(ties->held);
  g_free(ties);
}

static void add_span(GArray *spans, int span)
{
  guint id = (guint)span;
  if (span >= 0 && spans->len < OL_MOST_TIES)
    g_array_append_val(spans, id);
}

static void find_waits(OlTies *ties, const OlChartView *view, const OlSpan *span)
{
  const OlGraphNode *node = ol_graph_node(view->trace->graph, span->node);
  for (guint i = 0; i < node->waits.n; i++)
    add_span(ties->waits, ol_span_find_wait(view, node, span->step, i));
}

static void find_waiters(OlTies *ties, const OlChartView *view, const OlSpan *span)
{
  const OlGraph *graph = view->trace->graph;
  for (guint n = 0; n < graph->nodes->len; n++) {
    const OlGraphNode *node = ol_graph_node(graph, n);
    const OlWait *waits = ol_graph_waits(graph, node->waits);
    for (guint i = 0; i < node->waits.n; i++)
      if (waits[i].node == span->node)
        add_span(ties->waiters, ol_span_find(view, n, span->step + (int)waits[i].steps_back));
  }
}

static void add_held(OlTies *ties, const OlTrace *trace, OlRange range, gint64 time_ns)
{
  const guint *buffers = ol_graph_buffer_list(trace->graph, range);
  for (guint i = 0; i < range.n && ties->held->len < OL_MOST_TIES; i++) {
    OlHeld held;
    gboolean known = FALSE;
    for (guint j = 0; j < ties->held->len; j++)
      known = known || g_array_index(ties->held, OlHeld, j).buffer == buffers[i];
    if (!known && ol_held_find(trace, buffers[i], time_ns, &held))
      g_array_append_val(ties->held, held);
  }
}

/* Homes and slots: the graph tells what a node moves, and so where. */
static void find_uses(OlTies *ties, const OlGraphNode *node)
{
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    for (int p = 0; p < OL_N_PAYLOADS; p++)
      if (brings(node, (OlTier)tier, (OlPayload)p) || takes(node, (OlTier)tier, (OlPayload)p))
        ties->uses[tier] |= 1u << p;
  if (node->op == OL_OP_FORWARD || node->op == OL_OP_BACKWARD || node->op == OL_OP_RECOMPUTE)
    ties->uses[OL_TIER_GPU] |= 1u << OL_PAYLOAD_WEIGHTS;
  /* Activations are transients, told buffer by buffer. */
  if (ties->held->len > 0)
    ties->uses[OL_TIER_GPU] &= ~(1u << OL_PAYLOAD_ACTIVATIONS);
}

OlTies *ol_ties_new_of_span(const OlChartView *view, int span_id)
{
  OlTies *ties = ties_new(span_id);
  const OlSpan *span = ol_trace_span(view->trace, (guint)span_id);
  if (span->node >= view->trace->graph->nodes->len)
    return ties;
  const OlGraphNode *node = ol_graph_node(view->trace->graph, span->node);
  gint64 middle_ns = span->begin_ns + (span->end_ns - span->begin_ns) / 2;
  find_waits(ties, view, span);
  find_waiters(ties, view, span);
  add_held(ties, view->trace, node->acquires, middle_ns);
  add_held(ties, view->trace, node->releases, middle_ns);
  find_uses(ties, node);
  return ties;
}

static gboolean has_buffer(const OlGraph *graph, OlRange range, guint buffer)
{
  const guint *buffers = ol_graph_buffer_list(graph, range);
  for (guint i = 0; i < range.n; i++)
    if (buffers[i] == buffer)
      return TRUE;
  return FALSE;
}

/* Of the rank's compute spans around a moment the one that acquires (or releases) the buffer. */
static int find_owner(const OlChartView *view, guint buffer, gint64 time_ns, gboolean releases)
{
  const OlTrace *trace = view->trace;
  guint rank = ol_graph_buffer(trace->graph, buffer)->rank, first, n;
  ol_trace_index_find(view->index, rank, OL_LANE_COMPUTE, time_ns - 1, time_ns + 2, &first, &n);
  guint count = ol_trace_index_lane_count(view->index, rank, OL_LANE_COMPUTE);
  guint begin = first > 0 ? first - 1 : 0, end = MIN(first + n + 1, count);
  for (guint i = begin; i < end; i++) {
    guint id = ol_trace_index_lane_span(view->index, rank, OL_LANE_COMPUTE, i);
    const OlGraphNode *node = node_of(trace, id);
    if (has_buffer(trace->graph, releases ? node->releases : node->acquires, buffer))
      return (int)id;
  }
  return -1;
}

/* The last span on any lane of the buffer's rank that has ended by then and brought something
 * there; or the first that begins from then on and takes it away. */
static int find_mover(const OlChartView *view, const OlGraphBuffer *buffer, gint64 time_ns, int by)
{
  const guint reach = 4096;
  int found = -1;
  for (int lane = 0; lane < OL_N_LANES; lane++) {
    guint count = ol_trace_index_lane_count(view->index, buffer->rank, (OlLane)lane), first, n;
    ol_trace_index_find(view->index, buffer->rank, (OlLane)lane, time_ns, G_MAXINT64, &first, &n);
    gint64 i = by > 0 ? (gint64)first : (gint64)first - 1;
    for (guint seen = 0; seen < reach && i >= 0 && i < (gint64)count; seen++, i += by) {
      int id = (int)ol_trace_index_lane_span(view->index, buffer->rank, (OlLane)lane, (guint)i);
      const OlGraphNode *node = node_of(view->trace, (guint)id);
      const OlSpan *span = ol_trace_span(view->trace, (guint)id);
      if ((by > 0 && span->begin_ns < time_ns) ||
          !(by > 0 ? takes : brings)(node, buffer->tier, buffer->payload))
        continue;
      const OlSpan *best = found >= 0 ? ol_trace_span(view->trace, (guint)found) : NULL;
      if (!best || (by > 0 ? span->begin_ns < best->begin_ns : span->end_ns > best->end_ns))
        found = id;
      break;
    }
  }
  return found;
}

OlTies *ol_ties_new_of_layer(const OlChartView *view, const OlHeld *layer, gint64 time_ns)
{
  OlTies *ties = ties_new(-1);
  const OlGraphBuffer *buffer = ol_graph_buffer(view->trace->graph, layer->buffer);
  ties->is_layer = TRUE;
  ties->layer = *layer;
  g_array_append_val(ties->held, *layer);
  if (buffer->kind == OL_BUFFER_TRANSIENT) {
    ties->made = find_owner(view, layer->buffer, layer->begin_ns, FALSE);
    if (layer->end_ns < G_MAXINT64)
      ties->freed = find_owner(view, layer->buffer, layer->end_ns, TRUE);
  } else {
    ties->made = find_mover(view, buffer, time_ns, -1);
    ties->freed = find_mover(view, buffer, time_ns, 1);
  }
  return ties;
}

static void append_maker(GString *text, const OlChartView *view, const char *verb, int span)
{
  if (span < 0)
    return;
  g_autofree char *title =
      ol_graph_dup_node_title(view->trace->graph, ol_trace_span(view->trace, (guint)span)->node);
  g_string_append_printf(text, " · %s: %s", verb, title);
}

char *ol_ties_dup_words(const OlChartView *view)
{
  const OlTies *ties = view->ties;
  if (ties == NULL || !ties->is_layer)
    return g_strdup("");
  const OlGraphBuffer *buffer = ol_graph_buffer(view->trace->graph, ties->layer.buffer);
  gboolean passes = buffer->kind == OL_BUFFER_TRANSIENT;
  GString *text = g_string_new(NULL);
  g_autofree char *bytes = ol_chart_view_dup_bytes(view, (double)ties->layer.bytes);
  if (ol_chart_view_has_ranks(view))
    g_string_append_printf(text, _("Rank %u: "), buffer->rank);
  g_string_append_printf(text, _("%s of %s on %s"), bytes, ol_payload_name(buffer->payload),
                         ol_tier_name(buffer->tier));
  if (passes && ties->layer.end_ns < G_MAXINT64) {
    g_autofree char *begin =
        ol_chart_view_dup_seconds(view, (double)ties->layer.begin_ns / OL_NS_PER_SECOND);
    g_autofree char *end =
        ol_chart_view_dup_seconds(view, (double)ties->layer.end_ns / OL_NS_PER_SECOND);
    g_string_append_printf(text, _(", from %s to %s"), begin, end);
  } else if (!passes) {
    g_string_append(text, buffer->kind == OL_BUFFER_HOME ? _(", at home for the whole run")
                                                         : _(", a slot for the whole run"));
  }
  append_maker(text, view, passes ? _("made by") : _("last filled by"), ties->made);
  append_maker(text, view, passes ? _("freed by") : _("next taken by"), ties->freed);
  return g_string_free(text, FALSE);
}
