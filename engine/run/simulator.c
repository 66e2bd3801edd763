#include "engine/run/simulator.h"

#include "engine/base/clock.h"
#include "engine/run/begin-trace.h"
#include "engine/run/timetable.h"

#include <math.h>

/* Enough to see steps that alternate repeat. */
#define TRIED_STEPS 5
/* Nodes between two looks at whether to go on: some ms. */
#define WATCHED_NODES (1u << 16)

typedef struct {
  const OlPlan *plan;
  OlTrace *trace;
  OlTimetable *timetable;
  const OlWatch *watch;
  GError *stopped; /* or NULL */
} Simulation;

/* FALSE when the simulation is to stop. */
static gboolean look_up(Simulation *simulation, int step)
{
  double share = (double)MAX(step, 0) / MAX(simulation->plan->config->steps, 1);
  return ol_watch_tell(simulation->watch, share, &simulation->stopped);
}

static void add_change(Simulation *simulation, gint64 time_ns, guint buffer, int sign)
{
  guint64 bytes = ol_graph_buffer(simulation->plan->graph, buffer)->bytes;
  OlMemoryChange change = {time_ns, sign * (gint64)bytes, buffer};
  g_array_append_val(simulation->trace->changes, change);
}

/* Homes and slots, up to the one that finds no room. */
static void acquire_homes(Simulation *simulation)
{
  const OlPlan *plan = simulation->plan;
  for (guint i = 0; i < plan->graph->buffers->len; i++) {
    if (ol_graph_buffer(plan->graph, i)->kind == OL_BUFFER_TRANSIENT)
      continue;
    if (plan->offset[i] == OL_OFFSETS_FULL)
      return;
    add_change(simulation, 0, i, +1);
  }
}

/* FALSE when the node is where the plan was refused. */
static gboolean acquire(Simulation *simulation, guint id, gint64 time_ns)
{
  const OlPlan *plan = simulation->plan;
  const OlGraphNode *node = ol_graph_node(plan->graph, id);
  const guint *acquires = ol_graph_buffer_list(plan->graph, node->acquires);
  for (guint k = 0; k < node->acquires.n; k++) {
    if (plan->refusal.refused && acquires[k] == plan->refusal.buffer)
      return FALSE;
    add_change(simulation, time_ns, acquires[k], +1);
  }
  return TRUE;
}

static void release(Simulation *simulation, guint id, gint64 time_ns)
{
  const OlGraph *graph = simulation->plan->graph;
  const OlGraphNode *node = ol_graph_node(graph, id);
  const guint *releases = ol_graph_buffer_list(graph, node->releases);
  for (guint k = 0; k < node->releases.n; k++)
    add_change(simulation, time_ns, releases[k], -1);
}

/* FALSE when the plan was refused on the way, or stopped. */
static gboolean run_part(Simulation *simulation, OlPart part, int step)
{
  const OlGraph *graph = simulation->plan->graph;
  ol_timetable_advance(simulation->timetable, part);
  const gint64 *begin = ol_timetable_begin(simulation->timetable);
  const gint64 *end = ol_timetable_end(simulation->timetable);
  gint64 first = G_MAXINT64, last = 0;
  for (guint i = 0; i < graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(graph, i);
    if (i % WATCHED_NODES == 0 && !look_up(simulation, step))
      return FALSE;
    if (node->part != part ||
        (part == OL_PART_STEP && !ol_graph_node_is_in_step(node, (guint)step)))
      continue;
    if (!acquire(simulation, i, begin[i]))
      return FALSE;
    OlSpan span = {i, step, begin[i], end[i], node->bytes};
    if (step < 0 || (guint)step >= node->steps_behind)
      g_array_append_val(simulation->trace->spans, span);
    release(simulation, i, end[i]);
    first = MIN(first, begin[i]);
    last = MAX(last, end[i]);
  }
  if (part == OL_PART_STEP) {
    OlStep record = {step, first, last, NAN, NAN};
    g_array_append_val(simulation->trace->steps, record);
  }
  return TRUE;
}

static gboolean run_all(Simulation *simulation)
{
  const OlPlan *plan = simulation->plan;
  acquire_homes(simulation);
  if (plan->refusal.refused && plan->refusal.node == OL_NONE)
    return FALSE;
  if (!run_part(simulation, OL_PART_FILL, -1))
    return FALSE;
  for (guint step = 0; step < plan->config->steps; step++)
    if (!run_part(simulation, OL_PART_STEP, step))
      return FALSE;
  return run_part(simulation, OL_PART_HASH, plan->config->steps);
}

OlTrace *ol_simulate_watched(const OlPlan *plan, const OlMachine *machine, const OlCosts *costs,
                             double slowdown, const OlWatch *watch, GError **error)
{
  g_autoptr(OlTimetable) timetable = ol_timetable_new(plan->graph, costs, slowdown, NULL);
  ol_timetable_keep_begin(timetable);
  g_autoptr(OlTrace) trace = ol_begin_trace(OL_SOURCE_SIMULATED, plan, machine, slowdown);
  Simulation simulation = {.plan = plan, .trace = trace, .timetable = timetable, .watch = watch};
  gboolean done = run_all(&simulation);
  if (simulation.stopped) {
    g_propagate_error(error, simulation.stopped);
    return NULL;
  }
  if (done)
    ol_trace_end(trace, OL_OUTCOME_DONE, NULL, NULL);
  else
    ol_end_trace_refused(trace, plan);
  return g_steal_pointer(&trace);
}

OlTrace *ol_simulate(const OlPlan *plan, const OlMachine *machine, const OlCosts *costs,
                     double slowdown)
{
  return ol_simulate_watched(plan, machine, costs, slowdown, NULL, NULL);
}

double ol_simulate_step_seconds(const OlPlan *plan, const OlCosts *costs, double slowdown)
{
  g_autoptr(OlTimetable) timetable = ol_timetable_new(plan->graph, costs, slowdown, NULL);
  guint n = plan->graph->nodes->len;
  /* A step repeats from the second on, or every second one does; with one step there is only the
   * first. */
  guint steps = MIN(plan->config->steps, TRIED_STEPS);
  gint64 ends[TRIED_STEPS] = {0};
  for (guint step = 0; step < steps; step++) {
    ol_timetable_advance(timetable, OL_PART_STEP);
    const gint64 *end = ol_timetable_end(timetable);
    for (guint i = 0; i < n; i++)
      if (ol_graph_node(plan->graph, i)->part == OL_PART_STEP)
        ends[step] = MAX(ends[step], end[i]);
  }
  gint64 mean = steps > 1 ? (ends[steps - 1] - ends[0]) / (steps - 1) : ends[0];
  return (double)mean / OL_NS_PER_SECOND;
}
