/* Metrics of what lies under what: how long each lane is busy, how much of that the compute lane of
 * the same rank hides. */
#include "engine/trace/metrics-private.h"

#include "engine/base/clock.h"
#include "engine/trace/intervals-private.h"
#include "engine/trace/span-lanes-private.h"

typedef struct {
  const OlTrace *trace;
  const OlMeasuredSteps *steps;
  OlSpanLanes spans;
  OlIntervals lanes[OL_N_LANES]; /* of the measured steps */
  OlIntervals compute;           /* of everything the compute lane did */
  OlIntervals all;               /* lanes other than compute */
  double *busy, *exposed;        /* [OL_N_LANES][ranks], ns in all measured steps */
  double *exposed_all;           /* [ranks] */
  double hidden, transferred;    /* ns, over spans of links */
} Overlap;

static gboolean is_measured(const Overlap *overlap, const OlSpan *span)
{
  return ol_graph_node(overlap->trace->graph, span->node)->part == OL_PART_STEP &&
         ol_measured_steps_find(overlap->steps, span->step) >= 0;
}

/* Spans that only the links of the measured steps count; the compute lane is wanted whole, since
 * it hides whatever lies under it. */
static void collect(Overlap *overlap, guint rank)
{
  ol_intervals_empty(&overlap->compute);
  for (guint lane = 0; lane < OL_N_LANES; lane++) {
    guint group = rank * OL_N_LANES + lane;
    ol_intervals_empty(&overlap->lanes[lane]);
    for (guint i = overlap->spans.first[group]; i < overlap->spans.first[group + 1]; i++) {
      const OlSpan *span = ol_trace_span(overlap->trace, overlap->spans.spans[i]);
      if (lane == OL_LANE_COMPUTE)
        ol_intervals_add(&overlap->compute, span->begin_ns, span->end_ns);
      if (is_measured(overlap, span))
        ol_intervals_add(&overlap->lanes[lane], span->begin_ns, span->end_ns);
    }
  }
}

static void add_hidden(Overlap *overlap, guint rank)
{
  for (guint lane = 0; lane < OL_N_LANES; lane++) {
    guint group = rank * OL_N_LANES + lane;
    if (!ol_lane_is_transfer((int)lane))
      continue;
    for (guint i = overlap->spans.first[group]; i < overlap->spans.first[group + 1]; i++) {
      const OlSpan *span = ol_trace_span(overlap->trace, overlap->spans.spans[i]);
      if (!is_measured(overlap, span))
        continue;
      overlap->transferred += span->end_ns - span->begin_ns;
      overlap->hidden += ol_intervals_covered(&overlap->compute, span->begin_ns, span->end_ns);
    }
  }
}

static void add_rank(Overlap *overlap, guint rank)
{
  guint n = overlap->trace->graph->n_ranks;
  collect(overlap, rank);
  add_hidden(overlap, rank);
  for (guint lane = 0; lane < OL_N_LANES; lane++) {
    gint64 busy = ol_intervals_length(&overlap->lanes[lane]);
    overlap->busy[lane * n + rank] = busy;
    overlap->exposed[lane * n + rank] =
        busy - ol_intervals_common(&overlap->lanes[lane], &overlap->compute);
  }
  ol_intervals_unite(&overlap->all, overlap->lanes + 1, OL_N_LANES - 1);
  overlap->exposed_all[rank] =
      ol_intervals_length(&overlap->all) - ol_intervals_common(&overlap->all, &overlap->compute);
}

/* ns in all measured steps to seconds a step. */
static void put_seconds(OlMetrics *metrics, const Overlap *overlap, double *values,
                        const char *stem, const char *argument)
{
  double scale = 1.0 / OL_NS_PER_SECOND / overlap->steps->numbers->len;
  for (guint rank = 0; rank < overlap->trace->graph->n_ranks; rank++)
    values[rank] *= scale;
  ol_metrics_put_ranks(metrics, values, "%s.%s", stem, argument);
}

static void put_all(OlMetrics *metrics, Overlap *overlap)
{
  guint n = overlap->trace->graph->n_ranks;
  for (guint lane = 0; lane < OL_N_LANES; lane++) {
    put_seconds(metrics, overlap, overlap->busy + lane * n, "busy", ol_lane_nick(lane));
    if (lane != OL_LANE_COMPUTE)
      put_seconds(metrics, overlap, overlap->exposed + lane * n, "exposed", ol_lane_nick(lane));
  }
  put_seconds(metrics, overlap, overlap->exposed_all, "exposed", "seconds");
  ol_metrics_put_number(metrics, overlap->hidden / overlap->transferred, "hidden.fraction");
}

gboolean ol_metrics_add_overlap(OlMetrics *metrics, const OlTrace *trace,
                                const OlMeasuredSteps *steps, const OlWatch *watch, GError **error)
{
  guint n = trace->graph->n_ranks, rank = 0;
  if (steps->numbers->len == 0)
    return TRUE;
  g_autofree double *busy = g_new0(double, n *OL_N_LANES);
  g_autofree double *exposed = g_new0(double, n *OL_N_LANES);
  g_autofree double *exposed_all = g_new0(double, n);
  Overlap overlap = {
      .trace = trace, .steps = steps, .busy = busy, .exposed = exposed, .exposed_all = exposed_all};
  OlIntervals *sets[] = {&overlap.compute, &overlap.all};
  for (guint lane = 0; lane < OL_N_LANES; lane++)
    ol_intervals_init(&overlap.lanes[lane]);
  for (guint i = 0; i < G_N_ELEMENTS(sets); i++)
    ol_intervals_init(sets[i]);
  ol_span_lanes_init_all(&overlap.spans, trace);
  while (rank < n && ol_watch_tell(watch, (double)rank / n, error))
    add_rank(&overlap, rank++);
  if (rank == n)
    put_all(metrics, &overlap);
  ol_span_lanes_clear(&overlap.spans);
  for (guint lane = 0; lane < OL_N_LANES; lane++)
    ol_intervals_clear(&overlap.lanes[lane]);
  for (guint i = 0; i < G_N_ELEMENTS(sets); i++)
    ol_intervals_clear(sets[i]);
  return rank == n;
}
