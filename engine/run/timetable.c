#include "engine/run/timetable.h"

#include <string.h>

typedef struct {
  gint64 due, end; /* of the newest node on a lane */
} LaneState;

/* Nodes of several ranks that end together: a collective. */
typedef struct {
  GArray *nodes;   /* guint */
  guint arrived;   /* of this step */
  gint64 due_from; /* the latest of those that arrived */
  gint64 begin;
} Meeting;

struct OlTimetable {
  OlGraph *graph;
  gint64 *duration, *floor; /* floor NULL: real work costs nothing */
  gint64 *begin;
  gint64 *due, *end;               /* [nodes], newest step */
  gint64 *due_before, *end_before; /* the step before */
  LaneState *lanes;                /* [ranks][OL_N_LANES] */
  GPtrArray *ranks;                /* GArray of guint: each rank's nodes, in plan order */
  guint *cursors;                  /* [ranks] */
  guint *computed, *arrived;       /* [nodes]: the advance in which they last were */
  GArray *meetings;                /* Meeting, by number */
  guint advances;
  OlPart part;
  guint steps; /* computed so far of the part */
  gint64 lateness;
};

static void clear_meeting(gpointer data)
{
  Meeting *meeting = data;
  g_clear_pointer(&meeting->nodes, g_array_unref);
}

static void list_node(OlTimetable *timetable, guint id)
{
  const OlGraphNode *node = ol_graph_node(timetable->graph, id);
  g_array_append_val(g_ptr_array_index(timetable->ranks, node->rank), id);
  if (node->meeting == 0)
    return;
  if (node->meeting >= timetable->meetings->len)
    g_array_set_size(timetable->meetings, node->meeting + 1);
  Meeting *meeting = &g_array_index(timetable->meetings, Meeting, node->meeting);
  if (meeting->nodes == NULL)
    meeting->nodes = g_array_new(FALSE, FALSE, sizeof(guint));
  g_array_append_val(meeting->nodes, id);
}

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
  timetable->cursors = g_new0(guint, graph->n_ranks);
  timetable->computed = g_new0(guint, n);
  timetable->arrived = g_new0(guint, n);
  timetable->ranks = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  timetable->meetings = g_array_new(FALSE, TRUE, sizeof(Meeting));
  g_array_set_clear_func(timetable->meetings, clear_meeting);
  for (guint rank = 0; rank < graph->n_ranks; rank++)
    g_ptr_array_add(timetable->ranks, g_array_new(FALSE, FALSE, sizeof(guint)));
  for (guint id = 0; id < n; id++)
    list_node(timetable, id);
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
  g_free(timetable->cursors);
  g_free(timetable->computed);
  g_free(timetable->arrived);
  g_ptr_array_unref(timetable->ranks);
  g_array_unref(timetable->meetings);
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

static LaneState *lane_of(OlTimetable *timetable, const OlGraphNode *node)
{
  return &timetable->lanes[node->rank * OL_N_LANES + node->lane];
}

/* When the node's lane and waits let it begin, and from when its due counts. FALSE when another
 * rank has not got there yet. */
static gboolean find_start(const OlTimetable *timetable, guint id, gint64 *due_from, gint64 *begin)
{
  const OlGraphNode *node = ol_graph_node(timetable->graph, id);
  const LaneState *lane = &timetable->lanes[node->rank * OL_N_LANES + node->lane];
  const OlWait *waits = ol_graph_waits(timetable->graph, node->waits);
  *due_from = lane->due;
  *begin = lane->end;
  for (guint i = 0; i < node->waits.n; i++) {
    guint on = waits[i].node;
    gboolean before = waits[i].steps_back > 0;
    if (before && timetable->steps == 0)
      continue;
    if (!before && timetable->computed[on] != timetable->advances)
      return FALSE;
    *due_from = MAX(*due_from, (before ? timetable->due_before : timetable->due)[on]);
    *begin = MAX(*begin, (before ? timetable->end_before : timetable->end)[on]);
  }
  return TRUE;
}

/* A collective works from when the last of its ranks has come. */
static void compute(OlTimetable *timetable, guint id, gint64 due_from, gint64 works_from)
{
  const OlGraphNode *node = ol_graph_node(timetable->graph, id);
  /* A delayed node has nothing to work on in the first step. */
  gboolean idle = node->steps_behind > 0 && node->part == OL_PART_STEP && timetable->steps == 0;
  gint64 due = due_from + (idle ? 0 : timetable->duration[id]);
  gint64 worked = works_from + (timetable->floor && !idle ? timetable->floor[id] : 0);
  gint64 end = MAX(worked, due);
  timetable->due[id] = due;
  timetable->end[id] = end;
  timetable->computed[id] = timetable->advances;
  /* Fill and hash are not modelled: nothing is due there. */
  if (node->part == OL_PART_STEP)
    timetable->lateness = MAX(timetable->lateness, end - due);
  *lane_of(timetable, node) = (LaneState){due, end};
}

static void arrive(OlTimetable *timetable, guint id, gint64 due_from, gint64 begin)
{
  Meeting *meeting =
      &g_array_index(timetable->meetings, Meeting, ol_graph_node(timetable->graph, id)->meeting);
  meeting->due_from = meeting->arrived == 0 ? due_from : MAX(meeting->due_from, due_from);
  meeting->begin = meeting->arrived == 0 ? begin : MAX(meeting->begin, begin);
  if (++meeting->arrived < meeting->nodes->len)
    return;
  for (guint i = 0; i < meeting->nodes->len; i++)
    compute(timetable, g_array_index(meeting->nodes, guint, i), meeting->due_from, meeting->begin);
  meeting->arrived = 0;
}

static gboolean is_in_part(const OlGraphNode *node, OlPart part, guint step)
{
  return part == OL_PART_STEP ? ol_graph_node_is_in_step(node, step) : node->part == part;
}

/* As far as a rank gets alone: to a node that awaits one of another rank, or a meeting that is not
 * complete. TRUE when it got anywhere. */
static gboolean advance_rank(OlTimetable *timetable, guint rank)
{
  const GArray *nodes = g_ptr_array_index(timetable->ranks, rank);
  guint *cursor = &timetable->cursors[rank], start = *cursor;
  for (; *cursor < nodes->len; (*cursor)++) {
    guint id = g_array_index(nodes, guint, *cursor);
    const OlGraphNode *node = ol_graph_node(timetable->graph, id);
    if (!is_in_part(node, timetable->part, timetable->steps) ||
        timetable->computed[id] == timetable->advances)
      continue;
    gint64 due_from, begin;
    if (timetable->arrived[id] == timetable->advances ||
        !find_start(timetable, id, &due_from, &begin))
      break;
    timetable->begin[id] = begin;
    if (node->meeting == 0) {
      compute(timetable, id, due_from, begin);
      continue;
    }
    timetable->arrived[id] = timetable->advances;
    arrive(timetable, id, due_from, begin);
    if (timetable->computed[id] != timetable->advances)
      break;
  }
  return *cursor > start;
}

static void swap(gint64 **a, gint64 **b)
{
  gint64 *t = *a;
  *a = *b;
  *b = t;
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
  timetable->advances++;
  memset(timetable->cursors, 0, timetable->graph->n_ranks * sizeof(guint));
  gboolean moved = TRUE;
  while (moved) {
    moved = FALSE;
    for (guint rank = 0; rank < timetable->graph->n_ranks; rank++)
      moved |= advance_rank(timetable, rank);
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
