/* An experiment under way: the runs of one lesson, their traces and metrics, and the slow-down that
 * they share. */
#pragma once

#include "engine/run/slowdown.h"
#include "engine/trace/metrics.h"
#include "engine/trace/trace.h"
#include "lessons/course.h"

G_BEGIN_DECLS

typedef struct OlExperiment OlExperiment;

/* `lesson` is borrowed and must outlive the experiment. */
OlExperiment *ol_experiment_new(const OlLesson *lesson);
void ol_experiment_free(OlExperiment *experiment);
const OlLesson *ol_experiment_get_lesson(const OlExperiment *experiment);

/* The shared slow-down, chosen on first use over all runs of the lesson (`seconds_a_step`: see
 * slowdown.h). The configs given out carry it as hardware.slowdown. */
gboolean ol_experiment_prepare(OlExperiment *experiment, const char *data_folder,
                               double seconds_a_step, GError **error);
double ol_experiment_get_slowdown(const OlExperiment *experiment); /* 0: not prepared yet */
/* A run's config with the shared slow-down and the learner's changes (may be NULL) in place. */
OlRunConfig *ol_experiment_dup_config(const OlExperiment *experiment, const char *run,
                                      JsonObject *changes, GError **error);

/* Keeps an ended trace as the newest of `run`. The window gives what its child made. */
void ol_experiment_take_trace(OlExperiment *experiment, const char *run, OlTrace *trace);
/* The same with metrics that are made already; takes them. */
void ol_experiment_take_measured(OlExperiment *experiment, const char *run, OlTrace *trace,
                                 OlMetrics *metrics);
/* Keeps nothing of `run` any more. */
void ol_experiment_forget(OlExperiment *experiment, const char *run);

/* The lesson has got more runs at its end, as the sandbox's does. They share a clock of their own:
 * the slow-down is chosen and raised anew, for them alone. */
void ol_experiment_grow(OlExperiment *experiment);
OlTrace *ol_experiment_get_trace(const OlExperiment *experiment, const char *run); /* or NULL */
const OlMetrics *ol_experiment_get_metrics(const OlExperiment *experiment, const char *run);

/* What a run measured, for evidence, predictions and texts: a metric, or a setting of the run's
 * config ("config.model.layers"). FALSE or NULL when it is absent, or when the run was not made
 * for real to its end (done or out of memory). Caller frees. */
gboolean ol_experiment_get_number(const OlExperiment *experiment, const char *run,
                                  const char *metric, double *value);
char *ol_experiment_dup_text(const OlExperiment *experiment, const char *run, const char *metric);
/* Either of them as people read it: "0.71 s", "18.1 MiB"; one that a late run spoils says so:
 * "3.94 s (late: does not count)". */
char *ol_experiment_dup_words(const OlExperiment *experiment, const char *run, const char *metric);
/* The same without that remark. */
char *ol_experiment_dup_bare_words(const OlExperiment *experiment, const char *run,
                                   const char *metric);
/* What the lesson's prediction is about, in its unit, when it is about this run, which measured it
 * and was not late; else NAN. */
double ol_experiment_get_predicted(const OlExperiment *experiment, const char *run);
/* Whether the run has a measured trace that ended done or out of memory. */
gboolean ol_experiment_was_made(const OlExperiment *experiment, const char *run);

/* A run later than this share of a modelled step says nothing about time (design section 4). */
#define OL_EXPERIMENT_LATE OL_LATE_SHARE
gboolean ol_experiment_is_late(const OlExperiment *experiment, const char *run);
/* Whether the run was late and the metric is one of time, so that its value does not count. */
gboolean ol_experiment_is_spoilt(const OlExperiment *experiment, const char *run,
                                 const char *metric);

/* Whether the slow-down is the lab's to raise: on the scale clock, not set by the lesson, and
 * raised less than three times so far. */
gboolean ol_experiment_may_slow_down(const OlExperiment *experiment);
/* For a run that was late: takes the next slow-down of 1, 2, 5 × 10^k from twice the present one
 * on, and drops every run's trace, since all runs share one clock. FALSE, and nothing is changed,
 * when it may not. */
gboolean ol_experiment_slow_down(OlExperiment *experiment);

/* Runs what has no trace yet in this process; when times matter, slows down and repeats all runs
 * when one was late, as long as it may; on a clock that the lesson sets it makes a late run again,
 * three times at most. `told` (may be NULL) hears of each run that starts. */
typedef void (*OlExperimentTold)(const OlLessonRun *run, guint attempt, gpointer data);
gboolean ol_experiment_run_all(OlExperiment *experiment, const char *data_folder,
                               gboolean times_matter, OlExperimentTold told, gpointer data,
                               GError **error);

/* `text` with each {run:metric} replaced by the measured value in words, and by "…" for a run not
 * made yet. *complete (may be NULL) tells whether all were there. Only measured traces count.
 * Caller frees. */
char *ol_experiment_fill(const OlExperiment *experiment, const char *text, gboolean *complete);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlExperiment, ol_experiment_free)

G_END_DECLS
