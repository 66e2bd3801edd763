#include "tests/trace/sample-graph.h"

/* The reference model of the lessons: width 128, 6 blocks. */
#define WIDTH            SAMPLE_WIDTH
#define BLOCK_PARAMETERS (12 * WIDTH * WIDTH)
#define EMBED_PARAMETERS ((64 + 128) * WIDTH)
#define HEAD_PARAMETERS  (64 * WIDTH)
#define ACTIVATION_BYTES (2 * 1024 * 1024)
#define RING             2        /* slots on the host for each direction */
#define NO_NODE          G_MAXINT /* the most that a wait can name */

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
                        .flops = 2.0 * SAMPLE_TOKENS_PER_STEP * unit_parameters(builder, u)};
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
                      .flops = 4.0 * SAMPLE_TOKENS_PER_STEP * unit_parameters(builder, u)};
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

OlGraph *sample_graph_new(const SampleOptions *options)
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
