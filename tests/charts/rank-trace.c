#include "tests/charts/rank-trace.h"

#include <math.h>

/* Milliseconds of a pass of one stage and micro-batch; a fifth of each is sums on tensor ranks. */
#define FORWARD_MS  20
#define BACKWARD_MS 40
#define UPDATE_MS   10

#define MIB (1 << 20)

typedef struct {
  const RankTraceOptions *options;
  OlGraph *graph;
  OlTrace *trace;
  guint rank, stage;
  guint first; /* its nodes: forward, backward, sum and send of each micro-batch, then update */
  guint activation; /* its first buffer of activations, one a micro-batch */
} Rank;

enum { FORWARD, BACKWARD, SUM, SEND, N_KINDS };

static guint count_ranks(const RankTraceOptions *options)
{
  return options->data * options->pipeline * options->tensor;
}

static void add_node(const Rank *rank, OlLane lane, OlOp op, OlPayload payload, int micro_batch)
{
  OlGraphNode node = {.rank = rank->rank,
                      .lane = lane,
                      .op = op,
                      .part = OL_PART_STEP,
                      .payload = payload,
                      .unit = (int)rank->stage,
                      .micro_batch = micro_batch};
  ol_graph_add_node(rank->graph, &node, NULL, 0, NULL, 0, NULL, 0);
}

static void add_nodes(Rank *rank)
{
  rank->first = rank->graph->nodes->len;
  for (int m = 0; m < (int)rank->options->micro_batches; m++) {
    add_node(rank, OL_LANE_COMPUTE, OL_OP_FORWARD, OL_PAYLOAD_ACTIVATIONS, m);
    add_node(rank, OL_LANE_COMPUTE, OL_OP_BACKWARD, OL_PAYLOAD_GRADIENTS, m);
    add_node(rank, OL_LANE_PEER, OL_OP_ALL_REDUCE, OL_PAYLOAD_ACTIVATIONS, m);
    add_node(rank, OL_LANE_PEER, OL_OP_SEND, OL_PAYLOAD_ACTIVATIONS, m);
  }
  add_node(rank, OL_LANE_HOST_UPDATE, OL_OP_UPDATE, OL_PAYLOAD_MASTER, OL_NONE);
}

static void add_buffers(Rank *rank)
{
  guint share = rank->options->pipeline * rank->options->tensor;
  hand_buffer(rank->graph, rank->rank, OL_TIER_GPU, OL_PAYLOAD_WEIGHTS, OL_BUFFER_HOME,
              8 * MIB / share);
  hand_buffer(rank->graph, rank->rank, OL_TIER_HOST, OL_PAYLOAD_MASTER, OL_BUFFER_HOME,
              16 * MIB / share);
  rank->activation = rank->graph->buffers->len;
  for (guint m = 0; m < rank->options->micro_batches; m++)
    hand_buffer(rank->graph, rank->rank, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, OL_BUFFER_TRANSIENT,
                MIB / rank->options->tensor);
}

static guint node_of(const Rank *rank, guint micro_batch, guint kind)
{
  return rank->first + micro_batch * N_KINDS + kind;
}

/* One pass: whole, or in two halves with a sum after each. */
static void add_pass(const Rank *rank, guint micro_batch, guint kind, int step, gint64 begin_ms,
                     gint64 length_ms)
{
  guint node = node_of(rank, micro_batch, kind), sum = node_of(rank, micro_batch, SUM);
  if (rank->options->tensor == 1) {
    hand_span(rank->trace, node, step, begin_ms, begin_ms + length_ms, 0);
    return;
  }
  for (int half = 0; half < 2; half++) {
    gint64 from = begin_ms + half * length_ms / 2, computed = from + length_ms * 2 / 5;
    hand_span(rank->trace, node, step, from, computed, 0);
    hand_span(rank->trace, sum, step, computed, from + length_ms / 2, 1000);
  }
}

static void add_change(const Rank *rank, guint micro_batch, gint64 time_ms, int sign)
{
  guint buffer = rank->activation + micro_batch;
  gint64 bytes = (gint64)ol_graph_buffer(rank->graph, buffer)->bytes;
  hand_change(rank->trace, time_ms, buffer, sign * bytes);
}

static gint64 pass_ms(const RankTraceOptions *options)
{
  return (options->micro_batches + options->pipeline - 1) * (gint64)(FORWARD_MS + BACKWARD_MS);
}

static void play_step(const Rank *rank, int step, gint64 begin_ms)
{
  const RankTraceOptions *options = rank->options;
  guint m = options->micro_batches, p = options->pipeline;
  gint64 turn_ms = begin_ms + (gint64)(m + p - 1) * FORWARD_MS;
  for (guint i = 0; i < m; i++) {
    gint64 at = begin_ms + (gint64)(rank->stage + i) * FORWARD_MS;
    add_pass(rank, i, FORWARD, step, at, FORWARD_MS);
    add_change(rank, i, at, 1);
    if (rank->stage + 1 < p)
      hand_span(rank->trace, node_of(rank, i, SEND), step, at + FORWARD_MS, at + FORWARD_MS + 2,
                500);
  }
  for (guint i = 0; i < m; i++) {
    gint64 at = turn_ms + (gint64)(p - 1 - rank->stage + i) * BACKWARD_MS;
    add_pass(rank, i, BACKWARD, step, at, BACKWARD_MS);
    add_change(rank, i, at + BACKWARD_MS, -1);
  }
  gint64 end_ms = begin_ms + pass_ms(options);
  hand_span(rank->trace, rank->first + N_KINDS * m, step, end_ms, end_ms + UPDATE_MS, 0);
}

static void hold_homes(OlTrace *trace)
{
  for (guint i = 0; i < trace->graph->buffers->len; i++) {
    const OlGraphBuffer *buffer = ol_graph_buffer(trace->graph, i);
    if (buffer->kind == OL_BUFFER_HOME)
      hand_change(trace, 0, i, (gint64)buffer->bytes);
  }
}

static OlTrace *new_empty(const RankTraceOptions *options, OlGraph *graph)
{
  g_autoptr(GArray) capacities = g_array_new(FALSE, FALSE, sizeof(guint64));
  guint64 tiers[OL_N_TIERS] = {24 * MIB, 64 * MIB, 0};
  for (guint r = 0; r < graph->n_ranks; r++)
    g_array_append_vals(capacities, tiers, OL_N_TIERS);
  g_autofree char *config = g_strdup_printf(
      "{\"model\": {\"layers\": %u, \"width\": 128, \"heads\": 16}, \"batch\": {\"micro_batches\": "
      "%u}, \"parallel\": {\"data\": %u, \"pipeline\": %u, \"tensor\": %u}}",
      options->pipeline, options->micro_batches, options->data, options->pipeline, options->tensor);
  OlTraceHeader header = {config, 1, 1, NAN, capacities};
  return ol_trace_new(OL_SOURCE_SIMULATED, &header, graph);
}

static int compare_times(gconstpointer a, gconstpointer b)
{
  const OlMemoryChange *x = a, *y = b;
  return x->time_ns != y->time_ns ? (x->time_ns < y->time_ns ? -1 : 1)
                                  : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

OlTrace *rank_trace_new(const RankTraceOptions *options)
{
  guint n = count_ranks(options);
  g_autoptr(OlGraph) graph = ol_graph_new(n);
  g_autofree Rank *ranks = g_new0(Rank, n);
  for (guint stage = 0; stage < options->pipeline; stage++) {
    g_autofree char *name = g_strdup_printf("block %u", stage);
    ol_graph_add_unit(graph, name, 196608);
  }
  for (guint r = 0; r < n; r++) {
    ranks[r] = (Rank){.options = options, .graph = graph, .rank = r};
    ranks[r].stage = r / options->tensor % options->pipeline;
    add_nodes(&ranks[r]);
    add_buffers(&ranks[r]);
  }
  OlTrace *trace = new_empty(options, graph);
  hold_homes(trace);
  gint64 length_ms = pass_ms(options) + UPDATE_MS;
  for (guint step = 0; step < options->steps; step++) {
    for (guint r = 0; r < n; r++) {
      ranks[r].trace = trace;
      play_step(&ranks[r], (int)step, step * length_ms);
    }
    hand_step(trace, step, step * length_ms, (step + 1) * length_ms, 2);
  }
  g_array_sort(trace->changes, compare_times);
  ol_trace_end(trace, OL_OUTCOME_DONE, NULL, NULL);
  return trace;
}

double rank_trace_bubble(const RankTraceOptions *options)
{
  double m = options->micro_batches, whole = (double)pass_ms(options);
  if (options->tensor == 1)
    return 1 - m * (FORWARD_MS + BACKWARD_MS) / whole;
  /* The last sum of all comes after the last backward. */
  return 1 - m * 0.8 * (FORWARD_MS + BACKWARD_MS) / (whole - 0.1 * BACKWARD_MS);
}
