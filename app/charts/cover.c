#include "app/charts/cover.h"

#include <math.h>

typedef struct {
  gint64 begin_ns, end_ns;
} Stretch;

/* A walk over columns that join. */
typedef struct {
  const OlChartView *view;
  const OlColumns *columns; /* or NULL */
  gint64 at_ns, slack_ns;
  OlLanePlace places[OL_N_LANES];
  gint64 busy_ns[OL_N_LANES]; /* up to at_ns */
} Walk;

static gint64 busy_until(Walk *walk, OlLane lane, double column, gint64 to_ns)
{
  OlLanePlace *place = &walk->places[lane];
  gint64 known =
      walk->columns != NULL ? ol_columns_get(walk->columns, lane, column) : OL_COLUMN_UNKNOWN;
  if (known != OL_COLUMN_UNKNOWN)
    return known;
  ol_trace_index_go(walk->view->index, walk->view->rank, lane, to_ns, walk->slack_ns, place);
  return place->busy_ns;
}

/* Goes on to a later moment; each lane's share of the time until then: of transfers, and of what
 * they may hide under. */
static void walk_on(Walk *walk, double column, gint64 to_ns, double *shares)
{
  for (int lane = 0; lane < OL_N_LANES; lane++) {
    if (!ol_lane_is_transfer(lane) && lane != OL_LANE_COMPUTE)
      continue;
    gint64 before = walk->busy_ns[lane];
    walk->busy_ns[lane] = busy_until(walk, (OlLane)lane, column, to_ns);
    gint64 busy_ns = MAX(walk->busy_ns[lane] - before, 0);
    shares[lane] = (double)busy_ns / (double)(to_ns - walk->at_ns);
  }
  walk->at_ns = to_ns;
}

static void start_walk(Walk *walk, const OlChartView *view, const OlPlot *plot,
                       const OlColumns *columns, double column)
{
  double shares[OL_N_LANES];
  gint64 at_ns = ol_plot_time(plot, column);
  *walk = (Walk){
      .view = view, .columns = columns, .at_ns = at_ns - 1, .slack_ns = ol_columns_slack(plot)};
  walk_on(walk, column, at_ns, shares);
}

/* Within one column it is not told what lies where: the busiest link counts as the transfers'
 * time, and as much of it as there is compute counts as hidden. */
static OlCoverRun weigh_column(Walk *walk, const OlPlot *plot, double x)
{
  OlCoverRun run = {.x0 = x, .x1 = MIN(x + 1, plot->right)};
  double shares[OL_N_LANES], transfer = 0;
  walk_on(walk, x + 1, MAX(ol_plot_time(plot, x + 1), walk->at_ns + 1), shares);
  for (int lane = 0; lane < OL_N_LANES; lane++)
    if (ol_lane_is_transfer(lane))
      transfer = MAX(transfer, shares[lane]);
  run.hidden = MIN(transfer, shares[OL_LANE_COMPUTE]);
  run.exposed = transfer - run.hidden;
  return run;
}

/* Fill and hash are no part of a step: their copies have nothing to hide under. */
static Stretch find_steps(const OlChartView *view, const OlPlot *plot)
{
  const OlTrace *trace = view->trace;
  Stretch steps = {plot->end_ns, plot->end_ns};
  if (trace->steps->len > 0)
    steps.begin_ns = ol_trace_step(trace, 0)->begin_ns;
  else if (ol_trace_index_lane_count(view->index, view->rank, OL_LANE_COMPUTE) > 0)
    steps.begin_ns =
        ol_trace_span(trace, ol_trace_index_lane_span(view->index, view->rank, OL_LANE_COMPUTE, 0))
            ->begin_ns;
  if (trace->ended && trace->outcome == OL_OUTCOME_DONE && trace->steps->len > 0)
    steps.end_ns = ol_trace_step(trace, trace->steps->len - 1)->end_ns;
  steps.begin_ns = MAX(steps.begin_ns, plot->begin_ns);
  steps.end_ns = MIN(steps.end_ns, plot->end_ns);
  return steps;
}

static void add_columns(GArray *runs, const OlChartView *view, const OlPlot *plot,
                        const OlColumns *columns, Stretch steps)
{
  double begin = floor(ol_plot_x(plot, steps.begin_ns)), end = ol_plot_x(plot, steps.end_ns);
  Walk walk;
  start_walk(&walk, view, plot, columns, begin);
  for (double x = begin; x < end; x++) {
    OlCoverRun run = weigh_column(&walk, plot, x);
    if (run.hidden + run.exposed <= 0)
      continue;
    OlCoverRun *last = runs->len > 0 ? &g_array_index(runs, OlCoverRun, runs->len - 1) : NULL;
    if (last != NULL && last->x1 == run.x0 && fabs(last->hidden - run.hidden) < 0.02 &&
        fabs(last->exposed - run.exposed) < 0.02)
      last->x1 = run.x1;
    else
      g_array_append_val(runs, run);
  }
}

static int compare_begins(gconstpointer a, gconstpointer b)
{
  const Stretch *x = a, *y = b;
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static void add_lane(GArray *stretches, const OlChartView *view, Stretch steps, int lane)
{
  guint first, n;
  ol_trace_index_find(view->index, view->rank, (OlLane)lane, steps.begin_ns, steps.end_ns, &first,
                      &n);
  for (guint i = first; i < first + n; i++) {
    guint id = ol_trace_index_lane_span(view->index, view->rank, (OlLane)lane, i);
    const OlSpan *span = ol_trace_span(view->trace, id);
    Stretch stretch = {MAX(span->begin_ns, steps.begin_ns), MIN(span->end_ns, steps.end_ns)};
    if (stretch.end_ns > stretch.begin_ns)
      g_array_append_val(stretches, stretch);
  }
}

/* Sorts, and joins what overlaps. */
static void join(GArray *stretches)
{
  g_array_sort(stretches, compare_begins);
  guint n = 0;
  Stretch *all = (Stretch *)stretches->data;
  for (guint i = 0; i < stretches->len; i++) {
    if (n > 0 && all[i].begin_ns <= all[n - 1].end_ns)
      all[n - 1].end_ns = MAX(all[n - 1].end_ns, all[i].end_ns);
    else
      all[n++] = all[i];
  }
  g_array_set_size(stretches, n);
}

static void add_run(GArray *runs, const OlPlot *plot, gint64 begin_ns, gint64 end_ns,
                    gboolean hidden)
{
  OlCoverRun run = {ol_plot_x(plot, begin_ns), ol_plot_x(plot, end_ns), hidden ? 1 : 0,
                    hidden ? 0 : 1};
  if (end_ns > begin_ns)
    g_array_append_val(runs, run);
}

/* Both lists are in order and free of overlaps: one walk over the two. */
static void split(GArray *runs, const OlPlot *plot, const GArray *transfers, const GArray *compute)
{
  guint c = 0;
  for (guint i = 0; i < transfers->len; i++) {
    Stretch transfer = g_array_index(transfers, Stretch, i);
    gint64 at = transfer.begin_ns;
    while (c < compute->len && g_array_index(compute, Stretch, c).end_ns <= at)
      c++;
    for (guint k = c; k < compute->len; k++) {
      Stretch busy = g_array_index(compute, Stretch, k);
      if (busy.begin_ns >= transfer.end_ns)
        break;
      add_run(runs, plot, at, busy.begin_ns, FALSE);
      add_run(runs, plot, MAX(at, busy.begin_ns), MIN(busy.end_ns, transfer.end_ns), TRUE);
      at = MIN(busy.end_ns, transfer.end_ns);
    }
    add_run(runs, plot, at, transfer.end_ns, FALSE);
  }
}

static guint count_visible(const OlChartView *view, const OlPlot *plot)
{
  guint sum = 0;
  for (int lane = 0; lane < OL_N_LANES; lane++) {
    guint first, n;
    ol_trace_index_find(view->index, view->rank, (OlLane)lane, plot->begin_ns, plot->end_ns, &first,
                        &n);
    sum += lane == OL_LANE_HOST_UPDATE ? 0 : n;
  }
  return sum;
}

GArray *ol_cover_runs(const OlChartView *view, const OlPlot *plot, const OlColumns *columns)
{
  GArray *runs = g_array_new(FALSE, FALSE, sizeof(OlCoverRun));
  Stretch steps = find_steps(view, plot);
  if (steps.end_ns <= steps.begin_ns)
    return runs;
  if (count_visible(view, plot) > plot->right - plot->left) {
    add_columns(runs, view, plot, columns, steps);
    return runs;
  }
  g_autoptr(GArray) transfers = g_array_new(FALSE, FALSE, sizeof(Stretch));
  g_autoptr(GArray) compute = g_array_new(FALSE, FALSE, sizeof(Stretch));
  for (int lane = 0; lane < OL_N_LANES; lane++)
    if (ol_lane_is_transfer(lane))
      add_lane(transfers, view, steps, lane);
  add_lane(compute, view, steps, OL_LANE_COMPUTE);
  join(transfers);
  join(compute);
  split(runs, plot, transfers, compute);
  return runs;
}
