#include "app/charts/trace-index.h"

#include "app/charts/memory-series.h"

#include <math.h>
#include <string.h>

typedef struct {
  OlLaneSeries lanes[OL_N_LANES];
  OlMemorySeries tiers[OL_N_TIERS];
  /* How much of the transfers lies under compute: of the first step, and of all later ones. */
  guint weighed[OL_N_LANES]; /* spans of a lane already in the sums */
  gint64 transfer_ns[2], covered_ns[2];
  double bubble[2]; /* shares of those steps' windows, summed */
} RankIndex;

struct OlTraceIndex {
  OlTrace *trace;
  OlRanks grid;
  RankIndex *ranks;
  guint n_ranks, n_spans, n_changes;
  GArray *windows;    /* OlBubbleWindow, by number of step */
  guint n_steps;      /* whose bubbles are in the sums */
  guint n_bubbles[2]; /* of these, with a bubble: the first, and later ones */
  gint64 known_ns, end_ns;
  gboolean ended;
};

OlTraceIndex *ol_trace_index_new(const OlTrace *trace)
{
  OlTraceIndex *index = g_new0(OlTraceIndex, 1);
  index->trace = ol_trace_ref((OlTrace *)trace);
  index->grid = ol_ranks_of_trace(trace);
  index->windows = g_array_new(FALSE, FALSE, sizeof(OlBubbleWindow));
  index->n_ranks = index->grid.n;
  index->ranks = g_new0(RankIndex, index->n_ranks);
  for (guint r = 0; r < index->n_ranks; r++) {
    for (int lane = 0; lane < OL_N_LANES; lane++)
      ol_lane_series_init(&index->ranks[r].lanes[lane], trace);
    for (int tier = 0; tier < OL_N_TIERS; tier++)
      ol_memory_series_init(&index->ranks[r].tiers[tier], trace);
  }
  ol_trace_index_extend(index);
  return index;
}

void ol_trace_index_free(OlTraceIndex *index)
{
  if (index == NULL)
    return;
  for (guint r = 0; r < index->n_ranks; r++) {
    for (int lane = 0; lane < OL_N_LANES; lane++)
      ol_lane_series_clear(&index->ranks[r].lanes[lane]);
    for (int tier = 0; tier < OL_N_TIERS; tier++)
      ol_memory_series_clear(&index->ranks[r].tiers[tier]);
  }
  g_free(index->ranks);
  g_array_unref(index->windows);
  ol_trace_unref(index->trace);
  g_free(index);
}

/* A span that came late shifts the ones behind it: weigh that rank anew. */
static void forget_weights(RankIndex *rank)
{
  for (int lane = 0; lane < OL_N_LANES; lane++)
    rank->weighed[lane] = 0;
  for (int i = 0; i < 2; i++)
    rank->transfer_ns[i] = rank->covered_ns[i] = 0;
}

static void widen_window(OlTraceIndex *index, const OlGraphNode *node, const OlSpan *span)
{
  const guint most = 1 << 24; /* a damaged trace may number its steps as it likes */
  if (node->part != OL_PART_STEP || span->step < 0 || (guint)span->step >= most)
    return;
  while (index->windows->len <= (guint)span->step) {
    OlBubbleWindow none = OL_BUBBLE_WINDOW_NONE;
    g_array_append_val(index->windows, none);
  }
  ol_bubble_window_take(&g_array_index(index->windows, OlBubbleWindow, span->step), node, span);
}

static void take_span(OlTraceIndex *index, guint i)
{
  const OlSpan *span = ol_trace_span(index->trace, i);
  if (span->node >= index->trace->graph->nodes->len)
    return;
  const OlGraphNode *node = ol_graph_node(index->trace->graph, span->node);
  if (node->rank >= index->n_ranks || node->lane >= OL_N_LANES)
    return;
  index->end_ns = MAX(index->end_ns, span->end_ns);
  index->known_ns = MAX(index->known_ns, span->end_ns);
  widen_window(index, node, span);
  ol_lane_series_add(&index->ranks[node->rank].lanes[node->lane], i);
}

static void settle_lanes(RankIndex *rank)
{
  gboolean late = FALSE;
  for (int lane = 0; lane < OL_N_LANES; lane++)
    late |= ol_lane_series_settle(&rank->lanes[lane]) < rank->weighed[lane];
  if (late)
    forget_weights(rank);
}

static void take_change(OlTraceIndex *index, guint i)
{
  const OlMemoryChange *change = ol_trace_change(index->trace, i);
  if (change->buffer >= index->trace->graph->buffers->len)
    return;
  const OlGraphBuffer *buffer = ol_graph_buffer(index->trace->graph, change->buffer);
  if (buffer->rank >= index->n_ranks || buffer->tier >= OL_N_TIERS ||
      buffer->payload >= OL_N_PAYLOADS)
    return;
  index->known_ns = MAX(index->known_ns, change->time_ns);
  ol_memory_series_add(&index->ranks[buffer->rank].tiers[buffer->tier], i);
}

static void weigh_transfer(OlTraceIndex *index, RankIndex *rank, const OlSpan *span)
{
  const OlLaneSeries *compute = &rank->lanes[OL_LANE_COMPUTE];
  gint64 end_ns = MAX(span->begin_ns, span->end_ns);
  int later = span->step > 0;
  if (ol_graph_node(index->trace->graph, span->node)->part != OL_PART_STEP)
    return;
  rank->transfer_ns[later] += end_ns - span->begin_ns;
  rank->covered_ns[later] += ol_lane_series_busy(compute, span->begin_ns, end_ns);
}

/* A transfer can be weighed once compute is known up to its end: spans arrive when they end. */
static void weigh_transfers(OlTraceIndex *index, RankIndex *rank)
{
  gint64 known_ns = index->trace->ended ? G_MAXINT64 : rank->lanes[OL_LANE_COMPUTE].latest_end_ns;
  for (int lane = 0; lane < OL_N_LANES; lane++) {
    const OlLaneSeries *series = &rank->lanes[lane];
    guint *i = &rank->weighed[lane];
    for (; ol_lane_is_transfer(lane) && *i < ol_lane_series_count(series); ++*i) {
      const OlSpan *span = ol_trace_span(index->trace, ol_lane_series_span(series, *i));
      if (span->end_ns > known_ns)
        break;
      weigh_transfer(index, rank, span);
    }
  }
}

/* Steps that have ended since the last time. At the end all are weighed anew: a span may come after
 * its step. */
static void weigh_bubbles(OlTraceIndex *index)
{
  if (index->trace->ended) {
    index->n_steps = 0;
    index->n_bubbles[0] = index->n_bubbles[1] = 0;
    for (guint r = 0; r < index->n_ranks; r++)
      index->ranks[r].bubble[0] = index->ranks[r].bubble[1] = 0;
  }
  for (; index->n_steps < index->trace->steps->len; index->n_steps++) {
    OlBubbleWindow window;
    int later = index->n_steps > 0;
    if (!ol_trace_index_bubble_window(index, index->n_steps, &window))
      continue;
    index->n_bubbles[later]++;
    for (guint r = 0; r < index->n_ranks; r++) {
      gint64 busy = ol_lane_series_busy(&index->ranks[r].lanes[OL_LANE_COMPUTE], window.begin_ns,
                                        window.end_ns);
      index->ranks[r].bubble[later] += ol_bubble_window_share(&window, (double)busy, 1);
    }
  }
}

gboolean ol_trace_index_extend(OlTraceIndex *index)
{
  const OlTrace *trace = index->trace;
  gboolean changed = index->n_spans < trace->spans->len || index->n_changes < trace->changes->len ||
                     index->n_steps < trace->steps->len || index->ended != trace->ended;
  if (!changed)
    return FALSE;
  for (; index->n_spans < trace->spans->len; index->n_spans++)
    take_span(index, index->n_spans);
  for (; index->n_changes < trace->changes->len; index->n_changes++)
    take_change(index, index->n_changes);
  index->ended = trace->ended;
  for (guint r = 0; r < index->n_ranks; r++) {
    settle_lanes(&index->ranks[r]);
    weigh_transfers(index, &index->ranks[r]);
  }
  weigh_bubbles(index);
  return TRUE;
}

const OlTrace *ol_trace_index_get_trace(const OlTraceIndex *index)
{
  return index->trace;
}

const OlRanks *ol_trace_index_get_ranks(const OlTraceIndex *index)
{
  return &index->grid;
}

gint64 ol_trace_index_known_ns(const OlTraceIndex *index)
{
  return index->known_ns;
}

gint64 ol_trace_index_end_ns(const OlTraceIndex *index)
{
  return index->end_ns;
}

static const OlLaneSeries *get_lane(const OlTraceIndex *index, guint rank, OlLane lane)
{
  return &index->ranks[MIN(rank, index->n_ranks - 1)].lanes[lane];
}

static const OlMemorySeries *get_tier(const OlTraceIndex *index, guint rank, OlTier tier)
{
  return &index->ranks[MIN(rank, index->n_ranks - 1)].tiers[tier];
}

void ol_trace_index_find(const OlTraceIndex *index, guint rank, OlLane lane, gint64 begin_ns,
                         gint64 end_ns, guint *first, guint *n)
{
  const OlLaneSeries *series = get_lane(index, rank, lane);
  *first = ol_lane_series_first_seen(series, begin_ns);
  guint end = ol_lane_series_first_from(series, end_ns);
  *n = end > *first ? end - *first : 0;
}

guint ol_trace_index_lane_span(const OlTraceIndex *index, guint rank, OlLane lane, guint i)
{
  return ol_lane_series_span(get_lane(index, rank, lane), i);
}

guint ol_trace_index_lane_count(const OlTraceIndex *index, guint rank, OlLane lane)
{
  return ol_lane_series_count(get_lane(index, rank, lane));
}

gint64 ol_trace_index_busy(const OlTraceIndex *index, guint rank, OlLane lane, gint64 begin_ns,
                           gint64 end_ns)
{
  return ol_lane_series_busy(get_lane(index, rank, lane), begin_ns, end_ns);
}

void ol_trace_index_go(const OlTraceIndex *index, guint rank, OlLane lane, gint64 time_ns,
                       gint64 slack_ns, OlLanePlace *place)
{
  ol_lane_series_go(get_lane(index, rank, lane), time_ns, slack_ns, place);
}

double ol_trace_index_hidden(const OlTraceIndex *index, guint rank)
{
  const RankIndex *sums = &index->ranks[MIN(rank, index->n_ranks - 1)];
  int later = sums->transfer_ns[1] > 0;
  return sums->transfer_ns[later] > 0
             ? (double)sums->covered_ns[later] / (double)sums->transfer_ns[later]
             : NAN;
}

gboolean ol_trace_index_bubble_window(const OlTraceIndex *index, guint i, OlBubbleWindow *window)
{
  guint step = ol_trace_step(index->trace, i)->step;
  if (step >= index->windows->len)
    return FALSE;
  *window = g_array_index(index->windows, OlBubbleWindow, step);
  return ol_bubble_window_is_there(window);
}

double ol_trace_index_bubble(const OlTraceIndex *index, guint rank)
{
  int later = index->n_bubbles[1] > 0;
  return index->n_bubbles[later] > 0
             ? index->ranks[MIN(rank, index->n_ranks - 1)].bubble[later] / index->n_bubbles[later]
             : NAN;
}

void ol_trace_index_memory_at(const OlTraceIndex *index, guint rank, OlTier tier, gint64 time_ns,
                              gint64 *bytes)
{
  const OlMemorySeries *series = get_tier(index, rank, tier);
  int i = ol_memory_series_find(series, -1, time_ns);
  OlMemoryPoint point = {0};
  if (i >= 0)
    point = ol_memory_series_point(series, (guint)i);
  memcpy(bytes, point.bytes, sizeof point.bytes);
}

guint ol_trace_index_memory_points(const OlTraceIndex *index, guint rank, OlTier tier)
{
  return ol_memory_series_count(get_tier(index, rank, tier));
}

gint64 ol_trace_index_memory_point(const OlTraceIndex *index, guint rank, OlTier tier, guint i,
                                   gint64 *bytes)
{
  OlMemoryPoint point = ol_memory_series_point(get_tier(index, rank, tier), i);
  memcpy(bytes, point.bytes, sizeof point.bytes);
  return point.time_ns;
}

int ol_trace_index_memory_find(const OlTraceIndex *index, guint rank, OlTier tier, int from,
                               gint64 time_ns)
{
  return ol_memory_series_find(get_tier(index, rank, tier), from, time_ns);
}

guint ol_trace_index_memory_highest(const OlTraceIndex *index, guint rank, OlTier tier, guint begin,
                                    guint end)
{
  return ol_memory_series_highest(get_tier(index, rank, tier), begin, end);
}

gint64 ol_trace_index_peak(const OlTraceIndex *index, guint rank, OlTier tier, gint64 *time_ns)
{
  const OlMemorySeries *series = get_tier(index, rank, tier);
  guint n = ol_memory_series_count(series);
  OlMemoryPoint peak = {0};
  if (n > 0)
    peak = ol_memory_series_point(series, ol_memory_series_highest(series, 0, n));
  *time_ns = peak.time_ns;
  return peak.total;
}

gint64 ol_trace_index_payload_peak(const OlTraceIndex *index, guint rank, OlTier tier,
                                   OlPayload payload, gint64 *time_ns)
{
  const OlMemoryPeak *peak = &get_tier(index, rank, tier)->peaks[payload];
  *time_ns = peak->time_ns;
  return peak->bytes;
}
