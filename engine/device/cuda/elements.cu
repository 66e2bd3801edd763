/* Kernels without sums: every element for itself. */
#include "engine/device/cuda/kernels.cuh"

#define THREADS     256u
#define MOST_BLOCKS 65536u /* each thread then takes every so-many-th element */
#define FOR_EACH(i, n)                                                                             \
  for (gsize i = (gsize)blockIdx.x * THREADS + threadIdx.x; i < (n);                               \
       i += (gsize)gridDim.x * THREADS)

static unsigned blocks_for(gsize n)
{
  gsize blocks = (n + THREADS - 1) / THREADS;
  return blocks < MOST_BLOCKS ? (unsigned)blocks : MOST_BLOCKS;
}

/* y = GELU(x): [n] */
template <OlDtype dtype> static __global__ void gelu_forward(OlGeluForward l)
{
  FOR_EACH(i, l.n)
  ol_store(l.y, i, ol_gelu(ol_load(l.x, i, dtype)), dtype);
}

cudaError_t ol_cuda_gelu_forward(const OlGeluForward *l, cudaStream_t stream)
{
  if (l->n > 0)
    LAUNCH_OF_DTYPE(gelu_forward, l->dtype, blocks_for(l->n), THREADS, stream, *l);
  return cudaGetLastError();
}

/* d_x = GELU'(x)·d_y: [n] */
template <OlDtype dtype> static __global__ void gelu_backward(OlGeluBackward l)
{
  FOR_EACH(i, l.n)
  {
    float slope = ol_gelu_slope(ol_load(l.x, i, dtype));
    ol_store(l.d_x, i, slope * ol_load(l.d_y, i, dtype), dtype);
  }
}

cudaError_t ol_cuda_gelu_backward(const OlGeluBackward *l, cudaStream_t stream)
{
  if (l->n > 0)
    LAUNCH_OF_DTYPE(gelu_backward, l->dtype, blocks_for(l->n), THREADS, stream, *l);
  return cudaGetLastError();
}

/* y = a + b: [n] */
template <OlDtype dtype> static __global__ void add(OlAdd l)
{
  FOR_EACH(i, l.n)
  ol_store(l.y, i, ol_load(l.a, i, dtype) + ol_load(l.b, i, dtype), dtype);
}

cudaError_t ol_cuda_add(const OlAdd *l, cudaStream_t stream)
{
  if (l->n > 0)
    LAUNCH_OF_DTYPE(add, l->dtype, blocks_for(l->n), THREADS, stream, *l);
  return cudaGetLastError();
}

/* sum = (first ? 0 : sum) + x: [n] */
template <OlDtype dtype> static __global__ void accumulate(OlAccumulate l)
{
  FOR_EACH(i, l.n)
  l.sum[i] = (l.first ? 0.0f : l.sum[i]) + ol_load(l.x, i, dtype);
}

cudaError_t ol_cuda_accumulate(const OlAccumulate *l, cudaStream_t stream)
{
  if (l->n > 0)
    LAUNCH_OF_DTYPE(accumulate, l->dtype, blocks_for(l->n), THREADS, stream, *l);
  return cudaGetLastError();
}

/* y = x rounded: [n] */
static __global__ void cast(OlCast l)
{
  FOR_EACH(i, l.n)
  l.y[i] = ol_bf16_from_float(l.x[i]);
}

cudaError_t ol_cuda_cast(const OlCast *l, cudaStream_t stream)
{
  if (l->n > 0)
    cast<<<blocks_for(l->n), THREADS, 0, stream>>>(*l);
  return cudaGetLastError();
}

/* The update of the host, element by element: the same function, so the same bits. */
template <OlDtype gradient_dtype> static __global__ void adam(OlAdamScalars k, OlAdamSpan s)
{
  float decay = s.decays ? k.decay : 1.0f;
  FOR_EACH(i, s.elements)
  {
    float g = ol_load(s.gradient, i, gradient_dtype);
    if (s.round_gradient)
      g = ol_rounded(g, OL_DTYPE_BF16);
    float m = s.moment1[i], v = s.moment2[i];
    float p = ol_adam_element(&k, decay, s.master[i], g, &m, &v);
    s.master[i] = p;
    s.moment1[i] = m;
    s.moment2[i] = v;
    if (s.weights_out)
      s.weights_out[i] = ol_bf16_from_float(p);
  }
}

cudaError_t ol_cuda_adam(const OlAdamLaunch *l, cudaStream_t stream)
{
  OlDtype dtype = l->span.gradient_is_fp32 ? OL_DTYPE_FP32 : OL_DTYPE_BF16;
  if (l->span.elements > 0)
    LAUNCH_OF_DTYPE(adam, dtype, blocks_for(l->span.elements), THREADS, stream, l->scalars,
                    l->span);
  return cudaGetLastError();
}

/* y: [rows][width] = token[id] + position[row mod sequence] */
template <OlDtype dtype> static __global__ void embed_forward(OlEmbedForward l)
{
  FOR_EACH(i, l.rows * l.width)
  {
    gsize row = i / l.width, column = i % l.width;
    float token = ol_load(l.token, (gsize)l.ids[row] * l.width + column, dtype);
    float position = ol_load(l.position, row % l.sequence * l.width + column, dtype);
    ol_store(l.y, i, token + position, dtype);
  }
}

cudaError_t ol_cuda_embed_forward(const OlEmbedForward *l, cudaStream_t stream)
{
  gsize n = l->rows * l->width;
  if (n > 0)
    LAUNCH_OF_DTYPE(embed_forward, l->dtype, blocks_for(n), THREADS, stream, *l);
  return cudaGetLastError();
}

/* c: [m][n] = bias (+ c) */
static __global__ void spread_bias(OlMatmul l)
{
  FOR_EACH(i, l.m * l.n)
  {
    float bias = ol_load(l.bias, i % l.n, l.dtype);
    ol_store(l.c, i, l.accumulate ? bias + ol_load(l.c, i, l.c_dtype) : bias, l.c_dtype);
  }
}

cudaError_t ol_cuda_spread_bias(const OlMatmul *l, cudaStream_t stream)
{
  gsize n = l->m * l->n;
  if (n > 0)
    spread_bias<<<blocks_for(n), THREADS, 0, stream>>>(*l);
  return cudaGetLastError();
}

/* c: [n] from element `begin` on = product + bias (+ c) */
static __global__ void finish(OlMatmul l, const float *product, gsize begin, gsize n)
{
  FOR_EACH(i, n)
  {
    float sum = product[i];
    if (l.bias)
      sum += ol_load(l.bias, i % l.n, l.dtype);
    if (l.accumulate)
      sum += ol_load(l.c, begin + i, l.c_dtype);
    ol_store(l.c, begin + i, sum, l.c_dtype);
  }
}

cudaError_t ol_cuda_finish(const OlMatmul *l, const float *product, gsize first, gsize rows,
                           cudaStream_t stream)
{
  gsize n = rows * l->n;
  if (n > 0)
    finish<<<blocks_for(n), THREADS, 0, stream>>>(*l, product, first * l->n, n);
  return cudaGetLastError();
}
