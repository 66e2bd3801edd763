/* The index against brute force over the trace's own arrays. */
#include "app/charts/trace-index.h"
#include "engine/trace/metrics.h"
#include "tests/charts/random-trace.h"
#include "tests/suite.h"
#include "tests/trace/sample-trace.h"

#include <math.h>
#include <string.h>

static gboolean is_on(const OlTrace *trace, const OlSpan *span, guint rank, int lane)
{
  const OlGraphNode *node = ol_graph_node(trace->graph, span->node);
  return node->rank == rank && (int)node->lane == lane;
}

static gboolean overlaps(const OlSpan *span, gint64 begin, gint64 end)
{
  return span->begin_ns < end && (span->end_ns > begin || span->begin_ns >= begin);
}

static void check_range(const OlTrace *trace, const OlTraceIndex *index, guint rank, int lane,
                        gint64 begin, gint64 end)
{
  gint64 busy = 0, last_begin = -1;
  guint first, n, found = 0;
  ol_trace_index_find(index, rank, (OlLane)lane, begin, end, &first, &n);
  for (guint i = first; i < first + n; i++) {
    const OlSpan *span = ol_trace_span(trace, ol_trace_index_lane_span(index, rank, lane, i));
    ck_assert(is_on(trace, span, rank, lane));
    ck_assert(overlaps(span, begin, end));
    ck_assert_int_ge(span->begin_ns, last_begin);
    last_begin = span->begin_ns;
  }
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    if (!is_on(trace, span, rank, lane) || !overlaps(span, begin, end))
      continue;
    found++;
    busy += MIN(span->end_ns, end) - MAX(span->begin_ns, begin);
  }
  ck_assert_uint_eq(n, found);
  ck_assert_int_eq(ol_trace_index_busy(index, rank, (OlLane)lane, begin, end), busy);
}

#define BLOCK 8 /* spans: what a walk with slack may be early by */

/* A walk in strides finds what a search finds, forward and back again; with slack, nearly. */
static void check_walk(const OlTraceIndex *index, guint rank, OlLane lane, gint64 begin, gint64 end,
                       gint64 stride, gint64 slack)
{
  OlLanePlace place = {0};
  for (gint64 time = begin; time < end; time += stride) {
    guint first, n;
    gint64 at = time % (5 * stride) == 0 ? begin + (end - time) : time;
    ol_trace_index_go(index, rank, lane, at, slack, &place);
    ol_trace_index_find(index, rank, lane, at, G_MAXINT64, &first, &n);
    gint64 busy = ol_trace_index_busy(index, rank, lane, G_MININT64 / 2, at);
    ck_assert_uint_le(place.first_seen, first);
    ck_assert_uint_ge(place.first_seen + (slack > 0 ? BLOCK : 0), first);
    ck_assert_int_le(ABS(place.busy_ns - busy), slack);
  }
}

static void check_lanes(const OlTrace *trace, const OlTraceIndex *index, GRand *random, int times)
{
  gint64 end = MAX(ol_trace_end_ns(trace), 2);
  for (int i = 0; i < times; i++) {
    gint64 a = (gint64)g_rand_double_range(random, -100, (double)end + 100);
    gint64 b = (gint64)g_rand_double_range(random, -100, (double)end + 100);
    check_walk(index, 1, (OlLane)(i % OL_N_LANES), -1, end + 1, end / 40 + 1, 0);
    check_walk(index, 1, (OlLane)(i % OL_N_LANES), -1, end + 1, end / 40 + 1, end / 60);
    for (int lane = 0; lane < OL_N_LANES; lane++)
      check_range(trace, index, (guint)(i % (int)trace->graph->n_ranks), lane, MIN(a, b),
                  MAX(a, b) + 1);
  }
}

static void check_memory_at(const OlTrace *trace, const OlTraceIndex *index, guint rank, int tier,
                            gint64 time)
{
  gint64 expected[OL_N_PAYLOADS] = {0}, bytes[OL_N_PAYLOADS];
  for (guint i = 0; i < trace->changes->len; i++) {
    const OlMemoryChange *change = ol_trace_change(trace, i);
    const OlGraphBuffer *buffer = ol_graph_buffer(trace->graph, change->buffer);
    if (change->time_ns <= time && buffer->rank == rank && (int)buffer->tier == tier)
      expected[buffer->payload] += change->bytes;
  }
  ol_trace_index_memory_at(index, rank, (OlTier)tier, time, bytes);
  int found = ol_trace_index_memory_find(index, rank, (OlTier)tier, -1, time);
  int n = (int)ol_trace_index_memory_points(index, rank, (OlTier)tier);
  for (int from = 0; from < n; from += 1 + n / 7)
    ck_assert_int_eq(ol_trace_index_memory_find(index, rank, (OlTier)tier, from, time), found);
  for (int p = 0; p < OL_N_PAYLOADS; p++)
    ck_assert_int_eq(bytes[p], expected[p]);
}

static void check_peak(const OlTrace *trace, const OlTraceIndex *index, guint rank, int tier)
{
  gint64 total = 0, peak = 0, peak_ns = 0, when;
  for (guint i = 0; i < trace->changes->len; i++) {
    const OlMemoryChange *change = ol_trace_change(trace, i);
    const OlGraphBuffer *buffer = ol_graph_buffer(trace->graph, change->buffer);
    if (buffer->rank != rank || (int)buffer->tier != tier)
      continue;
    total += change->bytes;
    if (total > peak) {
      peak = total;
      peak_ns = change->time_ns;
    }
  }
  ck_assert_int_eq(ol_trace_index_peak(index, rank, (OlTier)tier, &when), peak);
  ck_assert_int_eq(when, peak_ns);
}

static void check_memory(const OlTrace *trace, const OlTraceIndex *index, GRand *random, int times)
{
  gint64 end =
      trace->changes->len > 0 ? ol_trace_change(trace, trace->changes->len - 1)->time_ns + 2 : 2;
  for (guint rank = 0; rank < trace->graph->n_ranks; rank++)
    for (int tier = 0; tier < OL_N_TIERS; tier++) {
      check_peak(trace, index, rank, tier);
      for (int i = 0; i < times; i++)
        check_memory_at(trace, index, rank, tier,
                        (gint64)g_rand_double_range(random, -2, (double)end));
    }
}

START_TEST(agrees_with_brute_force)
{
  GRand *random = g_rand_new_with_seed(3);
  static const guint sizes[] = {0, 1, 2, 17, 300, 3000};
  for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
    g_autoptr(OlTrace) trace = random_trace_new(i, sizes[i], sizes[i]);
    g_autoptr(OlTraceIndex) index = ol_trace_index_new(trace);
    check_lanes(trace, index, random, 30);
    check_memory(trace, index, random, 30);
  }
  g_rand_free(random);
}
END_TEST

/* In pieces of any size the same as at once. */
START_TEST(grows_with_the_trace)
{
  GRand *random = g_rand_new_with_seed(4);
  g_autoptr(OlTrace) whole = random_trace_new(9, 1500, 1500);
  g_autoptr(OlTrace) growing = ol_trace_new(whole->source, &whole->header, whole->graph);
  g_autoptr(OlTraceIndex) index = ol_trace_index_new(growing);
  ck_assert(!ol_trace_index_extend(index));
  while (growing->spans->len < whole->spans->len) {
    guint n = MIN((guint)g_rand_int_range(random, 1, 200), whole->spans->len - growing->spans->len);
    g_array_append_vals(growing->spans, ol_trace_span(whole, growing->spans->len), n);
    g_array_append_vals(growing->changes, ol_trace_change(whole, growing->changes->len), n);
    ck_assert(ol_trace_index_extend(index));
    ck_assert(!ol_trace_index_extend(index));
    check_lanes(growing, index, random, 3);
    check_memory(growing, index, random, 3);
  }
  g_rand_free(random);
}
END_TEST

/* Spans in any order, as from lanes whose reports overtake each other. */
START_TEST(takes_spans_that_come_late)
{
  GRand *random = g_rand_new_with_seed(5);
  g_autoptr(OlTrace) trace = random_trace_new(10, 400, 0);
  for (guint i = 1; i < trace->spans->len; i++) {
    guint j = (guint)g_rand_int_range(random, (gint32)(i > 30 ? i - 30 : 0), (gint32)i + 1);
    OlSpan *spans = (OlSpan *)trace->spans->data, kept = spans[i];
    spans[i] = spans[j];
    spans[j] = kept;
  }
  g_autoptr(OlTraceIndex) index = ol_trace_index_new(trace);
  check_lanes(trace, index, random, 40);
  g_rand_free(random);
}
END_TEST

/* A damaged file may claim anything: overlaps count once, unknown nodes not at all. */
START_TEST(bears_a_damaged_trace)
{
  g_autoptr(OlTrace) trace = random_trace_new(11, 0, 0);
  OlSpan spans[] = {{0, 0, 100, 200, 0},
                    {0, 0, 120, 130, 0},
                    {0, 0, 150, 260, 0},
                    {999, 0, 0, 500, 0},
                    {0, 0, 300, 290, 0}};
  g_array_append_vals(trace->spans, spans, G_N_ELEMENTS(spans));
  OlMemoryChange change = {5, 1, 999};
  g_array_append_val(trace->changes, change);
  g_autoptr(OlTraceIndex) index = ol_trace_index_new(trace);
  ck_assert_uint_eq(ol_trace_index_lane_count(index, 0, OL_LANE_COMPUTE), 4);
  ck_assert_int_eq(ol_trace_index_busy(index, 0, OL_LANE_COMPUTE, 0, 1000), 160);
  ck_assert_int_eq(ol_trace_index_busy(index, 0, OL_LANE_COMPUTE, 125, 155), 30);
  ck_assert_int_eq(ol_trace_index_busy(index, 7, OL_LANE_PEER, 0, 1000), 0);
  check_walk(index, 0, OL_LANE_COMPUTE, 0, 320, 1, 0);
}
END_TEST

/* The row "Hidden 75 %" says what the metric says, live or at once. */
START_TEST(hidden_is_the_metric)
{
  for (guint steps = 1; steps < 5; steps++)
    for (int serial = 0; serial < 2; serial++) {
      SampleOptions options = {.steps = steps, .serial = serial};
      g_autoptr(OlTrace) trace = sample_trace_new(&options);
      g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
      double fraction;
      ck_assert(ol_metrics_get_number(metrics, "hidden.fraction", &fraction));
      g_autoptr(OlTraceIndex) index = ol_trace_index_new(trace);
      ck_assert_double_eq_tol(ol_trace_index_hidden(index, 0), fraction, 1e-9);

      g_autoptr(OlTrace) growing = ol_trace_new(trace->source, &trace->header, trace->graph);
      g_autoptr(OlTraceIndex) live = ol_trace_index_new(growing);
      ck_assert(isnan(ol_trace_index_hidden(live, 0)));
      for (guint i = 0; i < trace->spans->len; i++) {
        g_array_append_vals(growing->spans, ol_trace_span(trace, i), 1);
        ol_trace_index_extend(live);
      }
      ol_trace_end(growing, OL_OUTCOME_DONE, NULL, NULL);
      ck_assert(ol_trace_index_extend(live));
      ck_assert_double_eq_tol(ol_trace_index_hidden(live, 0), fraction, 1e-9);
    }
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("index");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, agrees_with_brute_force);
  tcase_add_test(cases, grows_with_the_trace);
  tcase_add_test(cases, takes_spans_that_come_late);
  tcase_add_test(cases, bears_a_damaged_trace);
  tcase_add_test(cases, hidden_is_the_metric);
  return run_suite("trace-index", cases);
}
