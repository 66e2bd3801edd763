#include "app/charts/number-place.h"

#include "app/charts/bubbles.h"
#include "app/charts/moment.h"
#include "app/charts/queue.h"
#include "app/charts/span-find.h"

/* Of several ranks the number's, so that no metrics need be known. */
static gboolean find_metric(const OlChartView *view, const OlNumber *number, const char *path,
                            OlFigurePlace *place)
{
  g_autofree char *of_rank = g_strdup_printf("rank.%u.%s", number->rank, path);
  return ol_figure_place_find(view, NULL, of_rank, place);
}

static gboolean find_peak(const OlChartView *view, const OlNumber *number, OlFigurePlace *place)
{
  g_autofree char *path =
      g_strdup_printf("peak.%s.%s", ol_tier_nick((OlTier)number->tier),
                      number->payload >= 0 ? ol_payload_nick((OlPayload)number->payload) : "total");
  return find_metric(view, number, path, place);
}

static gboolean find_busy(const OlChartView *view, const OlNumber *number, OlFigurePlace *place)
{
  g_autofree char *path = g_strdup_printf("busy.%s", ol_lane_nick((OlLane)number->lane));
  return find_metric(view, number, path, place);
}

static gboolean find_held(const OlChartView *view, const OlNumber *number, OlFigurePlace *place)
{
  *place = ol_figure_place_at(view, ol_moment_ns(view));
  place->chart = OL_CHART_MEMORY;
  place->tier = number->tier;
  place->payload = number->payload;
  return TRUE;
}

/* The copy that a rate or a queue is about: under way, else the last that had begun by
 * then, else the first of all. */
static int find_copy(const OlChartView *view, const OlNumber *number)
{
  OlLane lane = (OlLane)number->lane;
  if (number->kind == OL_NUMBER_QUEUE) {
    OlQueue queue = ol_queue_at_moment(view, lane);
    int waiting = queue.n > 0 ? ol_span_find(view, queue.node, queue.step) : -1;
    if (waiting >= 0)
      return waiting;
  }
  int active = ol_moment_active_span(view, lane);
  int last = active >= 0 ? active : ol_queue_current_span(view, lane, ol_moment_ns(view));
  if (last < 0 && ol_trace_index_lane_count(view->index, view->rank, lane) > 0)
    last = (int)ol_trace_index_lane_span(view->index, view->rank, lane, 0);
  return last;
}

static gboolean find_rate(const OlChartView *view, const OlNumber *number, OlFigurePlace *place)
{
  int copy = find_copy(view, number);
  if (copy < 0)
    return FALSE;
  const OlSpan *span = ol_trace_span(view->trace, (guint)copy);
  *place = ol_figure_place_at(
      view, CLAMP(ol_moment_ns(view), span->begin_ns, MAX(span->end_ns - 1, span->begin_ns)));
  place->span = copy;
  place->lane = number->lane;
  return TRUE;
}

/* What ends the longest wait tells by its ties what the GPU waited for; a wait that nothing ends
 * leads to what was computed before it. */
static gboolean find_idle(const OlChartView *view, OlFigurePlace *place)
{
  OlBubbleWindow longest;
  guint first, n;
  if (!ol_bubbles_find_longest(view, &longest))
    return FALSE;
  *place = ol_figure_place_at(view, longest.begin_ns);
  place->lane = OL_LANE_COMPUTE;
  place->mark = OL_MARK_IDLE;
  ol_trace_index_find(view->index, view->rank, OL_LANE_COMPUTE, longest.end_ns, G_MAXINT64, &first,
                      &n);
  if (n > 0 || first > 0)
    place->span = (int)ol_trace_index_lane_span(view->index, view->rank, OL_LANE_COMPUTE,
                                                n > 0 ? first : first - 1);
  return TRUE;
}

/* The step's range, in all views. */
static gboolean find_step(const OlChartView *view, const OlNumber *number, OlFigurePlace *place)
{
  guint n = view->trace->steps->len;
  guint step = number->step >= 0 ? (guint)number->step : MAX(n, 1) - 1;
  if (step >= n)
    return FALSE;
  *place = ol_figure_place_at(view, ol_trace_step(view->trace, step)->begin_ns);
  place->moment_ns = -1;
  place->chart = OL_CHART_LOSS;
  return TRUE;
}

gboolean ol_number_place_find(const OlChartView *view, const OlNumber *number, OlFigurePlace *place)
{
  if (ol_moment_is_empty(view) || number->rank >= view->trace->graph->n_ranks)
    return FALSE;
  const OlChartView of_rank = ol_chart_view_of_rank(view, number->rank);
  switch (number->kind) {
  case OL_NUMBER_PEAK:
    return find_peak(&of_rank, number, place);
  case OL_NUMBER_HELD:
    return find_held(&of_rank, number, place);
  case OL_NUMBER_RATE:
  case OL_NUMBER_QUEUE:
    return find_rate(&of_rank, number, place);
  case OL_NUMBER_BUSY:
    return find_busy(&of_rank, number, place);
  case OL_NUMBER_HIDDEN:
    return find_metric(&of_rank, number, "hidden.fraction", place);
  case OL_NUMBER_IDLE:
    return find_idle(&of_rank, place);
  case OL_NUMBER_LOSS:
  case OL_NUMBER_SPEED:
    return find_step(&of_rank, number, place);
  default:
    return FALSE;
  }
}
