/* Streams and events. A stream is a CUDA stream and a thread that feeds it, in order.
 *
 * Why a thread: a host function may block (a run is paused in one), and CUDA's own host functions
 * all run on one thread of the driver, one after another, and not at all after an error. And a copy
 * of pageable memory holds up the thread that asks for it: here that is the stream's, never the
 * caller's. */
#include "engine/device/cuda/cuda-private.h"

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include <sched.h>

#define SPIN_NS  2000 /* as base/bell.c waits */
#define YIELD_NS 100000

struct OlCommand {
  OlCommand *next;
  OlStreamTask task; /* NULL: the thread ends */
  gboolean always;
  double launch[]; /* a copy, aligned for any */
};

static void run_command(OlStream *stream, const OlCommand *command)
{
  if (command->always || !ol_cuda_has_failed(stream->device))
    command->task(stream, command->launch);
}

static void push_command(OlStream *stream, OlCommand *command)
{
  pthread_mutex_lock(&stream->lock);
  *stream->end = command;
  stream->end = &command->next;
  guint64 n_pushed = ++stream->n_pushed;
  pthread_mutex_unlock(&stream->lock);
  ol_gate_raise(&stream->pushed, n_pushed);
}

static OlCommand *command_new(OlStreamTask task, gboolean always, const void *launch,
                              gsize launch_bytes)
{
  OlCommand *command = g_malloc(sizeof *command + launch_bytes);
  *command = (OlCommand){.task = task, .always = always};
  if (launch_bytes > 0)
    memcpy(command->launch, launch, launch_bytes);
  return command;
}

void ol_cuda_push(OlStream *stream, OlStreamTask task, gboolean always, const void *launch,
                  gsize launch_bytes)
{
  OlCommand *command = command_new(task, always, launch, launch_bytes);
  if (stream->has_thread) {
    push_command(stream, command);
    return;
  }
  run_command(stream, command);
  g_free(command);
}

static OlCommand *take_command(OlStream *stream, guint64 count)
{
  ol_gate_wait(&stream->pushed, count);
  pthread_mutex_lock(&stream->lock);
  OlCommand *command = stream->first;
  stream->first = command->next;
  if (!stream->first)
    stream->end = &stream->first;
  pthread_mutex_unlock(&stream->lock);
  return command;
}

static void *stream_thread(void *data)
{
  OlStream *stream = data;
  char short_name[16]; /* Linux keeps 15 bytes */
  g_strlcpy(short_name, stream->name, sizeof short_name);
  pthread_setname_np(pthread_self(), short_name);
  OL_TRY(stream->device, stream->name, cudaSetDevice, OL_CUDA_ORDINAL);

  gboolean ends = FALSE;
  for (guint64 count = 1; !ends; count++) {
    OlCommand *command = take_command(stream, count);
    ends = command->task == NULL;
    if (!ends)
      run_command(stream, command);
    g_free(command);
  }
  ol_cuda_drain(stream, stream->name);
  return NULL;
}

static gboolean make_cuda_stream(OlStream *stream)
{
  OlDevice *device = stream->device;
  return OL_TRY(device, stream->name, cudaSetDevice, OL_CUDA_ORDINAL) &&
         OL_TRY(device, stream->name, cudaStreamCreateWithFlags, &stream->cuda,
                cudaStreamNonBlocking) &&
         OL_TRY(device, stream->name, cudaEventCreateWithFlags, &stream->reached,
                cudaEventDisableTiming | cudaEventBlockingSync);
}

OlStream *ol_cuda_stream_new(OlDevice *device, const char *name)
{
  OlStream *stream = g_new0(OlStream, 1);
  stream->device = device;
  stream->name = g_strdup(name);
  stream->end = &stream->first;
  pthread_mutex_init(&stream->lock, NULL);
  ol_gate_init(&stream->pushed);
  make_cuda_stream(stream);
  int refusal = pthread_create(&stream->thread, NULL, stream_thread, stream);
  stream->has_thread = refusal == 0;
  if (!stream->has_thread)
    ol_cuda_fail(device, g_error_new(OL_ERROR, OL_ERROR_DEVICE,
                                     "cuda device: no thread for stream “%s”: %s", name,
                                     g_strerror(refusal)));
  return stream;
}

static void free_cuda_parts(OlStream *stream)
{
  cudaSetDevice(OL_CUDA_ORDINAL);
  if (stream->blas)
    cublasDestroy(stream->blas);
  cudaFree(stream->workspace);
  cudaFree(stream->scratch);
  cudaFreeHost(stream->staging);
  if (stream->reached)
    cudaEventDestroy(stream->reached);
  if (stream->cuda)
    cudaStreamDestroy(stream->cuda);
}

void ol_cuda_stream_free(OlStream *stream)
{
  if (stream == NULL)
    return;
  if (stream->has_thread) {
    push_command(stream, command_new(NULL, TRUE, NULL, 0));
    pthread_join(stream->thread, NULL);
  }
  free_cuda_parts(stream);
  ol_gate_clear(&stream->pushed);
  pthread_mutex_destroy(&stream->lock);
  g_free(stream->name);
  g_free(stream);
}

/* Spins for a moment, yields, then sleeps, as all waits of the engine do. */
static gboolean await_cuda(OlDevice *device, const char *place, cudaEvent_t event)
{
  gint64 begin_ns = ol_clock_now_ns(), waited_ns = 0;
  cudaError_t code = cudaEventQuery(event);
  while (code == cudaErrorNotReady && waited_ns < YIELD_NS) {
    if (waited_ns > SPIN_NS)
      sched_yield();
    code = cudaEventQuery(event);
    waited_ns = ol_clock_now_ns() - begin_ns;
  }
  if (code == cudaErrorNotReady)
    code = cudaEventSynchronize(event);
  if (waited_ns > 0)
    cudaGetLastError(); /* “not ready” is kept as if it were an error */
  return ol_cuda_ok(device, place, "cudaEventSynchronize", code);
}

gboolean ol_cuda_drain(OlStream *stream, const char *place)
{
  return OL_TRY(stream->device, place, cudaEventRecord, stream->reached, stream->cuda) &&
         await_cuda(stream->device, place, stream->reached) && !ol_cuda_has_failed(stream->device);
}

typedef struct {
  OlHostFunction function;
  gpointer data;
} HostCall;

static void run_call(OlStream *stream, const void *launch)
{
  const HostCall *call = launch;
  ol_cuda_drain(stream, stream->name);
  call->function(call->data);
}

void ol_cuda_call(OlStream *stream, OlHostFunction function, gpointer data)
{
  ol_cuda_push(stream, run_call, TRUE, &(const HostCall){function, data}, sizeof(HostCall));
}

/* One record of an event: a wait is for the record that was the latest when it was asked for. */
typedef struct {
  _Atomic guint ref_count;
  OlDevice *device;
  OlGate issued;    /* 1 once the stream's thread has given it to CUDA */
  cudaEvent_t cuda; /* NULL: CUDA refused one, and the device has failed */
} OlRecord;

struct OlEvent {
  OlDevice *device;
  pthread_mutex_t lock;
  OlRecord *latest; /* NULL before the first */
};

static OlRecord *record_ref(OlRecord *record)
{
  atomic_fetch_add(&record->ref_count, 1);
  return record;
}

static void record_unref(OlRecord *record)
{
  if (atomic_fetch_sub(&record->ref_count, 1) > 1)
    return;
  if (record->cuda)
    cudaEventDestroy(record->cuda);
  ol_gate_clear(&record->issued);
  g_free(record);
}

static OlRecord *record_new(OlDevice *device)
{
  OlRecord *record = g_new0(OlRecord, 1);
  atomic_init(&record->ref_count, 1);
  record->device = device;
  ol_gate_init(&record->issued);
  return record;
}

static void run_record(OlStream *stream, const void *launch)
{
  OlRecord *record = *(OlRecord *const *)launch;
  OlDevice *device = stream->device;
  if (OL_TRY(device, "event_record", cudaEventCreateWithFlags, &record->cuda,
             cudaEventDisableTiming | cudaEventBlockingSync))
    OL_TRY(device, "event_record", cudaEventRecord, record->cuda, stream->cuda);
  ol_gate_raise(&record->issued, 1);
  record_unref(record);
}

static void await_record(OlRecord *record)
{
  ol_gate_wait(&record->issued, 1);
  if (record->cuda)
    await_cuda(record->device, "event_wait_on_host", record->cuda);
}

/* A wait for what is not yet recorded would be none: so the record comes first, here too. */
static void run_wait(OlStream *stream, const void *launch)
{
  OlRecord *record = *(OlRecord *const *)launch;
  ol_gate_wait(&record->issued, 1);
  if (record->cuda)
    OL_TRY(stream->device, "event_wait_on_stream", cudaStreamWaitEvent, stream->cuda, record->cuda,
           0);
  record_unref(record);
}

OlEvent *ol_cuda_event_new(OlDevice *device)
{
  OlEvent *event = g_new0(OlEvent, 1);
  event->device = device;
  pthread_mutex_init(&event->lock, NULL);
  return event;
}

/* A reference to the latest record; NULL when there is none. */
static OlRecord *event_ref_latest(OlEvent *event)
{
  pthread_mutex_lock(&event->lock);
  OlRecord *record = event->latest ? record_ref(event->latest) : NULL;
  pthread_mutex_unlock(&event->lock);
  return record;
}

/* Takes the record; the one before it goes when its last waiter has. */
static void event_set_latest(OlEvent *event, OlRecord *record)
{
  pthread_mutex_lock(&event->lock);
  OlRecord *before = event->latest;
  event->latest = record;
  pthread_mutex_unlock(&event->lock);
  if (before)
    record_unref(before);
}

void ol_cuda_event_free(OlEvent *event)
{
  if (event == NULL)
    return;
  event_set_latest(event, NULL);
  pthread_mutex_destroy(&event->lock);
  g_free(event);
}

void ol_cuda_event_record(OlEvent *event, OlStream *stream)
{
  OlRecord *record = record_new(event->device);
  OlRecord *queued = record_ref(record);
  event_set_latest(event, record);
  ol_cuda_push(stream, run_record, TRUE, &queued, sizeof queued);
}

void ol_cuda_event_wait_on_stream(OlEvent *event, OlStream *stream)
{
  OlRecord *record = event_ref_latest(event);
  if (record)
    ol_cuda_push(stream, run_wait, TRUE, &record, sizeof record);
}

void ol_cuda_event_wait_on_host(OlEvent *event)
{
  OlRecord *record = event_ref_latest(event);
  if (!record)
    return;
  await_record(record);
  record_unref(record);
}

void ol_cuda_stream_synchronize(OlStream *stream)
{
  OlRecord *record = record_new(stream->device);
  OlRecord *queued = record_ref(record);
  ol_cuda_push(stream, run_record, TRUE, &queued, sizeof queued);
  await_record(record);
  record_unref(record);
}
