#include "engine/run/timetable.h"

typedef struct {
  gint64 due, end; /* of the newest node on a lane */
} LaneState;

struct OlTimetable {
  OlGraph *graph;
  gint64 *duration, *floor; /* floor NULL: real work costs nothing */
  gint64 *begin;
  gint64 *due, *end;               /* [nodes], newest step */
  gint64 *due_before, *end_before; /* the step before */
  LaneState *lanes;                /* [ranks][OL_N_LANES] */
  OlPart part;
  guint steps; /* computed so far of the part */
  gint64 lateness;
};

OlTimetable *ol_timetable_new(const OlGraph *graph, const gint64 *duration_ns,
                              const gint64 *floor_ns)
{
  OlTimetable *timetable = g_new0(OlTimetable, 1);
  guint n = graph->nodes->len;
  timetable->graph = ol_graph_ref((OlGraph *)graph);
  timetable->duration = g_memdup2(duration_ns, n * sizeof(gint64));
  timetable->floor = floor_ns ? g_memdup2(floor_ns, n * sizeof(gint64)) : NULL;
  timetable->begin = g_new0(gint64, n);
  timetable->due = g_new0(gint64, n);
  timetable->end = g_new0(gint64, n);
  timetable->due_before = g_new0(gint64, n);
  timetable->end_before = g_new0(gint64, n);
  timetable->lanes = g_new0(LaneState, graph->n_ranks * OL_N_LANES);
  timetable->part = OL_PART_FILL;
  return timetable;
}

void ol_timetable_free(OlTimetable *timetable)
{
  if (timetable == NULL)
    return;
  ol_graph_unref(timetable->graph);
  g_free(timetable->duration);
  g_free(timetable->floor);
  g_free(timetable->begin);
  g_free(timetable->due);
  g_free(timetable->end);
  g_free(timetable->due_before);
  g_free(timetable->end_before);
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

static void advance_node(OlTimetable *timetable, guint id)
{
  const OlGraphNode *node = ol_graph_node(timetable->graph, id);
  LaneState *lane = &timetable->lanes[node->rank * OL_N_LANES + node->lane];
  gint64 due_from = lane->due, begin = lane->end;
  const OlWait *waits = ol_graph_waits(timetable->graph, node->waits);
  for (guint i = 0; i < node->waits.n; i++) {
    guint on = waits[i].node;
    if (waits[i].steps_back > 0 && timetable->steps == 0)
      continue;
    const gint64 *due = waits[i].steps_back > 0 ? timetable->due_before : timetable->due;
    const gint64 *end = waits[i].steps_back > 0 ? timetable->end_before : timetable->end;
    due_from = MAX(due_from, due[on]);
    begin = MAX(begin, end[on]);
  }
  /* A delayed node has nothing to work on in the first step. */
  gboolean idle = node->steps_behind > 0 && node->part == OL_PART_STEP && timetable->steps == 0;
  gint64 due = due_from + (idle ? 0 : timetable->duration[id]);
  gint64 worked = begin + (timetable->floor && !idle ? timetable->floor[id] : 0);
  gint64 end = MAX(worked, due);
  timetable->begin[id] = begin;
  timetable->due[id] = due;
  timetable->end[id] = end;
  /* Fill and hash are not modelled: nothing is due there. */
  if (node->part == OL_PART_STEP)
    timetable->lateness = MAX(timetable->lateness, end - due);
  *lane = (LaneState){due, end};
}

static void swap(gint64 **a, gint64 **b)
{
  gint64 *t = *a;
  *a = *b;
  *b = t;
}

static gboolean is_in_part(const OlGraphNode *node, OlPart part, guint step)
{
  return part == OL_PART_STEP ? ol_graph_node_is_in_step(node, step) : node->part == part;
}

void ol_timetable_advance(OlTimetable *timetable, OlPart part)
{
  if (part != timetable->part) {
    meet(timetable);
    timetable->part = part;
    timetable->steps = 0;
  }
  swap(&timetable->due, &timetable->due_before);
  swap(&timetable->end, &timetable->end_before);
  for (guint i = 0; i < timetable->graph->nodes->len; i++)
    if (is_in_part(ol_graph_node(timetable->graph, i), part, timetable->steps))
      advance_node(timetable, i);
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
