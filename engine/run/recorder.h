/* Where lanes write what happened: a trace behind a lock, so that a reader that stalls never blocks
 * a lane: events queue in memory. */
#pragma once

#include "engine/trace/events.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef struct OlRecorder OlRecorder;

OlRecorder *ol_recorder_new(OlTrace *trace); /* takes a reference */
void ol_recorder_free(OlRecorder *recorder);

void ol_recorder_span(OlRecorder *recorder, const OlSpan *span);
void ol_recorder_memory(OlRecorder *recorder, const OlMemoryChange *change);
void ol_recorder_step(OlRecorder *recorder, const OlStep *step);
/* What another process has recorded of its own rank. */
void ol_recorder_append(OlRecorder *recorder, const OlSpan *spans, guint n_spans,
                        const OlMemoryChange *changes, guint n_changes);
/* Runs with the lock held: for facts and the end. */
void ol_recorder_with_trace(OlRecorder *recorder, void (*function)(OlTrace *trace, gpointer data),
                            gpointer data);

/* Pulls what is new for a writer, under the lock. */
void ol_recorder_pull(OlRecorder *recorder, OlEventsWriter *writer, GString *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlRecorder, ol_recorder_free)

G_END_DECLS
