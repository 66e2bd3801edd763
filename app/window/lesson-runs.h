/* The runs of one lesson: which are offered, what became of each, and the one under way. The real
 * work is a child's (engine-process.h); what it made is given to the lesson's experiment. */
#pragma once

#include "app/window/engine-slot.h"
#include "lessons/experiment.h"
#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  OL_RUN_NOT_YET,
  OL_RUN_PREPARING, /* the shared slow-down is being chosen */
  OL_RUN_RUNNING,
  OL_RUN_ENDED, /* by itself: its trace has the outcome */
  OL_RUN_LOST   /* the engine died or did not start; a trace goes as far as it went */
} OlRunState;

#define OL_TYPE_LESSON_RUNS (ol_lesson_runs_get_type())
G_DECLARE_FINAL_TYPE(OlLessonRuns, ol_lesson_runs, OL, LESSON_RUNS, GObject)

/* Signals: "changed" (a run's state), "started" (guint run), "grown" (the running run's trace may
 * have got more), "ended" (guint run). Lesson and folder's name must outlive it;
 * it takes a reference on `engine`. */
OlLessonRuns *ol_lesson_runs_new(const OlLesson *lesson, const char *data_folder,
                                 OlEngineSlot *engine);

const OlExperiment *ol_lesson_runs_get_experiment(OlLessonRuns *runs);
const char *ol_lesson_runs_get_data_folder(OlLessonRuns *runs);
/* 0 until the first start has chosen it. */
double ol_lesson_runs_get_slowdown(OlLessonRuns *runs);

/* The runs offered to the learner: hidden ones are left out. */
guint ol_lesson_runs_count(OlLessonRuns *runs);
const OlLessonRun *ol_lesson_runs_get(OlLessonRuns *runs, guint run);
OlRunState ol_lesson_runs_get_state(OlLessonRuns *runs, guint run);
OlTrace *ol_lesson_runs_get_trace(OlLessonRuns *runs, guint run); /* borrowed, or NULL */
int ol_lesson_runs_find(OlLessonRuns *runs, const char *name);    /* or -1 */
int ol_lesson_runs_get_busy(OlLessonRuns *runs);                  /* or -1 */
/* No run is under way, in this lesson or another. */
gboolean ol_lesson_runs_is_free(OlLessonRuns *runs);

/* Of a lost run: what happened, and the engine's own words. Borrowed, or NULL. */
const char *ol_lesson_runs_get_message(OlLessonRuns *runs, guint run);
const char *ol_lesson_runs_get_complaints(OlLessonRuns *runs, guint run);

/* The run under way was told to stop, and has not yet. */
gboolean ol_lesson_runs_is_stopping(OlLessonRuns *runs);

/* Does nothing while a run is under way. */
void ol_lesson_runs_start(OlLessonRuns *runs, guint run);

/* A run that the machine was too busy for: its times do not count (design section 4). */
gboolean ol_lesson_runs_is_late(OlLessonRuns *runs, guint run);
/* What can be done about it: all runs share one clock, so a slower one means that all that were
 * made are dropped and made again, one after the other. Does nothing while a run is under way. */
gboolean ol_lesson_runs_may_slow_down(OlLessonRuns *runs);
void ol_lesson_runs_slow_down(OlLessonRuns *runs);
/* It was dropped so, and its turn is still to come. */
gboolean ol_lesson_runs_is_queued(OlLessonRuns *runs, guint run);
/* How many are to be made again by ol_lesson_runs_slow_down(). */
guint ol_lesson_runs_count_made(OlLessonRuns *runs);

/* The sandbox's way: the lesson has got one more run at its end. It has a clock of its own, and of
 * those before only the latest are kept. Not while a run of this lesson is under way. */
void ol_lesson_runs_add(OlLessonRuns *runs);
guint ol_lesson_runs_get_first(OlLessonRuns *runs); /* that is kept */
/* A run that no engine makes: it was simulated. Takes the metrics. */
void ol_lesson_runs_take(OlLessonRuns *runs, guint run, OlTrace *trace, OlMetrics *metrics);

/* As if none had been made yet. Not while a run of this lesson is under way. */
void ol_lesson_runs_forget(OlLessonRuns *runs);

void ol_lesson_runs_stop(OlLessonRuns *runs);

/* One op at a time. A run that was held or slowed down tells no times, and so counts for nothing in
 * the lesson: it is there to be looked at. */
void ol_lesson_runs_start_held(OlLessonRuns *runs, guint run); /* begins, and waits for `next` */
void ol_lesson_runs_hold(OlLessonRuns *runs, gboolean held);
void ol_lesson_runs_next(OlLessonRuns *runs); /* lets one node through; holds the run before */
gboolean ol_lesson_runs_is_paused(OlLessonRuns *runs);
/* Index of a speed, 0: as modelled, … ol_lesson_runs_count_speeds() - 1: the slowest. */
guint ol_lesson_runs_count_speeds(void);
double ol_lesson_runs_speed_share(guint speed); /* 1 … 1/50 */
guint ol_lesson_runs_get_speed(OlLessonRuns *runs);
void ol_lesson_runs_set_speed(OlLessonRuns *runs, guint speed);
/* The run under way goes on to its end, as fast as modelled. */
void ol_lesson_runs_to_the_end(OlLessonRuns *runs);
/* The run was held, stepped or slowed down. */
gboolean ol_lesson_runs_is_touched(OlLessonRuns *runs, guint run);

/* Once a frame while a run is under way. */
void ol_lesson_runs_drain(OlLessonRuns *runs);

G_END_DECLS
