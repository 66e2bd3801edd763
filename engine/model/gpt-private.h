/* What gpt.c (embedding, head) and gpt-block.c share: one call's launches, and the linear and norm
 * layers that all units are made of (gpt-parts.c). n: tokens, h: width. */
#pragma once

#include "engine/model/gpt.h"
#include "engine/model/layout.h"

G_BEGIN_DECLS

/* What every launch of one call has in common. */
typedef struct {
  const OlDeviceOps *ops;
  OlStream *stream;
  const OlShape *shape;
  const OlShapeUnit *unit;
  const OlGptBuffers *buffers;
  OlDtype dtype;
  gsize n, h;
} OlPass;

static inline const void *ol_pass_weight(const OlPass *pass, guint tensor)
{
  return (const char *)pass->buffers->weights +
         pass->unit->tensors[tensor].first * pass->shape->element_bytes;
}

static inline void *ol_pass_gradient(const OlPass *pass, guint tensor)
{
  return (char *)pass->buffers->gradient +
         pass->unit->tensors[tensor].first * pass->shape->element_bytes;
}

static inline void *ol_pass_inner(const OlPass *pass, guint64 offset)
{
  return (char *)pass->buffers->inner + offset;
}

static inline void *ol_pass_work(const OlPass *pass, guint64 offset)
{
  return (char *)pass->buffers->work + offset;
}

/* gpt-parts.c. A tensor's rows are `out`, its columns `in`. */
#define OL_NO_BIAS G_MAXUINT

/* y: [n][out] = x: [n][in] · weightᵀ + bias (+ y when `add`) */
void ol_linear_forward(const OlPass *pass, guint weight, guint bias, const void *x, void *y,
                       gboolean add);
/* d_weight: [out][in] = d_yᵀ · x;  d_bias: [out] = Σ d_y;  d_x: [n][in] = d_y · weight */
void ol_linear_backward(const OlPass *pass, guint weight, guint bias, const void *x,
                        const void *d_y, void *d_x);
/* x, y: [n][h] */
void ol_norm_forward(const OlPass *pass, guint gain, guint bias, const void *x, void *y);
/* d_x: [n][h] = residual + the gradient through the norm */
void ol_norm_backward(const OlPass *pass, guint gain, guint bias, const void *x, const void *d_y,
                      const void *residual, void *d_x);

/* gpt-block.c */
void ol_block_forward(const OlPass *pass, OlPiece piece);
void ol_block_recompute(const OlPass *pass, OlRecompute recompute, OlPiece piece);
void ol_block_backward(const OlPass *pass, OlPiece piece);

G_END_DECLS
