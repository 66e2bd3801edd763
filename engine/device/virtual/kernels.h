/* The plain C kernels of the virtual device. kernels-*.c are compiled once for every instruction
 * set (meson.build); each build fills one table, and the device takes the widest that the CPU can
 * run. All give the same bits: no contraction, sums over a fixed number of lanes.
 *
 * Every kernel works on a range of its launch, [begin, end) of rows, columns or elements, so that
 * any split over threads gives the same bits too. Private to engine/device/virtual and its tests.
 */
#pragma once

#include "engine/device/device.h"

G_BEGIN_DECLS

typedef void (*OlRangeKernel)(const void *launch, gsize begin, gsize end);

/* target: fp32 [rows][columns], dense = source: [rows][columns], `stride` elements from row to row.
 * Range: rows. */
typedef struct {
  const void *source;
  gsize columns, stride;
  OlDtype dtype;
  float *target;
} OlWiden;

/* c: [rows][columns], `stride` elements from row to row = product + bias (+ c), rounded once.
 * product: fp32 [rows][columns], dense. Range: rows. */
typedef struct {
  const float *product;
  gsize columns, stride;
  const void *bias; /* [columns] or NULL */
  OlDtype dtype;
  gboolean accumulate;
  void *c;
  OlDtype c_dtype;
} OlFinish;

/* statistics: fp32 [rows][2]: mean and 1/√(variance + ε) of each row. */
typedef struct {
  OlNormBackward launch;
  float *statistics;
} OlNormBackwardRun;

/* Rows `first` … of one head's scores become probabilities. scores: fp32 [rows][columns], replaced
 * by the probabilities as stored; of row r only columns 0 … first + r count, the rest become 0.
 * probabilities: [rows][sequence]. Range: rows. */
typedef struct {
  float *scores;
  gsize first, columns, sequence;
  float scale;
  void *probabilities;
  OlDtype dtype;
} OlCausalSoftmax;

/* d_scores: fp32 [rows][columns]: gradient of the probabilities, replaced by that of the scores.
 * widened: fp32 [rows][columns]: the probabilities. Range: rows. */
typedef struct {
  float *d_scores;
  const float *widened;
  gsize columns;
  float scale;
} OlSoftmaxBackward;

typedef struct {
  OlSoftmaxLoss launch;
  double *row_losses; /* [rows] */
} OlSoftmaxLossRun;

/* Rows with the same id, chained in row order: first[id] and next[row], -1 at the end. */
typedef struct {
  OlEmbedBackward launch;
  const int32_t *first, *next;
} OlEmbedBackwardRun;

typedef struct {
  const char *name;
  OlRangeKernel widen, finish;                                      /* rows */
  OlRangeKernel norm_forward;                                       /* rows of OlNormForward */
  OlRangeKernel norm_statistics, norm_columns, norm_rows;           /* rows, columns, rows */
  OlRangeKernel causal_softmax, softmax_backward;                   /* rows */
  OlRangeKernel softmax_loss;                                       /* rows */
  OlRangeKernel gelu_forward, gelu_backward, add, accumulate, cast; /* elements */
  OlRangeKernel column_sums;                                        /* columns */
  OlRangeKernel embed_forward;                                      /* rows */
  OlRangeKernel embed_tokens, embed_positions;                      /* ids, positions */
} OlKernels;

/* The builds this CPU can run, from the plainest to the widest. Returns how many. */
guint ol_kernels_builds(const OlKernels *const **builds);

G_END_DECLS
