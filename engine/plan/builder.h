/* How the ideas of this room write a plan down: buffers, then the nodes of one step in plan order,
 * each with the buffers that it uses. Waits are not written: they follow from who reads and writes
 * what (waits.c), so that a new placement is a choice of buffers and an order of nodes. */
#pragma once

#include "engine/plan/plan.h"

G_BEGIN_DECLS

/* The homes of a unit. Which exist, and on which tier, depends on the placement. */
typedef struct {
  int weights, gradient, accumulator, master, moment1, moment2; /* ids or OL_NONE */
} OlUnitHomes;

/* Units that follow one another: a stage of the model. A rank of the pipeline has parallel.chunks
 * of them; chunk c of the p-th rank is stage c · pipeline + p. */
typedef struct {
  guint first, end; /* units first … end - 1 */
  guint before;     /* units of the rank's earlier chunks */
} OlChunk;

/* A ring of slots: each filled by one lane and drained by another. */
typedef struct {
  GArray *slots; /* guint: buffer ids; NULL when the ring was never made */
  guint next;
} OlRing;

/* Bytes that a node moves on a data rank: `all` alike on every one, and `each` for every element
 * that is the rank's own part of the node's unit. */
typedef struct {
  gint64 all, each;
} OlBytes;

/* A node as written: bytes and ranges of the graph node are set when the plan is sealed. */
typedef struct {
  OlGraphNode node;
  OlBytes bytes;
  OlOperands operands;
  GArray *acquires, *releases; /* guint, or NULL */
  int gate; /* a node (of this step) whose end this one must also await, or OL_NONE */
  gboolean gate_is_of_step_before;
  OlWait waits[OL_N_LANES]; /* on drafts, until the graph has ids for them */
  guint n_waits;
  GArray *foreign; /* OlForeignWait, or NULL */
} OlDraft;

/* A wait on a draft of another builder. */
typedef struct {
  guint builder;
  OlWait wait;
} OlForeignWait;

/* What the ranks of one stage do. They differ in their data index alone, so they do the same, each
 * with buffers of its own and its own part of what is sharded: written once, for the first of them
 * (graph-order.c makes the others' nodes). */
typedef struct {
  OlPlan *plan;
  const OlRunConfig *config;
  const OlShape *shape;
  guint rank;                     /* of the first: its number among the builders too */
  guint first_buffer, n_buffers;  /* its buffers follow one another */
  guint stage;                    /* of the pipeline: which of its ranks these are */
  guint slice;                    /* of sliced blocks, over tensor ranks */
  OlChunk *chunks;                /* [parallel.chunks], from the model's first units on */
  guint *units, n_units;          /* of all its chunks, in that order */
  const struct OlTurns *turns;    /* borrowed: of all ranks of the pipeline */
  guint collectives[OL_N_GROUPS]; /* added so far: SPMD, so the n-th of every rank of a group are
                                     one meeting */
  OlPart part;                    /* of the nodes that are being added */
  OlSteps steps;                  /* and the steps they are in */
  OlUnitHomes *homes;             /* [n_units] */
  int staging;               /* host slot through which fills and hashes of GPU and NVMe homes go */
  int partials[2];           /* GPU slots that take turns: sums over tensor ranks, or OL_NONE */
  guint n_partials;          /* taken so far */
  int bounce[OL_N_LANES];    /* host slot that a pageable copy passes through, by lane */
  GPtrArray *drafts;         /* OlDraft, in plan order: fill, step, hash */
  int lane_gate[OL_N_LANES]; /* node that the lane's next node must await, or OL_NONE */
} OlBuilder;

/* Of the rank's own units: its chunk, its place in `units`, whether it begins or ends its chunk. */
const OlChunk *ol_builder_chunk_of(const OlBuilder *builder, guint unit);
guint ol_builder_place_of(const OlBuilder *builder, guint unit);
gboolean ol_builder_is_first(const OlBuilder *builder, guint unit);
gboolean ol_builder_is_last(const OlBuilder *builder, guint unit);
/* Of any unit. */
gboolean ol_builder_has_unit(const OlBuilder *builder, guint unit);

gboolean ol_builder_is_fp32(const OlBuilder *builder);
/* Bytes of a unit's weights, or of its gradient on the wire: of all of it. */
guint64 ol_builder_wire_bytes(const OlBuilder *builder, guint unit);
/* The part of a unit that the first rank updates (the others make as much room), and the elements
 * that each makes room for of a payload at home. */
OlShard ol_builder_shard(const OlBuilder *builder, guint unit);
guint64 ol_builder_home_elements(const OlBuilder *builder, OlPayload payload, guint unit);
OlBytes ol_bytes_all(guint64 bytes);
/* A rank's bytes of a payload at home, padding left out. */
OlBytes ol_builder_home_bytes(const OlBuilder *builder, OlPayload payload, guint unit,
                              guint element_bytes);
gboolean ol_builder_is_sharded(const OlBuilder *builder, OlPayload payload);
/* Whether sums over ranks are needed. */
gboolean ol_builder_has_replicas(const OlBuilder *builder);
/* Where a unit's optimizer states live, and where it is updated: gpu_fraction of the units have
 * both on the GPU, whatever the placement of the rest. */
OlTier ol_builder_states_tier(const OlBuilder *builder, guint unit);
OlTier ol_builder_update_tier(const OlBuilder *builder, guint unit);
OlLane ol_update_lane(OlTier tier);

guint ol_builder_add_buffer(OlBuilder *builder, OlTier tier, OlPayload payload, OlBufferKind kind,
                            guint64 bytes);

/* min(prefetch + 1, units) slots of `bytes` each. */
void ol_ring_init(OlRing *ring, OlBuilder *builder, OlTier tier, OlPayload payload, guint64 bytes);
/* In a delayed update every unit's gradient and new weights wait at once: a slot a unit. */
void ol_ring_init_at_least(OlRing *ring, OlBuilder *builder, OlTier tier, OlPayload payload,
                           guint64 bytes, guint at_least);
/* Slots for the largest unit, or for this rank's largest shard of one. */
typedef enum { OL_WHOLE_UNITS, OL_SHARDS } OlExtent;
void ol_ring_init_for_units(OlRing *ring, OlBuilder *builder, OlTier tier, OlPayload payload,
                            guint bytes_per_parameter, OlExtent extent);
void ol_ring_clear(OlRing *ring);
guint ol_ring_take(OlRing *ring); /* the next slot's buffer */

/* Appends a node; the draft stays the builder's. Operands start as OL_NONE. */
OlDraft *ol_builder_add_node(OlBuilder *builder, OlOp op, OlLane lane, OlPayload payload, int unit,
                             int micro_batch);
void ol_draft_acquire(OlDraft *draft, guint buffer);
void ol_draft_release(OlDraft *draft, guint buffer);

/* A copy of a unit's payload from one buffer to another over `lane`. */
OlDraft *ol_builder_add_copy(OlBuilder *builder, OlLane lane, OlPayload payload, int unit,
                             int micro_batch, guint source, guint target, OlBytes bytes);

/* A collective of the data group on the peer lane: from `source` to `target`. */
OlDraft *ol_builder_add_collective(OlBuilder *builder, OlOp op, OlPayload payload, int unit,
                                   int micro_batch, guint source, guint target);

/* `draft` is a collective of a group of ranks that this one belongs to. */
void ol_builder_meet(OlBuilder *builder, OlDraft *draft, OlGroup group);

/* tensor.c: sums over the ranks that have the slices of a block. */
void ol_tensor_init(OlBuilder *builder);
/* The pieces of a unit's pass, in order. */
typedef struct {
  guint n;
  OlPiece piece[3];
} OlPieces;
OlPieces ol_tensor_pieces(const OlBuilder *builder, guint unit, OlOp op);
/* Gives a piece of a pass its SUMMED and PARTIAL, and sums what it writes. `summed` is the sum of
 * the piece before, or OL_NONE; returns this one's, or OL_NONE when it writes none. */
int ol_tensor_exchange(OlBuilder *builder, OlDraft *draft, int summed);
/* norms.c: the exchange of all ranks' parts of the clipping norm, and what a rank receives. */
OlDraft *ol_builder_add_norm_exchange(OlBuilder *builder, guint norms);
guint64 ol_norm_exchange_bytes(const OlBuilder *builder, guint data_index);

/* With write_back false, the lane that filled a slot does nothing more until `drain` has ended. */
void ol_builder_await_drain(OlBuilder *builder, OlLane filler, const OlDraft *drain);

/* carry.c: a payload on its way between tiers, which is NVMe - host - GPU: a ring at every stop. */
typedef struct {
  OlPayload payload;
  OlRing at[OL_N_TIERS];
} OlCarrier;

/* The buffers a payload of one unit passed through, by tier; OL_NONE where it did not. */
typedef struct {
  int stop[OL_N_TIERS];
} OlTrip;

/* Rings at each tier on the way, `from` left out; `to` left out as well when it ends in a home. */
void ol_carrier_init(OlCarrier *carrier, OlBuilder *builder, OlPayload payload,
                     guint bytes_per_parameter, OlExtent extent, OlTier from, OlTier to,
                     gboolean ends_in_home);
void ol_carrier_clear(OlCarrier *carrier);
OlDraft *ol_carrier_hop(OlCarrier *carrier, OlBuilder *builder, guint unit, int micro_batch,
                        OlBytes bytes, OlTier from, OlTier to, guint source, guint target);
/* Copies from `source` on tier `from` to tier `to`, into `home` there or (OL_NONE) the next slot;
 * the end's buffer is trip->stop[to]. `filler` is the lane that filled `source` when that is an
 * outgoing slot, else -1. */
void ol_carrier_bring(OlCarrier *carrier, OlBuilder *builder, guint unit, int micro_batch,
                      OlBytes bytes, guint source, OlTier from, OlTier to, int home, int filler,
                      OlTrip *trip);
/* The way back through the same slots, after they were changed in place by lane `filler`. */
void ol_carrier_return(OlCarrier *carrier, OlBuilder *builder, guint unit, OlBytes bytes,
                       OlTier from, OlTier to, int filler, const OlTrip *trip);

/* The ideas, a file each; every one has its state, made before the first node. */

/* weights.c: weights from their home to the GPU for each use, and home again after an update. */
typedef struct {
  OlCarrier up;               /* home to GPU */
  OlCarrier home[OL_N_TIERS]; /* by the tier of the update: from there home */
  OlRing out[OL_N_TIERS];     /* by the tier of the update: written by it */
  OlRing gathered;            /* on the GPU: whole units, gathered from shards for one use */
} OlWeightsPath;
void ol_weights_init(OlWeightsPath *path, OlBuilder *builder);
void ol_weights_clear(OlWeightsPath *path);
guint ol_weights_fetch(OlWeightsPath *path, OlBuilder *builder, guint unit, int micro_batch);
/* The buffer that the unit's update writes (in fp32 its home: weights are their own master), and
 * its way home afterwards. */
guint ol_weights_take_out(OlWeightsPath *path, OlBuilder *builder, guint unit);
void ol_weights_deliver(OlWeightsPath *path, OlBuilder *builder, guint unit, guint out);

/* stages.c: stage i of the model has the units first[i] … first[i + 1] - 1; first: [stages + 1]. */
void ol_stages_divide(const OlShape *shape, guint stages, guint *first);
/* The chunks of the stage-th rank of the pipeline: [parallel.chunks]; caller frees. */
OlChunk *ol_stages_dup_chunks(const OlShape *shape, const OlRunConfig *config, guint stage);

/* schedule.c: what the ranks of the pipeline do in a step, in their order: all of a chunk at a
 * time, forward or backward. */
typedef struct {
  gboolean backward;
  guint chunk, micro_batch;
  gboolean is_ahead; /* its message is received before that of the turn before is sent */
} OlTurn;
typedef struct OlTurns {
  guint n_ranks;
  GArray **of;         /* [n_ranks]: OlTurn */
  guint (*waiting)[2]; /* [n_ranks][backward]: messages that have come and are still to be used, at
                          the most, when each is sent at once */
} OlTurns;
OlTurns *ol_turns_new(const OlRunConfig *config);
void ol_turns_free(OlTurns *turns);
/* Micro-batches of which a chunk's activations are kept at once, at most (2104.04473 section
 * 2.2.1). */
guint ol_turns_in_flight(const OlTurns *turns, guint stage, guint chunk);
/* lockstep.c: sets what depends on when the turns of all ranks come. */
void ol_turns_meet(OlTurns *turns, const OlRunConfig *config);

/* activations.c: what is kept from forward to backward, and where. */
typedef enum { OL_PARKED_INNER, OL_PARKED_BOUNDARY } OlParked;
typedef struct {
  int *boundary, *inner, *d_boundary; /* [units of the model] */
  int tokens;                         /* ids: of the embedding, or of a head without it */
} OlKept;
typedef struct {
  OlKept *kept;    /* [in_flight]: micro-batches take turns */
  guint in_flight; /* of the chunk with most of them */
  GArray **parked; /* [n_units]: guint: homes on the host, by turns too; or NULL */
  guint n_units;   /* of the model */
  OlRing down, up; /* on the GPU, when activations live on the host */
} OlActivations;
void ol_activations_init(OlActivations *activations, OlBuilder *builder);
void ol_activations_clear(OlActivations *activations);
OlKept *ol_activations_of(OlActivations *activations, guint micro_batch);
gboolean ol_activations_are_parked(const OlBuilder *builder, guint unit, OlParked parked);
guint64 ol_activations_inner_bytes(const OlBuilder *builder, guint unit);
void ol_activations_park_unit(OlActivations *activations, OlBuilder *builder, guint unit,
                              guint micro_batch, guint slot);
/* The slot that they come up into. */
guint ol_activations_fetch_unit(OlActivations *activations, OlBuilder *builder, guint unit,
                                guint micro_batch);

/* pipeline.c: between stages. Each end has slots: outgoing ones that compute fills and the peer
 * lane drains, incoming ones that the neighbour fills. */
typedef struct {
  OlRing out[2], in[2]; /* [backward] */
  const OlTurn *ahead;  /* whose message is received before the next is sent, or NULL */
  int arrived;          /* the slot of one that was received so, or OL_NONE */
} OlPipeline;
void ol_pipeline_init(OlPipeline *pipeline, OlBuilder *builder);
void ol_pipeline_clear(OlPipeline *pipeline);
/* Whether a unit's input comes from another stage, or its output goes to one. */
gboolean ol_pipeline_comes_in(const OlBuilder *builder, guint unit);
gboolean ol_pipeline_goes_out(const OlBuilder *builder, guint unit);
/* The slot in which a unit's input, or its output's gradient, arrives; its receive comes first. */
guint ol_pipeline_receive(OlPipeline *pipeline, OlBuilder *builder, gboolean backward, guint unit,
                          guint micro_batch);
/* The slot to be written by compute, and then sent: a unit's output, or its input's gradient. */
guint ol_pipeline_take_out(OlPipeline *pipeline, gboolean backward);
void ol_pipeline_send(OlPipeline *pipeline, OlBuilder *builder, gboolean backward, guint unit,
                      guint micro_batch, guint slot);
/* Once all stages are written: which slot a send fills, and what it must await there. */
void ol_pipeline_join(OlBuilder *builders, guint n);

/* compute.c: forward and backward of one unit, and its activations. */
void ol_compute_forward(OlBuilder *builder, OlActivations *activations, OlPipeline *pipeline,
                        OlWeightsPath *weights, guint unit, guint micro_batch);
/* `transient`: the gradient is acquired by this node and released by a later one. */
void ol_compute_backward(OlBuilder *builder, OlActivations *activations, OlPipeline *pipeline,
                         OlWeightsPath *weights, guint unit, guint micro_batch, guint gradient,
                         gboolean transient);

/* gradients.c: from each micro-batch's backward to the finished sum, and on to where the update is.
 */
typedef struct {
  OlRing gpu;     /* gradients at home on the host: filled by backward, drained by the copy */
  OlRing host;    /* the same with micro-batches to sum: on arrival */
  OlRing cast;    /* a finished fp32 sum rounded for the wire */
  OlRing summed;  /* on the GPU: this rank's shard of the ranks' sum */
  OlCarrier way;  /* to the update */
  int *summed_at; /* [n_units]: whole sums over ranks that wait for the clipping norm; else NULL */
  int *waiting;   /* [n_units]: slots of gradients that wait for a delayed update; else NULL */
  OlActivations *activations; /* borrowed: what the backward reads and writes */
  OlPipeline *pipeline;
  OlWeightsPath *weights;
  int norms; /* host slot of the clipping norm's chunk sums, or OL_NONE */
} OlGradients;
void ol_gradients_init(OlGradients *gradients, OlBuilder *builder);
void ol_gradients_clear(OlGradients *gradients);
void ol_gradients_backward(OlGradients *gradients, OlBuilder *builder, guint unit,
                           guint micro_batch);
/* Adds the unit's finished gradient to the clipping norm, when there is one; and, once all units'
 * are, those of the other ranks. */
void ol_gradients_finish_norm(OlGradients *gradients, OlBuilder *builder);
void ol_gradients_add_norm(OlGradients *gradients, OlBuilder *builder, guint unit);
/* The finished gradient where its unit is updated: one of the two buffers; `filler` is the lane
 * that filled it when it is a slot, else -1. */
typedef struct {
  int gradient, accumulator, filler;
} OlFinished;
OlFinished ol_gradients_bring(OlGradients *gradients, OlBuilder *builder, guint unit);
/* What ol_gradients_bring() brought, or will bring later in plan order: with a delayed update. */
OlFinished ol_gradients_waiting(const OlGradients *gradients, const OlBuilder *builder, guint unit);

/* update.c: one unit's update, with its states brought to where it runs and back. */
typedef struct {
  OlCarrier states[3]; /* master, moment1, moment2 */
  guint on_gpu;        /* of the rank's first units, whose states are at home there */
  guint resident;      /* units whose states stay in host memory from one step to the next */
} OlUpdates;
void ol_updates_init(OlUpdates *updates, OlBuilder *builder);
void ol_updates_clear(OlUpdates *updates);
/* Adds the update with its states' way there and back; returns the buffer of the new weights, which
 * ol_weights_deliver() takes home. */
guint ol_updates_add(OlUpdates *updates, OlBuilder *builder, const OlFinished *finished, int norms,
                     OlWeightsPath *weights, guint unit);

/* With alternating order: reads what the first of the steps being added finds in host memory, or
 * writes home what the last of them leaves there. */
void ol_updates_fill(OlUpdates *updates, OlBuilder *builder);
void ol_updates_flush(OlUpdates *updates, OlBuilder *builder);
/* The n-th unit to be updated in the steps that are being added. */
guint ol_updates_nth(const OlBuilder *builder, guint n);

/* homes.c: what is filled before the first step and hashed after the last. */
void ol_homes_declare(OlBuilder *builder);
void ol_homes_fill(OlBuilder *builder);
void ol_homes_hash(OlBuilder *builder);

/* waits.c: the drafts' waits, from who uses what. */
void ol_builder_find_waits(OlBuilder *builder);
/* A place in steps that are walked in a row: walk · drafts + draft; -1: none. */
typedef gint64 OlMoment;
/* For `now` to await `on`: the same draft, or one that ends later, at most one step back. */
OlWait ol_builder_make_wait(const OlBuilder *builder, OlMoment now, OlMoment on);

/* graph-order.c: from the builders' drafts to the nodes of all ranks. */
void ol_builders_write_graph(OlBuilder *builders, guint n);

/* occupancy.c: every buffer's address, and the peaks. */
void ol_plan_occupy(OlPlan *plan);

G_END_DECLS
