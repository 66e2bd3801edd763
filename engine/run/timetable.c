#include "engine/run/timetable.h"

typedef struct {
  gint64 due, end; /* of the newest node on a lane */
} LaneState;

struct OlTimetable {
  OlGraph *graph;
  const OlCosts *costs;
  double slowdown;
  const gint64 *floor;             /* NULL: real work costs nothing */
  gint64 *begin;                   /* NULL: nobody asks for it */
  gint64 *due, *end;               /* [nodes], newest step; one array where there is no floor, since
                                      all then ends when it is due */
  gint64 *due_before, *end_before; /* the step before */
  LaneState *lanes;                /* [ranks][OL_N_LANES] */
  OlPart part;
  guint steps; /* computed so far of the part */
  gint64 lateness;
};

OlTimetable *ol_timetable_new(const OlGraph *graph, const OlCosts *costs, double slowdown,
                              const gint64 *floor_ns)
{
  OlTimetable *timetable = g_new0(OlTimetable, 1);
  guint n = graph->nodes->len;
  timetable->graph = ol_graph_ref((OlGraph *)graph);
  timetable->costs = costs;
  timetable->slowdown = slowdown;
  timetable->floor = floor_ns;
  timetable->due = g_new0(gint64, n);
  timetable->due_before = g_new0(gint64, n);
  timetable->end = floor_ns ? g_new0(gint64, n) : timetable->due;
  timetable->end_before = floor_ns ? g_new0(gint64, n) : timetable->due_before;
  timetable->lanes = g_new0(LaneState, graph->n_ranks * OL_N_LANES);
  timetable->part = OL_PART_FILL;
  return timetable;
}

void ol_timetable_keep_begin(OlTimetable *timetable)
{
  timetable->begin = g_new0(gint64, timetable->graph->nodes->len);
}

void ol_timetable_free(OlTimetable *timetable)
{
  if (timetable == NULL)
    return;
  if (timetable->floor) {
    g_free(timetable->end);
    g_free(timetable->end_before);
  }
  ol_graph_unref(timetable->graph);
  g_free(timetable->begin);
  g_free(timetable->due);
  g_free(timetable->due_before);
  g_free(timetable->lanes);
  g_free(timetable);
}

/* Between the parts all lanes meet. */
static void meet(OlTimetable *timetable)
{
  guint n = timetable->graph->n_ranks * OL_N_LANES;
  LaneState latest = {0, 0};
  for (guint i = 0; i < n; i++) {
    latest.due = MAX(latest.due, timetable->lanes[i].due);
    latest.end = MAX(latest.end, timetable->lanes[i].end);
  }
  for (guint i = 0; i < n; i++)
    timetable->lanes[i] = latest;
}

static LaneState *lane_of(const OlTimetable *timetable, const OlGraphNode *node)
{
  return &timetable->lanes[node->rank * OL_N_LANES + node->lane];
}

/* When the node's lane and waits let it begin, and from when its due counts. */
static LaneState find_start(const OlTimetable *timetable, guint id)
{
  const OlGraphNode *node = ol_graph_node(timetable->graph, id);
  const OlWait *waits = ol_graph_waits(timetable->graph, node->waits);
  LaneState start = *lane_of(timetable, node);
  for (guint i = 0; i < node->waits.n; i++) {
    guint on = waits[i].node;
    gboolean before = waits[i].steps_back > 0;
    if (before && timetable->steps == 0)
      continue;
    start.due = MAX(start.due, (before ? timetable->due_before : timetable->due)[on]);
    start.end = MAX(start.end, (before ? timetable->end_before : timetable->end)[on]);
  }
  return start;
}

static void compute(OlTimetable *timetable, guint id, LaneState start)
{
  const OlGraphNode *node = ol_graph_node(timetable->graph, id);
  /* A delayed node has nothing to work on in the first step. */
  gboolean idle = node->steps_behind > 0 && node->part == OL_PART_STEP && timetable->steps == 0;
  gint64 due = start.due, worked = start.end;
  if (!idle)
    due += ol_costs_ns(timetable->costs, id, timetable->slowdown);
  if (!idle && timetable->floor)
    worked += timetable->floor[id];
  gint64 end = MAX(worked, due);
  timetable->due[id] = due;
  timetable->end[id] = end;
  /* Fill and hash are not modelled: nothing is due there. */
  if (node->part == OL_PART_STEP)
    timetable->lateness = MAX(timetable->lateness, end - due);
  *lane_of(timetable, node) = (LaneState){due, end};
}

/* Nodes that meet lie side by side. */
static guint count_meeting(const OlGraph *graph, guint id)
{
  guint meeting = ol_graph_node(graph, id)->meeting, n = 1;
  while (meeting != 0 && id + n < graph->nodes->len &&
         ol_graph_node(graph, id + n)->meeting == meeting)
    n++;
  return n;
}

/* `n` nodes from `id` on, which work together from when the last of them could begin. */
static void compute_together(OlTimetable *timetable, guint id, guint n)
{
  LaneState latest = {0, 0};
  for (guint i = id; i < id + n; i++) {
    LaneState start = find_start(timetable, i);
    if (timetable->begin)
      timetable->begin[i] = start.end;
    latest.due = MAX(latest.due, start.due);
    latest.end = MAX(latest.end, start.end);
  }
  for (guint i = id; i < id + n; i++)
    compute(timetable, i, latest);
}

static gboolean is_in_part(const OlGraphNode *node, OlPart part, guint step)
{
  return part == OL_PART_STEP ? ol_graph_node_is_in_step(node, step) : node->part == part;
}

static void swap(gint64 **a, gint64 **b)
{
  gint64 *t = *a;
  *a = *b;
  *b = t;
}

/* In plan order what a node awaits has been computed before. */
void ol_timetable_advance(OlTimetable *timetable, OlPart part)
{
  const OlGraph *graph = timetable->graph;
  if (part != timetable->part) {
    meet(timetable);
    timetable->part = part;
    timetable->steps = 0;
  }
  swap(&timetable->due, &timetable->due_before);
  swap(&timetable->end, &timetable->end_before);
  for (guint id = 0, n; id < graph->nodes->len; id += n) {
    n = count_meeting(graph, id);
    if (is_in_part(ol_graph_node(graph, id), part, timetable->steps))
      compute_together(timetable, id, n);
  }
  timetable->steps++;
}

const gint64 *ol_timetable_begin(const OlTimetable *timetable)
{
  return timetable->begin;
}

const gint64 *ol_timetable_due(const OlTimetable *timetable)
{
  return timetable->due;
}

const gint64 *ol_timetable_end(const OlTimetable *timetable)
{
  return timetable->end;
}

gint64 ol_timetable_lateness(const OlTimetable *timetable)
{
  return timetable->lateness;
}
