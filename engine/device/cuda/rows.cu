/* Kernels that sum along rows: layer norm, softmax, squares. Half a warp takes a row, its lane i
 * the elements i, i + 16, …: the order in which the virtual device's kernels sum, whatever their
 * vectors. */
#include "engine/device/cuda/kernels.cuh"

#define LANES        16u
#define ROWS_A_BLOCK 8u
#define THREADS      (LANES * ROWS_A_BLOCK)

/* A thread's place: its row of the launch and its lane in that row. */
typedef struct {
  gsize row;
  unsigned lane, mask; /* mask: the warp's threads that share the row */
} Place;

static __device__ Place get_place(void)
{
  unsigned half = threadIdx.x / LANES % 2;
  return {(gsize)blockIdx.x * ROWS_A_BLOCK + threadIdx.x / LANES, threadIdx.x % LANES,
          0xffffu << (half * LANES)};
}

static unsigned blocks_for(gsize rows)
{
  return (unsigned)((rows + ROWS_A_BLOCK - 1) / ROWS_A_BLOCK);
}

/* The lanes' sums, in halves; every lane is given the whole. */
static __device__ float lanes_sum(float sum, unsigned mask)
{
  for (unsigned width = LANES / 2; width > 0; width /= 2)
    sum += __shfl_down_sync(mask, sum, width, LANES);
  return __shfl_sync(mask, sum, 0, LANES);
}

/* NaN is passed over (the sum that follows finds it). */
static __device__ float lanes_largest(float largest, unsigned mask)
{
  for (unsigned width = LANES / 2; width > 0; width /= 2) {
    float other = __shfl_down_sync(mask, largest, width, LANES);
    largest = other > largest ? other : largest;
  }
  return __shfl_sync(mask, largest, 0, LANES);
}

/* The elements of a row that a thread takes. */
#define FOR_LANE(i, place, n) for (gsize i = (place).lane; i < (n); i += LANES)

/* sum: the float variable to set. TERM: an expression of the index `i`, over 0 … n-1. */
#define ROW_SUM(sum, place, n, TERM)                                                               \
  do {                                                                                             \
    float lane_ = 0;                                                                               \
    FOR_LANE(i, place, n)                                                                          \
    lane_ += (TERM);                                                                               \
    (sum) = lanes_sum(lane_, (place).mask);                                                        \
  } while (0)

/* x: [n], n > 0 */
template <OlDtype dtype> static __device__ float row_largest(Place place, const void *x, gsize n)
{
  float largest = ol_load(x, 0, dtype);
  FOR_LANE(i, place, n)
  {
    float value = ol_load(x, i, dtype);
    largest = value > largest ? value : largest;
  }
  return lanes_largest(largest, place.mask);
}

static __device__ const char *row_of(const void *x, gsize row, gsize columns, OlDtype dtype)
{
  return (const char *)x + row * columns * ol_dtype_bytes(dtype);
}

typedef struct {
  float mean, inverse_deviation;
} Statistics;

/* x: [width]. The variance is summed around the mean, so nothing cancels. */
template <OlDtype dtype>
static __device__ Statistics row_statistics(Place place, const void *x, gsize width)
{
  float sum, squares;
  ROW_SUM(sum, place, width, ol_load(x, i, dtype));
  float mean = sum / (float)width;
  ROW_SUM(squares, place, width, (ol_load(x, i, dtype) - mean) * (ol_load(x, i, dtype) - mean));
  return {mean, 1.0f / sqrtf(squares / (float)width + OL_NORM_EPSILON)};
}

/* y: [rows][width] */
template <OlDtype dtype> static __global__ void norm_forward(OlNormForward l)
{
  Place place = get_place();
  if (place.row >= l.rows)
    return;
  const void *x = row_of(l.x, place.row, l.width, dtype);
  void *y = (void *)row_of(l.y, place.row, l.width, dtype);
  Statistics s = row_statistics<dtype>(place, x, l.width);
  FOR_LANE(i, place, l.width)
  ol_store(y, i,
           ol_norm(ol_load(x, i, dtype), s.mean, s.inverse_deviation, ol_load(l.gain, i, dtype),
                   ol_load(l.bias, i, dtype)),
           dtype);
}

cudaError_t ol_cuda_norm_forward(const OlNormForward *l, cudaStream_t stream)
{
  if (l->rows > 0)
    LAUNCH_OF_DTYPE(norm_forward, l->dtype, blocks_for(l->rows), THREADS, stream, *l);
  return cudaGetLastError();
}

/* statistics: [rows][2] */
template <OlDtype dtype> static __global__ void norm_statistics(OlNormBackward l, float *statistics)
{
  Place place = get_place();
  if (place.row >= l.rows)
    return;
  Statistics s = row_statistics<dtype>(place, row_of(l.x, place.row, l.width, dtype), l.width);
  if (place.lane == 0) {
    statistics[2 * place.row] = s.mean;
    statistics[2 * place.row + 1] = s.inverse_deviation;
  }
}

cudaError_t ol_cuda_norm_statistics(const OlNormBackward *l, float *statistics, cudaStream_t stream)
{
  if (l->rows > 0)
    LAUNCH_OF_DTYPE(norm_statistics, l->dtype, blocks_for(l->rows), THREADS, stream, *l,
                    statistics);
  return cudaGetLastError();
}

/* d_x: [rows][width] */
template <OlDtype dtype> static __global__ void norm_rows(OlNormBackward l, const float *statistics)
{
  Place place = get_place();
  if (place.row >= l.rows)
    return;
  const void *x = row_of(l.x, place.row, l.width, dtype);
  const void *d_y = row_of(l.d_y, place.row, l.width, dtype);
  const void *residual = l.residual ? row_of(l.residual, place.row, l.width, dtype) : NULL;
  void *d_x = (void *)row_of(l.d_x, place.row, l.width, dtype);
  float mean = statistics[2 * place.row], inverse = statistics[2 * place.row + 1];

  float sum_g, sum_gx;
  ROW_SUM(sum_g, place, l.width, ol_load(l.gain, i, dtype) * ol_load(d_y, i, dtype));
  ROW_SUM(sum_gx, place, l.width,
          ol_load(l.gain, i, dtype) * ol_load(d_y, i, dtype) *
              ((ol_load(x, i, dtype) - mean) * inverse));
  float mean_g = sum_g / (float)l.width, mean_gx = sum_gx / (float)l.width;

  FOR_LANE(i, place, l.width)
  {
    float g = ol_load(l.gain, i, dtype) * ol_load(d_y, i, dtype);
    float normalised = (ol_load(x, i, dtype) - mean) * inverse;
    float value = ol_norm_gradient(normalised, inverse, g, mean_g, mean_gx);
    ol_store(d_x, i, residual ? ol_load(residual, i, dtype) + value : value, dtype);
  }
}

cudaError_t ol_cuda_norm_rows(const OlNormBackward *l, const float *statistics, cudaStream_t stream)
{
  if (l->rows > 0)
    LAUNCH_OF_DTYPE(norm_rows, l->dtype, blocks_for(l->rows), THREADS, stream, *l, statistics);
  return cudaGetLastError();
}

/* logits: [rows][vocabulary], replaced by (softmax - one-hot)·scale; row_losses: [rows] */
template <OlDtype dtype> static __global__ void softmax_loss(OlSoftmaxLoss l, double *row_losses)
{
  Place place = get_place();
  if (place.row >= l.rows)
    return;
  gsize n = l.vocabulary, target = (gsize)l.targets[place.row];
  void *logits = (void *)row_of(l.logits, place.row, n, dtype);
  float scale = (float)l.scale, target_logit = ol_load(logits, target, dtype);
  float largest = row_largest<dtype>(place, logits, n);
  float sum;
  ROW_SUM(sum, place, n, ol_exp(ol_load(logits, i, dtype) - largest));
  if (place.lane == 0)
    row_losses[place.row] = (double)ol_log(sum) + (double)(largest - target_logit);

  float inverse = 1.0f / sum;
  float target_gradient = (ol_exp(target_logit - largest) * inverse - 1.0f) * scale;
  __syncwarp(place.mask); /* every lane has read the target's logit before one replaces it */
  FOR_LANE(i, place, n)
  {
    float probability = ol_exp(ol_load(logits, i, dtype) - largest) * inverse;
    ol_store(logits, i, i == target ? target_gradient : probability * scale, dtype);
  }
}

cudaError_t ol_cuda_softmax_loss(const OlSoftmaxLoss *l, double *row_losses, cudaStream_t stream)
{
  if (l->rows > 0)
    LAUNCH_OF_DTYPE(softmax_loss, l->dtype, blocks_for(l->rows), THREADS, stream, *l, row_losses);
  return cudaGetLastError();
}

/* Row r of [heads · rows] is query first + r mod rows of head r / rows. */
template <OlDtype dtype> static __global__ void causal_softmax(OlCudaCausalSoftmax l)
{
  Place place = get_place();
  if (place.row >= l.heads * l.rows)
    return;
  gsize head = place.row / l.rows, query = l.first + place.row % l.rows, n = query + 1;
  float *scores = l.scores + place.row * (l.first + l.rows);
  void *probabilities =
      (void *)row_of(l.probabilities, head * l.sequence + query, l.sequence, dtype);

  float largest = row_largest<OL_DTYPE_FP32>(place, scores, n);
  __syncwarp(place.mask); /* every lane has read the first score before its lane replaces it */
  FOR_LANE(i, place, n)
  scores[i] = ol_exp((scores[i] - largest) * l.scale);
  float sum;
  ROW_SUM(sum, place, n, scores[i]);
  float inverse = 1.0f / sum;
  FOR_LANE(i, place, l.sequence)
  ol_store(probabilities, i, i < n ? scores[i] * inverse : 0.0f, dtype);
}

cudaError_t ol_cuda_causal_softmax(const OlCudaCausalSoftmax *l, cudaStream_t stream)
{
  gsize rows = l->heads * l->rows;
  if (rows > 0)
    LAUNCH_OF_DTYPE(causal_softmax, l->dtype, blocks_for(rows), THREADS, stream, *l);
  return cudaGetLastError();
}

/* d_scores: [rows][columns] */
template <OlDtype dtype> static __global__ void softmax_backward(OlCudaSoftmaxBackward l)
{
  Place place = get_place();
  if (place.row >= l.rows)
    return;
  const float *d_p = l.d_probabilities + place.row * l.columns;
  const void *p = row_of(l.probabilities, place.row, l.columns, dtype);
  void *d_scores = (void *)row_of(l.d_scores, place.row, l.columns, dtype);
  float sum;
  ROW_SUM(sum, place, l.columns, ol_load(p, i, dtype) * d_p[i]);
  FOR_LANE(i, place, l.columns)
  ol_store(d_scores, i, l.scale * (ol_load(p, i, dtype) * (d_p[i] - sum)), dtype);
}

cudaError_t ol_cuda_softmax_backward(const OlCudaSoftmaxBackward *l, cudaStream_t stream)
{
  if (l->rows > 0)
    LAUNCH_OF_DTYPE(softmax_backward, l->dtype, blocks_for(l->rows), THREADS, stream, *l);
  return cudaGetLastError();
}

/* sums: [chunks]. A thread for each running sum of ol_squares(); they are added up in its order. */
template <OlDtype dtype> static __global__ void squares(OlSquares l, double *sums)
{
  gsize thread = (gsize)blockIdx.x * THREADS + threadIdx.x;
  gsize chunk = thread / OL_SQUARES_LANES;
  unsigned lane = threadIdx.x % OL_SQUARES_LANES;
  unsigned mask = 0xffu << (threadIdx.x % 32 / OL_SQUARES_LANES * OL_SQUARES_LANES);
  if (chunk * l.chunk >= l.n)
    return;
  gsize first = ol_squares_first(&l, chunk), n = ol_squares_count(&l, chunk);
  double sum = 0;
  for (gsize i = lane; i < n; i += OL_SQUARES_LANES) {
    float value = ol_load(l.x, first + i, dtype);
    if (l.round)
      value = ol_rounded(value, OL_DTYPE_BF16);
    sum += (double)value * (double)value;
  }
  for (unsigned half = OL_SQUARES_LANES / 2; half > 0; half /= 2)
    sum += __shfl_down_sync(mask, sum, half, OL_SQUARES_LANES);
  if (lane == 0)
    sums[chunk] = sum;
}

cudaError_t ol_cuda_squares(const OlSquares *l, double *sums, cudaStream_t stream)
{
  gsize chunks = (l->n + l->chunk - 1) / l->chunk;
  gsize blocks = (chunks * OL_SQUARES_LANES + THREADS - 1) / THREADS;
  if (chunks > 0)
    LAUNCH_OF_DTYPE(squares, l->dtype, (unsigned)blocks, THREADS, stream, *l, sums);
  return cudaGetLastError();
}
