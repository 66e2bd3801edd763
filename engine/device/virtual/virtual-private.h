/* What the files of the virtual device share: its structure, its streams' queue, range checks,
 * scratch, and loops over threads. Private to engine/device/virtual. */
#pragma once

#include "engine/device/device.h"
#include "engine/base/gate.h"
#include "engine/device/virtual/kernels.h"
#include <pthread.h>
#include <stdatomic.h>

G_BEGIN_DECLS

struct OlDevice {
  guint compute_threads;
  char *gpu; /* the reserved GPU memory */
  gsize gpu_bytes;
  const OlKernels *kernels;

  /* fp32 work space of kernels. One kernel at a time has it: streams that multiply at the same
   * time take turns, as they do in the units of a GPU. */
  float *scratch;
  pthread_mutex_t scratch_lock;

  _Atomic gboolean failed;
  pthread_mutex_t error_lock;
  GError *error; /* the first failure */
};

#define OL_SCRATCH_FLOATS (OL_DEVICE_VIRTUAL_SCRATCH / sizeof(float))

/* Keeps the first failure; later work is skipped from then on. */
void ol_virtual_fail(OlDevice *device, const char *format, ...) G_GNUC_PRINTF(2, 3);
gboolean ol_virtual_has_failed(OlDevice *device);

/* An argument of a kernel: `rows` · `columns` elements of `element` bytes at `pointer`. */
typedef struct {
  const char *name;
  const void *pointer;
  gsize rows, columns, element;
} OlArgument;

/* TRUE when every argument lies in the GPU memory; else fails the device, naming kernel and
 * argument. */
gboolean ol_virtual_check(OlDevice *device, const char *kernel, const OlArgument *arguments,
                          guint n_arguments);

#define OL_CHECK(device, kernel, ...)                                                              \
  ol_virtual_check(device, kernel, (const OlArgument[]){__VA_ARGS__},                              \
                   G_N_ELEMENTS(((const OlArgument[]){__VA_ARGS__})))

/* Runs kernel(launch, begin, end) over [0, n) on the device's threads, split into parts of whole
 * `grain`s. `work` is a rough count of elements: little work stays on the calling thread. */
void ol_virtual_over(OlDevice *device, OlRangeKernel kernel, const void *launch, gsize n,
                     gsize grain, gsize work);

/* A task of a stream: `launch` is a copy of what was given to ol_stream_push(). */
typedef void (*OlStreamTask)(OlStream *stream, const void *launch);

OlDevice *ol_stream_get_device(OlStream *stream);

/* Queues task(launch). When the device has failed by the time its turn comes it is skipped, unless
 * `always`. */
void ol_stream_push(OlStream *stream, OlStreamTask task, gboolean always, const void *launch,
                    gsize launch_bytes);

/* The parts of the table of operations that live in files of their own. */
OlStream *ol_virtual_stream_new(OlDevice *device, const char *name);
void ol_virtual_stream_free(OlStream *stream);
void ol_virtual_stream_synchronize(OlStream *stream);
void ol_virtual_call(OlStream *stream, OlHostFunction function, gpointer data);

OlEvent *ol_virtual_event_new(OlDevice *device);
void ol_virtual_event_free(OlEvent *event);
void ol_virtual_event_record(OlEvent *event, OlStream *stream);
void ol_virtual_event_wait_on_stream(OlEvent *event, OlStream *stream);
void ol_virtual_event_wait_on_host(OlEvent *event);

void ol_virtual_copy(OlStream *stream, void *target, const void *source, gsize bytes);
void ol_virtual_clear(OlStream *stream, void *target, gsize bytes);

void ol_virtual_matmul(OlStream *stream, const OlMatmul *launch);
void ol_virtual_attention_forward(OlStream *stream, const OlAttentionForward *launch);
void ol_virtual_attention_backward(OlStream *stream, const OlAttentionBackward *launch);
void ol_virtual_norm_forward(OlStream *stream, const OlNormForward *launch);
void ol_virtual_norm_backward(OlStream *stream, const OlNormBackward *launch);
void ol_virtual_gelu_forward(OlStream *stream, const OlGeluForward *launch);
void ol_virtual_gelu_backward(OlStream *stream, const OlGeluBackward *launch);
void ol_virtual_add(OlStream *stream, const OlAdd *launch);
void ol_virtual_column_sums(OlStream *stream, const OlColumnSums *launch);
void ol_virtual_embed_forward(OlStream *stream, const OlEmbedForward *launch);
void ol_virtual_embed_backward(OlStream *stream, const OlEmbedBackward *launch);
void ol_virtual_softmax_loss(OlStream *stream, const OlSoftmaxLoss *launch);
void ol_virtual_accumulate(OlStream *stream, const OlAccumulate *launch);
void ol_virtual_squares(OlStream *stream, const OlSquares *launch);
void ol_virtual_cast(OlStream *stream, const OlCast *launch);
void ol_virtual_adam(OlStream *stream, const OlAdamLaunch *launch);

G_END_DECLS
