/* The shape of the model on one rank: units, tensors, sizes and flops. Pure arithmetic.
 *
 * GPT-2 style: learned positions, pre-norm blocks, causal attention, GELU MLP (4x), untied head.
 * Units in order: embed, block 0 … layers-1, head (final norm and output projection). A unit's
 * tensors lie one after the other in one buffer per payload, each element of e bytes (e = 2 in
 * bf16, 4 in fp32), with no padding between them. Matrices are [out][in], row-major.
 *
 * Over t tensor ranks (1909.08053 section 3) a block's matrices are sliced: qkv and expand by their
 * outputs (whole heads, for qkv), projection and contract by their inputs. All else is whole on
 * every rank. Slices are alike, so one shape serves all ranks; in a unit what is whole then comes
 * before what is sliced.
 *
 * With s sequence, b micro-batch, h width, a heads, V vocabulary, n = s·b tokens. */
#pragma once

#include "engine/config/run-config.h"

G_BEGIN_DECLS

typedef enum { OL_UNIT_EMBED, OL_UNIT_BLOCK, OL_UNIT_HEAD } OlUnitKind;

/* Tensors of a unit, by kind; the order is that of OlShapeUnit.tensors. */
typedef enum { OL_EMBED_TOKEN, OL_EMBED_POSITION, OL_EMBED_N_TENSORS } OlEmbedTensor;
typedef enum {
  OL_BLOCK_NORM1_GAIN,
  OL_BLOCK_NORM1_BIAS,
  OL_BLOCK_QKV_WEIGHT, /* [3h/t][h]: rows of q, then k, then v; heads consecutive in each */
  OL_BLOCK_QKV_BIAS,
  OL_BLOCK_PROJECTION_WEIGHT, /* [h][h/t], residual output */
  OL_BLOCK_PROJECTION_BIAS,
  OL_BLOCK_NORM2_GAIN,
  OL_BLOCK_NORM2_BIAS,
  OL_BLOCK_EXPAND_WEIGHT, /* [4h/t][h] */
  OL_BLOCK_EXPAND_BIAS,
  OL_BLOCK_CONTRACT_WEIGHT, /* [h][4h/t], residual output */
  OL_BLOCK_CONTRACT_BIAS,
  OL_BLOCK_N_TENSORS
} OlBlockTensor;
typedef enum {
  OL_HEAD_NORM_GAIN,
  OL_HEAD_NORM_BIAS,
  OL_HEAD_WEIGHT, /* [V][h], no bias */
  OL_HEAD_N_TENSORS
} OlHeadTensor;

typedef enum { OL_INIT_NORMAL, OL_INIT_RESIDUAL, OL_INIT_ONE, OL_INIT_ZERO } OlInit;

/* How a tensor is divided over tensor ranks. */
typedef enum {
  OL_SLICING_NONE,
  OL_SLICING_ROWS,   /* a run of rows each */
  OL_SLICING_THIRDS, /* the same of q's rows, of k's and of v's */
  OL_SLICING_COLUMNS /* a run of columns each */
} OlSlicing;

typedef struct {
  char name[48];       /* "block 3 qkv weight": unique; the initial value depends on it */
  guint rows, columns; /* of the slice; columns 1 for a vector */
  OlSlicing slicing;
  gboolean decays; /* matrices only, embeddings included */
  OlInit init;     /* normal(0, 0.02), that over √(2·layers), 1 or 0 */
  guint64 first;   /* its first element's index in the unit */
  guint64 elements;
} OlShapeTensor;

typedef struct {
  char name[24];
  OlUnitKind kind;
  guint n_tensors;
  OlShapeTensor tensors[OL_BLOCK_N_TENSORS];
  guint64 parameters;       /* on one rank */
  guint64 whole;            /* of them, what every tensor rank has: the first ones */
  guint64 model_parameters; /* in the model */
} OlShapeUnit;

typedef struct {
  guint layers, width, heads, sequence, vocabulary, micro_batch;
  guint element_bytes; /* 2 or 4 */
  guint slices;        /* t */
  guint n_units;       /* layers + 2 */
  OlShapeUnit *units;
  guint64 parameters; /* on one rank */
} OlShape;

OlShape *ol_shape_new(const OlRunConfig *config);
void ol_shape_free(OlShape *shape);

/* Shards begin on multiples of this, and the clipping norm is summed over chunks of it. */
#define OL_SHARD_ALIGNMENT 1024u

/* Where the i-th element of a slice's tensor lies in the whole tensor. */
guint64 ol_shape_whole_index(const OlShape *shape, const OlShapeTensor *tensor, guint slice,
                             guint64 i);

/* A member's part of a unit's elements, sharded over `members`. Parts are alike but for the last
 * ones, which may be short or empty; every member makes room for `padded` elements. */
typedef struct {
  guint64 first, count, padded;
} OlShard;
OlShard ol_shape_shard(const OlShape *shape, guint unit, guint members, guint member);

guint64 ol_shape_largest_unit(const OlShape *shape); /* parameters */

/* Activation bytes that a unit keeps from its forward to its backward, one micro-batch.
 * `boundary` is its output (e·n·h; 0 for the head); `inner` all the rest:
 *   embed  8·n (token and target ids, int32)
 *   block  e·((3 + 12/t)·n·h + a·s²·b/t)  ->  with boundary and t = 1 e·(16nh + as²b):
 *          32sbh + 2as²b in 16 bit (2205.05198 sections 4.1 and 4.2 without dropout's masks)
 *   head   e·n·h (final norm) + e·n·V (logits, then their gradient) */
guint64 ol_shape_boundary_bytes(const OlShape *shape, guint unit);
guint64 ol_shape_inner_bytes(const OlShape *shape, guint unit);

/* The attention probabilities, which come last in a block's inner: e·a·s²·b/t; 0 for others. */
guint64 ol_shape_probabilities_bytes(const OlShape *shape, guint unit);

/* Work space that a unit needs while its backward (or forward) runs, beyond weights, gradients,
 * kept activations and boundaries. shape.c has the table of what lies there. */
guint64 ol_shape_backward_work_bytes(const OlShape *shape, guint unit);
guint64 ol_shape_forward_work_bytes(const OlShape *shape, guint unit);

/* One rank's [n][h] array that is summed over tensor ranks, twice a block each way: bytes. */
guint64 ol_shape_partial_bytes(const OlShape *shape);

/* Multiply-adds counted as two. Block forward: (2·n·12h² + 4·b·s²·h)/t (attention in full, as
 * 2104.04473 counts it), of which the MLP 2·n·8h²/t; head 2·n·h·V; embed 0. Backward is twice the
 * forward. */
double ol_shape_forward_flops(const OlShape *shape, guint unit, OlPiece piece);
double ol_shape_backward_flops(const OlShape *shape, guint unit, OlPiece piece);

/* Forward again before the backward of a block: full leaves out the last product, 2·n·4h²/t, whose
 * result is not needed; selective is the attention core alone, 4·b·s²·h/t (2205.05198 section 5).
 */
double ol_shape_recompute_flops(const OlShape *shape, guint unit, OlRecompute recompute,
                                OlPiece piece);

/* Bytes of GPU memory that the forward or backward of a unit must at least touch: its weights,
 * kept activations and boundaries (twice for the backward, plus its gradient). */
double ol_shape_forward_touched(const OlShape *shape, guint unit, OlPiece piece);
double ol_shape_backward_touched(const OlShape *shape, guint unit, OlPiece piece);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlShape, ol_shape_free)

G_END_DECLS
