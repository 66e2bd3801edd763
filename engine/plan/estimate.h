/* Closed forms: what the papers' formulas say of a config, without a plan. A plan must agree with
 * them to the byte; where a formula is of real numbers (no padding, no units), it is named after
 * its paper. */
#pragma once

#include "engine/plan/plan.h"

G_BEGIN_DECLS

/* Of one rank. */
typedef struct {
  guint64 home[OL_N_TIERS][OL_N_PAYLOADS];    /* bytes that live there for the whole run */
  guint64 padding[OL_N_TIERS][OL_N_PAYLOADS]; /* of them, what shards were rounded up by */
  guint64 kept;   /* activations on the GPU from a forward to its backward, at the most */
  guint64 data;   /* bytes a step from the other ranks of its data group */
  guint64 stages; /* bytes a step that it sends to the stages beside it */
  guint64 slices; /* bytes a step from the other ranks of its tensor group */
  guint64 norms;  /* bytes a step of the clipping norm from all other ranks */
} OlEstimate;
OlEstimate ol_estimate(const OlRunConfig *config, guint rank);

/* Bytes a device of weights, gradients and Adam's states in mixed precision (1910.02054 figure 1):
 * 16Ψ, 4Ψ + 12Ψ/N, 2Ψ + 14Ψ/N, 16Ψ/N at stages 0 to 3. */
double ol_estimate_zero_bytes(double parameters, guint ranks, guint zero);

/* Elements that a device receives a step with one micro-batch (1910.02054 section 7), of which a
 * device has its own already: (N-1)/N of 2Ψ, at stage 3 of 3Ψ. */
double ol_estimate_zero_traffic(double parameters, guint ranks, guint zero);

/* Idle over wall time of stages that cost the same (2104.04473 section 2.2 has idle over ideal):
 * (p-1)/(m+p-1); with v chunks a stage (p-1)/(vm+p-1). */
double ol_estimate_bubble(guint stages, guint micro_batches, guint chunks);

G_END_DECLS
