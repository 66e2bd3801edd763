#include "engine/model/gpt.h"

#include "engine/model/layout.h"

/* What every launch of one call has in common. n: tokens, h: width. */
typedef struct {
  const OlDeviceOps *ops;
  OlStream *stream;
  const OlShape *shape;
  const OlShapeUnit *unit;
  const OlGptBuffers *buffers;
  OlDtype dtype;
  gsize n, h;
} Pass;

static Pass pass_new(const OlDeviceOps *ops, OlStream *stream, const OlShape *shape, guint unit,
                     const OlGptBuffers *buffers)
{
  return (Pass){
      .ops = ops,
      .stream = stream,
      .shape = shape,
      .unit = &shape->units[unit],
      .buffers = buffers,
      .dtype = shape->element_bytes == 2 ? OL_DTYPE_BF16 : OL_DTYPE_FP32,
      .n = ol_layout_tokens(shape),
      .h = shape->width,
  };
}

static const void *weight_of(const Pass *pass, guint tensor)
{
  return (const char *)pass->buffers->weights +
         pass->unit->tensors[tensor].first * pass->shape->element_bytes;
}

static void *gradient_of(const Pass *pass, guint tensor)
{
  return (char *)pass->buffers->gradient +
         pass->unit->tensors[tensor].first * pass->shape->element_bytes;
}

static void *inner_at(const Pass *pass, guint64 offset)
{
  return (char *)pass->buffers->inner + offset;
}

static void *work_at(const Pass *pass, guint64 offset)
{
  return (char *)pass->buffers->work + offset;
}

#define NO_BIAS G_MAXUINT

/* y: [n][out] = x: [n][in] · weightᵀ + bias (+ y when `add`) */
static void linear_forward(const Pass *pass, guint weight, guint bias, const void *x, void *y,
                           gboolean add)
{
  const OlShapeTensor *tensor = &pass->unit->tensors[weight];
  const OlMatmul launch = {
      .m = pass->n,
      .n = tensor->rows,
      .k = tensor->columns,
      .transpose_b = TRUE,
      .accumulate = add,
      .a = x,
      .b = weight_of(pass, weight),
      .bias = bias == NO_BIAS ? NULL : weight_of(pass, bias),
      .c = y,
      .dtype = pass->dtype,
      .c_dtype = pass->dtype,
  };
  pass->ops->matmul(pass->stream, &launch);
}

/* d_weight: [out][in] = d_yᵀ · x;  d_bias: [out] = Σ d_y;  d_x: [n][in] = d_y · weight */
static void linear_backward(const Pass *pass, guint weight, guint bias, const void *x,
                            const void *d_y, void *d_x)
{
  const OlShapeTensor *tensor = &pass->unit->tensors[weight];
  gsize out = tensor->rows, in = tensor->columns;
  const OlMatmul to_weight = {
      .m = out,
      .n = in,
      .k = pass->n,
      .transpose_a = TRUE,
      .a = d_y,
      .b = x,
      .c = gradient_of(pass, weight),
      .dtype = pass->dtype,
      .c_dtype = pass->dtype,
  };
  const OlMatmul to_x = {
      .m = pass->n,
      .n = in,
      .k = out,
      .a = d_y,
      .b = weight_of(pass, weight),
      .c = d_x,
      .dtype = pass->dtype,
      .c_dtype = pass->dtype,
  };
  pass->ops->matmul(pass->stream, &to_weight);
  if (bias != NO_BIAS) {
    const OlColumnSums to_bias = {
        .rows = pass->n,
        .columns = out,
        .x = d_y,
        .sums = gradient_of(pass, bias),
        .dtype = pass->dtype,
    };
    pass->ops->column_sums(pass->stream, &to_bias);
  }
  pass->ops->matmul(pass->stream, &to_x);
}

/* x, y: [n][h] */
static void norm_forward(const Pass *pass, guint gain, guint bias, const void *x, void *y)
{
  const OlNormForward launch = {
      .rows = pass->n,
      .width = pass->h,
      .x = x,
      .gain = weight_of(pass, gain),
      .bias = weight_of(pass, bias),
      .y = y,
      .dtype = pass->dtype,
  };
  pass->ops->norm_forward(pass->stream, &launch);
}

/* d_x: [n][h] = residual + the gradient through the norm */
static void norm_backward(const Pass *pass, guint gain, guint bias, const void *x, const void *d_y,
                          const void *residual, void *d_x)
{
  const OlNormBackward launch = {
      .rows = pass->n,
      .width = pass->h,
      .x = x,
      .gain = weight_of(pass, gain),
      .d_y = d_y,
      .residual = residual,
      .d_x = d_x,
      .d_gain = gradient_of(pass, gain),
      .d_bias = gradient_of(pass, bias),
      .dtype = pass->dtype,
  };
  pass->ops->norm_backward(pass->stream, &launch);
}

static void embed_forward(const Pass *pass)
{
  const OlEmbedForward launch = {
      .rows = pass->n,
      .sequence = pass->shape->sequence,
      .width = pass->h,
      .vocabulary = pass->shape->vocabulary,
      .ids = pass->buffers->tokens,
      .token = weight_of(pass, OL_EMBED_TOKEN),
      .position = weight_of(pass, OL_EMBED_POSITION),
      .y = pass->buffers->output,
      .dtype = pass->dtype,
  };
  pass->ops->embed_forward(pass->stream, &launch);
}

static void embed_backward(const Pass *pass)
{
  const OlEmbedBackward launch = {
      .rows = pass->n,
      .sequence = pass->shape->sequence,
      .width = pass->h,
      .vocabulary = pass->shape->vocabulary,
      .ids = pass->buffers->tokens,
      .d_y = pass->buffers->d_output,
      .d_token = gradient_of(pass, OL_EMBED_TOKEN),
      .d_position = gradient_of(pass, OL_EMBED_POSITION),
      .dtype = pass->dtype,
  };
  pass->ops->embed_backward(pass->stream, &launch);
}

/* target: [n][h] = source + x · weightᵀ + bias, rounded once: the residual stream goes on. */
static void linear_onto(const Pass *pass, guint weight, guint bias, const void *x,
                        const void *source, void *target)
{
  pass->ops->copy(pass->stream, target, source, ol_layout_row_bytes(pass->shape));
  linear_forward(pass, weight, bias, x, target, TRUE);
}

static void *probabilities_of(const Pass *pass, const OlBlockInner *at)
{
  void *apart = pass->buffers->probabilities;
  return apart ? apart : inner_at(pass, at->probabilities);
}

static void attend(const Pass *pass, const OlBlockInner *at)
{
  const OlAttentionForward launch = {
      .batch = pass->shape->micro_batch,
      .sequence = pass->shape->sequence,
      .width = pass->h,
      .heads = pass->shape->heads,
      .qkv = inner_at(pass, at->qkv),
      .probabilities = probabilities_of(pass, at),
      .out = inner_at(pass, at->attention),
      .dtype = pass->dtype,
  };
  pass->ops->attention_forward(pass->stream, &launch);
}

/* All that a block keeps, from its input to the input of its last product. */
static void fill_block_inner(const Pass *pass, const OlBlockInner *at)
{
  void *norm1 = inner_at(pass, at->norm1), *middle = inner_at(pass, at->middle);
  void *norm2 = inner_at(pass, at->norm2), *expand = inner_at(pass, at->expand);
  const void *x = pass->buffers->input;

  norm_forward(pass, OL_BLOCK_NORM1_GAIN, OL_BLOCK_NORM1_BIAS, x, norm1);
  linear_forward(pass, OL_BLOCK_QKV_WEIGHT, OL_BLOCK_QKV_BIAS, norm1, inner_at(pass, at->qkv),
                 FALSE);
  attend(pass, at);
  linear_onto(pass, OL_BLOCK_PROJECTION_WEIGHT, OL_BLOCK_PROJECTION_BIAS,
              inner_at(pass, at->attention), x, middle);

  norm_forward(pass, OL_BLOCK_NORM2_GAIN, OL_BLOCK_NORM2_BIAS, middle, norm2);
  linear_forward(pass, OL_BLOCK_EXPAND_WEIGHT, OL_BLOCK_EXPAND_BIAS, norm2, expand, FALSE);
  const OlGeluForward bend = {
      .n = pass->n * 4 * pass->h,
      .x = expand,
      .y = inner_at(pass, at->gelu),
      .dtype = pass->dtype,
  };
  pass->ops->gelu_forward(pass->stream, &bend);
}

/* middle = x + attention(norm(x));  y = middle + mlp(norm(middle)) */
static void block_forward(const Pass *pass)
{
  OlBlockInner at = ol_layout_block_inner(pass->shape);
  fill_block_inner(pass, &at);
  linear_onto(pass, OL_BLOCK_CONTRACT_WEIGHT, OL_BLOCK_CONTRACT_BIAS, inner_at(pass, at.gelu),
              inner_at(pass, at.middle), pass->buffers->output);
}

/* From d_y to the gradient of `middle`, which is left in d_input: the residual path adds d_y. */
static void mlp_backward(const Pass *pass, const OlBlockInner *at, void *wide, void *narrow)
{
  const void *d_y = pass->buffers->d_output;
  linear_backward(pass, OL_BLOCK_CONTRACT_WEIGHT, OL_BLOCK_CONTRACT_BIAS, inner_at(pass, at->gelu),
                  d_y, wide);
  const OlGeluBackward launch = {
      .n = pass->n * 4 * pass->h,
      .x = inner_at(pass, at->expand),
      .d_y = wide,
      .d_x = wide,
      .dtype = pass->dtype,
  };
  pass->ops->gelu_backward(pass->stream, &launch);
  linear_backward(pass, OL_BLOCK_EXPAND_WEIGHT, OL_BLOCK_EXPAND_BIAS, inner_at(pass, at->norm2),
                  wide, narrow);
  norm_backward(pass, OL_BLOCK_NORM2_GAIN, OL_BLOCK_NORM2_BIAS, inner_at(pass, at->middle), narrow,
                d_y, pass->buffers->d_input);
}

/* From the gradient of `middle`, in d_input, to that of the input, in the same place. */
static void attention_backward(const Pass *pass, const OlBlockInner *at, void *wide, void *narrow)
{
  void *d_input = pass->buffers->d_input;
  linear_backward(pass, OL_BLOCK_PROJECTION_WEIGHT, OL_BLOCK_PROJECTION_BIAS,
                  inner_at(pass, at->attention), d_input, narrow);
  const OlAttentionBackward launch = {
      .batch = pass->shape->micro_batch,
      .sequence = pass->shape->sequence,
      .width = pass->h,
      .heads = pass->shape->heads,
      .qkv = inner_at(pass, at->qkv),
      .probabilities = probabilities_of(pass, at),
      .d_out = narrow,
      .d_qkv = wide,
      .dtype = pass->dtype,
  };
  pass->ops->attention_backward(pass->stream, &launch);
  linear_backward(pass, OL_BLOCK_QKV_WEIGHT, OL_BLOCK_QKV_BIAS, inner_at(pass, at->norm1), wide,
                  narrow);
  norm_backward(pass, OL_BLOCK_NORM1_GAIN, OL_BLOCK_NORM1_BIAS, pass->buffers->input, narrow,
                d_input, d_input);
}

static void block_backward(const Pass *pass)
{
  OlBlockInner at = ol_layout_block_inner(pass->shape);
  OlBlockWork work = ol_layout_block_work(pass->shape);
  void *wide = work_at(pass, work.wide), *narrow = work_at(pass, work.narrow);
  mlp_backward(pass, &at, wide, narrow);
  attention_backward(pass, &at, wide, narrow);
}

/* Leaves the loss's gradient where the logits were. */
static void head_forward(const Pass *pass)
{
  OlHeadInner at = ol_layout_head_inner(pass->shape);
  void *norm = inner_at(pass, at.norm), *logits = inner_at(pass, at.logits);
  norm_forward(pass, OL_HEAD_NORM_GAIN, OL_HEAD_NORM_BIAS, pass->buffers->input, norm);
  linear_forward(pass, OL_HEAD_WEIGHT, NO_BIAS, norm, logits, FALSE);
  const OlSoftmaxLoss launch = {
      .rows = pass->n,
      .vocabulary = pass->shape->vocabulary,
      .logits = logits,
      .targets = pass->buffers->tokens + pass->n,
      .scale = pass->buffers->loss_scale,
      .loss = pass->buffers->loss,
      .dtype = pass->dtype,
  };
  pass->ops->softmax_loss(pass->stream, &launch);
}

static void head_backward(const Pass *pass)
{
  OlHeadInner at = ol_layout_head_inner(pass->shape);
  void *d_norm = work_at(pass, ol_layout_head_work(pass->shape).norm);
  linear_backward(pass, OL_HEAD_WEIGHT, NO_BIAS, inner_at(pass, at.norm), inner_at(pass, at.logits),
                  d_norm);
  norm_backward(pass, OL_HEAD_NORM_GAIN, OL_HEAD_NORM_BIAS, pass->buffers->input, d_norm, NULL,
                pass->buffers->d_input);
}

void ol_gpt_forward(const OlDeviceOps *ops, OlStream *stream, const OlShape *shape, guint unit,
                    const OlGptBuffers *buffers)
{
  Pass pass = pass_new(ops, stream, shape, unit, buffers);
  switch (pass.unit->kind) {
  case OL_UNIT_EMBED:
    embed_forward(&pass);
    break;
  case OL_UNIT_BLOCK:
    block_forward(&pass);
    break;
  case OL_UNIT_HEAD:
    head_forward(&pass);
    break;
  }
}

void ol_gpt_recompute(const OlDeviceOps *ops, OlStream *stream, const OlShape *shape, guint unit,
                      OlRecompute recompute, const OlGptBuffers *buffers)
{
  Pass pass = pass_new(ops, stream, shape, unit, buffers);
  g_return_if_fail(pass.unit->kind == OL_UNIT_BLOCK);
  OlBlockInner at = ol_layout_block_inner(shape);
  if (recompute == OL_RECOMPUTE_FULL)
    fill_block_inner(&pass, &at);
  else if (recompute == OL_RECOMPUTE_SELECTIVE)
    attend(&pass, &at);
}

void ol_gpt_backward(const OlDeviceOps *ops, OlStream *stream, const OlShape *shape, guint unit,
                     const OlGptBuffers *buffers)
{
  Pass pass = pass_new(ops, stream, shape, unit, buffers);
  switch (pass.unit->kind) {
  case OL_UNIT_EMBED:
    embed_backward(&pass);
    break;
  case OL_UNIT_BLOCK:
    block_backward(&pass);
    break;
  case OL_UNIT_HEAD:
    head_backward(&pass);
    break;
  }
}
