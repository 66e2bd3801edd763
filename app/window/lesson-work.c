#include "app/window/lesson-work.h"

#include "engine/base/intl.h"
#include <math.h>

struct _OlLessonWork {
  GObject parent_instance;
  const OlCourse *course;
  const OlLesson *lesson;
  guint position;
  OlProgress *progress;
  OlLessonRuns *runs;
  double proposal, proposed_sure;
  gboolean may_retry; /* a run was made since the question was answered wrong */
  gboolean *seen;     /* [lesson->n_observations] */
};

G_DEFINE_FINAL_TYPE(OlLessonWork, ol_lesson_work, G_TYPE_OBJECT)

enum { CHANGED, TOLD, N_SIGNALS };
static guint signals[N_SIGNALS];

static void ol_lesson_work_init(OlLessonWork *self)
{
  self->proposal = self->proposed_sure = NAN;
}

static void finalize(GObject *object)
{
  OlLessonWork *self = OL_LESSON_WORK(object);

  g_clear_object(&self->runs);
  g_free(self->seen);
  G_OBJECT_CLASS(ol_lesson_work_parent_class)->finalize(object);
}

static void ol_lesson_work_class_init(OlLessonWorkClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[CHANGED] =
      g_signal_new("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[TOLD] = g_signal_new("told", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                               G_TYPE_STRING);
}

static void changed(OlLessonWork *self)
{
  g_signal_emit(self, signals[CHANGED], 0);
}

static void on_run_ended(OlLessonWork *self, guint run)
{
  const OlTrace *trace = ol_lesson_runs_get_trace(self->runs, run);

  /* A machine that cannot make the run does not bar the way, either. */
  self->may_retry |= !trace || trace->outcome != OL_OUTCOME_STOPPED;
  if (!ol_lesson_work_is_lesson(self) ||
      ol_lesson_runs_get_state(self->runs, run) != OL_RUN_ENDED ||
      ol_lesson_runs_is_touched(self->runs, run))
    return;
  if (trace->outcome == OL_OUTCOME_DONE || trace->outcome == OL_OUTCOME_OUT_OF_MEMORY) {
    const char *name = ol_lesson_runs_get(self->runs, run)->name;
    const OlExperiment *experiment = ol_lesson_runs_get_experiment(self->runs);
    ol_progress_ran_measured(self->progress, self->lesson->id, name,
                             ol_experiment_get_predicted(experiment, name), NULL);
  }
}

OlLessonWork *ol_lesson_work_new(const OlCourse *course, guint lesson, OlProgress *progress,
                                 const char *data_folder, OlEngineSlot *engine)
{
  OlLessonWork *self = g_object_new(OL_TYPE_LESSON_WORK, NULL);

  self->course = course;
  self->lesson = &course->lessons[lesson];
  self->position = lesson;
  self->progress = progress;
  self->seen = g_new0(gboolean, self->lesson->n_observations + 1);
  self->runs = ol_lesson_runs_new(self->lesson, data_folder, engine);
  g_signal_connect_object(self->runs, "ended", G_CALLBACK(on_run_ended), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->runs, "changed", G_CALLBACK(changed), self, G_CONNECT_SWAPPED);
  return self;
}

const OlCourse *ol_lesson_work_get_course(OlLessonWork *self)
{
  return self->course;
}

const OlLesson *ol_lesson_work_get_lesson(OlLessonWork *self)
{
  return self->lesson;
}

guint ol_lesson_work_get_position(OlLessonWork *self)
{
  return self->position;
}

gboolean ol_lesson_work_is_lesson(OlLessonWork *self)
{
  return self->lesson->question.n_options > 0;
}

OlLessonRuns *ol_lesson_work_get_runs(OlLessonWork *self)
{
  return self->runs;
}

const char *ol_lesson_work_get_learner(OlLessonWork *self)
{
  return ol_progress_get_learner(self->progress);
}

/* Moves */

static gboolean is_predicted(OlLessonWork *self)
{
  return !self->lesson->prediction || !isnan(ol_lesson_work_get_prediction(self));
}

static gboolean has_seen_all(OlLessonWork *self)
{
  for (guint i = 0; i < self->lesson->n_observations; i++)
    if (!self->seen[i])
      return FALSE;
  return TRUE;
}

static gboolean is_answered(OlLessonWork *self)
{
  guint option;
  gboolean right;

  return ol_lesson_work_get_answer(self, &option, &right);
}

/* Each run was made, or the engine could not make it: a machine that cannot run the lesson does not
 * bar the way to its question. */
static gboolean has_tried_all(OlLessonWork *self)
{
  for (guint i = 0; i < ol_lesson_runs_count(self->runs); i++) {
    const OlTrace *trace = ol_lesson_runs_get_trace(self->runs, i);
    OlRunState state = ol_lesson_runs_get_state(self->runs, i);
    gboolean tried =
        state == OL_RUN_LOST || (state == OL_RUN_ENDED && trace->outcome != OL_OUTCOME_STOPPED &&
                                 !ol_lesson_runs_is_touched(self->runs, i));
    if (!tried && !ol_lesson_work_has_run(self, i))
      return FALSE;
  }
  return TRUE;
}

OlMove ol_lesson_work_get_reach(OlLessonWork *self)
{
  if (!is_predicted(self))
    return OL_MOVE_PREDICT;
  return has_tried_all(self) ? OL_MOVE_ANSWER : OL_MOVE_RUN;
}

gboolean ol_lesson_work_is_done(OlLessonWork *self)
{
  return ol_progress_is_done(self->progress, self->lesson->id);
}

gboolean ol_lesson_work_is_finished(OlLessonWork *self, OlMove move)
{
  switch (move) {
  case OL_MOVE_PREDICT:
    return is_predicted(self);
  case OL_MOVE_RUN:
    return has_tried_all(self);
  case OL_MOVE_OBSERVE:
    return has_tried_all(self) && (has_seen_all(self) || is_answered(self));
  default:
    return ol_lesson_work_is_done(self);
  }
}

OlNext ol_lesson_work_get_next(OlLessonWork *self)
{
  if (ol_lesson_runs_get_busy(self->runs) >= 0)
    return OL_NEXT_WAIT;
  if (!ol_lesson_work_is_finished(self, OL_MOVE_PREDICT))
    return OL_NEXT_PREDICT;
  if (!ol_lesson_work_is_finished(self, OL_MOVE_RUN))
    return OL_NEXT_RUN;
  if (!ol_lesson_work_is_finished(self, OL_MOVE_OBSERVE))
    return OL_NEXT_OBSERVE;
  if (ol_lesson_work_is_done(self))
    return OL_NEXT_LESSON;
  return ol_lesson_work_may_answer(self) ? OL_NEXT_ANSWER : OL_NEXT_RERUN;
}

/* Prediction */

double ol_lesson_work_get_prediction(OlLessonWork *self)
{
  double value;

  return ol_progress_get_prediction(self->progress, self->lesson->id, &value) ? value : NAN;
}

double ol_lesson_work_get_proposal(OlLessonWork *self)
{
  return self->proposal;
}

void ol_lesson_work_propose(OlLessonWork *self, double value)
{
  if (self->proposal == value)
    return;
  self->proposal = value;
  changed(self);
}

gboolean ol_lesson_work_lock_prediction(OlLessonWork *self)
{
  if (is_predicted(self))
    return TRUE;
  if (isnan(self->proposal))
    return FALSE;
  ol_progress_predict_sure(self->progress, self->lesson->id, self->proposal, self->proposed_sure,
                           NULL);
  changed(self);
  return TRUE;
}

double ol_lesson_work_get_sure(OlLessonWork *self)
{
  double sure;

  if (isnan(ol_lesson_work_get_prediction(self)))
    return self->proposed_sure;
  return ol_progress_get_sure(self->progress, self->lesson->id, &sure) ? sure : NAN;
}

void ol_lesson_work_set_sure(OlLessonWork *self, double sure)
{
  if (self->proposed_sure == sure)
    return;
  self->proposed_sure = sure;
  changed(self);
}

gboolean ol_lesson_work_get_truth(OlLessonWork *self, double *truth)
{
  const OlPrediction *prediction = self->lesson->prediction;

  if (!prediction)
    return FALSE;
  if (prediction->kind == OL_PREDICTION_NUMBER)
    return ol_experiment_get_number(ol_lesson_runs_get_experiment(self->runs), prediction->run,
                                    prediction->metric, truth);
  *truth = prediction->right_choice;
  return prediction->right_choice >= 0 && has_tried_all(self);
}

/* Runs */

gboolean ol_lesson_work_has_run(OlLessonWork *self, guint run)
{
  return ol_progress_has_run(self->progress, self->lesson->id,
                             ol_lesson_runs_get(self->runs, run)->name);
}

int ol_lesson_work_get_next_run(OlLessonWork *self)
{
  for (guint i = 0; i < ol_lesson_runs_count(self->runs); i++)
    if (!ol_lesson_work_has_run(self, i) && ol_lesson_runs_get_state(self->runs, i) != OL_RUN_LOST)
      return (int)i;
  return -1;
}

static gboolean may_start(OlLessonWork *self)
{
  if (!ol_lesson_runs_is_free(self->runs)) {
    g_signal_emit(self, signals[TOLD], 0, _("A run is under way: stop it first."));
    return FALSE;
  }
  if (!ol_lesson_work_lock_prediction(self)) {
    g_signal_emit(self, signals[TOLD], 0, _("Predict first: what do you expect?"));
    return FALSE;
  }
  return TRUE;
}

gboolean ol_lesson_work_start(OlLessonWork *self, guint run)
{
  gboolean may = may_start(self);

  if (may)
    ol_lesson_runs_start(self->runs, run);
  return may;
}

gboolean ol_lesson_work_start_held(OlLessonWork *self, guint run)
{
  gboolean may = may_start(self);

  if (may)
    ol_lesson_runs_start_held(self->runs, run);
  return may;
}

/* Observations and answers */

void ol_lesson_work_see(OlLessonWork *self, guint observation)
{
  self->seen[observation] = TRUE;
  changed(self);
}

gboolean ol_lesson_work_has_seen(OlLessonWork *self, guint observation)
{
  return self->seen[observation];
}

void ol_lesson_work_begin_anew(OlLessonWork *self)
{
  for (guint i = 0; i < self->lesson->n_observations; i++)
    self->seen[i] = FALSE;
  self->may_retry = FALSE;
  self->proposal = self->proposed_sure = NAN;
  ol_lesson_runs_forget(self->runs);
}

gboolean ol_lesson_work_get_answer(OlLessonWork *self, guint *option, gboolean *right)
{
  gboolean first_right;

  return ol_progress_get_answer(self->progress, self->lesson->id, option, right, &first_right);
}

void ol_lesson_work_answer(OlLessonWork *self, guint option)
{
  ol_progress_answer(self->progress, self->lesson->id, option,
                     self->lesson->question.options[option].right, NULL);
  self->may_retry = FALSE;
  changed(self);
}

gboolean ol_lesson_work_may_answer(OlLessonWork *self)
{
  guint option;
  gboolean right;

  if (!ol_lesson_work_get_answer(self, &option, &right))
    return TRUE;
  return !right && self->may_retry;
}

gboolean ol_lesson_work_was_right_first(OlLessonWork *self)
{
  guint option;
  gboolean right, first_right;

  return ol_progress_get_answer(self->progress, self->lesson->id, &option, &right, &first_right) &&
         first_right;
}

int ol_lesson_work_get_rerun(OlLessonWork *self)
{
  const OlQuestion *question = &self->lesson->question;

  for (guint i = 0; i < question->n_options; i++)
    if (question->options[i].right && question->options[i].run)
      return ol_lesson_runs_find(self->runs, question->options[i].run);
  return ol_lesson_runs_count(self->runs) > 0 ? 0 : -1;
}
