#include "engine/run/recorder.h"

#include <pthread.h>

struct OlRecorder {
  pthread_mutex_t lock; /* guards the trace and its writer */
  OlTrace *trace;
};

OlRecorder *ol_recorder_new(OlTrace *trace)
{
  OlRecorder *recorder = g_new0(OlRecorder, 1);
  pthread_mutex_init(&recorder->lock, NULL);
  recorder->trace = ol_trace_ref(trace);
  return recorder;
}

void ol_recorder_free(OlRecorder *recorder)
{
  if (!recorder)
    return;
  ol_trace_unref(recorder->trace);
  pthread_mutex_destroy(&recorder->lock);
  g_free(recorder);
}

static void append(OlRecorder *recorder, GArray *array, gconstpointer item)
{
  pthread_mutex_lock(&recorder->lock);
  g_array_append_vals(array, item, 1);
  pthread_mutex_unlock(&recorder->lock);
}

void ol_recorder_span(OlRecorder *recorder, const OlSpan *span)
{
  append(recorder, recorder->trace->spans, span);
}

void ol_recorder_memory(OlRecorder *recorder, const OlMemoryChange *change)
{
  append(recorder, recorder->trace->changes, change);
}

void ol_recorder_step(OlRecorder *recorder, const OlStep *step)
{
  append(recorder, recorder->trace->steps, step);
}

void ol_recorder_append(OlRecorder *recorder, const OlSpan *spans, guint n_spans,
                        const OlMemoryChange *changes, guint n_changes)
{
  pthread_mutex_lock(&recorder->lock);
  g_array_append_vals(recorder->trace->spans, spans, n_spans);
  g_array_append_vals(recorder->trace->changes, changes, n_changes);
  pthread_mutex_unlock(&recorder->lock);
}

void ol_recorder_with_trace(OlRecorder *recorder, void (*function)(OlTrace *trace, gpointer data),
                            gpointer data)
{
  pthread_mutex_lock(&recorder->lock);
  function(recorder->trace, data);
  pthread_mutex_unlock(&recorder->lock);
}

void ol_recorder_pull(OlRecorder *recorder, OlEventsWriter *writer, GString *text)
{
  pthread_mutex_lock(&recorder->lock);
  ol_events_writer_pull(writer, text);
  pthread_mutex_unlock(&recorder->lock);
}
