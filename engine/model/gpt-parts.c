#include "engine/model/gpt-private.h"

void ol_linear_forward(const OlPass *pass, guint weight, guint bias, const void *x, void *y,
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
      .b = ol_pass_weight(pass, weight),
      .bias = bias == OL_NO_BIAS ? NULL : ol_pass_weight(pass, bias),
      .c = y,
      .dtype = pass->dtype,
      .c_dtype = pass->dtype,
  };
  pass->ops->matmul(pass->stream, &launch);
}

void ol_linear_backward(const OlPass *pass, guint weight, guint bias, const void *x,
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
      .c = ol_pass_gradient(pass, weight),
      .dtype = pass->dtype,
      .c_dtype = pass->dtype,
  };
  const OlMatmul to_x = {
      .m = pass->n,
      .n = in,
      .k = out,
      .a = d_y,
      .b = ol_pass_weight(pass, weight),
      .c = d_x,
      .dtype = pass->dtype,
      .c_dtype = pass->dtype,
  };
  pass->ops->matmul(pass->stream, &to_weight);
  if (bias != OL_NO_BIAS) {
    const OlColumnSums to_bias = {
        .rows = pass->n,
        .columns = out,
        .x = d_y,
        .sums = ol_pass_gradient(pass, bias),
        .dtype = pass->dtype,
    };
    pass->ops->column_sums(pass->stream, &to_bias);
  }
  pass->ops->matmul(pass->stream, &to_x);
}

void ol_norm_forward(const OlPass *pass, guint gain, guint bias, const void *x, void *y)
{
  const OlNormForward launch = {
      .rows = pass->n,
      .width = pass->h,
      .x = x,
      .gain = ol_pass_weight(pass, gain),
      .bias = ol_pass_weight(pass, bias),
      .y = y,
      .dtype = pass->dtype,
  };
  pass->ops->norm_forward(pass->stream, &launch);
}

void ol_norm_backward(const OlPass *pass, guint gain, guint bias, const void *x, const void *d_y,
                      const void *residual, void *d_x)
{
  const OlNormBackward launch = {
      .rows = pass->n,
      .width = pass->h,
      .x = x,
      .gain = ol_pass_weight(pass, gain),
      .d_y = d_y,
      .residual = residual,
      .d_x = d_x,
      .d_gain = ol_pass_gradient(pass, gain),
      .d_bias = ol_pass_gradient(pass, bias),
      .dtype = pass->dtype,
  };
  pass->ops->norm_backward(pass->stream, &launch);
}
