/* One lesson under way: what the learner has predicted, run and answered, and which move comes
 * next. No widgets: the views show it and ask it to act. */
#pragma once

#include "app/window/lesson-runs.h"
#include "lessons/progress.h"

G_BEGIN_DECLS

typedef enum { OL_MOVE_PREDICT, OL_MOVE_RUN, OL_MOVE_OBSERVE, OL_MOVE_ANSWER, OL_N_MOVES } OlMove;

/* The one thing to do now: exactly one widget shows it as suggested. */
typedef enum {
  OL_NEXT_PREDICT,
  OL_NEXT_RUN,
  OL_NEXT_WAIT,
  OL_NEXT_OBSERVE,
  OL_NEXT_ANSWER,
  OL_NEXT_RERUN, /* answered wrong: a run made again opens the question once more */
  OL_NEXT_LESSON
} OlNext;

#define OL_TYPE_LESSON_WORK (ol_lesson_work_get_type())
G_DECLARE_FINAL_TYPE(OlLessonWork, ol_lesson_work, OL, LESSON_WORK, GObject)

/* What is predicted, run and answered is kept in `progress`; who watches that tells of a save that
 * failed. Signals: "changed" (any state, also of its runs), "told" (char *: something for a toast).
 * What it is given must outlive it. */
OlLessonWork *ol_lesson_work_new(const OlCourse *course, guint lesson, OlProgress *progress,
                                 const char *data_folder, OlEngineSlot *engine);

const OlCourse *ol_lesson_work_get_course(OlLessonWork *work);
const OlLesson *ol_lesson_work_get_lesson(OlLessonWork *work);
guint ol_lesson_work_get_position(OlLessonWork *work); /* of the lesson in its course */
/* FALSE: the sandbox or the planner, which have runs and nothing to predict or to answer. */
gboolean ol_lesson_work_is_lesson(OlLessonWork *work);
OlLessonRuns *ol_lesson_work_get_runs(OlLessonWork *work);
const char *ol_lesson_work_get_learner(OlLessonWork *work);

/* The furthest move that the learner may open, and whether one is finished. */
OlMove ol_lesson_work_get_reach(OlLessonWork *work);
gboolean ol_lesson_work_is_finished(OlLessonWork *work, OlMove move);
gboolean ol_lesson_work_is_done(OlLessonWork *work); /* ever answered right */
OlNext ol_lesson_work_get_next(OlLessonWork *work);

/* A number, or the index of a choice; NAN while there is none. What is proposed is locked when the
 * learner says so or starts a run, and stays. */
double ol_lesson_work_get_prediction(OlLessonWork *work);
double ol_lesson_work_get_proposal(OlLessonWork *work);
void ol_lesson_work_propose(OlLessonWork *work, double value);
gboolean ol_lesson_work_lock_prediction(OlLessonWork *work); /* FALSE: nothing is proposed */
/* How sure of it, as a share; NAN: not said. Said before it is locked, and locked with it. */
double ol_lesson_work_get_sure(OlLessonWork *work);
void ol_lesson_work_set_sure(OlLessonWork *work, double sure);
/* What it turned out to be, in the metric's own measure, or the index of the right choice. FALSE
 * while that is not known. */
gboolean ol_lesson_work_get_truth(OlLessonWork *work, double *truth);

/* Made to its end, now or in an earlier session. */
gboolean ol_lesson_work_has_run(OlLessonWork *work, guint run);
int ol_lesson_work_get_next_run(OlLessonWork *work); /* the first not made yet, or -1 */
/* Locks the prediction and starts. FALSE, and told, when there is none or a run is under way. */
gboolean ol_lesson_work_start(OlLessonWork *work, guint run);
/* The same, held before its first node. */
gboolean ol_lesson_work_start_held(OlLessonWork *work, guint run);

/* That an observation has been looked at on the bench. */
void ol_lesson_work_see(OlLessonWork *work, guint observation);
gboolean ol_lesson_work_has_seen(OlLessonWork *work, guint observation);

/* Forgets what only the window knows of the lesson: runs, and what was looked at and proposed. For
 * one that was reset. Not while a run of it is under way. */
void ol_lesson_work_begin_anew(OlLessonWork *work);

/* The latest answer: FALSE when there is none. */
gboolean ol_lesson_work_get_answer(OlLessonWork *work, guint *option, gboolean *right);
void ol_lesson_work_answer(OlLessonWork *work, guint option);
/* Whether the question takes an answer: a first one, and after a wrong one another, once a run was
 * made again since. What was right is then told at once, so a second look at a run lies between. */
gboolean ol_lesson_work_may_answer(OlLessonWork *work);
/* The first answer, which counts, was right. FALSE when there is none. */
gboolean ol_lesson_work_was_right_first(OlLessonWork *work);
/* The run to make again after a wrong answer: the one that the right option speaks of. */
int ol_lesson_work_get_rerun(OlLessonWork *work);

/* What is to be said below a text that quotes runs: that figures are missing (`complete` FALSE),
 * or that the text keeps to this machine's units while charts show those of `there`. That a run was
 * late its figures say themselves. NULL when there is nothing. Caller frees. */
char *ol_lesson_work_dup_note(OlLessonWork *work, gboolean complete, gboolean there);

/* The scale model of a run (-1: the first) in words: "GPT 2 B on an A100, PCIe 4 · 1 MiB is 1.7 GiB
 * · 1 s is 1.7 s", or NULL when it stands for nothing. Caller frees. */
char *ol_lesson_work_dup_scale(OlLessonWork *work, int run);

G_END_DECLS
