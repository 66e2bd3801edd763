/* A block: middle = x + attention(norm(x));  y = middle + mlp(norm(middle)).
 *
 * Over tensor ranks (1909.08053 section 3) each has whole heads and a slice of the MLP. The product
 * that ends attention, and the one that ends the MLP, give a part of a sum over the ranks, which
 * somebody makes between two pieces of the pass; so do, backward, the products that begin them.
 * Their biases are whole on every rank, and the first adds them to its part. */
#include "engine/model/gpt-private.h"

static gboolean is_sliced(const OlPass *pass)
{
  return pass->shape->slices > 1;
}

static void *probabilities_of(const OlPass *pass, const OlBlockInner *at)
{
  void *apart = pass->buffers->probabilities;
  return apart ? apart : ol_pass_inner(pass, at->probabilities);
}

/* target: [n][h] = source + x · weightᵀ + bias, rounded once: the residual stream goes on. */
static void linear_onto(const OlPass *pass, guint weight, guint bias, const void *x,
                        const void *source, void *target)
{
  pass->ops->copy(pass->stream, target, source, ol_layout_row_bytes(pass->shape));
  ol_linear_forward(pass, weight, bias, x, target, TRUE);
}

/* This rank's part of the sum: [n][h]. */
static void linear_partial(const OlPass *pass, guint weight, guint bias, const void *x)
{
  guint added = pass->buffers->is_first_slice ? bias : OL_NO_BIAS;
  ol_linear_forward(pass, weight, added, x, pass->buffers->partial, FALSE);
}

/* target: [n][h] = source + the ranks' sum */
static void add_summed(const OlPass *pass, const void *source, void *target)
{
  const OlAdd launch = {
      .n = pass->n * pass->h,
      .a = source,
      .b = pass->buffers->summed,
      .y = target,
      .dtype = pass->dtype,
  };
  pass->ops->add(pass->stream, &launch);
}

/* ---- forward ---- */

static void attend(const OlPass *pass, const OlBlockInner *at)
{
  const OlAttentionForward launch = {
      .batch = pass->shape->micro_batch,
      .sequence = pass->shape->sequence,
      .width = ol_layout_slice(pass->shape),
      .heads = pass->shape->heads / pass->shape->slices,
      .qkv = ol_pass_inner(pass, at->qkv),
      .probabilities = probabilities_of(pass, at),
      .out = ol_pass_inner(pass, at->attention),
      .dtype = pass->dtype,
  };
  pass->ops->attention_forward(pass->stream, &launch);
}

/* From the block's input to what its projection takes. */
static void fill_attention(const OlPass *pass, const OlBlockInner *at)
{
  void *norm1 = ol_pass_inner(pass, at->norm1);
  ol_norm_forward(pass, OL_BLOCK_NORM1_GAIN, OL_BLOCK_NORM1_BIAS, pass->buffers->input, norm1);
  ol_linear_forward(pass, OL_BLOCK_QKV_WEIGHT, OL_BLOCK_QKV_BIAS, norm1,
                    ol_pass_inner(pass, at->qkv), FALSE);
  attend(pass, at);
}

/* The residual stream between attention and MLP. */
static void fill_middle(const OlPass *pass, const OlBlockInner *at)
{
  void *middle = ol_pass_inner(pass, at->middle);
  if (is_sliced(pass))
    add_summed(pass, pass->buffers->input, middle);
  else
    linear_onto(pass, OL_BLOCK_PROJECTION_WEIGHT, OL_BLOCK_PROJECTION_BIAS,
                ol_pass_inner(pass, at->attention), pass->buffers->input, middle);
}

/* From there to what the MLP's last product takes. */
static void fill_mlp(const OlPass *pass, const OlBlockInner *at)
{
  void *norm2 = ol_pass_inner(pass, at->norm2), *expand = ol_pass_inner(pass, at->expand);
  ol_norm_forward(pass, OL_BLOCK_NORM2_GAIN, OL_BLOCK_NORM2_BIAS, ol_pass_inner(pass, at->middle),
                  norm2);
  ol_linear_forward(pass, OL_BLOCK_EXPAND_WEIGHT, OL_BLOCK_EXPAND_BIAS, norm2, expand, FALSE);
  const OlGeluForward bend = {
      .n = pass->n * 4 * ol_layout_slice(pass->shape),
      .x = expand,
      .y = ol_pass_inner(pass, at->gelu),
      .dtype = pass->dtype,
  };
  pass->ops->gelu_forward(pass->stream, &bend);
}

/* All that a block keeps, as far as the piece goes. */
static void fill_inner(const OlPass *pass, const OlBlockInner *at, OlPiece piece)
{
  if (piece == OL_PIECE_WHOLE || piece == OL_PIECE_ATTENTION)
    fill_attention(pass, at);
  if (piece == OL_PIECE_ATTENTION)
    linear_partial(pass, OL_BLOCK_PROJECTION_WEIGHT, OL_BLOCK_PROJECTION_BIAS,
                   ol_pass_inner(pass, at->attention));
  if (piece == OL_PIECE_WHOLE || piece == OL_PIECE_MLP) {
    fill_middle(pass, at);
    fill_mlp(pass, at);
  }
}

void ol_block_forward(const OlPass *pass, OlPiece piece)
{
  OlBlockInner at = ol_layout_block_inner(pass->shape);
  void *middle = ol_pass_inner(pass, at.middle), *gelu = ol_pass_inner(pass, at.gelu);
  fill_inner(pass, &at, piece);
  if (piece == OL_PIECE_WHOLE)
    linear_onto(pass, OL_BLOCK_CONTRACT_WEIGHT, OL_BLOCK_CONTRACT_BIAS, gelu, middle,
                pass->buffers->output);
  if (piece == OL_PIECE_MLP)
    linear_partial(pass, OL_BLOCK_CONTRACT_WEIGHT, OL_BLOCK_CONTRACT_BIAS, gelu);
  if (piece == OL_PIECE_JOIN)
    add_summed(pass, middle, pass->buffers->output);
}

void ol_block_recompute(const OlPass *pass, OlRecompute recompute, OlPiece piece)
{
  OlBlockInner at = ol_layout_block_inner(pass->shape);
  if (recompute == OL_RECOMPUTE_FULL)
    fill_inner(pass, &at, piece);
  else if (recompute == OL_RECOMPUTE_SELECTIVE)
    attend(pass, &at);
}

/* ---- backward ---- */

/* From d_y to the gradient of `norm2`. */
static void mlp_backward(const OlPass *pass, const OlBlockInner *at, void *wide, void *d_norm2)
{
  ol_linear_backward(pass, OL_BLOCK_CONTRACT_WEIGHT, OL_BLOCK_CONTRACT_BIAS,
                     ol_pass_inner(pass, at->gelu), pass->buffers->d_output, wide);
  const OlGeluBackward launch = {
      .n = pass->n * 4 * ol_layout_slice(pass->shape),
      .x = ol_pass_inner(pass, at->expand),
      .d_y = wide,
      .d_x = wide,
      .dtype = pass->dtype,
  };
  pass->ops->gelu_backward(pass->stream, &launch);
  ol_linear_backward(pass, OL_BLOCK_EXPAND_WEIGHT, OL_BLOCK_EXPAND_BIAS,
                     ol_pass_inner(pass, at->norm2), wide, d_norm2);
}

/* From there to the gradient of `middle`, which is left in d_input: the residual path adds d_y. */
static void middle_backward(const OlPass *pass, const OlBlockInner *at, const void *d_norm2)
{
  ol_norm_backward(pass, OL_BLOCK_NORM2_GAIN, OL_BLOCK_NORM2_BIAS, ol_pass_inner(pass, at->middle),
                   d_norm2, pass->buffers->d_output, pass->buffers->d_input);
}

/* From there to the gradient of `norm1`. */
static void attention_backward(const OlPass *pass, const OlBlockInner *at, void *wide, void *narrow,
                               void *d_norm1)
{
  ol_linear_backward(pass, OL_BLOCK_PROJECTION_WEIGHT, OL_BLOCK_PROJECTION_BIAS,
                     ol_pass_inner(pass, at->attention), pass->buffers->d_input, narrow);
  const OlAttentionBackward launch = {
      .batch = pass->shape->micro_batch,
      .sequence = pass->shape->sequence,
      .width = ol_layout_slice(pass->shape),
      .heads = pass->shape->heads / pass->shape->slices,
      .qkv = ol_pass_inner(pass, at->qkv),
      .probabilities = probabilities_of(pass, at),
      .d_out = narrow,
      .d_qkv = wide,
      .dtype = pass->dtype,
  };
  pass->ops->attention_backward(pass->stream, &launch);
  ol_linear_backward(pass, OL_BLOCK_QKV_WEIGHT, OL_BLOCK_QKV_BIAS, ol_pass_inner(pass, at->norm1),
                     wide, d_norm1);
}

/* From there to the gradient of the input, in d_input, where that of `middle` was. */
static void input_backward(const OlPass *pass, const void *d_norm1)
{
  void *d_input = pass->buffers->d_input;
  ol_norm_backward(pass, OL_BLOCK_NORM1_GAIN, OL_BLOCK_NORM1_BIAS, pass->buffers->input, d_norm1,
                   d_input, d_input);
}

void ol_block_backward(const OlPass *pass, OlPiece piece)
{
  OlBlockInner at = ol_layout_block_inner(pass->shape);
  OlBlockWork work = ol_layout_block_work(pass->shape);
  void *wide = ol_pass_work(pass, work.wide), *narrow = ol_pass_work(pass, work.narrow);
  gboolean whole = piece == OL_PIECE_WHOLE;
  void *out = whole ? narrow : pass->buffers->partial;
  const void *in = whole ? narrow : pass->buffers->summed;
  if (whole || piece == OL_PIECE_MLP)
    mlp_backward(pass, &at, wide, out);
  if (whole || piece == OL_PIECE_ATTENTION) {
    middle_backward(pass, &at, in);
    attention_backward(pass, &at, wide, narrow, out);
  }
  if (whole || piece == OL_PIECE_JOIN)
    input_backward(pass, in);
}
