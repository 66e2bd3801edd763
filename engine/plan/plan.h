/* A step, planned once: from config and machine to buffers, lanes and nodes. A pure function: no
 * I/O, nothing allocated on a tier, instant, so that the window can plan while a slider moves.
 *
 * Every buffer's address is known beforehand: homes and slots in buffer order, then transients as
 * the compute lane acquires and releases them in plan order (memory/offsets, which the executor's
 * arenas use too). */
#pragma once

#include "engine/base/graph.h"
#include "engine/base/watch.h"
#include "engine/config/hardware.h"
#include "engine/config/run-config.h"
#include "engine/memory/ledger.h"
#include "engine/memory/offsets.h"
#include "engine/model/shape.h"

G_BEGIN_DECLS

/* The part a buffer plays in a node. Which ones a node has follows from its op:
 *   forward     WEIGHTS, INPUT, OUTPUT, INNER, PROBABILITIES (blocks), TOKENS, WORK; of a sliced
 * block PARTIAL (written: a part of a sum over tensor ranks), SUMMED (that of the piece before)
 *   recompute   WEIGHTS, INPUT, INNER, PROBABILITIES, PARTIAL, SUMMED
 *   backward    as forward, and D_OUTPUT, D_INPUT, GRADIENT
 *   norm        GRADIENT or ACCUMULATOR, NORMS (written: fp64 chunk sums, units in order)
 *   accumulate  GRADIENT, ACCUMULATOR
 *   cast        ACCUMULATOR, GRADIENT
 *   copy        SOURCE, TARGET, STAGING when it is pageable
 *   all_reduce, reduce_scatter, all_gather   SOURCE, TARGET (all_reduce: the same buffer)
 *   update      MASTER, MOMENT1, MOMENT2, GRADIENT or ACCUMULATOR, WEIGHTS (written), NORMS when
 *               clipping
 *   fill        TARGET, STAGING unless the target lies on the host
 *   hash        SOURCE, STAGING unless the source lies on the host */
typedef enum {
  OL_OPERAND_WEIGHTS,
  OL_OPERAND_GRADIENT,
  OL_OPERAND_ACCUMULATOR,
  OL_OPERAND_MASTER,
  OL_OPERAND_MOMENT1,
  OL_OPERAND_MOMENT2,
  OL_OPERAND_TOKENS,
  OL_OPERAND_INPUT,
  OL_OPERAND_OUTPUT,
  OL_OPERAND_INNER,
  OL_OPERAND_PROBABILITIES,
  OL_OPERAND_D_INPUT,
  OL_OPERAND_D_OUTPUT,
  OL_OPERAND_WORK,
  OL_OPERAND_PARTIAL,
  OL_OPERAND_SUMMED,
  OL_OPERAND_SOURCE,
  OL_OPERAND_TARGET,
  OL_OPERAND_STAGING,
  OL_OPERAND_NORMS,
  OL_N_OPERANDS
} OlOperand;

typedef struct {
  int buffer[OL_N_OPERANDS]; /* id or OL_NONE */
} OlOperands;

/* The block that found no room. */
typedef struct {
  gboolean refused;
  guint buffer;
  int node; /* that would have acquired it; OL_NONE: before the first node */
} OlRefusal;

typedef struct {
  OlRunConfig *config;
  OlShape *shape;
  OlGraph *graph;
  GArray *operands;    /* OlOperands of the first data rank's nodes: the others' are alike, with
                          buffers numbered on */
  GArray *operands_of; /* guint, one a node: which of them */
  guint64 capacity[OL_N_TIERS];
  guint64 *offset; /* of each buffer in its tier; OL_OFFSETS_FULL when it found no room */
  guint64 arena_bytes[OL_N_TIERS]; /* highest address used: what an arena must reserve */
  guint64 home[OL_N_TIERS][OL_N_PAYLOADS];
  guint64 peak[OL_N_TIERS][OL_N_PAYLOADS];
  guint64 peak_total[OL_N_TIERS];
  guint64 fullest[OL_N_TIERS][OL_N_PAYLOADS]; /* what a peak_total is made of */
  OlRefusal refusal;
  guint64 held[OL_N_TIERS][OL_N_PAYLOADS]; /* when refused: who held what at that moment */
} OlPlan;

/* The config must be legal. A plan that does not fit is a plan all the same: `refusal` says where
 * it ends. */
OlPlan *ol_plan_new(const OlRunConfig *config, const OlMachine *machine);
/* The same with somebody who looks on: NULL with OL_ERROR_STOPPED when it is to stop. */
OlPlan *ol_plan_new_watched(const OlRunConfig *config, const OlMachine *machine,
                            const OlWatch *watch, GError **error);
void ol_plan_free(OlPlan *plan);

/* What the run will say too: "out of memory on GPU: …". NULL when it fits. */
char *ol_plan_dup_refusal(const OlPlan *plan);
/* The ledger at that moment, to be told like a run's. Caller frees; NULL when it fits. */
OlLedger *ol_plan_dup_ledger_at_refusal(const OlPlan *plan);

/* The clipping norm is summed in fp64 over chunks of OL_SHARD_ALIGNMENT elements of a unit's
 * gradient, and the chunks' sums in order: so the result depends on nothing else. */
guint64 ol_plan_norm_chunks(const OlShape *shape, guint unit);

/* Where a slice's sums of a unit begin among all: by unit, then by slice. Unit n_units, slice 0:
 * how many there are. What every tensor rank has counts in the first slice alone. */
guint64 ol_plan_norm_place(const OlShape *shape, guint unit, guint slice);

/* Which rank makes which chunks' sums; the parts of all ranks are the whole. Caller unrefs. */
typedef struct {
  guint rank;
  guint64 first, n; /* chunks */
} OlNormPart;
GArray *ol_plan_norm_parts(const OlPlan *plan);

/* rank = (data · pipeline + stage) · tensor + slice. */
guint ol_plan_data_index(const OlRunConfig *config, guint rank);
guint ol_plan_slice(const OlRunConfig *config, guint rank);
/* Whether a rank holds only its shard of a payload (ZeRO, 1910.02054 section 5: stage 1 optimizer
 * states, 2 gradients too, 3 weights too), and that shard: what it updates. */
gboolean ol_plan_is_sharded(const OlRunConfig *config, OlPayload payload);
OlShard ol_plan_shard(const OlPlan *plan, guint rank, guint unit);

OlOperands ol_plan_operands(const OlPlan *plan, guint node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlPlan, ol_plan_free)

G_END_DECLS
