#include "app/charts/lane-series.h"

#define BLOCK 8u /* spans */

/* Of all spans up to one in the order of time. */
typedef struct {
  gint64 latest_end_ns, busy_ns;
} Sum;

static const Sum nothing = {G_MININT64, 0};

void ol_lane_series_init(OlLaneSeries *series, const OlTrace *trace)
{
  *series = (OlLaneSeries){.trace = trace,
                           .order = g_array_new(FALSE, FALSE, sizeof(guint)),
                           .blocks = g_array_new(FALSE, FALSE, sizeof(OlLaneBlock)),
                           .latest_end_ns = nothing.latest_end_ns};
}

void ol_lane_series_clear(OlLaneSeries *series)
{
  g_clear_pointer(&series->order, g_array_unref);
  g_clear_pointer(&series->blocks, g_array_unref);
}

static gint64 begin_of(const OlLaneSeries *series, guint i)
{
  return ol_trace_span(series->trace, ol_lane_series_span(series, i))->begin_ns;
}

/* A damaged file may have a span end before it begins: it then has no length. */
static gint64 span_end(const OlSpan *span)
{
  return MAX(span->begin_ns, span->end_ns);
}

/* A lane does one thing at a time, but a damaged file may say otherwise: overlaps count once. */
static void sum_up(Sum *sum, const OlLaneSeries *series, guint i)
{
  const OlSpan *span = ol_trace_span(series->trace, ol_lane_series_span(series, i));
  gint64 end_ns = span_end(span);
  sum->busy_ns += MAX(0, end_ns - MAX(span->begin_ns, sum->latest_end_ns));
  sum->latest_end_ns = MAX(sum->latest_end_ns, end_ns);
}

static Sum sum_of_block(const OlLaneSeries *series, guint block)
{
  const OlLaneBlock *found = &g_array_index(series->blocks, OlLaneBlock, block);
  return (Sum){found->latest_end_ns, found->busy_ns};
}

void ol_lane_series_add(OlLaneSeries *series, guint span)
{
  g_array_append_val(series->order, span);
}

static int compare(gconstpointer a, gconstpointer b, gpointer data)
{
  const guint *one = a, *other = b;
  const OlSpan *x = ol_trace_span(data, *one), *y = ol_trace_span(data, *other);
  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  if (span_end(x) != span_end(y))
    return span_end(x) < span_end(y) ? -1 : 1;
  return *one < *other ? -1 : *one > *other;
}

static gboolean comes_before(const OlLaneSeries *series, guint i, guint j)
{
  const guint *order = (const guint *)series->order->data;
  return compare(&order[i], &order[j], (gpointer)series->trace) < 0;
}

static gboolean is_in_order(const OlLaneSeries *series)
{
  for (guint i = MAX(series->settled, 1); i < series->order->len; i++)
    if (!comes_before(series, i - 1, i))
      return FALSE;
  return TRUE;
}

/* The first settled position that comes after something added; their count when none does. */
static guint find_disorder(const OlLaneSeries *series)
{
  guint earliest = series->settled, low = 0, high = series->settled;
  for (guint i = earliest + 1; i < series->order->len; i++)
    if (comes_before(series, i, earliest))
      earliest = i;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (comes_before(series, middle, earliest))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Sums and blocks of position `begin` and all after it. */
static void sum_from(OlLaneSeries *series, guint begin)
{
  Sum sum = {series->latest_end_ns, series->busy_ns};
  if (begin < series->settled) { /* from the block before on */
    guint block = begin > 0 ? (begin - 1) / BLOCK : 0;
    sum = begin > 0 ? sum_of_block(series, block) : nothing;
    for (guint i = block * BLOCK + 1; i < begin; i++)
      sum_up(&sum, series, i);
    g_array_set_size(series->blocks, (begin + BLOCK - 1) / BLOCK);
  }
  for (guint i = begin; i < series->order->len; i++) {
    sum_up(&sum, series, i);
    OlLaneBlock block = {begin_of(series, i), sum.latest_end_ns, sum.busy_ns};
    if (i % BLOCK == 0)
      g_array_append_val(series->blocks, block);
  }
  series->latest_end_ns = sum.latest_end_ns;
  series->busy_ns = sum.busy_ns;
}

guint ol_lane_series_settle(OlLaneSeries *series)
{
  guint from = series->settled, n = series->order->len;
  if (!is_in_order(series)) {
    from = find_disorder(series);
    g_qsort_with_data(&g_array_index(series->order, guint, from), (int)(n - from), sizeof(guint),
                      compare, (gpointer)series->trace);
  }
  sum_from(series, from);
  series->settled = n;
  return from;
}

/* The last block that begins before `time_ns`, or -1. */
static int find_block(const OlLaneSeries *series, gint64 time_ns)
{
  guint low = 0, high = series->blocks->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index(series->blocks, OlLaneBlock, middle).begin_ns < time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return (int)low - 1;
}

static guint end_of_block(const OlLaneSeries *series, guint block)
{
  return MIN((block + 1) * BLOCK, series->settled);
}

guint ol_lane_series_first_from(const OlLaneSeries *series, gint64 time_ns)
{
  int block = find_block(series, time_ns);
  if (block < 0)
    return 0;
  guint i = (guint)block * BLOCK + 1, end = end_of_block(series, (guint)block);
  while (i < end && begin_of(series, i) < time_ns)
    i++;
  return i;
}

/* The last block whose first span, and all before it, are over by then; or -1. */
static int find_unseen_block(const OlLaneSeries *series, gint64 time_ns)
{
  guint low = 0, high = series->blocks->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    const OlLaneBlock *block = &g_array_index(series->blocks, OlLaneBlock, middle);
    if (block->latest_end_ns <= time_ns && block->begin_ns < time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return (int)low - 1;
}

guint ol_lane_series_first_seen(const OlLaneSeries *series, gint64 time_ns)
{
  int block = find_unseen_block(series, time_ns);
  if (block < 0)
    return 0;
  Sum sum = sum_of_block(series, (guint)block);
  guint i = (guint)block * BLOCK + 1, end = end_of_block(series, (guint)block);
  for (; i < end && begin_of(series, i) < time_ns; i++) {
    sum_up(&sum, series, i);
    if (sum.latest_end_ns > time_ns)
      break;
  }
  return i;
}

/* The same as find_block(), from one of two blocks: best the first, but it may lie too late. */
static int find_block_near(const OlLaneSeries *series, guint best, guint near, gint64 time_ns)
{
  const OlLaneBlock *blocks = (const OlLaneBlock *)series->blocks->data;
  guint n = series->blocks->len, stride = 1;
  if (best < n && blocks[best].begin_ns < time_ns)
    near = best;
  else if (near >= n || blocks[near].begin_ns >= time_ns)
    return find_block(series, time_ns);
  for (; near + stride < n && blocks[near + stride].begin_ns < time_ns; stride *= 2)
    near += stride;
  for (; stride > 0; stride /= 2)
    if (near + stride < n && blocks[near + stride].begin_ns < time_ns)
      near += stride;
  return (int)near;
}

/* A block's spans lie far apart among those of other lanes: asked for together they are all there
 * in the time that one takes. */
static void fetch_block(const OlLaneSeries *series, guint block)
{
  for (guint i = block * BLOCK + 1; i < end_of_block(series, block); i++)
    __builtin_prefetch(ol_trace_span(series->trace, ol_lane_series_span(series, i)));
}

/* Moves the place to a moment's block; returns FALSE when no span begins before the moment. */
static gboolean go_to_block(const OlLaneSeries *series, gint64 time_ns, OlLanePlace *place)
{
  gint64 next_ns = (gint64)(2 * (guint64)time_ns - (guint64)place->time_ns);
  guint before = place->block;
  int block = find_block_near(series, place->ahead, place->block, time_ns);
  *place = (OlLanePlace){.time_ns = time_ns};
  if (block < 0)
    return FALSE;
  place->block = (guint)block;
  place->ahead =
      (guint)MAX(find_block_near(series, 2 * place->block - before, place->block, next_ns), 0);
  return TRUE;
}

static void look_into_block(const OlLaneSeries *series, OlLanePlace *place)
{
  gint64 time_ns = place->time_ns;
  fetch_block(series, place->block);
  fetch_block(series, place->ahead);
  Sum sum = sum_of_block(series, place->block);
  guint i = place->block * BLOCK + 1, end = end_of_block(series, place->block);
  gboolean seen = sum.latest_end_ns > time_ns;
  place->first_seen = seen ? ol_lane_series_first_seen(series, time_ns) : i;
  for (; i < end && begin_of(series, i) < time_ns; i++) {
    sum_up(&sum, series, i);
    seen = seen || sum.latest_end_ns > time_ns;
    place->first_seen += !seen;
  }
  /* All of these begin before `time_ns`: from there to the latest end they leave no gap. */
  place->busy_ns = sum.busy_ns - MAX(0, sum.latest_end_ns - time_ns);
}

/* What is busy before the place, by its share of the time from its block to the next. */
static gint64 share_of_block(const OlLaneBlock *block, gint64 time_ns)
{
  gint64 past_ns = time_ns - block->latest_end_ns;
  gint64 length_ns = block[1].latest_end_ns - block->latest_end_ns;
  if (past_ns <= 0 || length_ns <= 0)
    return block->busy_ns + MIN(past_ns, 0);
  double share = MIN((double)past_ns / (double)length_ns, 1);
  return block->busy_ns + (gint64)(share * (double)(block[1].busy_ns - block->busy_ns));
}

static gint64 block_length(const OlLaneSeries *series, guint i)
{
  const OlLaneBlock *block = &g_array_index(series->blocks, OlLaneBlock, i);
  if (i + 1 >= series->blocks->len)
    return G_MAXINT64;
  return MAX(block[1].begin_ns, block[1].latest_end_ns) - block->begin_ns;
}

void ol_lane_series_go(const OlLaneSeries *series, gint64 time_ns, gint64 slack_ns,
                       OlLanePlace *place)
{
  if (!go_to_block(series, time_ns, place))
    return;
  if (block_length(series, place->block) > slack_ns) {
    look_into_block(series, place);
    return;
  }
  fetch_block(series, place->ahead);
  place->first_seen = place->block * BLOCK;
  place->busy_ns =
      share_of_block(&g_array_index(series->blocks, OlLaneBlock, place->block), time_ns);
}

gint64 ol_lane_series_busy(const OlLaneSeries *series, gint64 begin_ns, gint64 end_ns)
{
  OlLanePlace begin = {0}, end;
  ol_lane_series_go(series, begin_ns, 0, &begin);
  end = begin;
  ol_lane_series_go(series, MAX(begin_ns, end_ns), 0, &end);
  return end.busy_ns - begin.busy_ns;
}
