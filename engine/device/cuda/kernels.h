/* Our own kernels. Each function puts its work on a stream and gives what the launch says; pointers
 * are GPU memory that the caller has checked. C and CUDA both read this.
 *
 * Sums are taken in the order of the virtual device's plain C kernels (a row over 16 lanes, columns
 * over blocks of 64 rows), and nothing is contracted, so these give the virtual device's bits. */
#pragma once

#include "engine/device/device.h"
#include <cuda_runtime_api.h>

G_BEGIN_DECLS

cudaError_t ol_cuda_gelu_forward(const OlGeluForward *launch, cudaStream_t stream);
cudaError_t ol_cuda_gelu_backward(const OlGeluBackward *launch, cudaStream_t stream);
cudaError_t ol_cuda_add(const OlAdd *launch, cudaStream_t stream);
cudaError_t ol_cuda_accumulate(const OlAccumulate *launch, cudaStream_t stream);
cudaError_t ol_cuda_cast(const OlCast *launch, cudaStream_t stream);
cudaError_t ol_cuda_adam(const OlAdamLaunch *launch, cudaStream_t stream);
cudaError_t ol_cuda_embed_forward(const OlEmbedForward *launch, cudaStream_t stream);
cudaError_t ol_cuda_embed_backward(const OlEmbedBackward *launch, cudaStream_t stream);
cudaError_t ol_cuda_column_sums(const OlColumnSums *launch, cudaStream_t stream);

/* sums: fp64, GPU memory, one a chunk. */
cudaError_t ol_cuda_squares(const OlSquares *launch, double *sums, cudaStream_t stream);

cudaError_t ol_cuda_norm_forward(const OlNormForward *launch, cudaStream_t stream);
/* statistics: fp32 [rows][2], scratch: mean and 1/√(variance + ε) of each row. */
cudaError_t ol_cuda_norm_statistics(const OlNormBackward *launch, float *statistics,
                                    cudaStream_t stream);
cudaError_t ol_cuda_norm_columns(const OlNormBackward *launch, const float *statistics,
                                 cudaStream_t stream);
cudaError_t ol_cuda_norm_rows(const OlNormBackward *launch, const float *statistics,
                              cudaStream_t stream);

/* row_losses: fp64 [rows]: -log softmax[target], not scaled. */
cudaError_t ol_cuda_softmax_loss(const OlSoftmaxLoss *launch, double *row_losses,
                                 cudaStream_t stream);

/* c = bias in every row (+ c when accumulate): what a product is then added to. */
cudaError_t ol_cuda_spread_bias(const OlMatmul *launch, cudaStream_t stream);
/* Rows first … first + rows of c = product + bias (+ c), rounded once. product: fp32 [rows][n]. */
cudaError_t ol_cuda_finish(const OlMatmul *launch, const float *product, gsize first, gsize rows,
                           cudaStream_t stream);

/* Rows `first` … of several heads' scores become probabilities.
 * scores: fp32 [heads][rows][first + rows], used up; of row r only columns 0 … first + r count.
 * probabilities: [heads][sequence][sequence], of which rows first … are written, whole. */
typedef struct {
  gsize heads, first, rows, sequence;
  float scale;
  float *scores;
  void *probabilities;
  OlDtype dtype;
} OlCudaCausalSoftmax;
cudaError_t ol_cuda_causal_softmax(const OlCudaCausalSoftmax *launch, cudaStream_t stream);

/* d_scores = scale · p · (d_p - Σ p·d_p), rounded. All [rows][columns]; d_probabilities is fp32. */
typedef struct {
  gsize rows, columns;
  float scale;
  const float *d_probabilities;
  const void *probabilities;
  void *d_scores;
  OlDtype dtype;
} OlCudaSoftmaxBackward;
cudaError_t ol_cuda_softmax_backward(const OlCudaSoftmaxBackward *launch, cudaStream_t stream);

G_END_DECLS
