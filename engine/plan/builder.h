/* How the ideas of this room write a plan down: buffers, then the nodes of one step in plan order,
 * each with the buffers that it uses. Waits are not written: they follow from who reads and writes
 * what (waits.c), so that a new placement is a choice of buffers and an order of nodes. */
#pragma once

#include "engine/plan/plan.h"

G_BEGIN_DECLS

/* The buffers of a unit. Which exist, and where, depends on the placement. */
typedef struct {
  int weights, gradient, accumulator, master, moment1, moment2; /* homes */
} OlUnitHomes;

/* A ring of slots: each filled by one lane and drained by another. */
typedef struct {
  GArray *slots; /* guint: buffer ids */
  guint next;
} OlRing;

/* A node as written: ranges of the graph node are set when the plan is sealed. */
typedef struct {
  OlGraphNode node;
  OlOperands operands;
  GArray *acquires, *releases; /* guint, or NULL */
  int gate; /* a node (of this step) whose end this one must also await, or OL_NONE */
  gboolean gate_is_of_step_before;
} OlDraft;

typedef struct {
  OlPlan *plan;
  const OlRunConfig *config;
  const OlShape *shape;
  guint rank;
  OlUnitHomes *homes;        /* [n_units] */
  int staging;               /* host slot through which fills and hashes of GPU homes go */
  GPtrArray *drafts;         /* OlDraft, in plan order: fill, step, hash */
  int lane_gate[OL_N_LANES]; /* node that the lane's next node must await, or OL_NONE */
} OlBuilder;

/* Bytes of one element on the wire, and of `parameters` of them. */
guint64 ol_builder_wire_bytes(const OlBuilder *builder, guint unit);
gboolean ol_builder_is_fp32(const OlBuilder *builder);

guint ol_builder_add_buffer(OlBuilder *builder, OlTier tier, OlPayload payload, OlBufferKind kind,
                            guint64 bytes);

/* min(prefetch + 1, units) slots, each as large as the largest unit at `bytes_per_parameter`. */
void ol_ring_init(OlRing *ring, OlBuilder *builder, OlTier tier, OlPayload payload,
                  guint bytes_per_parameter);
void ol_ring_clear(OlRing *ring);
guint ol_ring_take(OlRing *ring); /* the next slot's buffer */

/* Appends a node; the draft stays the builder's. Operands start as OL_NONE. */
OlDraft *ol_builder_add_node(OlBuilder *builder, OlPart part, OlOp op, OlLane lane,
                             OlPayload payload, int unit, int micro_batch);
guint ol_draft_id(const OlBuilder *builder, const OlDraft *draft);
void ol_draft_acquire(OlDraft *draft, guint buffer);
void ol_draft_release(OlDraft *draft, guint buffer);

/* A copy of unit's payload from one buffer to another over `lane`. */
OlDraft *ol_builder_add_copy(OlBuilder *builder, OlLane lane, OlPayload payload, int unit,
                             int micro_batch, guint source, guint target, guint64 bytes);

/* With write_back false, the lane that filled a slot does nothing more until `drain` has ended. */
void ol_builder_await_drain(OlBuilder *builder, OlLane filler, const OlDraft *drain);

/* The ideas, a file each. */

/* compute.c: forward and backward of one unit; GRADIENT of the backward is given. */
typedef struct {
  int *boundary, *inner, *d_boundary; /* [n_units] of the current micro-batch */
} OlActivations;
void ol_compute_init(OlBuilder *builder, OlActivations *activations);
void ol_compute_clear(OlActivations *activations);
void ol_compute_forward(OlBuilder *builder, OlActivations *activations, guint unit,
                        guint micro_batch);
/* `transient`: the gradient is acquired by this node and released by a later one. */
void ol_compute_backward(OlBuilder *builder, OlActivations *activations, guint unit,
                         guint micro_batch, guint gradient, gboolean transient);

/* A gradient's way, from each micro-batch's backward to the finished sum: gradients-on-gpu.c,
 * gradients-on-host.c. And who updates: update-on-gpu.c, update-on-host.c. build.c has the table.
 */
typedef struct OlGradientPath OlGradientPath;
struct OlGradientPath {
  void (*declare)(OlBuilder *builder, gpointer state);
  /* Adds the backward of `unit` and what follows it; `last` is the step's last micro-batch. */
  void (*backward)(OlBuilder *builder, gpointer state, OlActivations *activations, guint unit,
                   guint micro_batch, gboolean last);
  void (*clear)(gpointer state);
  gsize state_size;
};
extern const OlGradientPath ol_gradients_on_gpu;
extern const OlGradientPath ol_gradients_on_host;

typedef struct {
  void (*declare)(OlBuilder *builder, gpointer state);
  /* The unit's gradient is finished, in its home or accumulator. */
  void (*unit_ready)(OlBuilder *builder, gpointer state, guint unit);
  void (*step_end)(OlBuilder *builder, gpointer state); /* or NULL */
  void (*clear)(gpointer state);
  gsize state_size;
} OlUpdatePath;
extern const OlUpdatePath ol_update_on_gpu;
extern const OlUpdatePath ol_update_on_host;

/* An update node on `lane` with the unit's states, and the gradient that lies nearest. */
OlDraft *ol_builder_add_update(OlBuilder *builder, OlLane lane, guint unit, int gradient,
                               int accumulator, int weights_out);

/* homes.c: what is filled before the first step and hashed after the last. */
void ol_homes_declare(OlBuilder *builder);
void ol_homes_fill(OlBuilder *builder);
void ol_homes_hash(OlBuilder *builder);

/* waits.c: from drafts to the graph's nodes, with their waits. */
void ol_builder_seal(OlBuilder *builder);

/* occupancy.c: every buffer's address, and the peaks. */
void ol_plan_occupy(OlPlan *plan);

G_END_DECLS
