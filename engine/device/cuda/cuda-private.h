/* What the C files of the CUDA device share. Private to engine/device/cuda. */
#pragma once

#include "engine/device/cuda/arguments.h"
#include "engine/device/cuda/kernels.h"
#include "engine/base/gate.h"
#include <cublas_v2.h>
#include <pthread.h>
#include <stdatomic.h>

G_BEGIN_DECLS

/* The GPU is CUDA's first; CUDA_VISIBLE_DEVICES chooses which one that is. */
#define OL_CUDA_ORDINAL 0

struct OlDevice {
  void *allocation; /* as CUDA gave it */
  OlGpuRange gpu;   /* the reserved GPU memory: page-aligned within it */

  _Atomic gboolean failed;
  pthread_mutex_t error_lock;
  GError *error; /* the first failure */
};

/* Keeps the first failure; later kernels and copies are skipped. Takes the error. */
void ol_cuda_fail(OlDevice *device, GError *error);
gboolean ol_cuda_has_failed(OlDevice *device);

/* TRUE when the call went well; else fails the device, naming the call and its place. */
gboolean ol_cuda_ok(OlDevice *device, const char *place, const char *call, cudaError_t code);
gboolean ol_cuda_blas_ok(OlDevice *device, const char *place, const char *call,
                         cublasStatus_t status);

/* OL_TRY(device, "copy", cudaMemcpyAsync, target, …) */
#define OL_TRY(device, place, call, ...) ol_cuda_ok(device, place, #call, call(__VA_ARGS__))

/* What a stream's kernels need beyond their arguments, made when first asked for. All of it is
 * outside the arenas, and bounded. Only the compute lane's stream ever asks. */
#define OL_CUDA_SCRATCH ((gsize)64 << 20) /* bytes of GPU memory for kernels */
#define OL_CUDA_WORKSPACE                                                                          \
  ((gsize)32 << 20)                       /* bytes of GPU memory for cuBLAS, its advice for H100 */
#define OL_CUDA_STAGING ((gsize)64 << 10) /* bytes of pinned host memory */

typedef struct OlCommand OlCommand;

struct OlStream {
  OlDevice *device;
  char *name;
  cudaStream_t cuda;
  cudaEvent_t reached; /* what the thread waits with */

  pthread_t thread;
  gboolean has_thread;  /* FALSE when the system refused one: work runs on the caller's thread */
  pthread_mutex_t lock; /* of the queue */
  OlCommand *first, **end;
  guint64 n_pushed;
  OlGate pushed;

  void *scratch, *workspace, *staging;
  cublasHandle_t blas;
};

/* A task of a stream: `launch` is a copy of what was given to ol_cuda_push(). */
typedef void (*OlStreamTask)(OlStream *stream, const void *launch);

/* Queues task(launch) for the stream's thread. When the device has failed by the time its turn
 * comes it is skipped, unless `always`. */
void ol_cuda_push(OlStream *stream, OlStreamTask task, gboolean always, const void *launch,
                  gsize launch_bytes);

/* On the stream's thread: waits until the GPU has done all that was given to it. FALSE when the
 * device has failed. */
gboolean ol_cuda_drain(OlStream *stream, const char *place);

/* On the stream's thread. NULL, with the device failed, when there is none or `bytes` are too many.
 */
void *ol_cuda_scratch(OlStream *stream, const char *kernel, gsize bytes);
void *ol_cuda_staging(OlStream *stream, const char *kernel);
cublasHandle_t ol_cuda_blas(OlStream *stream, const char *kernel);

/* All the arguments of a kernel. */
#define OL_CHECK(stream, kernel, ...)                                                              \
  ol_cuda_check(stream, kernel, (const OlArgument[]){__VA_ARGS__},                                 \
                G_N_ELEMENTS(((const OlArgument[]){__VA_ARGS__})))
gboolean ol_cuda_check(OlStream *stream, const char *kernel, const OlArgument *arguments,
                       guint n_arguments);

/* Strided batches of products: c[i] = op(a[i]) · op(b[i]), row-major, `leading` elements from row
 * to row and `step` from one of the batch to the next. Sums in fp32, one rounding to c's type. */
typedef struct {
  const void *data;
  gboolean transpose;
  gsize leading, step;
} OlFactor;

typedef struct {
  gsize m, n, k, batch;
  OlFactor a, b;
  OlDtype dtype; /* of a and b */
  void *c;
  gsize c_leading, c_step;
  OlDtype c_dtype; /* fp32, or as dtype */
  gboolean accumulate;
} OlProduct;
gboolean ol_cuda_multiply(OlStream *stream, const char *kernel, const OlProduct *product);

/* The parts of the table of operations that live in files of their own. */
OlStream *ol_cuda_stream_new(OlDevice *device, const char *name);
void ol_cuda_stream_free(OlStream *stream);
void ol_cuda_stream_synchronize(OlStream *stream);
void ol_cuda_call(OlStream *stream, OlHostFunction function, gpointer data);

OlEvent *ol_cuda_event_new(OlDevice *device);
void ol_cuda_event_free(OlEvent *event);
void ol_cuda_event_record(OlEvent *event, OlStream *stream);
void ol_cuda_event_wait_on_stream(OlEvent *event, OlStream *stream);
void ol_cuda_event_wait_on_host(OlEvent *event);

void ol_cuda_run_copy(OlStream *stream, void *target, const void *source, gsize bytes);
void ol_cuda_run_clear(OlStream *stream, void *target, gsize bytes);

void ol_cuda_run_matmul(OlStream *stream, const OlMatmul *launch);
void ol_cuda_run_attention_forward(OlStream *stream, const OlAttentionForward *launch);
void ol_cuda_run_attention_backward(OlStream *stream, const OlAttentionBackward *launch);
void ol_cuda_run_norm_forward(OlStream *stream, const OlNormForward *launch);
void ol_cuda_run_norm_backward(OlStream *stream, const OlNormBackward *launch);
void ol_cuda_run_gelu_forward(OlStream *stream, const OlGeluForward *launch);
void ol_cuda_run_gelu_backward(OlStream *stream, const OlGeluBackward *launch);
void ol_cuda_run_add(OlStream *stream, const OlAdd *launch);
void ol_cuda_run_column_sums(OlStream *stream, const OlColumnSums *launch);
void ol_cuda_run_embed_forward(OlStream *stream, const OlEmbedForward *launch);
void ol_cuda_run_embed_backward(OlStream *stream, const OlEmbedBackward *launch);
void ol_cuda_run_softmax_loss(OlStream *stream, const OlSoftmaxLoss *launch);
void ol_cuda_run_accumulate(OlStream *stream, const OlAccumulate *launch);
void ol_cuda_run_squares(OlStream *stream, const OlSquares *launch);
void ol_cuda_run_cast(OlStream *stream, const OlCast *launch);
void ol_cuda_run_adam(OlStream *stream, const OlAdamLaunch *launch);

G_END_DECLS
