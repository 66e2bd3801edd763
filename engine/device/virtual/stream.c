/* Streams: a thread and a queue each. Events are gates that streams raise. */
#include "engine/device/virtual/virtual-private.h"

#include "engine/base/intl.h"

#include <omp.h>

/* Any launch, for its size. */
typedef union {
  OlMatmul matmul;
  OlNormForward norm_forward;
  OlNormBackward norm_backward;
  OlAttentionForward attention_forward;
  OlAttentionBackward attention_backward;
  OlGeluForward gelu_forward;
  OlGeluBackward gelu_backward;
  OlAdd add;
  OlColumnSums column_sums;
  OlEmbedForward embed_forward;
  OlEmbedBackward embed_backward;
  OlSoftmaxLoss softmax_loss;
  OlAccumulate accumulate;
  OlSquares squares;
  OlCast cast;
  OlAdamLaunch adam;
} OlLaunch;

typedef struct {
  OlStreamTask task; /* NULL: the thread ends */
  gboolean always;
  OlLaunch launch;
} OlCommand;

#define FIRST_CAPACITY 64u /* commands; a power of two */

struct OlStream {
  OlDevice *device;
  char *name;
  pthread_t thread;
  gboolean has_thread; /* FALSE when the system refused one: work runs on the caller's thread */

  pthread_mutex_t lock; /* of the ring */
  OlCommand *ring;
  guint64 capacity;
  guint64 n_pushed;
  OlGate pushed, finished; /* commands, counted */
};

struct OlEvent {
  _Atomic guint ref_count;   /* the owner, and every command that has yet to use it */
  _Atomic guint64 n_records; /* asked for */
  OlGate done;               /* records that streams have come to */
};

OlDevice *ol_stream_get_device(OlStream *stream)
{
  return stream->device;
}

/* With the lock held. */
static void grow_ring(OlStream *stream)
{
  OlCommand *ring = g_new(OlCommand, 2 * stream->capacity);
  for (guint64 i = stream->n_pushed - stream->capacity; i < stream->n_pushed; i++)
    ring[i & (2 * stream->capacity - 1)] = stream->ring[i & (stream->capacity - 1)];
  g_free(stream->ring);
  stream->ring = ring;
  stream->capacity *= 2;
}

static void run_command(OlStream *stream, const OlCommand *command)
{
  if (command->always || !ol_virtual_has_failed(stream->device))
    command->task(stream, &command->launch);
}

static void push_command(OlStream *stream, const OlCommand *command)
{
  pthread_mutex_lock(&stream->lock);
  if (stream->n_pushed - ol_gate_get(&stream->finished) >= stream->capacity)
    grow_ring(stream);
  stream->ring[stream->n_pushed & (stream->capacity - 1)] = *command;
  guint64 n_pushed = ++stream->n_pushed;
  pthread_mutex_unlock(&stream->lock);
  ol_gate_raise(&stream->pushed, n_pushed);
}

void ol_stream_push(OlStream *stream, OlStreamTask task, gboolean always, const void *launch,
                    gsize launch_bytes)
{
  OlCommand command = {.task = task, .always = always};
  g_assert(launch_bytes <= sizeof command.launch);
  memcpy(&command.launch, launch, launch_bytes);
  if (stream->has_thread)
    push_command(stream, &command);
  else
    run_command(stream, &command);
}

static void *stream_thread(void *data)
{
  OlStream *stream = data;
  char short_name[16]; /* Linux keeps 15 bytes */
  g_strlcpy(short_name, stream->name, sizeof short_name);
  pthread_setname_np(pthread_self(), short_name);
  /* For this thread alone: a kernel says itself how many threads share it, and each of them
   * multiplies on its own. */
  omp_set_num_threads(1);

  for (guint64 i = 0;; i++) {
    ol_gate_wait(&stream->pushed, i + 1);
    pthread_mutex_lock(&stream->lock);
    OlCommand command = stream->ring[i & (stream->capacity - 1)];
    pthread_mutex_unlock(&stream->lock);
    if (command.task == NULL)
      return NULL;
    run_command(stream, &command);
    ol_gate_raise(&stream->finished, i + 1);
  }
}

OlStream *ol_virtual_stream_new(OlDevice *device, const char *name)
{
  OlStream *stream = g_new0(OlStream, 1);
  stream->device = device;
  stream->name = g_strdup(name);
  stream->capacity = FIRST_CAPACITY;
  stream->ring = g_new(OlCommand, stream->capacity);
  pthread_mutex_init(&stream->lock, NULL);
  ol_gate_init(&stream->pushed);
  ol_gate_init(&stream->finished);
  int refusal = pthread_create(&stream->thread, NULL, stream_thread, stream);
  stream->has_thread = refusal == 0;
  if (!stream->has_thread)
    ol_virtual_fail(device, _("virtual device: no thread for stream “%s”: %s"), name,
                    g_strerror(refusal));
  return stream;
}

void ol_virtual_stream_free(OlStream *stream)
{
  if (stream == NULL)
    return;
  if (stream->has_thread) {
    push_command(stream, &(const OlCommand){.task = NULL});
    pthread_join(stream->thread, NULL);
  }
  ol_gate_clear(&stream->pushed);
  ol_gate_clear(&stream->finished);
  pthread_mutex_destroy(&stream->lock);
  g_free(stream->ring);
  g_free(stream->name);
  g_free(stream);
}

void ol_virtual_stream_synchronize(OlStream *stream)
{
  pthread_mutex_lock(&stream->lock);
  guint64 n_pushed = stream->n_pushed;
  pthread_mutex_unlock(&stream->lock);
  ol_gate_wait(&stream->finished, n_pushed);
}

typedef struct {
  OlHostFunction function;
  gpointer data;
} HostCall;

static void run_call(OlStream *stream, const void *launch)
{
  const HostCall *call = launch;
  call->function(call->data);
}

void ol_virtual_call(OlStream *stream, OlHostFunction function, gpointer data)
{
  ol_stream_push(stream, run_call, TRUE, &(const HostCall){function, data}, sizeof(HostCall));
}

OlEvent *ol_virtual_event_new(OlDevice *device)
{
  OlEvent *event = g_new0(OlEvent, 1);
  atomic_init(&event->ref_count, 1);
  atomic_init(&event->n_records, 0);
  ol_gate_init(&event->done);
  return event;
}

static void event_unref(OlEvent *event)
{
  if (atomic_fetch_sub(&event->ref_count, 1) > 1)
    return;
  ol_gate_clear(&event->done);
  g_free(event);
}

void ol_virtual_event_free(OlEvent *event)
{
  if (event)
    event_unref(event);
}

/* The n-th record of an event, or a wait for it. */
typedef struct {
  OlEvent *event;
  guint64 record;
} EventUse;

/* Records are done in the order in which they were asked for, also from different streams, so that
 * a wait for an earlier one is never let through by a later one. */
static void run_record(OlStream *stream, const void *launch)
{
  const EventUse *use = launch;
  ol_gate_wait(&use->event->done, use->record - 1);
  ol_gate_raise(&use->event->done, use->record);
  event_unref(use->event);
}

static void run_wait(OlStream *stream, const void *launch)
{
  const EventUse *use = launch;
  ol_gate_wait(&use->event->done, use->record);
  event_unref(use->event);
}

void ol_virtual_event_record(OlEvent *event, OlStream *stream)
{
  EventUse use = {event, atomic_fetch_add(&event->n_records, 1) + 1};
  atomic_fetch_add(&event->ref_count, 1);
  ol_stream_push(stream, run_record, TRUE, &use, sizeof use);
}

void ol_virtual_event_wait_on_stream(OlEvent *event, OlStream *stream)
{
  EventUse use = {event, atomic_load(&event->n_records)};
  atomic_fetch_add(&event->ref_count, 1);
  ol_stream_push(stream, run_wait, TRUE, &use, sizeof use);
}

void ol_virtual_event_wait_on_host(OlEvent *event)
{
  ol_gate_wait(&event->done, atomic_load(&event->n_records));
}
