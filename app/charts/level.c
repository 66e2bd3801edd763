#include "app/charts/level.h"

#include <math.h>

#define WIDE    1.5 /* pixels from which a span is drawn by itself */
#define SAMPLES 8   /* spans of a column that decide its colour */

typedef struct {
  const OlChartView *view;
  OlLane lane;
  const OlPlot *plot;
  OlColumns *columns; /* or NULL */
  double ns_per_pixel;
  gint64 slack_ns;    /* of what is busy up to a column */
  double next_column; /* columns before it are done */
  gint64 until_ns;    /* where the last column ended … */
  OlLanePlace place;  /* … in the lane */
  GArray *items;
} Level;

OlPayload ol_level_span_payload(const OlTrace *trace, guint span)
{
  const OlGraphNode *node = ol_graph_node(trace->graph, ol_trace_span(trace, span)->node);
  switch (node->op) {
  case OL_OP_FORWARD:
  case OL_OP_BACKWARD:
    return OL_PAYLOAD_ACTIVATIONS;
  case OL_OP_UPDATE:
    return OL_PAYLOAD_MASTER;
  case OL_OP_ACCUMULATE:
  case OL_OP_CAST:
    return OL_PAYLOAD_GRADIENTS;
  default:
    return node->payload;
  }
}

static gboolean is_aside(const OlTrace *trace, guint span)
{
  return ol_graph_node(trace->graph, ol_trace_span(trace, span)->node)->part != OL_PART_STEP;
}

static guint span_at(const Level *level, guint i)
{
  return ol_trace_index_lane_span(level->view->index, level->view->rank, level->lane, i);
}

static void add_span(Level *level, guint id)
{
  const OlTrace *trace = level->view->trace;
  const OlSpan *span = ol_trace_span(trace, id);
  OlLevelItem item = {.x0 = MAX(ol_plot_x(level->plot, span->begin_ns), level->plot->left),
                      .x1 = MIN(ol_plot_x(level->plot, span->end_ns), level->plot->right),
                      .span = (int)id,
                      .payload = ol_level_span_payload(trace, id),
                      .aside = is_aside(trace, id),
                      .busy = 1};
  if (item.x1 > item.x0)
    g_array_append_val(level->items, item);
}

/* The payload that the first few spans from entry i on spend most of the column's time on. */
static OlPayload main_payload(const Level *level, guint i, guint end, gint64 end_ns)
{
  const OlTrace *trace = level->view->trace;
  gint64 time[OL_N_PAYLOADS] = {0};
  int most = (int)ol_level_span_payload(trace, span_at(level, i));
  for (guint k = 0; k < SAMPLES && i + k < end; k++) {
    const OlSpan *span = ol_trace_span(trace, span_at(level, i + k));
    if (span->begin_ns >= end_ns)
      break;
    int payload = (int)ol_level_span_payload(trace, span_at(level, i + k));
    time[payload] += MIN(span->end_ns, end_ns) - span->begin_ns;
    if (time[payload] > time[most])
      most = payload;
  }
  return (OlPayload)most;
}

/* Spans of a lane lie far apart among those of others: these arrive while the column is walked
 * over. */
static void fetch_samples(const Level *level, guint i, guint end)
{
  for (guint k = i; k < MIN(i + SAMPLES, end); k++)
    __builtin_prefetch(ol_trace_span(level->view->trace, span_at(level, k)));
}

static void keep(const Level *level, double column, gint64 time_ns)
{
  if (level->columns != NULL && time_ns == ol_plot_time(level->plot, column))
    ol_columns_set(level->columns, level->lane, column, level->place.busy_ns);
}

/* Walks over a column from one moment to another; returns its busy time. */
static gint64 walk_on(Level *level, double column, gint64 begin_ns, gint64 end_ns)
{
  const OlChartView *view = level->view;
  if (begin_ns != level->until_ns) {
    ol_trace_index_go(view->index, view->rank, level->lane, begin_ns, level->slack_ns,
                      &level->place);
    keep(level, column, begin_ns);
  }
  gint64 before = level->place.busy_ns;
  ol_trace_index_go(view->index, view->rank, level->lane, end_ns, level->slack_ns, &level->place);
  keep(level, column + 1, end_ns);
  level->until_ns = end_ns;
  return level->place.busy_ns - before;
}

/* Joined with the one before it where they look the same. */
static void add_item(Level *level, const OlLevelItem *item)
{
  GArray *items = level->items;
  OlLevelItem *last = items->len > 0 ? &g_array_index(items, OlLevelItem, items->len - 1) : NULL;
  if (last != NULL && last->span < 0 && last->x1 >= item->x0 && last->payload == item->payload &&
      last->aside == item->aside && last->busy == item->busy)
    last->x1 = item->x1;
  else
    g_array_append_val(items, *item);
}

/* The pixel column in which entry i begins, or the next that is not done; returns the first entry
 * that is seen after it: i again, when its end lies beyond. Entry i may be over before the column,
 * for the place before it may be early: with nothing else in it, it stays empty. */
static guint add_column(Level *level, guint i, guint end)
{
  const OlChartView *view = level->view;
  const OlSpan *span = ol_trace_span(view->trace, span_at(level, i));
  double column = MAX(floor(ol_plot_x(level->plot, span->begin_ns)), level->next_column);
  gint64 begin_ns = ol_plot_time(level->plot, column);
  gint64 end_ns = MAX(ol_plot_time(level->plot, column + 1), span->begin_ns + 1);
  fetch_samples(level, i, end);
  gint64 busy = walk_on(level, column, begin_ns, end_ns);
  double share = end_ns > begin_ns ? (double)busy / (double)(end_ns - begin_ns) : 1;
  OlLevelItem item = {.x0 = column,
                      .x1 = column + 1,
                      .span = -1,
                      .payload = main_payload(level, i, end, end_ns),
                      .aside = is_aside(view->trace, span_at(level, i)),
                      .busy = CLAMP(ceil(share * OL_COLUMN_SHARES), 1, OL_COLUMN_SHARES) /
                              OL_COLUMN_SHARES};
  if (busy > 0 || span->end_ns >= begin_ns)
    add_item(level, &item);
  level->next_column = column + 1;
  return MAX(level->place.first_seen, i);
}

GArray *ol_level_items(const OlChartView *view, OlLane lane, const OlPlot *plot, OlColumns *columns)
{
  Level level = {.view = view,
                 .lane = lane,
                 .plot = plot,
                 .columns = columns,
                 .ns_per_pixel = ol_plot_unit_ns(plot),
                 .slack_ns = ol_columns_slack(plot),
                 .next_column = floor(plot->left),
                 .until_ns = G_MININT64,
                 .items = g_array_new(FALSE, FALSE, sizeof(OlLevelItem))};
  guint first, n;
  ol_trace_index_find(view->index, view->rank, lane, plot->begin_ns, plot->end_ns, &first, &n);
  for (guint i = first; i < first + n && level.next_column < plot->right;) {
    const OlSpan *span = ol_trace_span(view->trace, span_at(&level, i));
    if ((double)(span->end_ns - span->begin_ns) >= WIDE * level.ns_per_pixel)
      add_span(&level, span_at(&level, i++));
    else
      i = add_column(&level, i, first + n);
  }
  return level.items;
}
