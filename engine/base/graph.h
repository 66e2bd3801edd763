/* The graph of a step: units, buffers and nodes, as a plan makes it and a trace begins with it.
 * Its structs are packed: the plan of 512 ranks has some ten million nodes.
 *
 * Ids count from 0 and index the arrays. Plain data: the plan fills it, the trace keeps a
 * reference, and metrics, dependency arrows and replay read nothing else. Bytes are real bytes
 * here; flops are multiply and add counted as two. */
#pragma once

#include "engine/base/words.h"

G_BEGIN_DECLS

#define OL_NONE (-1) /* no unit, no micro-batch, no buffer */

typedef enum {
  OL_BUFFER_HOME,      /* lives for the whole run; the only place of those bytes */
  OL_BUFFER_SLOT,      /* lives for the whole run; a ring filled and drained by lanes */
  OL_BUFFER_TRANSIENT, /* acquired and released by the compute lane, in plan order */
  OL_N_BUFFER_KINDS
} OlBufferKind;

const char *ol_buffer_kind_nick(OlBufferKind kind);
int ol_buffer_kind_from_nick(const char *nick, gssize length);

typedef struct {
  char *name; /* "embed", "block 0" …, "head" */
  guint64 parameters;
} OlGraphUnit;

typedef struct {
  guint rank;
  OlTier tier : 8;
  OlPayload payload : 8;
  OlBufferKind kind : 8;
  guint64 bytes;
} OlGraphBuffer;

/* In which steps a node is, when steps alternate. */
typedef enum { OL_STEPS_ALL, OL_STEPS_EVEN, OL_STEPS_ODD } OlSteps;

typedef struct {
  guint node : 31;
  guint steps_back : 1; /* 0: of this step (or part); 1: of the step before */
} OlWait;

/* Runs of an array in OlGraph: `first` and `n` index into waits or into buffer lists. */
typedef struct {
  guint first;
  guint n;
} OlRange;

typedef struct {
  guint rank;
  OlLane lane : 4;
  OlOp op : 4;
  OlPart part : 4;
  OlPiece piece : 4;      /* of a unit's pass */
  OlGroup group : 4;      /* of a collective or a message */
  OlPayload payload : 4;  /* what it moves or makes */
  OlSteps steps : 4;      /* in which it is */
  guint steps_behind : 4; /* 1: it works on the step before's results, and not at all in step 0 */
  gint16 unit;            /* or OL_NONE */
  gint16 micro_batch;     /* or OL_NONE */
  guint meeting;          /* nodes of several ranks with the same number end together, and lie side
                             by side; 0: none */
  guint64 bytes;          /* it moves over its lane's link, as planned; 0 for compute */
  double flops;
  OlRange waits;    /* in OlGraph.waits */
  OlRange acquires; /* in OlGraph.buffer_lists */
  OlRange releases; /* in OlGraph.buffer_lists */
} OlGraphNode;
G_STATIC_ASSERT(OL_N_OPS <= 1 << 4 && OL_N_LANES <= 1 << 4 && OL_N_PAYLOADS <= 1 << 4);

typedef struct {
  gatomicrefcount ref_count;
  guint n_ranks;
  GArray *units;        /* OlGraphUnit */
  GArray *buffers;      /* OlGraphBuffer */
  GArray *nodes;        /* OlGraphNode, in plan order: a wait of steps_back 0 points backwards */
  GArray *waits;        /* OlWait */
  GArray *buffer_lists; /* guint: buffer ids */
} OlGraph;

OlGraph *ol_graph_new(guint n_ranks);
OlGraph *ol_graph_ref(OlGraph *graph);
void ol_graph_unref(OlGraph *graph);

/* Append and return the new id. Names and arrays are copied. */
guint ol_graph_add_unit(OlGraph *graph, const char *name, guint64 parameters);
guint ol_graph_add_buffer(OlGraph *graph, const OlGraphBuffer *buffer);
/* The ranges of `node` are ignored and set from the arrays given. */
guint ol_graph_add_node(OlGraph *graph, const OlGraphNode *node, const OlWait *waits, guint n_waits,
                        const guint *acquires, guint n_acquires, const guint *releases,
                        guint n_releases);

static inline const OlGraphNode *ol_graph_node(const OlGraph *graph, guint id)
{
  return &g_array_index(graph->nodes, OlGraphNode, id);
}

static inline gboolean ol_graph_node_is_in_step(const OlGraphNode *node, guint step)
{
  return node->part == OL_PART_STEP &&
         (node->steps == OL_STEPS_ALL || (node->steps == OL_STEPS_ODD) == (step % 2 == 1));
}

static inline const OlGraphBuffer *ol_graph_buffer(const OlGraph *graph, guint id)
{
  return &g_array_index(graph->buffers, OlGraphBuffer, id);
}

static inline const OlGraphUnit *ol_graph_unit(const OlGraph *graph, guint id)
{
  return &g_array_index(graph->units, OlGraphUnit, id);
}

/* The first of range.n consecutive entries. Borrowed; valid until the graph grows. */
static inline const OlWait *ol_graph_waits(const OlGraph *graph, OlRange range)
{
  return &g_array_index(graph->waits, OlWait, range.first);
}

static inline const guint *ol_graph_buffer_list(const OlGraph *graph, OlRange range)
{
  return &g_array_index(graph->buffer_lists, guint, range.first);
}

/* A short label for a node: "FE" (embedding), "F3", "BH" (head), "U2". Caller frees. */
char *ol_graph_dup_node_label(const OlGraph *graph, guint node);

/* One sentence for a details line: "Backward of block 3, micro-batch 0". Caller frees. */
char *ol_graph_dup_node_title(const OlGraph *graph, guint node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlGraph, ol_graph_unref)

G_END_DECLS
