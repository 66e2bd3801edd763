#include "tests/charts/random-trace.h"

#define BUFFERS 40

static void add_nodes(OlGraph *graph)
{
  ol_graph_add_unit(graph, "embed", 1000);
  ol_graph_add_unit(graph, "block 0", 4000);
  ol_graph_add_unit(graph, "head", 1000);
  for (guint rank = 0; rank < graph->n_ranks; rank++)
    for (int lane = 0; lane < OL_N_LANES; lane++) {
      OlGraphNode node = {.rank = rank,
                          .lane = (OlLane)lane,
                          .op = lane == OL_LANE_COMPUTE       ? OL_OP_FORWARD
                                : lane == OL_LANE_HOST_UPDATE ? OL_OP_UPDATE
                                                              : OL_OP_COPY,
                          .part = OL_PART_STEP,
                          .payload = (OlPayload)(lane % OL_N_PAYLOADS),
                          .unit = 1,
                          .micro_batch = OL_NONE};
      ol_graph_add_node(graph, &node, NULL, 0, NULL, 0, NULL, 0);
    }
}

static void add_spans(OlTrace *trace, GRand *random, guint n)
{
  g_autofree gint64 *free_ns = g_new0(gint64, trace->graph->nodes->len);
  for (guint i = 0; i < n; i++) {
    guint node = (guint)g_rand_int_range(random, 0, (gint32)trace->graph->nodes->len);
    gint64 gap = g_rand_boolean(random) ? 0 : g_rand_int_range(random, 0, 4000);
    gint64 length = g_rand_int_range(random, 0, 10) == 0 ? 0 : g_rand_int_range(random, 1, 3000);
    OlSpan span = {.node = node,
                   .step = (int)(i * 4 / n),
                   .begin_ns = free_ns[node] + gap,
                   .end_ns = free_ns[node] + gap + length};
    free_ns[node] = span.end_ns;
    g_array_append_val(trace->spans, span);
  }
}

/* Buffers are acquired and released at random moments that never go back. */
static void add_changes(OlTrace *trace, GRand *random, guint n)
{
  gboolean held[BUFFERS] = {FALSE};
  gint64 now = 0;
  for (guint i = 0; i < n; i++) {
    guint buffer = (guint)g_rand_int_range(random, 0, BUFFERS);
    gint64 bytes = (gint64)ol_graph_buffer(trace->graph, buffer)->bytes;
    now += g_rand_int_range(random, 0, 900);
    OlMemoryChange change = {now, held[buffer] ? -bytes : bytes, buffer};
    held[buffer] = !held[buffer];
    g_array_append_val(trace->changes, change);
  }
}

OlTrace *random_trace_new(guint32 seed, guint n_spans, guint n_changes)
{
  GRand *random = g_rand_new_with_seed(seed);
  g_autoptr(OlGraph) graph = ol_graph_new(2);
  add_nodes(graph);
  for (guint i = 0; i < BUFFERS; i++) {
    OlGraphBuffer buffer = {i % 2, (OlTier)(i / 2 % OL_N_TIERS), (OlPayload)(i % OL_N_PAYLOADS),
                            OL_BUFFER_TRANSIENT, 1000 + 777 * i};
    ol_graph_add_buffer(graph, &buffer);
  }
  g_autoptr(GArray) capacities = g_array_new(FALSE, FALSE, sizeof(guint64));
  for (guint i = 0; i < 2 * OL_N_TIERS; i++) {
    guint64 bytes = 300000;
    g_array_append_val(capacities, bytes);
  }
  OlTraceHeader header = {.mu = 1, .kappa = 1, .slowdown = 1, .capacities = capacities};
  OlTrace *trace = ol_trace_new(OL_SOURCE_MEASURED, &header, graph);
  add_spans(trace, random, n_spans);
  add_changes(trace, random, n_changes);
  g_rand_free(random);
  return trace;
}
