#include "engine/model/gpt-private.h"

static OlPass pass_new(const OlDeviceOps *ops, OlStream *stream, const OlShape *shape, guint unit,
                       const OlGptBuffers *buffers)
{
  return (OlPass){
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

static void embed_forward(const OlPass *pass)
{
  const OlEmbedForward launch = {
      .rows = pass->n,
      .sequence = pass->shape->sequence,
      .width = pass->h,
      .vocabulary = pass->shape->vocabulary,
      .ids = pass->buffers->tokens,
      .token = ol_pass_weight(pass, OL_EMBED_TOKEN),
      .position = ol_pass_weight(pass, OL_EMBED_POSITION),
      .y = pass->buffers->output,
      .dtype = pass->dtype,
  };
  pass->ops->embed_forward(pass->stream, &launch);
}

static void embed_backward(const OlPass *pass)
{
  const OlEmbedBackward launch = {
      .rows = pass->n,
      .sequence = pass->shape->sequence,
      .width = pass->h,
      .vocabulary = pass->shape->vocabulary,
      .ids = pass->buffers->tokens,
      .d_y = pass->buffers->d_output,
      .d_token = ol_pass_gradient(pass, OL_EMBED_TOKEN),
      .d_position = ol_pass_gradient(pass, OL_EMBED_POSITION),
      .dtype = pass->dtype,
  };
  pass->ops->embed_backward(pass->stream, &launch);
}

/* Leaves the loss's gradient where the logits were. */
static void head_forward(const OlPass *pass)
{
  OlHeadInner at = ol_layout_head_inner(pass->shape);
  void *norm = ol_pass_inner(pass, at.norm), *logits = ol_pass_inner(pass, at.logits);
  ol_norm_forward(pass, OL_HEAD_NORM_GAIN, OL_HEAD_NORM_BIAS, pass->buffers->input, norm);
  ol_linear_forward(pass, OL_HEAD_WEIGHT, OL_NO_BIAS, norm, logits, FALSE);
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

static void head_backward(const OlPass *pass)
{
  OlHeadInner at = ol_layout_head_inner(pass->shape);
  void *d_norm = ol_pass_work(pass, ol_layout_head_work(pass->shape).norm);
  ol_linear_backward(pass, OL_HEAD_WEIGHT, OL_NO_BIAS, ol_pass_inner(pass, at.norm),
                     ol_pass_inner(pass, at.logits), d_norm);
  ol_norm_backward(pass, OL_HEAD_NORM_GAIN, OL_HEAD_NORM_BIAS, pass->buffers->input, d_norm, NULL,
                   pass->buffers->d_input);
}

void ol_gpt_forward(const OlDeviceOps *ops, OlStream *stream, const OlShape *shape, guint unit,
                    OlPiece piece, const OlGptBuffers *buffers)
{
  OlPass pass = pass_new(ops, stream, shape, unit, buffers);
  switch (pass.unit->kind) {
  case OL_UNIT_EMBED:
    embed_forward(&pass);
    break;
  case OL_UNIT_BLOCK:
    ol_block_forward(&pass, piece);
    break;
  case OL_UNIT_HEAD:
    head_forward(&pass);
    break;
  }
}

void ol_gpt_recompute(const OlDeviceOps *ops, OlStream *stream, const OlShape *shape, guint unit,
                      OlRecompute recompute, OlPiece piece, const OlGptBuffers *buffers)
{
  OlPass pass = pass_new(ops, stream, shape, unit, buffers);
  g_return_if_fail(pass.unit->kind == OL_UNIT_BLOCK);
  ol_block_recompute(&pass, recompute, piece);
}

void ol_gpt_backward(const OlDeviceOps *ops, OlStream *stream, const OlShape *shape, guint unit,
                     OlPiece piece, const OlGptBuffers *buffers)
{
  OlPass pass = pass_new(ops, stream, shape, unit, buffers);
  switch (pass.unit->kind) {
  case OL_UNIT_EMBED:
    embed_backward(&pass);
    break;
  case OL_UNIT_BLOCK:
    ol_block_backward(&pass, piece);
    break;
  case OL_UNIT_HEAD:
    head_backward(&pass);
    break;
  }
}
