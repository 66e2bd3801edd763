/* Short words for traces made by hand, whose figures a test works out on paper. Times are in
 * milliseconds, so that sums stay readable. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

#define MS G_GINT64_CONSTANT(1000000)

guint hand_buffer(OlGraph *graph, guint rank, OlTier tier, OlPayload payload, OlBufferKind kind,
                  guint64 bytes);
/* A node of the step on unit 0; `after`: ids it waits for in this step, ended by -1. */
guint hand_node(OlGraph *graph, guint rank, OlLane lane, OlOp op, const int *after);
#define AFTER(...) ((const int[]){__VA_ARGS__, -1})
#define AT_ONCE    ((const int[]){-1})

/* An empty measured trace of the graph, which it takes over. */
OlTrace *hand_trace(OlGraph *graph);
void hand_span(OlTrace *trace, guint node, int step, gint64 begin_ms, gint64 end_ms, guint64 bytes);
void hand_step(OlTrace *trace, guint step, gint64 begin_ms, gint64 end_ms, double loss);
void hand_change(OlTrace *trace, gint64 time_ms, guint buffer, gint64 bytes);

/* One unit whose gradients go down, are used there, and whose weights come up; and its run. */
enum { LOOP_FILL, LOOP_FORWARD, LOOP_BACKWARD, LOOP_DOWN, LOOP_UPDATE, LOOP_UP, LOOP_HASH };
OlTrace *hand_loop(void);
void hand_play_loop(OlTrace *trace);

G_END_DECLS
