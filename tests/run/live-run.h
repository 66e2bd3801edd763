/* Runs that somebody outside has a hand on while they last. */
#pragma once

#include "engine/run/run.h"

#include <pthread.h>

G_BEGIN_DECLS

/* Runs the config to its end; one whose lanes wait for each other for ever is stopped, so that the
 * test names it and goes on. `options` may be NULL; its control is replaced. */
OlRun *live_run_watched(const OlRunConfig *config, const OlRunOptions *options);

/* A run on a thread of its own, with its control. */
typedef struct {
  OlControl *control;
  OlRun *run;
  pthread_t thread;
} LiveRun;

/* The small config of run-fixture.h with assignments on top; `set` ends with NULL. */
LiveRun live_run_start(const char *const *set, gboolean paused);
void live_run_join(LiveRun *live);
void live_run_end(LiveRun *live); /* after the join */

guint live_run_count_spans(LiveRun *live);
void live_run_await_spans(LiveRun *live, guint n);

G_END_DECLS
