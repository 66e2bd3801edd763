/* AdamW (1711.05101 algorithm 2) with bias correction (1412.6980 algorithm 1), mixed precision as
 * in ZeRO-Offload (2101.06840): bf16 or fp32 gradient in, fp32 master and moments, bf16 weight
 * out, in one pass over memory: 14 B read and 14 B written a parameter with bf16 gradients.
 *
 *   m = β1·m + (1-β1)·g        v = β2·v + (1-β2)·g²
 *   p = p - lr·( (m/(1-β1^t)) / (√(v/(1-β2^t)) + ε) + λ·p )
 *
 * Every build gives the same bits: IEEE operations in the order of ol_adam_element(), no
 * contraction, no reassociation. Compile its users with -ffp-contract=off. */
#pragma once

#include "engine/base/bf16.h"
#include <glib.h>
#include <math.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  double learning_rate, beta1, beta2, epsilon, weight_decay;
} OlAdamSettings;

/* The scalars of one step, computed once on the host in double and rounded to fp32. */
typedef struct {
  float beta1, one_minus_beta1, beta2, one_minus_beta2;
  float step_size;               /* lr / (1-β1^t) */
  float inverse_root_correction; /* 1 / √(1-β2^t) */
  float epsilon;
  float decay;          /* 1 - lr·λ for tensors that decay */
  float gradient_scale; /* 1, or less when clipping: g is multiplied by it */
} OlAdamScalars;

/* `step` counts from 0. */
OlAdamScalars ol_adam_scalars(const OlAdamSettings *settings, guint step);

/* One element: returns the new master; updates *m and *v. */
static inline float ol_adam_element(const OlAdamScalars *k, float decay, float p, float g, float *m,
                                    float *v)
{
  g *= k->gradient_scale; /* by 1 changes no bit */
  float new_m = k->beta1 * *m + k->one_minus_beta1 * g;
  float new_v = k->beta2 * *v + k->one_minus_beta2 * (g * g);
  float root = sqrtf(new_v) * k->inverse_root_correction + k->epsilon;
  *m = new_m;
  *v = new_v;
  return p * decay - k->step_size * (new_m / root);
}

/* What to update. master, moment1, moment2: fp32 [elements], read and written. The gradient is
 * bf16 (uint16_t) or fp32; an fp32 gradient that stands for a finished sum of bf16 gradients is
 * rounded to bf16 first when `round_gradient`. weights_out: bf16 [elements], or NULL. */
typedef struct {
  gsize elements;
  float *master, *moment1, *moment2;
  const void *gradient;
  gboolean gradient_is_fp32;
  gboolean round_gradient;
  uint16_t *weights_out;
  gboolean decays;
  gsize piece_of; /* elements of the update that this is a piece of; 0: it is no piece. Changes how
                   * the weights are stored, no bit of them. */
} OlAdamSpan;

/* One pass over [elements], on the calling thread, with the best build for this CPU. */
void ol_adam_update(const OlAdamScalars *scalars, const OlAdamSpan *span);

/* All builds that this CPU can run, for tests and bench: "scalar", "avx2", "avx512". Returns the
 * number; names and functions are static. */
typedef void (*OlAdamFunction)(const OlAdamScalars *scalars, const OlAdamSpan *span);
guint ol_adam_builds(const char *const **names, const OlAdamFunction **functions);

G_END_DECLS
