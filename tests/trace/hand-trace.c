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
