#include "tests/trace/sample-trace.h"

#include "tests/trace/sample-graph.h"

#include <math.h>
#include <string.h>

/* Times as on an A100, a thousand times slower (design section 4, worked example). */
#define SLOWDOWN      1000
#define FORWARD_NS    (0.117 * SLOWDOWN) /* a parameter */
#define BACKWARD_NS   (0.233 * SLOWDOWN)
#define LINK_NS       (0.083 * SLOWDOWN)
#define PEER_NS       (0.020 * SLOWDOWN)
#define UPDATE_NS     (0.190 * SLOWDOWN)
#define GPU_CAPACITY  (24u << 20)
#define HOST_CAPACITY (64u << 20)

/* When each node begins and ends, as a lane and its waits allow. */
typedef struct {
  OlTrace *trace;
  gint64 *end, *end_before; /* [nodes] of this step and of the one before */
  gint64 *lane_free;        /* [ranks][OL_N_LANES] */
} Clock;

static gint64 duration_ns(const OlGraph *graph, const OlGraphNode *node, int step, guint id)
{
  static const double ns_per_parameter[OL_N_OPS] = {
      [OL_OP_FILL] = LINK_NS, [OL_OP_FORWARD] = FORWARD_NS, [OL_OP_BACKWARD] = BACKWARD_NS,
      [OL_OP_COPY] = LINK_NS, [OL_OP_UPDATE] = UPDATE_NS,   [OL_OP_HASH] = LINK_NS,
  };
  double rate = node->lane == OL_LANE_PEER ? PEER_NS : ns_per_parameter[node->op];
  /* Up to 3 % more, as on a real machine, and the same each time. */
  guint scatter = (id * 2654435761u + (guint)step * 40503u) >> 16 & 1023;
  return rate * ol_graph_unit(graph, node->unit)->parameters * (1 + 0.03 * scatter / 1023);
}

static gint64 begin_ns(const Clock *clock, const OlGraphNode *node, int step)
{
  const OlGraph *graph = clock->trace->graph;
  gint64 begin = clock->lane_free[node->rank * OL_N_LANES + node->lane];
  for (guint i = 0; i < node->waits.n; i++) {
    const OlWait *wait = ol_graph_waits(graph, node->waits) + i;
    if (wait->steps_back == 0)
      begin = MAX(begin, clock->end[wait->node]);
    else if (step > 0)
      begin = MAX(begin, clock->end_before[wait->node]);
  }
  return begin;
}

static void add_change(OlTrace *trace, gint64 time_ns, guint buffer, int sign)
{
  OlMemoryChange change = {time_ns, sign * (gint64)ol_graph_buffer(trace->graph, buffer)->bytes,
                           buffer};
  g_array_append_val(trace->changes, change);
}

static void play_node(Clock *clock, guint id, int step)
{
  OlTrace *trace = clock->trace;
  const OlGraphNode *node = ol_graph_node(trace->graph, id);
  OlSpan span = {.node = id, .step = step, .bytes = node->bytes};
  span.begin_ns = begin_ns(clock, node, step);
  span.end_ns = span.begin_ns + duration_ns(trace->graph, node, step, id);
  clock->end[id] = span.end_ns;
  clock->lane_free[node->rank * OL_N_LANES + node->lane] = span.end_ns;
  g_array_append_val(trace->spans, span);
  for (guint i = 0; i < node->acquires.n; i++)
    add_change(trace, span.begin_ns, ol_graph_buffer_list(trace->graph, node->acquires)[i], 1);
  for (guint i = 0; i < node->releases.n; i++)
    add_change(trace, span.end_ns, ol_graph_buffer_list(trace->graph, node->releases)[i], -1);
}

/* Plays the nodes of one part; returns when the last of them ends. */
static gint64 play_part(Clock *clock, OlPart part, int step, gint64 begin)
{
  const OlGraph *graph = clock->trace->graph;
  gint64 end = begin;
  for (guint i = 0; part != OL_PART_STEP && i < graph->n_ranks * OL_N_LANES; i++)
    clock->lane_free[i] = MAX(clock->lane_free[i], begin);
  for (guint id = 0; id < graph->nodes->len; id++) {
    if (ol_graph_node(graph, id)->part != part)
      continue;
    play_node(clock, id, step);
    end = MAX(end, clock->end[id]);
  }
  memcpy(clock->end_before, clock->end, graph->nodes->len * sizeof(gint64));
  return end;
}

static void play_step(Clock *clock, guint index, gint64 fill_end)
{
  OlTrace *trace = clock->trace;
  guint first_span = trace->spans->len;
  OlStep step = {.step = index,
                 .loss = 0.4 + 3.8 * exp(-0.25 * index) + 0.02 * sin(7.0 * index),
                 .gradient_norm = 1.5 / (1 + 0.1 * index)};
  step.end_ns = play_part(clock, OL_PART_STEP, index, fill_end);
  step.begin_ns = ol_trace_span(trace, first_span)->begin_ns;
  g_array_append_val(trace->steps, step);
}

static int compare_ends(gconstpointer a, gconstpointer b)
{
  const OlSpan *x = a, *y = b;
  if (x->end_ns != y->end_ns)
    return x->end_ns < y->end_ns ? -1 : 1;
  return x->node < y->node ? -1 : x->node > y->node;
}

/* At one moment what is released goes before what is acquired, as on a real lane. */
static int compare_changes(gconstpointer a, gconstpointer b)
{
  const OlMemoryChange *x = a, *y = b;
  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  if ((x->bytes < 0) != (y->bytes < 0))
    return x->bytes < 0 ? -1 : 1;
  return x->buffer < y->buffer ? -1 : x->buffer > y->buffer;
}

static void play(OlTrace *trace, guint steps)
{
  const OlGraph *graph = trace->graph;
  Clock clock = {trace, g_new0(gint64, graph->nodes->len), g_new0(gint64, graph->nodes->len),
                 g_new0(gint64, graph->n_ranks * OL_N_LANES)};
  for (guint i = 0; i < graph->buffers->len; i++)
    if (ol_graph_buffer(graph, i)->kind != OL_BUFFER_TRANSIENT)
      add_change(trace, 0, i, 1);
  gint64 end = play_part(&clock, OL_PART_FILL, -1, 0);
  for (guint i = 0; i < graph->n_ranks * OL_N_LANES; i++)
    clock.lane_free[i] = end;
  for (guint i = 0; i < steps; i++) {
    play_step(&clock, i, end);
    end = ol_trace_step(trace, i)->end_ns;
  }
  play_part(&clock, OL_PART_HASH, steps, end);
  g_array_sort(trace->spans, compare_ends);
  g_array_sort(trace->changes, compare_changes);
  g_free(clock.end);
  g_free(clock.end_before);
  g_free(clock.lane_free);
}

static OlTrace *new_empty(const SampleOptions *options)
{
  g_autoptr(OlGraph) graph = sample_graph_new(options);
  g_autoptr(GArray) capacities = g_array_new(FALSE, FALSE, sizeof(guint64));
  guint64 tiers[OL_N_TIERS] = {GPU_CAPACITY, HOST_CAPACITY, 0};
  for (guint r = 0; r < options->ranks; r++)
    g_array_append_vals(capacities, tiers, OL_N_TIERS);
  g_autofree char *config =
      g_strdup_printf("{\"name\":\"sample\",\"steps\":%u,\"model\":{\"layers\":%u,\"width\":%d}}",
                      options->steps, options->blocks, SAMPLE_WIDTH);
  OlTraceHeader header = {config, 1706.7, 16, SLOWDOWN, capacities};
  return ol_trace_new(options->source, &header, graph);
}

static OlTrace *cut(const OlTrace *trace, gint64 time_ns)
{
  OlTrace *part = ol_trace_new(trace->source, &trace->header, trace->graph);
  for (guint i = 0; i < trace->spans->len; i++)
    if (ol_trace_span(trace, i)->end_ns <= time_ns)
      g_array_append_vals(part->spans, ol_trace_span(trace, i), 1);
  for (guint i = 0; i < trace->changes->len; i++)
    if (ol_trace_change(trace, i)->time_ns <= time_ns)
      g_array_append_vals(part->changes, ol_trace_change(trace, i), 1);
  for (guint i = 0; i < trace->steps->len; i++)
    if (ol_trace_step(trace, i)->end_ns <= time_ns)
      g_array_append_vals(part->steps, ol_trace_step(trace, i), 1);
  ol_trace_set_number(part, "tokens.per_step", SAMPLE_TOKENS_PER_STEP);
  return part;
}

OlTrace *sample_trace_until(const OlTrace *trace, gint64 time_ns)
{
  return cut(trace, time_ns);
}

static void end(OlTrace *trace, OlOutcome outcome)
{
  if (outcome == OL_OUTCOME_DONE) {
    ol_trace_set_text(trace, "weights.hash", "9c01d2e3f4a5b697");
    ol_trace_set_number(trace, "late", 0.004);
    ol_trace_end(trace, outcome, NULL, NULL);
  } else if (outcome == OL_OUTCOME_OUT_OF_MEMORY) {
    ol_trace_end(trace, outcome, "out of memory on gpu: no room for 2.00 MiB of activations",
                 "gpu weights 2.3 MiB\ngpu gradients 2.3 MiB\ngpu activations 8.0 MiB\n");
  } else if (outcome == OL_OUTCOME_STOPPED) {
    ol_trace_end(trace, outcome, "stopped by the learner", NULL);
  } else {
    ol_trace_end(trace, outcome, "the drive was unplugged", NULL);
  }
}

OlTrace *sample_trace_new(const SampleOptions *given)
{
  SampleOptions options = given ? *given : (SampleOptions){0};
  options.steps = options.steps ? options.steps : 4;
  options.blocks = options.blocks ? options.blocks : 6;
  options.ranks = options.ranks ? options.ranks : 1;
  g_autoptr(OlTrace) whole = new_empty(&options);
  play(whole, options.steps);
  const OlStep *last = ol_trace_step(whole, options.steps - 1);
  gboolean complete = options.outcome == OL_OUTCOME_DONE && !options.growing;
  OlTrace *trace = cut(whole, complete ? G_MAXINT64 : (last->begin_ns + last->end_ns) / 2);
  if (!options.growing)
    end(trace, options.outcome);
  return trace;
}
