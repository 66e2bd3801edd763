/* A device, shaped like CUDA: streams, events, async copies, launches of a short list of kernels.
 *
 * A launch returns at once; work on one stream runs in order. A failure is sticky: the first one is
 * kept, later work is skipped, and get_error() tells it. Pointers are GPU memory of this device
 * unless they say host. Arrays are row-major; e is the element type (OlDtype) of the launch:
 * storage in e, arithmetic in fp32, one rounding when a result is stored. No result depends on
 * timing: sums have a fixed order. */
#pragma once

#include "engine/optimizer/adam.h"
#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum { OL_DTYPE_FP32, OL_DTYPE_BF16 } OlDtype;

static inline gsize ol_dtype_bytes(OlDtype dtype)
{
  return dtype == OL_DTYPE_BF16 ? 2 : 4;
}

typedef struct OlDevice OlDevice;
typedef struct OlStream OlStream;
typedef struct OlEvent OlEvent;
typedef void (*OlHostFunction)(gpointer data);

typedef struct {
  guint compute_threads; /* of one kernel: fixed, since it decides the order of sums */
  guint64 gpu_bytes;     /* GPU memory to reserve */
} OlDeviceOptions;

/* c: [m][n] = op(a) · op(b) + bias (+ c when accumulate).
 * op(a): [m][k], stored [k][m] when transpose_a; op(b): [k][n], stored [n][k] when transpose_b.
 * bias: [n] or NULL. a, b and bias of type `dtype`, c of `c_dtype`. */
typedef struct {
  gsize m, n, k;
  gboolean transpose_a, transpose_b, accumulate;
  const void *a, *b, *bias;
  void *c;
  OlDtype dtype, c_dtype;
} OlMatmul;

/* y: [rows][width] = gain · (x - mean) / √(variance + 1e-5) + bias */
typedef struct {
  gsize rows, width;
  const void *x, *gain, *bias;
  void *y;
  OlDtype dtype;
} OlNormForward;

/* d_x: [rows][width] = (residual +) the gradient through the norm; d_gain, d_bias: [width].
 * residual may be NULL or equal d_x. Mean and variance are computed again from x. */
typedef struct {
  gsize rows, width;
  const void *x, *gain, *d_y, *residual;
  void *d_x, *d_gain, *d_bias;
  OlDtype dtype;
} OlNormBackward;

/* Causal attention. qkv: [batch][sequence][3·width]; probabilities: [batch][heads][sequence]
 * [sequence], zero above the diagonal; out: [batch][sequence][width]. Scores are scaled by
 * 1/√(width/heads). */
typedef struct {
  gsize batch, sequence, width, heads;
  const void *qkv;
  void *probabilities, *out;
  OlDtype dtype;
} OlAttentionForward;

typedef struct {
  gsize batch, sequence, width, heads;
  const void *qkv, *probabilities, *d_out;
  void *d_qkv;
  OlDtype dtype;
} OlAttentionBackward;

/* y = GELU(x), tanh form; elementwise over n. */
typedef struct {
  gsize n;
  const void *x;
  void *y;
  OlDtype dtype;
} OlGeluForward;

typedef struct {
  gsize n;
  const void *x, *d_y;
  void *d_x; /* may equal d_y */
  OlDtype dtype;
} OlGeluBackward;

/* y = a + b, elementwise; y may equal either. */
typedef struct {
  gsize n;
  const void *a, *b;
  void *y;
  OlDtype dtype;
} OlAdd;

/* sums: [columns] = Σ rows of x: [rows][columns] (a bias's gradient). */
typedef struct {
  gsize rows, columns;
  const void *x;
  void *sums;
  OlDtype dtype;
} OlColumnSums;

/* y: [rows][width] = token[id] + position[row mod sequence]. ids: int32 [rows], in GPU memory. */
typedef struct {
  gsize rows, sequence, width, vocabulary;
  const int32_t *ids;
  const void *token, *position;
  void *y;
  OlDtype dtype;
} OlEmbedForward;

/* d_token: [vocabulary][width], d_position: [sequence][width]: written whole. */
typedef struct {
  gsize rows, sequence, width, vocabulary;
  const int32_t *ids;
  const void *d_y;
  void *d_token, *d_position;
  OlDtype dtype;
} OlEmbedBackward;

/* logits: [rows][vocabulary], replaced by the loss's gradient (softmax - one-hot) · scale.
 * *loss (host memory) is set to scale · Σ rows of -log softmax[target]: with scale = 1/(tokens of
 * the global batch) the micro-batches' losses add up to the mean. */
typedef struct {
  gsize rows, vocabulary;
  void *logits;
  const int32_t *targets;
  double scale;
  double *loss;
  OlDtype dtype;
} OlSoftmaxLoss;

/* sum: fp32 [n] = (first ? 0 : sum) + x, x of type dtype. */
typedef struct {
  gsize n;
  gboolean first;
  const void *x;
  float *sum;
  OlDtype dtype;
} OlAccumulate;

/* y: bf16 [n] = x rounded, x: fp32 [n]. */
typedef struct {
  gsize n;
  const float *x;
  uint16_t *y;
} OlCast;

/* sums: fp64 in host memory, one a chunk of `chunk` elements: Σ x², x: [n] of type dtype. When
 * `round` x is fp32 and each element is rounded to bf16 first. The first `skip` elements are left
 * out. Within a chunk the order of the sum is fixed (kernels/squares.h). */
typedef struct {
  gsize n, chunk, skip;
  const void *x;
  gboolean round;
  double *sums;
  OlDtype dtype;
} OlSquares;

/* AdamW over consecutive tensors of one unit: `scalars` is copied at launch. */
typedef struct {
  OlAdamScalars scalars;
  OlAdamSpan span;
} OlAdamLaunch;

typedef struct {
  const char *name; /* "virtual", "cuda" */

  OlDevice *(*open)(const OlDeviceOptions *options, GError **error);
  void (*close)(OlDevice *device);           /* streams and events are freed before */
  void *(*get_gpu_memory)(OlDevice *device); /* the reserved GPU memory: gpu_bytes of it */
  /* Lock host memory for copies. FALSE when the system refuses (a limit): it is then pageable. */
  gboolean (*pin)(OlDevice *device, void *host, gsize bytes);
  void (*unpin)(OlDevice *device, void *host, gsize bytes);
  /* The first failure, or FALSE when there is none. */
  gboolean (*get_error)(OlDevice *device, GError **error);

  OlStream *(*stream_new)(OlDevice *device, const char *name);
  void (*stream_free)(OlStream *stream); /* waits for its work */
  void (*stream_synchronize)(OlStream *stream);
  /* Runs fn(data) on the stream's thread, in order. It may block; it must not launch. */
  void (*call)(OlStream *stream, OlHostFunction function, gpointer data);

  OlEvent *(*event_new)(OlDevice *device);
  void (*event_free)(OlEvent *event);
  void (*event_record)(OlEvent *event, OlStream *stream); /* done when the stream gets here */
  void (*event_wait_on_stream)(OlEvent *event, OlStream *stream);
  void (*event_wait_on_host)(OlEvent *event); /* returns at once when never recorded */

  /* Copies: source and target may each be GPU or host memory; they must not overlap. */
  void (*copy)(OlStream *stream, void *target, const void *source, gsize bytes);
  void (*clear)(OlStream *stream, void *target, gsize bytes); /* zero bytes */

  void (*matmul)(OlStream *stream, const OlMatmul *launch);
  void (*norm_forward)(OlStream *stream, const OlNormForward *launch);
  void (*norm_backward)(OlStream *stream, const OlNormBackward *launch);
  void (*attention_forward)(OlStream *stream, const OlAttentionForward *launch);
  void (*attention_backward)(OlStream *stream, const OlAttentionBackward *launch);
  void (*gelu_forward)(OlStream *stream, const OlGeluForward *launch);
  void (*gelu_backward)(OlStream *stream, const OlGeluBackward *launch);
  void (*add)(OlStream *stream, const OlAdd *launch);
  void (*column_sums)(OlStream *stream, const OlColumnSums *launch);
  void (*embed_forward)(OlStream *stream, const OlEmbedForward *launch);
  void (*embed_backward)(OlStream *stream, const OlEmbedBackward *launch);
  void (*softmax_loss)(OlStream *stream, const OlSoftmaxLoss *launch);
  void (*accumulate)(OlStream *stream, const OlAccumulate *launch);
  void (*cast)(OlStream *stream, const OlCast *launch);
  void (*squares)(OlStream *stream, const OlSquares *launch);
  void (*adam)(OlStream *stream, const OlAdamLaunch *launch);
} OlDeviceOps;

/* The device that runs on this CPU: a thread a stream, oneDNN for products, plain C for the rest.
 * Products use `compute_threads`; everything else runs on the stream's own thread or on as many.
 * A kernel given a pointer outside the reserved GPU memory fails the device. Scratch outside the
 * arenas is bounded by OL_DEVICE_VIRTUAL_SCRATCH whatever the model's size. */
#define OL_DEVICE_VIRTUAL_SCRATCH (16u << 20)
const OlDeviceOps *ol_device_virtual(void);

G_END_DECLS
