#include "app/charts/figure-place.h"

#include "app/charts/figure-path.h"
#include "app/charts/moment.h"
#include "engine/trace/critical-path.h"

#include <math.h>

typedef struct {
  const OlChartView *view;
  OlFigurePath path;
  int step; /* the last that has ended, or -1 */
  OlFigurePlace *place;
} Search;

static const OlSpan *span_at(const Search *search, guint i)
{
  return ol_trace_span(search->view->trace, i);
}

static const OlGraphNode *node_at(const Search *search, guint i)
{
  return ol_graph_node(search->view->trace->graph, span_at(search, i)->node);
}

static gint64 length_of(const OlSpan *span)
{
  return span->end_ns - span->begin_ns;
}

/* How much of a span lies outside of its rank's compute. */
static gint64 exposed_of(const Search *search, guint i)
{
  const OlSpan *span = span_at(search, i);
  return length_of(span) - ol_trace_index_busy(search->view->index, node_at(search, i)->rank,
                                               OL_LANE_COMPUTE, span->begin_ns, span->end_ns);
}

typedef gint64 (*Weigh)(const Search *search, guint span);

static gint64 weigh_length(const Search *search, guint i)
{
  return length_of(span_at(search, i));
}

static gboolean is_asked(const Search *search, guint i)
{
  const OlGraphNode *node = node_at(search, i);
  return span_at(search, i)->step == search->step &&
         (search->path.op < 0 || (int)node->op == search->path.op);
}

/* Of the step's spans on a lane the one that weighs most, the first of equals; `most` so far. */
static void take_heaviest(Search *search, OlLane lane, Weigh weigh, gint64 *most)
{
  OlFigurePlace *place = search->place;
  guint first, n;
  ol_trace_index_find(search->view->index, (guint)place->rank, lane, place->begin_ns, place->end_ns,
                      &first, &n);
  for (guint i = first; i < first + n; i++) {
    guint span = ol_trace_index_lane_span(search->view->index, (guint)place->rank, lane, i);
    if (!is_asked(search, span) || weigh(search, span) <= *most)
      continue;
    *most = weigh(search, span);
    place->span = (int)span;
  }
}

/* On one lane, or when `lane` is -1 on all that have compute wait. */
static gboolean is_counted(const Search *search, int each, int lane)
{
  if (lane >= 0)
    return each == lane;
  return search->path.kind == OL_FIGURE_HIDDEN ? ol_lane_is_transfer(each)
                                               : each != OL_LANE_COMPUTE;
}

static void find_heaviest(Search *search, int lane, Weigh weigh)
{
  gint64 most = 0;
  for (int each = 0; each < OL_N_LANES; each++)
    if (is_counted(search, each, lane))
      take_heaviest(search, (OlLane)each, weigh, &most);
}

static void find_op(Search *search)
{
  gint64 most = 0;
  for (int lane = 0; lane < OL_N_LANES; lane++)
    take_heaviest(search, (OlLane)lane, weigh_length, &most);
  if (search->place->span >= 0)
    search->place->lane = (int)node_at(search, (guint)search->place->span)->lane;
}

/* The longest span of the critical path on the lane. */
static void find_critical(Search *search)
{
  g_autoptr(GArray) path = ol_critical_path(search->view->trace, search->step);
  gint64 most = 0;
  for (guint i = 0; i < path->len; i++) {
    guint span = g_array_index(path, guint, i);
    if ((int)node_at(search, span)->lane != search->path.lane ||
        length_of(span_at(search, span)) <= most)
      continue;
    most = length_of(span_at(search, span));
    search->place->span = (int)span;
    search->place->rank = (int)node_at(search, span)->rank;
  }
}

static void look_at_step(Search *search, int step)
{
  const OlStep *of = ol_trace_step(search->view->trace, (guint)step);
  search->place->begin_ns = of->begin_ns;
  search->place->end_ns = MAX(of->end_ns, of->begin_ns + 1);
}

static void look_at_run(Search *search)
{
  search->place->begin_ns = 0;
  search->place->end_ns = MAX(ol_moment_known_ns(search->view), 1);
}

/* The step of the moment, so that what led to it is seen, too. */
static void look_at_moment(Search *search, gint64 time_ns)
{
  const GArray *steps = search->view->trace->steps;
  search->place->moment_ns = time_ns;
  for (guint i = 0; i < steps->len; i++) {
    const OlStep *step = ol_trace_step(search->view->trace, i);
    if (time_ns >= step->begin_ns && time_ns < step->end_ns)
      look_at_step(search, (int)i);
  }
  if (time_ns < search->place->begin_ns || time_ns >= search->place->end_ns)
    look_at_run(search);
}

static void find_peak(Search *search)
{
  OlFigurePlace *place = search->place;
  guint first, n, rank = (guint)place->rank;
  const OlChartView of_rank = ol_chart_view_of_rank(search->view, rank);
  gint64 when;
  place->chart = OL_CHART_MEMORY;
  place->tier = search->path.tier;
  place->payload = search->path.payload;
  if (place->payload >= 0)
    ol_trace_index_payload_peak(search->view->index, rank, (OlTier)place->tier,
                                (OlPayload)place->payload, &when);
  else
    ol_moment_peak(&of_rank, (OlTier)place->tier, &when);
  look_at_moment(search, when);
  ol_trace_index_find(search->view->index, rank, OL_LANE_COMPUTE, when, when + 1, &first, &n);
  if (n > 0)
    place->span =
        (int)ol_trace_index_lane_span(search->view->index, rank, OL_LANE_COMPUTE, first + n - 1);
}

static void find_home(Search *search)
{
  search->place->chart = OL_CHART_TIERS;
  search->place->tier = search->path.tier;
  search->place->payload = search->path.payload;
  search->place->moment_ns = search->place->begin_ns;
}

/* The run's end, which reads the homes. */
static void look_at_hash(Search *search)
{
  const OlTrace *trace = search->view->trace;
  guint n = trace->steps->len;
  if (n > 0)
    search->place->begin_ns = ol_trace_step(trace, n - 1)->end_ns;
  search->place->end_ns = MAX(ol_moment_known_ns(search->view), search->place->begin_ns + 1);
}

static void look_at_bubble(Search *search)
{
  OlBubbleWindow window;
  OlFigurePlace *place = search->place;
  double most = -1;
  if (ol_trace_index_bubble_window(search->view->index, (guint)search->step, &window)) {
    place->begin_ns = window.begin_ns;
    place->end_ns = MAX(window.end_ns, window.begin_ns + 1);
  }
  for (guint rank = 0; rank < search->view->trace->graph->n_ranks; rank++) {
    double share = ol_trace_index_bubble(search->view->index, rank);
    if (isfinite(share) && share > most) {
      most = share;
      place->rank = (int)rank;
    }
  }
  place->lane = OL_LANE_COMPUTE;
  place->mark = OL_MARK_IDLE;
}

/* Whose figure it is: the rank's that the path names, else of the one with the same value. */
static int find_rank(const OlChartView *view, const OlMetrics *metrics, const OlFigurePath *path)
{
  guint n = view->trace->graph->n_ranks;
  double largest, value;
  if (path->rank >= 0 && (guint)path->rank < n)
    return path->rank;
  for (guint rank = 0;
       metrics != NULL && rank < n && ol_metrics_get_number(metrics, path->plain, &largest);
       rank++) {
    g_autofree char *of_rank = g_strdup_printf("rank.%u.%s", rank, path->plain);
    if (ol_metrics_get_number(metrics, of_rank, &value) && value == largest)
      return (int)rank;
  }
  return (int)view->rank;
}

/* Figures of a step, once there is one. */
static void find_in_step(Search *search)
{
  OlFigurePlace *place = search->place;
  switch (search->path.kind) {
  case OL_FIGURE_BUSY:
  case OL_FIGURE_MOVED:
  case OL_FIGURE_MOVED_GROUP:
    place->lane = search->path.lane;
    find_heaviest(search, search->path.lane, weigh_length);
    break;
  case OL_FIGURE_EXPOSED:
    place->lane = search->path.lane;
    place->mark = OL_MARK_EXPOSED;
    find_heaviest(search, search->path.lane, exposed_of);
    break;
  case OL_FIGURE_EXPOSED_ALL:
  case OL_FIGURE_HIDDEN:
    place->mark = OL_MARK_EXPOSED;
    find_heaviest(search, -1, exposed_of);
    break;
  case OL_FIGURE_CRITICAL:
    place->lane = search->path.lane;
    find_critical(search);
    break;
  case OL_FIGURE_COUNT:
    find_op(search);
    break;
  case OL_FIGURE_BUBBLE:
    look_at_bubble(search);
    break;
  case OL_FIGURE_LOSS_FIRST:
    look_at_step(search, 0);
    place->chart = OL_CHART_LOSS;
    break;
  case OL_FIGURE_LOSS_LAST:
  case OL_FIGURE_LOSS_ALL:
    place->chart = OL_CHART_LOSS;
    break;
  default:
    break;
  }
}

static void find_beyond_steps(Search *search)
{
  switch (search->path.kind) {
  case OL_FIGURE_PEAK:
  case OL_FIGURE_LARGEST:
    find_peak(search);
    break;
  case OL_FIGURE_HOME:
  case OL_FIGURE_PER_PARAMETER:
    find_home(search);
    break;
  case OL_FIGURE_TOTAL_MOVED:
    search->place->lane = search->path.lane;
    look_at_run(search);
    break;
  case OL_FIGURE_HASH:
    look_at_hash(search);
    break;
  case OL_FIGURE_LATE:
  case OL_FIGURE_OUTCOME:
    look_at_run(search);
    break;
  default:
    break;
  }
}

/* All that is known, and nothing in it. */
static OlFigurePlace all_of(const OlChartView *view, int rank)
{
  return (OlFigurePlace){.chart = OL_CHART_LANES,
                         .end_ns = MAX(ol_moment_known_ns(view), 1),
                         .moment_ns = -1,
                         .span = -1,
                         .rank = rank,
                         .lane = -1,
                         .tier = -1,
                         .payload = -1};
}

OlFigurePlace ol_figure_place_at(const OlChartView *view, gint64 time_ns)
{
  OlFigurePlace place = all_of(view, (int)view->rank);
  Search search = {.view = view, .place = &place, .step = -1};
  look_at_moment(&search, time_ns);
  return place;
}

gboolean ol_figure_place_find(const OlChartView *view, const OlMetrics *metrics, const char *path,
                              OlFigurePlace *place)
{
  Search search = {.view = view, .place = place, .step = -1};
  if (ol_moment_is_empty(view) || !ol_figure_path_parse(path, &search.path) ||
      search.path.kind == OL_FIGURE_NVME_PATH || search.path.kind == OL_FIGURE_STEP_THERE)
    return FALSE;
  search.step = (int)view->trace->steps->len - 1;
  *place = all_of(view, find_rank(view, metrics, &search.path));
  if (search.step >= 0) {
    look_at_step(&search, search.step);
    find_in_step(&search);
  }
  find_beyond_steps(&search);
  return TRUE;
}
