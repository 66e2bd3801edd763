#include "tests/trace/hand-trace.h"

#include <math.h>

guint hand_buffer(OlGraph *graph, guint rank, OlTier tier, OlPayload payload, OlBufferKind kind,
                  guint64 bytes)
{
  OlGraphBuffer buffer = {rank, tier, payload, kind, bytes};
  return ol_graph_add_buffer(graph, &buffer);
}

guint hand_node(OlGraph *graph, guint rank, OlLane lane, OlOp op, const int *after)
{
  OlGraphNode node = {.rank = rank,
                      .lane = lane,
                      .op = op,
                      .part = OL_PART_STEP,
                      .payload = OL_PAYLOAD_WEIGHTS,
                      .micro_batch = OL_NONE};
  OlWait waits[8];
  guint n = 0;
  node.part = op == OL_OP_FILL ? OL_PART_FILL : op == OL_OP_HASH ? OL_PART_HASH : OL_PART_STEP;
  for (; after[n] >= 0; n++)
    waits[n] = (OlWait){after[n], 0};
  return ol_graph_add_node(graph, &node, waits, n, NULL, 0, NULL, 0);
}

OlTrace *hand_trace(OlGraph *graph)
{
  OlTraceHeader header = {NULL, NAN, NAN, NAN, NULL};
  OlTrace *trace = ol_trace_new(OL_SOURCE_MEASURED, &header, graph);
  ol_graph_unref(graph);
  return trace;
}

void hand_span(OlTrace *trace, guint node, int step, gint64 begin_ms, gint64 end_ms, guint64 bytes)
{
  OlSpan span = {node, step, begin_ms * MS, end_ms * MS, bytes};
  g_array_append_val(trace->spans, span);
}

void hand_step(OlTrace *trace, guint step, gint64 begin_ms, gint64 end_ms, double loss)
{
  OlStep record = {step, begin_ms * MS, end_ms * MS, loss, NAN};
  g_array_append_val(trace->steps, record);
}

void hand_change(OlTrace *trace, gint64 time_ms, guint buffer, gint64 bytes)
{
  OlMemoryChange change = {time_ms * MS, bytes, buffer};
  g_array_append_val(trace->changes, change);
}

OlTrace *hand_loop(void)
{
  OlGraph *graph = ol_graph_new(1);
  ol_graph_add_unit(graph, "block 0", 10);
  hand_node(graph, 0, OL_LANE_HOST_TO_GPU, OL_OP_FILL, AT_ONCE);
  hand_node(graph, 0, OL_LANE_COMPUTE, OL_OP_FORWARD, AT_ONCE);
  hand_node(graph, 0, OL_LANE_COMPUTE, OL_OP_BACKWARD, AFTER(LOOP_FORWARD));
  hand_node(graph, 0, OL_LANE_GPU_TO_HOST, OL_OP_COPY, AFTER(LOOP_BACKWARD));
  hand_node(graph, 0, OL_LANE_HOST_UPDATE, OL_OP_UPDATE, AFTER(LOOP_DOWN));
  hand_node(graph, 0, OL_LANE_HOST_TO_GPU, OL_OP_COPY, AFTER(LOOP_UPDATE));
  hand_node(graph, 0, OL_LANE_GPU_TO_HOST, OL_OP_HASH, AT_ONCE);
  return hand_trace(graph);
}

void hand_play_loop(OlTrace *trace)
{
  hand_span(trace, LOOP_FILL, -1, 0, 10, 100);
  /* The first step is slow and must not count. */
  hand_span(trace, LOOP_FORWARD, 0, 10, 50, 0);
  hand_span(trace, LOOP_BACKWARD, 0, 50, 70, 0);
  hand_span(trace, LOOP_DOWN, 0, 70, 85, 40);
  hand_span(trace, LOOP_UPDATE, 0, 85, 90, 0);
  hand_span(trace, LOOP_UP, 0, 90, 100, 30);
  hand_step(trace, 0, 10, 100, 4);
  hand_span(trace, LOOP_FORWARD, 1, 100, 110, 0);
  hand_span(trace, LOOP_BACKWARD, 1, 110, 130, 0);
  hand_span(trace, LOOP_DOWN, 1, 120, 135, 40);
  hand_span(trace, LOOP_UPDATE, 1, 135, 145, 0);
  hand_span(trace, LOOP_UP, 1, 145, 150, 30);
  hand_step(trace, 1, 100, 150, 2.5);
  hand_span(trace, LOOP_FORWARD, 2, 150, 160, 0);
  hand_span(trace, LOOP_BACKWARD, 2, 160, 180, 0);
  hand_span(trace, LOOP_DOWN, 2, 170, 190, 44);
  hand_span(trace, LOOP_UPDATE, 2, 190, 200, 0);
  hand_span(trace, LOOP_UP, 2, 200, 210, 30);
  hand_step(trace, 2, 150, 210, 0.1);
  hand_span(trace, LOOP_HASH, 3, 210, 220, 7);
}
