#include "tests/trace/sample-trace.h"

#include <math.h>
#include <string.h>

/* The reference model of the lessons: width 128, 6 blocks; times as on an A100 a thousand times
 * slower (design section 4, worked example). */
#define WIDTH            128
#define BLOCK_PARAMETERS (12 * WIDTH * WIDTH)
#define EMBED_PARAMETERS ((64 + 128) * WIDTH)
#define HEAD_PARAMETERS  (64 * WIDTH)
#define ACTIVATION_BYTES (2 * 1024 * 1024)
#define SLOWDOWN         1000
#define FORWARD_NS       (0.117 * SLOWDOWN) /* a parameter */
#define BACKWARD_NS      (0.233 * SLOWDOWN)
#define LINK_NS          (0.083 * SLOWDOWN)
#define PEER_NS          (0.020 * SLOWDOWN)
#define UPDATE_NS        (0.190 * SLOWDOWN)
#define RING             2 /* slots on the host for each direction */
#define GPU_CAPACITY     (24u << 20)
#define HOST_CAPACITY    (64u << 20)
#define TOKENS_PER_STEP  512
#define NO_NODE          G_MAXUINT

/* One rank's ids, to wire the nodes. */
typedef struct {
  guint *activations;                                    /* [units] buffers */
  guint *forward, *backward, *sent, *updated, *returned; /* [units] nodes */
} Rank;

typedef struct {
  guint n_units, n_ranks;
  gboolean serial;
  OlGraph *graph;
  Rank *ranks;
  guint last; /* the node added last, for serial plans */
} Builder;

static guint64 unit_parameters(const Builder *builder, guint unit)
{
  return ol_graph_unit(builder->graph, unit)->parameters;
}

static guint add_buffer(Builder *builder, guint rank, OlTier tier, OlPayload payload,
                        OlBufferKind kind, guint64 bytes)
{
  OlGraphBuffer buffer = {rank, tier, payload, kind, bytes};
  return ol_graph_add_buffer(builder->graph, &buffer);
}

static void add_homes(Builder *builder, guint rank, OlTier tier, OlPayload payload,
                      guint64 bytes_per_parameter)
{
  for (guint u = 0; u < builder->n_units; u++)
    add_buffer(builder, rank, tier, payload, OL_BUFFER_HOME,
               bytes_per_parameter * unit_parameters(builder, u));
}

static void add_rank_buffers(Builder *builder, guint r)
{
  Rank *rank = &builder->ranks[r];
  add_homes(builder, r, OL_TIER_GPU, OL_PAYLOAD_WEIGHTS, 2);
  add_homes(builder, r, OL_TIER_GPU, OL_PAYLOAD_GRADIENTS, 2);
  add_homes(builder, r, OL_TIER_HOST, OL_PAYLOAD_MASTER, 4);
  add_homes(builder, r, OL_TIER_HOST, OL_PAYLOAD_MOMENT1, 4);
  add_homes(builder, r, OL_TIER_HOST, OL_PAYLOAD_MOMENT2, 4);
  for (guint i = 0; i < RING; i++)
    add_buffer(builder, r, OL_TIER_HOST, OL_PAYLOAD_GRADIENTS, OL_BUFFER_SLOT,
               2 * BLOCK_PARAMETERS);
  for (guint i = 0; i < RING; i++)
    add_buffer(builder, r, OL_TIER_HOST, OL_PAYLOAD_WEIGHTS, OL_BUFFER_SLOT, 2 * BLOCK_PARAMETERS);
  for (guint u = 0; u < builder->n_units; u++)
    rank->activations[u] = add_buffer(builder, r, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS,
                                      OL_BUFFER_TRANSIENT, ACTIVATION_BYTES);
}

/* NO_NODE among the waits means that there is nothing to wait for. */
static guint add_node(Builder *builder, OlGraphNode node, const OlWait *wanted, guint n_wanted,
                      const guint *acquire, const guint *release)
{
  OlWait waits[4];
  guint n = 0;
  for (guint i = 0; i < n_wanted; i++)
    if (wanted[i].node != NO_NODE)
      waits[n++] = wanted[i];
  if (builder->serial && builder->last != NO_NODE)
    waits[n++] = (OlWait){builder->last, 0};
  builder->last = ol_graph_add_node(builder->graph, &node, waits, n, acquire, acquire ? 1 : 0,
                                    release, release ? 1 : 0);
  return builder->last;
}

static OlGraphNode copy_node(Builder *builder, guint rank, OlLane lane, OlPayload payload,
                             guint unit)
{
  return (OlGraphNode){.rank = rank,
                       .lane = lane,
                       .op = OL_OP_COPY,
                       .part = OL_PART_STEP,
                       .payload = payload,
                       .unit = unit,
                       .micro_batch = OL_NONE,
                       .bytes = 2 * unit_parameters(builder, unit)};
}

/* Writes or reads the homes of one rank. */
static void add_homes_nodes(Builder *builder, guint r, OlPart part)
{
  OlOp op = part == OL_PART_FILL ? OL_OP_FILL : OL_OP_HASH;
  OlLane link = part == OL_PART_FILL ? OL_LANE_HOST_TO_GPU : OL_LANE_GPU_TO_HOST;
  builder->last = NO_NODE;
  for (guint u = 0; u < builder->n_units; u++) {
    guint64 bytes = 2 * unit_parameters(builder, u);
    OlGraphNode weights = {.rank = r,
                           .lane = link,
                           .op = op,
                           .part = part,
                           .unit = u,
                           .payload = OL_PAYLOAD_WEIGHTS,
                           .micro_batch = OL_NONE,
                           .bytes = bytes};
    OlGraphNode master = weights;
    master.lane = OL_LANE_HOST_UPDATE;
    master.payload = OL_PAYLOAD_MASTER;
    master.bytes = 0;
    add_node(builder, weights, NULL, 0, NULL, NULL);
    add_node(builder, master, NULL, 0, NULL, NULL);
  }
}

/* The first forward waits for the last copy of the step before, which comes later in the plan: so
 * the ids of those copies are worked out beforehand. */
static void foresee_returned(Builder *builder, Rank *rank)
{
  guint nodes_a_unit = builder->n_ranks > 1 ? 5 : 4;
  guint backward_begin = builder->graph->nodes->len + builder->n_units;
  for (guint u = 0; u < builder->n_units; u++)
    rank->returned[u] = backward_begin + (builder->n_units - u) * nodes_a_unit - 1;
}

static void add_forward(Builder *builder, guint r)
{
  Rank *rank = &builder->ranks[r];
  for (guint u = 0; u < builder->n_units; u++) {
    OlGraphNode node = {.rank = r,
                        .lane = OL_LANE_COMPUTE,
                        .op = OL_OP_FORWARD,
                        .part = OL_PART_STEP,
                        .payload = OL_PAYLOAD_ACTIVATIONS,
                        .unit = u,
                        .flops = 2.0 * TOKENS_PER_STEP * unit_parameters(builder, u)};
    OlWait waits[] = {{rank->returned[u], 1}, {u > 0 ? rank->forward[u - 1] : NO_NODE, 0}};
    rank->forward[u] = add_node(builder, node, waits, 2, &rank->activations[u], NULL);
  }
}

static void add_backward(Builder *builder, guint r, guint u)
{
  Rank *rank = &builder->ranks[r];
  gboolean ring_full = u + RING < builder->n_units;
  OlGraphNode back = {.rank = r,
                      .lane = OL_LANE_COMPUTE,
                      .op = OL_OP_BACKWARD,
                      .part = OL_PART_STEP,
                      .payload = OL_PAYLOAD_GRADIENTS,
                      .unit = u,
                      .flops = 4.0 * TOKENS_PER_STEP * unit_parameters(builder, u)};
  OlWait after_next = {u + 1 < builder->n_units ? rank->backward[u + 1] : rank->forward[u], 0};
  rank->backward[u] = add_node(builder, back, &after_next, 1, NULL, &rank->activations[u]);

  guint ready = rank->backward[u];
  if (builder->n_ranks > 1) {
    OlGraphNode sum = copy_node(builder, r, OL_LANE_PEER, OL_PAYLOAD_GRADIENTS, u);
    ready = add_node(builder, sum, &(OlWait){ready, 0}, 1, NULL, NULL);
  }
  OlGraphNode down = copy_node(builder, r, OL_LANE_GPU_TO_HOST, OL_PAYLOAD_GRADIENTS, u);
  OlWait down_waits[] = {{ready, 0}, {ring_full ? rank->updated[u + RING] : NO_NODE, 0}};
  rank->sent[u] = add_node(builder, down, down_waits, 2, NULL, NULL);

  OlGraphNode update = {.rank = r,
                        .lane = OL_LANE_HOST_UPDATE,
                        .op = OL_OP_UPDATE,
                        .part = OL_PART_STEP,
                        .payload = OL_PAYLOAD_MASTER,
                        .unit = u,
                        .micro_batch = OL_NONE,
                        .flops = 15.0 * unit_parameters(builder, u)};
  OlWait update_waits[] = {{rank->sent[u], 0}, {ring_full ? rank->returned[u + RING] : NO_NODE, 0}};
  rank->updated[u] = add_node(builder, update, update_waits, 2, NULL, NULL);

  OlGraphNode up = copy_node(builder, r, OL_LANE_HOST_TO_GPU, OL_PAYLOAD_WEIGHTS, u);
  guint returned = add_node(builder, up, &(OlWait){rank->updated[u], 0}, 1, NULL, NULL);
  g_assert_cmpuint(returned, ==, rank->returned[u]);
}

static void new_rank(Rank *rank, guint n_units)
{
  guint **arrays[] = {&rank->activations, &rank->forward, &rank->backward,
                      &rank->sent,        &rank->updated, &rank->returned};
  for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
    *arrays[i] = g_new0(guint, n_units);
}

static void clear_rank(Rank *rank)
{
  guint *arrays[] = {rank->activations, rank->forward, rank->backward,
                     rank->sent,        rank->updated, rank->returned};
  for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
    g_free(arrays[i]);
}

static void add_units(OlGraph *graph, guint blocks)
{
  ol_graph_add_unit(graph, "embed", EMBED_PARAMETERS);
  for (guint i = 0; i < blocks; i++) {
    g_autofree char *name = g_strdup_printf("block %u", i);
    ol_graph_add_unit(graph, name, BLOCK_PARAMETERS);
  }
  ol_graph_add_unit(graph, "head", HEAD_PARAMETERS);
}

static OlGraph *build_graph(const SampleOptions *options)
{
  Builder builder = {.n_units = options->blocks + 2,
                     .n_ranks = options->ranks,
                     .serial = options->serial,
                     .graph = ol_graph_new(options->ranks),
                     .ranks = g_new0(Rank, options->ranks)};
  add_units(builder.graph, options->blocks);
  for (guint r = 0; r < options->ranks; r++) {
    new_rank(&builder.ranks[r], builder.n_units);
    add_rank_buffers(&builder, r);
  }
  for (guint r = 0; r < options->ranks; r++)
    add_homes_nodes(&builder, r, OL_PART_FILL);
  for (guint r = 0; r < options->ranks; r++) {
    builder.last = NO_NODE;
    foresee_returned(&builder, &builder.ranks[r]);
    add_forward(&builder, r);
    for (guint u = builder.n_units; u-- > 0;)
      add_backward(&builder, r, u);
  }
  for (guint r = 0; r < options->ranks; r++)
    add_homes_nodes(&builder, r, OL_PART_HASH);
  for (guint r = 0; r < options->ranks; r++)
    clear_rank(&builder.ranks[r]);
  g_free(builder.ranks);
  return builder.graph;
}

/* The second half: when each node begins and ends, as a lane and its waits allow. */
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
  g_autoptr(OlGraph) graph = build_graph(options);
  g_autoptr(GArray) capacities = g_array_new(FALSE, FALSE, sizeof(guint64));
  guint64 tiers[OL_N_TIERS] = {GPU_CAPACITY, HOST_CAPACITY, 0};
  for (guint r = 0; r < options->ranks; r++)
    g_array_append_vals(capacities, tiers, OL_N_TIERS);
  g_autofree char *config =
      g_strdup_printf("{\"name\":\"sample\",\"steps\":%u,\"model\":{\"layers\":%u,\"width\":%d}}",
                      options->steps, options->blocks, WIDTH);
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
  ol_trace_set_number(part, "tokens.per_step", TOKENS_PER_STEP);
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
