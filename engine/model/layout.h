/* What lies where in a unit's `inner` and `work` memory: the one place that says so. shape.c takes
 * its totals from here, gpt.c its pointers. Private to engine/model.
 *
 * Offsets and totals are in bytes; arrays follow each other without padding, in this order. With
 * n = tokens, h = width, a = heads, s = sequence, V = vocabulary, t = tensor ranks. */
#pragma once

#include "engine/model/shape.h"

G_BEGIN_DECLS

typedef struct {
  guint64 tokens; /* int32 [2][n]: input ids, then target ids; at offset 0 */
  guint64 total;
} OlEmbedInner;

typedef struct {
  guint64 norm1;         /* [n][h]: input of the qkv product */
  guint64 qkv;           /* [n][3h/t] */
  guint64 attention;     /* [n][h/t]: input of the projection */
  guint64 middle;        /* [n][h]: residual stream between attention and MLP */
  guint64 norm2;         /* [n][h]: input of the expanding product */
  guint64 expand;        /* [n][4h/t]: input of GELU */
  guint64 gelu;          /* [n][4h/t]: input of the contracting product */
  guint64 probabilities; /* [b][a/t][s][s] */
  guint64 total;
} OlBlockInner;

typedef struct {
  guint64 norm;   /* [n][h]: input of the output projection */
  guint64 logits; /* [n][V], then their gradient */
  guint64 total;
} OlHeadInner;

/* Backward of a block. One wide array serves two gradients whose lives do not overlap. */
typedef struct {
  guint64 wide; /* [n][4h/t]: gradient of `gelu` and `expand`; then [n][3h/t]: of `qkv` */
  guint64
      narrow; /* [n][h/t]: gradient of `norm2` (t = 1), then `attention`, then `norm1` (t = 1) */
  guint64 total;
} OlBlockWork;

typedef struct {
  guint64 norm; /* [n][h]: gradient of `norm` */
  guint64 total;
} OlHeadWork;

static inline guint64 ol_layout_tokens(const OlShape *shape)
{
  return (guint64)shape->sequence * shape->micro_batch;
}

/* Width of a slice: h/t. */
static inline guint ol_layout_slice(const OlShape *shape)
{
  return shape->width / shape->slices;
}

/* Bytes of one [n][h] array. */
static inline guint64 ol_layout_row_bytes(const OlShape *shape)
{
  return shape->element_bytes * ol_layout_tokens(shape) * shape->width;
}

/* Of one [n][h/t] array. */
static inline guint64 ol_layout_slice_bytes(const OlShape *shape)
{
  return ol_layout_row_bytes(shape) / shape->slices;
}

/* The next array's offset: `*end` before it grows by `bytes`. */
static inline guint64 ol_layout_place(guint64 *end, guint64 bytes)
{
  guint64 offset = *end;
  *end += bytes;
  return offset;
}

static inline OlEmbedInner ol_layout_embed_inner(const OlShape *shape)
{
  OlEmbedInner inner = {0};
  inner.tokens = ol_layout_place(&inner.total, 2 * sizeof(gint32) * ol_layout_tokens(shape));
  return inner;
}

static inline OlBlockInner ol_layout_block_inner(const OlShape *shape)
{
  guint64 row = ol_layout_row_bytes(shape), slice = ol_layout_slice_bytes(shape);
  guint64 heads = shape->heads / shape->slices;
  guint64 scores = shape->element_bytes * ol_layout_tokens(shape) * shape->sequence * heads;
  OlBlockInner inner = {0};
  inner.norm1 = ol_layout_place(&inner.total, row);
  inner.qkv = ol_layout_place(&inner.total, 3 * slice);
  inner.attention = ol_layout_place(&inner.total, slice);
  inner.middle = ol_layout_place(&inner.total, row);
  inner.norm2 = ol_layout_place(&inner.total, row);
  inner.expand = ol_layout_place(&inner.total, 4 * slice);
  inner.gelu = ol_layout_place(&inner.total, 4 * slice);
  inner.probabilities = ol_layout_place(&inner.total, scores);
  return inner;
}

static inline OlHeadInner ol_layout_head_inner(const OlShape *shape)
{
  OlHeadInner inner = {0};
  inner.norm = ol_layout_place(&inner.total, ol_layout_row_bytes(shape));
  inner.logits = ol_layout_place(&inner.total, shape->element_bytes * ol_layout_tokens(shape) *
                                                   shape->vocabulary);
  return inner;
}

static inline OlBlockWork ol_layout_block_work(const OlShape *shape)
{
  OlBlockWork work = {0};
  work.wide = ol_layout_place(&work.total, 4 * ol_layout_slice_bytes(shape));
  work.narrow = ol_layout_place(&work.total, ol_layout_slice_bytes(shape));
  return work;
}

static inline OlHeadWork ol_layout_head_work(const OlShape *shape)
{
  OlHeadWork work = {0};
  work.norm = ol_layout_place(&work.total, ol_layout_row_bytes(shape));
  return work;
}

G_END_DECLS
