/* The device itself: its memory, its threads' work, its first failure; and the table of operations
 * that the rest of the lab sees. */
#include "engine/base/error.h"

#include "engine/base/intl.h"
#include "engine/device/virtual/virtual-private.h"

#include <errno.h>
#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <sys/mman.h>

#define MAX_THREADS 1024u
#define LITTLE_WORK (32u * 1024) /* elements that are not worth waking a thread for */
#define CACHE_LINE  64u

void ol_virtual_fail(OlDevice *device, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  pthread_mutex_lock(&device->error_lock);
  if (device->error == NULL)
    device->error = g_error_new_valist(OL_ERROR, OL_ERROR_DEVICE, format, arguments);
  pthread_mutex_unlock(&device->error_lock);
  va_end(arguments);
  atomic_store(&device->failed, TRUE);
}

gboolean ol_virtual_has_failed(OlDevice *device)
{
  return atomic_load(&device->failed);
}

static gboolean get_error(OlDevice *device, GError **error)
{
  if (!ol_virtual_has_failed(device))
    return FALSE;
  pthread_mutex_lock(&device->error_lock);
  if (error)
    *error = g_error_copy(device->error);
  pthread_mutex_unlock(&device->error_lock);
  return TRUE;
}

/* Bytes of an argument; FALSE when they do not fit a gsize. */
static gboolean argument_bytes(const OlArgument *argument, gsize *bytes)
{
  return !__builtin_mul_overflow(argument->rows, argument->columns, bytes) &&
         !__builtin_mul_overflow(*bytes, argument->element, bytes);
}

gboolean ol_virtual_check(OlDevice *device, const char *kernel, const OlArgument *arguments,
                          guint n_arguments)
{
  for (guint i = 0; i < n_arguments; i++) {
    guintptr begin = (guintptr)arguments[i].pointer, gpu = (guintptr)device->gpu;
    gsize bytes;
    if (argument_bytes(&arguments[i], &bytes) && begin >= gpu && begin - gpu <= device->gpu_bytes &&
        bytes <= device->gpu_bytes - (begin - gpu))
      continue;
    ol_virtual_fail(
        device,
        _("%s: %s at %p (%zu × %zu elements of %zu B) is not in the GPU's memory (%zu B at %p)"),
        kernel, arguments[i].name, arguments[i].pointer, arguments[i].rows, arguments[i].columns,
        arguments[i].element, device->gpu_bytes, (void *)device->gpu);
    return FALSE;
  }
  return TRUE;
}

void ol_virtual_over(OlDevice *device, OlRangeKernel kernel, const void *launch, gsize n,
                     gsize grain, gsize work)
{
  gsize grains = (n + grain - 1) / grain;
  gsize parts = work < LITTLE_WORK ? 1 : MIN(device->compute_threads, grains);
  if (parts <= 1) {
    kernel(launch, 0, n);
    return;
  }
#pragma omp parallel for num_threads((int)parts) schedule(static)
  for (gsize part = 0; part < parts; part++) {
    gsize begin = grains * part / parts * grain;
    gsize end = MIN(grains * (part + 1) / parts * grain, n);
    kernel(launch, begin, end);
  }
}

/* Address space alone; pages are taken when first touched. */
static char *reserve(gsize bytes, GError **error)
{
  char *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
                _("virtual device: cannot reserve %zu B for the GPU's memory: %s"), bytes,
                g_strerror(errno));
    return NULL;
  }
  return memory;
}

static OlDevice *device_open(const OlDeviceOptions *options, GError **error)
{
  if (options->compute_threads < 1 || options->compute_threads > MAX_THREADS ||
      options->gpu_bytes < 1 || options->gpu_bytes > G_MAXSSIZE) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("virtual device: %u compute threads and %" PRIu64
                  " B of GPU memory asked; allowed are 1 to %u threads and at least 1 B"),
                options->compute_threads, options->gpu_bytes, MAX_THREADS);
    return NULL;
  }
  char *gpu = reserve(options->gpu_bytes, error);
  if (gpu == NULL)
    return NULL;

  OlDevice *device = g_new0(OlDevice, 1);
  device->compute_threads = options->compute_threads;
  device->gpu = gpu;
  device->gpu_bytes = options->gpu_bytes;
  device->scratch = g_aligned_alloc(1, OL_DEVICE_VIRTUAL_SCRATCH, CACHE_LINE);
  const OlKernels *const *builds;
  guint n_builds = ol_kernels_builds(&builds);
  device->kernels = builds[n_builds - 1];
  pthread_mutex_init(&device->scratch_lock, NULL);
  pthread_mutex_init(&device->error_lock, NULL);
  atomic_init(&device->failed, FALSE);
  return device;
}

static void device_close(OlDevice *device)
{
  if (device == NULL)
    return;
  munmap(device->gpu, device->gpu_bytes);
  g_aligned_free(device->scratch);
  pthread_mutex_destroy(&device->scratch_lock);
  pthread_mutex_destroy(&device->error_lock);
  g_clear_error(&device->error);
  g_free(device);
}

static void *get_gpu_memory(OlDevice *device)
{
  return device->gpu;
}

static gboolean pin(OlDevice *device, void *host, gsize bytes)
{
  return mlock(host, bytes) == 0;
}

static void unpin(OlDevice *device, void *host, gsize bytes)
{
  munlock(host, bytes);
}

const OlDeviceOps *ol_device_virtual(void)
{
  static const OlDeviceOps ops = {
      .name = "virtual",
      .open = device_open,
      .close = device_close,
      .get_gpu_memory = get_gpu_memory,
      .pin = pin,
      .unpin = unpin,
      .get_error = get_error,
      .stream_new = ol_virtual_stream_new,
      .stream_free = ol_virtual_stream_free,
      .stream_synchronize = ol_virtual_stream_synchronize,
      .call = ol_virtual_call,
      .event_new = ol_virtual_event_new,
      .event_free = ol_virtual_event_free,
      .event_record = ol_virtual_event_record,
      .event_wait_on_stream = ol_virtual_event_wait_on_stream,
      .event_wait_on_host = ol_virtual_event_wait_on_host,
      .copy = ol_virtual_copy,
      .clear = ol_virtual_clear,
      .matmul = ol_virtual_matmul,
      .norm_forward = ol_virtual_norm_forward,
      .norm_backward = ol_virtual_norm_backward,
      .attention_forward = ol_virtual_attention_forward,
      .attention_backward = ol_virtual_attention_backward,
      .gelu_forward = ol_virtual_gelu_forward,
      .gelu_backward = ol_virtual_gelu_backward,
      .add = ol_virtual_add,
      .column_sums = ol_virtual_column_sums,
      .embed_forward = ol_virtual_embed_forward,
      .embed_backward = ol_virtual_embed_backward,
      .softmax_loss = ol_virtual_softmax_loss,
      .accumulate = ol_virtual_accumulate,
      .squares = ol_virtual_squares,
      .cast = ol_virtual_cast,
      .adam = ol_virtual_adam,
  };
  return &ops;
}
