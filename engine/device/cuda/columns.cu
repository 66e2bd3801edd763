/* Kernels that sum down columns: in blocks of 64 rows, then the blocks in order, as the virtual
 * device's kernels do. Blocks are summed side by side; no sum depends on who comes first. */
#include "engine/device/cuda/kernels.cuh"

#define BLOCK_ROWS 64u /* rows of a partial sum */
#define COLUMNS    32u /* columns of a thread block, a warp */
#define SIDE       8u  /* partial sums side by side */

/* Σ over rows of term(row), by the SIDE threads that share a column; threadIdx.y 0 is given it.
 * Every thread of the thread block must come here, `live` or not. */
template <typename Term> static __device__ float column_sum(gsize rows, bool live, Term term)
{
  __shared__ float partial[SIDE][COLUMNS];
  float total = 0;
  for (gsize first = 0; first < rows; first += SIDE * BLOCK_ROWS) {
    gsize begin = first + threadIdx.y * BLOCK_ROWS;
    float sum = 0;
    for (gsize row = begin; live && row < rows && row < begin + BLOCK_ROWS; row++)
      sum += term(row);
    partial[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    for (unsigned i = 0; threadIdx.y == 0 && i < SIDE; i++)
      total += partial[i][threadIdx.x];
    __syncthreads();
  }
  return total;
}

static unsigned blocks_for(gsize columns)
{
  return (unsigned)((columns + COLUMNS - 1) / COLUMNS);
}

/* One column of x: [rows][columns]. */
template <OlDtype dtype> struct Element {
  const void *x;
  gsize columns, column;

  __device__ float operator()(gsize row) const
  {
    return ol_load(x, row * columns + column, dtype);
  }
};

/* sums: [columns] */
template <OlDtype dtype> static __global__ void column_sums(OlColumnSums l)
{
  gsize column = (gsize)blockIdx.x * COLUMNS + threadIdx.x;
  bool live = column < l.columns;
  float sum = column_sum(l.rows, live, Element<dtype>{l.x, l.columns, column});
  if (live && threadIdx.y == 0)
    ol_store(l.sums, column, sum, dtype);
}

cudaError_t ol_cuda_column_sums(const OlColumnSums *l, cudaStream_t stream)
{
  if (l->columns > 0)
    LAUNCH_OF_DTYPE(column_sums, l->dtype, blocks_for(l->columns), dim3(COLUMNS, SIDE), stream, *l);
  return cudaGetLastError();
}

/* d_y · x^ of one column. */
template <OlDtype dtype> struct GainTerm {
  OlNormBackward l;
  const float *statistics;
  gsize column;

  __device__ float operator()(gsize row) const
  {
    gsize i = row * l.width + column;
    float mean = statistics[2 * row], inverse = statistics[2 * row + 1];
    return ol_load(l.d_y, i, dtype) * ((ol_load(l.x, i, dtype) - mean) * inverse);
  }
};

/* d_gain: [width] = Σ d_y·x^, d_bias: [width] = Σ d_y, over rows */
template <OlDtype dtype>
static __global__ void norm_columns(OlNormBackward l, const float *statistics)
{
  gsize column = (gsize)blockIdx.x * COLUMNS + threadIdx.x;
  bool live = column < l.width;
  float gain = column_sum(l.rows, live, GainTerm<dtype>{l, statistics, column});
  float bias = column_sum(l.rows, live, Element<dtype>{l.d_y, l.width, column});
  if (live && threadIdx.y == 0) {
    ol_store(l.d_gain, column, gain, dtype);
    ol_store(l.d_bias, column, bias, dtype);
  }
}

cudaError_t ol_cuda_norm_columns(const OlNormBackward *l, const float *statistics,
                                 cudaStream_t stream)
{
  if (l->width > 0)
    LAUNCH_OF_DTYPE(norm_columns, l->dtype, blocks_for(l->width), dim3(COLUMNS, SIDE), stream, *l,
                    statistics);
  return cudaGetLastError();
}

/* A sum whose terms come one at a time, in blocks as above. */
struct RunningSum {
  float block = 0, total = 0;
  gsize terms = 0;

  __device__ void add(float term)
  {
    block += term;
    if (++terms % BLOCK_ROWS != 0)
      return;
    total += block;
    block = 0;
  }

  __device__ float get() const
  {
    return total + block;
  }
};

#define EMBED_THREADS 128u

/* d_token: [vocabulary][width]: the sum of the rows that read it, in their order. A thread block
 * takes one id and 128 columns, looks 128 rows ahead for the id and goes on where there is none. */
template <OlDtype dtype> static __global__ void embed_tokens(OlEmbedBackward l)
{
  __shared__ int32_t ids[EMBED_THREADS];
  int32_t id = (int32_t)blockIdx.x;
  gsize column = (gsize)blockIdx.y * EMBED_THREADS + threadIdx.x;
  RunningSum sum;
  for (gsize first = 0; first < l.rows; first += EMBED_THREADS) {
    gsize mine = first + threadIdx.x;
    ids[threadIdx.x] = mine < l.rows ? l.ids[mine] : -1;
    if (!__syncthreads_or(ids[threadIdx.x] == id))
      continue;
    for (unsigned i = 0; column < l.width && i < EMBED_THREADS; i++)
      if (ids[i] == id)
        sum.add(ol_load(l.d_y, (first + i) * l.width + column, dtype));
    __syncthreads();
  }
  if (column < l.width)
    ol_store(l.d_token, (gsize)id * l.width + column, sum.get(), dtype);
}

/* d_position: [sequence][width]: the sum over samples */
template <OlDtype dtype> static __global__ void embed_positions(OlEmbedBackward l)
{
  gsize position = blockIdx.x, column = (gsize)blockIdx.y * EMBED_THREADS + threadIdx.x;
  if (column >= l.width)
    return;
  RunningSum sum;
  for (gsize row = position; row < l.rows; row += l.sequence)
    sum.add(ol_load(l.d_y, row * l.width + column, dtype));
  ol_store(l.d_position, position * l.width + column, sum.get(), dtype);
}

cudaError_t ol_cuda_embed_backward(const OlEmbedBackward *l, cudaStream_t stream)
{
  unsigned strips = (unsigned)((l->width + EMBED_THREADS - 1) / EMBED_THREADS);
  if (strips > 0 && l->vocabulary > 0)
    LAUNCH_OF_DTYPE(embed_tokens, l->dtype, dim3((unsigned)l->vocabulary, strips), EMBED_THREADS,
                    stream, *l);
  if (strips > 0 && l->sequence > 0)
    LAUNCH_OF_DTYPE(embed_positions, l->dtype, dim3((unsigned)l->sequence, strips), EMBED_THREADS,
                    stream, *l);
  return cudaGetLastError();
}
