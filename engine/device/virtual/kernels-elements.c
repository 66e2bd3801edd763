/* Kernels without sums: every element for itself. */
#include "engine/device/kernels/gelu.h"
#include "engine/device/virtual/kernels-private.h"

/* [rows][columns] of type dtype -> fp32. */
OL_ELEMENT void widen(const OlWiden *launch, gsize begin, gsize end, OlDtype dtype)
{
  gsize columns = launch->columns;
  for (gsize row = begin; row < end; row++) {
    const char *source =
        (const char *)launch->source + row * launch->stride * ol_dtype_bytes(dtype);
    float *target = launch->target + row * columns;
    OL_INDEPENDENT
    for (gsize i = 0; i < columns; i++)
      target[i] = ol_load(source, i, dtype);
  }
}
OL_KERNEL_OF_DTYPE(widen, OlWiden, dtype)

/* product: fp32 [rows][columns] -> c. */
OL_ELEMENT void finish(const OlFinish *launch, gsize begin, gsize end, OlDtype dtype)
{
  gsize columns = launch->columns;
  const void *bias = launch->bias;
  OlDtype c_dtype = launch->c_dtype;
  for (gsize row = begin; row < end; row++) {
    char *c = (char *)launch->c + row * launch->stride * ol_dtype_bytes(c_dtype);
    const float *product = launch->product + row * columns;
    OL_INDEPENDENT
    for (gsize i = 0; i < columns; i++) {
      float sum = product[i];
      if (bias)
        sum += ol_load(bias, i, dtype);
      if (launch->accumulate)
        sum += ol_load(c, i, c_dtype);
      ol_store(c, i, sum, c_dtype);
    }
  }
}
OL_KERNEL_OF_DTYPE(finish, OlFinish, dtype)

/* y = GELU(x): [n] */
OL_ELEMENT void gelu_forward(const OlGeluForward *launch, gsize begin, gsize end, OlDtype dtype)
{
  OL_INDEPENDENT
  for (gsize i = begin; i < end; i++)
    ol_store(launch->y, i, ol_gelu(ol_load(launch->x, i, dtype)), dtype);
}
OL_KERNEL_OF_DTYPE(gelu_forward, OlGeluForward, dtype)

/* d_x = GELU'(x)·d_y: [n] */
OL_ELEMENT void gelu_backward(const OlGeluBackward *launch, gsize begin, gsize end, OlDtype dtype)
{
  OL_INDEPENDENT
  for (gsize i = begin; i < end; i++) {
    float slope = ol_gelu_slope(ol_load(launch->x, i, dtype));
    ol_store(launch->d_x, i, slope * ol_load(launch->d_y, i, dtype), dtype);
  }
}
OL_KERNEL_OF_DTYPE(gelu_backward, OlGeluBackward, dtype)

/* y = a + b: [n] */
OL_ELEMENT void add(const OlAdd *launch, gsize begin, gsize end, OlDtype dtype)
{
  OL_INDEPENDENT
  for (gsize i = begin; i < end; i++)
    ol_store(launch->y, i, ol_load(launch->a, i, dtype) + ol_load(launch->b, i, dtype), dtype);
}
OL_KERNEL_OF_DTYPE(add, OlAdd, dtype)

/* sum = (first ? 0 : sum) + x: [n] */
OL_ELEMENT void accumulate(const OlAccumulate *launch, gsize begin, gsize end, OlDtype dtype)
{
  float *sum = launch->sum;
  OL_INDEPENDENT
  for (gsize i = begin; i < end; i++)
    sum[i] = (launch->first ? 0.0f : sum[i]) + ol_load(launch->x, i, dtype);
}
OL_KERNEL_OF_DTYPE(accumulate, OlAccumulate, dtype)

/* y = x rounded: [n] */
void OL_KERNEL(cast)(const void *data, gsize begin, gsize end)
{
  const OlCast *launch = data;
  OL_INDEPENDENT
  for (gsize i = begin; i < end; i++)
    launch->y[i] = ol_bf16_from_float(launch->x[i]);
}

/* y: [rows][width] = token[id] + position[row mod sequence] */
OL_ELEMENT void embed_forward(const OlEmbedForward *launch, gsize begin, gsize end, OlDtype dtype)
{
  gsize width = launch->width, row_bytes = width * ol_dtype_bytes(dtype);
  for (gsize row = begin; row < end; row++) {
    const char *token = (const char *)launch->token + (gsize)launch->ids[row] * row_bytes;
    const char *position = (const char *)launch->position + row % launch->sequence * row_bytes;
    char *y = (char *)launch->y + row * row_bytes;
    OL_INDEPENDENT
    for (gsize i = 0; i < width; i++)
      ol_store(y, i, ol_load(token, i, dtype) + ol_load(position, i, dtype), dtype);
  }
}
OL_KERNEL_OF_DTYPE(embed_forward, OlEmbedForward, dtype)
