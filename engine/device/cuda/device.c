/* The device itself: its memory, its first failure; and what the plug-in exports. */
#include "engine/device/cuda/cuda-private.h"

#include "engine/base/error.h"
#include "engine/base/measure.h"
#include "engine/device/plugin.h"

#define PAGE            4096u /* arenas begin on one */
#define OLDEST_MAJOR    7     /* compute capability 7.5, the oldest that is compiled for */
#define OLDEST_MINOR    5
#define MAX_THREADS     1024u /* of a host kernel: the range that every device accepts */
#define PLUGIN_EXPORTED __attribute__((visibility("default")))

void ol_cuda_fail(OlDevice *device, GError *error)
{
  pthread_mutex_lock(&device->error_lock);
  if (device->error == NULL)
    device->error = g_steal_pointer(&error);
  pthread_mutex_unlock(&device->error_lock);
  g_clear_error(&error);
  atomic_store(&device->failed, TRUE);
}

gboolean ol_cuda_has_failed(OlDevice *device)
{
  return atomic_load(&device->failed);
}

/* CUDA keeps a thread's last error until it is asked for; the next launch must not find this one.
 */
static GError *cuda_error(const char *place, const char *call, cudaError_t code)
{
  cudaGetLastError();
  return g_error_new(OL_ERROR, OL_ERROR_DEVICE, "%s: %s: %s (%s)", place, call,
                     cudaGetErrorString(code), cudaGetErrorName(code));
}

gboolean ol_cuda_ok(OlDevice *device, const char *place, const char *call, cudaError_t code)
{
  if (code == cudaSuccess)
    return TRUE;
  ol_cuda_fail(device, cuda_error(place, call, code));
  return FALSE;
}

gboolean ol_cuda_blas_ok(OlDevice *device, const char *place, const char *call,
                         cublasStatus_t status)
{
  if (status == CUBLAS_STATUS_SUCCESS)
    return TRUE;
  ol_cuda_fail(device, g_error_new(OL_ERROR, OL_ERROR_DEVICE, "%s: %s: %s", place, call,
                                   cublasGetStatusString(status)));
  return FALSE;
}

static gboolean get_error(OlDevice *device, GError **error)
{
  if (!ol_cuda_has_failed(device))
    return FALSE;
  pthread_mutex_lock(&device->error_lock);
  if (error)
    *error = g_error_copy(device->error);
  pthread_mutex_unlock(&device->error_lock);
  return TRUE;
}

static void refuse_memory(const char *call, cudaError_t code, guint64 bytes, GError **error)
{
  g_autoptr(GError) reason = cuda_error("GPU memory", call, code);
  size_t free_bytes = 0, all_bytes = 0;
  cudaMemGetInfo(&free_bytes, &all_bytes);
  g_autofree char *asked = ol_measure_dup_bytes((double)bytes);
  g_autofree char *free_words = ol_measure_dup_bytes((double)free_bytes);
  g_autofree char *all = ol_measure_dup_bytes((double)all_bytes);
  g_set_error(error, OL_ERROR,
              code == cudaErrorMemoryAllocation ? OL_ERROR_OUT_OF_MEMORY : OL_ERROR_DEVICE,
              "this GPU cannot give %s: %s of its %s are free (%s); choose a smaller model or move "
              "more off the GPU",
              asked, free_words, all, reason->message);
}

/* Zeros, as memory never used before has to be. */
static gboolean reserve(OlDevice *device, guint64 bytes, GError **error)
{
  cudaError_t code = cudaSetDevice(OL_CUDA_ORDINAL);
  const char *call = "cudaSetDevice";
  if (code == cudaSuccess) {
    code = cudaMalloc(&device->allocation, bytes + PAGE);
    call = "cudaMalloc";
  }
  if (code == cudaSuccess) {
    code = cudaMemset(device->allocation, 0, bytes + PAGE);
    call = "cudaMemset";
  }
  if (code != cudaSuccess) {
    refuse_memory(call, code, bytes, error);
    return FALSE;
  }
  guintptr aligned = ((guintptr)device->allocation + PAGE - 1) / PAGE * PAGE;
  device->gpu = (OlGpuRange){(const char *)aligned, bytes};
  return TRUE;
}

static void device_close(OlDevice *device)
{
  if (device == NULL)
    return;
  cudaSetDevice(OL_CUDA_ORDINAL);
  cudaFree(device->allocation);
  pthread_mutex_destroy(&device->error_lock);
  g_clear_error(&device->error);
  g_free(device);
}

static OlDevice *device_open(const OlDeviceOptions *options, GError **error)
{
  if (options->compute_threads < 1 || options->compute_threads > MAX_THREADS ||
      options->gpu_bytes < 1 || options->gpu_bytes > G_MAXSSIZE - PAGE) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                "cuda device: %u compute threads and %" G_GUINT64_FORMAT
                " B of GPU memory asked; allowed are 1 to %u threads and at least 1 B",
                options->compute_threads, options->gpu_bytes, MAX_THREADS);
    return NULL;
  }
  OlDevice *device = g_new0(OlDevice, 1);
  pthread_mutex_init(&device->error_lock, NULL);
  atomic_init(&device->failed, FALSE);
  if (reserve(device, options->gpu_bytes, error))
    return device;
  device_close(device);
  return NULL;
}

static void *get_gpu_memory(OlDevice *device)
{
  return (void *)device->gpu.begin;
}

/* A refusal is no failure: the copies then go through a buffer of the driver's. */
static gboolean pin(OlDevice *device, void *host, gsize bytes)
{
  cudaSetDevice(OL_CUDA_ORDINAL);
  if (cudaHostRegister(host, bytes, cudaHostRegisterPortable) == cudaSuccess)
    return TRUE;
  cudaGetLastError();
  return FALSE;
}

static void unpin(OlDevice *device, void *host, gsize bytes)
{
  cudaSetDevice(OL_CUDA_ORDINAL);
  OL_TRY(device, "unpin", cudaHostUnregister, host);
}

/* What is missing on this machine, or TRUE. */
static gboolean find_driver(GError **error)
{
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  if (driver >= runtime / 1000 * 1000 && driver > 0) /* a minor version may be newer */
    return TRUE;
  if (driver == 0)
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
                "no NVIDIA driver on this machine; set hardware.device to virtual, or install one "
                "for CUDA %d",
                runtime / 1000);
  else
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
                "the NVIDIA driver is too old: it is for CUDA %d.%d, the plug-in for CUDA %d; set "
                "hardware.device to virtual, or update the driver",
                driver / 1000, driver % 1000 / 10, runtime / 1000);
  return FALSE;
}

static gboolean find_gpu(GError **error)
{
  int n = 0, major = 0, minor = 0;
  cudaError_t code = cudaGetDeviceCount(&n);
  if (code == cudaErrorNoDevice || (code == cudaSuccess && n == 0)) {
    cudaGetLastError();
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
                "there is an NVIDIA driver, but no GPU that CUDA can use; set hardware.device to "
                "virtual, or look at nvidia-smi and CUDA_VISIBLE_DEVICES");
    return FALSE;
  }
  const char *call = "cudaGetDeviceCount";
  if (code == cudaSuccess) {
    call = "cudaDeviceGetAttribute";
    code = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, OL_CUDA_ORDINAL);
  }
  if (code == cudaSuccess)
    code = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, OL_CUDA_ORDINAL);
  if (code != cudaSuccess) {
    g_propagate_error(error, cuda_error("looking for a GPU", call, code));
    return FALSE;
  }
  if (major > OLDEST_MAJOR || (major == OLDEST_MAJOR && minor >= OLDEST_MINOR))
    return TRUE;
  g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
              "the GPU is too old: its compute capability is %d.%d, at least %d.%d is needed; set "
              "hardware.device to virtual",
              major, minor, OLDEST_MAJOR, OLDEST_MINOR);
  return FALSE;
}

#define PUSH(name, Launch)                                                                         \
  static void run_##name(OlStream *stream, const void *launch)                                     \
  {                                                                                                \
    ol_cuda_run_##name(stream, launch);                                                            \
  }                                                                                                \
  static void push_##name(OlStream *stream, const Launch *launch)                                  \
  {                                                                                                \
    ol_cuda_push(stream, run_##name, FALSE, launch, sizeof *launch);                               \
  }

PUSH(matmul, OlMatmul)
PUSH(norm_forward, OlNormForward)
PUSH(norm_backward, OlNormBackward)
PUSH(attention_forward, OlAttentionForward)
PUSH(attention_backward, OlAttentionBackward)
PUSH(gelu_forward, OlGeluForward)
PUSH(gelu_backward, OlGeluBackward)
PUSH(add, OlAdd)
PUSH(column_sums, OlColumnSums)
PUSH(embed_forward, OlEmbedForward)
PUSH(embed_backward, OlEmbedBackward)
PUSH(softmax_loss, OlSoftmaxLoss)
PUSH(accumulate, OlAccumulate)
PUSH(squares, OlSquares)
PUSH(cast, OlCast)
PUSH(adam, OlAdamLaunch)

typedef struct {
  void *target;
  const void *source;
  gsize bytes;
} Copy;

static void run_copy(OlStream *stream, const void *launch)
{
  const Copy *l = launch;
  ol_cuda_run_copy(stream, l->target, l->source, l->bytes);
}

static void push_copy(OlStream *stream, void *target, const void *source, gsize bytes)
{
  ol_cuda_push(stream, run_copy, FALSE, &(const Copy){target, source, bytes}, sizeof(Copy));
}

static void run_clear(OlStream *stream, const void *launch)
{
  const Copy *l = launch;
  ol_cuda_run_clear(stream, l->target, l->bytes);
}

static void push_clear(OlStream *stream, void *target, gsize bytes)
{
  ol_cuda_push(stream, run_clear, FALSE, &(const Copy){.target = target, .bytes = bytes},
               sizeof(Copy));
}

static const OlDeviceOps *get_table(void)
{
  static const OlDeviceOps ops = {
      .name = "cuda",
      .open = device_open,
      .close = device_close,
      .get_gpu_memory = get_gpu_memory,
      .pin = pin,
      .unpin = unpin,
      .get_error = get_error,
      .stream_new = ol_cuda_stream_new,
      .stream_free = ol_cuda_stream_free,
      .stream_synchronize = ol_cuda_stream_synchronize,
      .call = ol_cuda_call,
      .event_new = ol_cuda_event_new,
      .event_free = ol_cuda_event_free,
      .event_record = ol_cuda_event_record,
      .event_wait_on_stream = ol_cuda_event_wait_on_stream,
      .event_wait_on_host = ol_cuda_event_wait_on_host,
      .copy = push_copy,
      .clear = push_clear,
      .matmul = push_matmul,
      .norm_forward = push_norm_forward,
      .norm_backward = push_norm_backward,
      .attention_forward = push_attention_forward,
      .attention_backward = push_attention_backward,
      .gelu_forward = push_gelu_forward,
      .gelu_backward = push_gelu_backward,
      .add = push_add,
      .column_sums = push_column_sums,
      .embed_forward = push_embed_forward,
      .embed_backward = push_embed_backward,
      .softmax_loss = push_softmax_loss,
      .accumulate = push_accumulate,
      .squares = push_squares,
      .cast = push_cast,
      .adam = push_adam,
  };
  return &ops;
}

PLUGIN_EXPORTED const OlDeviceOps *ol_device_plugin(guint version, GError **error);

const OlDeviceOps *ol_device_plugin(guint version, GError **error)
{
  if (version != OL_DEVICE_PLUGIN_VERSION) {
    g_set_error(
        error, OL_ERROR, OL_ERROR_DEVICE,
        "the plug-in is of another build: its interface has version %u, the lab's %u; build "
        "the lab again",
        OL_DEVICE_PLUGIN_VERSION, version);
    return NULL;
  }
  return find_driver(error) && find_gpu(error) ? get_table() : NULL;
}
