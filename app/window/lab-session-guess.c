/* The lesson's prediction on the chart that it belongs to: before, during and after its run. */
#include "app/window/lab-session-private.h"

#include "engine/base/intl.h"
#include "lessons/grading.h"
#include "lessons/prediction-place.h"
#include <math.h>

void ol_lab_session_forget_guess(OlLabSession *self)
{
  g_clear_pointer(&self->guess.said, g_free);
  g_clear_pointer(&self->guess.found, g_free);
  self->guess_unit = 0;
  self->view.guess = NULL;
}

void ol_lab_session_find_guess(OlLabSession *self)
{
  OlLessonRuns *runs = ol_lesson_work_get_runs(self->work);
  OlPredictionPlace place;

  ol_lab_session_forget_guess(self);
  if (!ol_prediction_find_place(ol_lesson_work_get_lesson(self->work),
                                ol_lesson_runs_get_data_folder(runs), &place))
    return;
  self->guess = (OlGuess){.tier = place.tier,
                          .first = place.first,
                          .capacity = place.capacity,
                          .predicted = NAN,
                          .measured = NAN};
  self->guess_unit = place.unit_bytes;
}

/* It is about one run; before anything has run there is nothing else that it could be taken for. */
static gboolean is_about_bench(OlLabSession *self, const OlPrediction *prediction)
{
  OlLessonRuns *runs = ol_lesson_work_get_runs(self->work);

  return !self->on_replay &&
         (!self->trace || self->run == ol_lesson_runs_find(runs, prediction->run));
}

static char *dup_said(const OlPrediction *prediction, double value, gboolean is_open)
{
  if (isnan(value))
    return g_strdup(_("Drag to predict"));
  return is_open ? g_strdup_printf("%.4g %s", value, prediction->unit)
                 : g_strdup_printf(_("predicted %.4g %s"), value, prediction->unit);
}

void ol_lab_session_refresh_guess(OlLabSession *self)
{
  const OlPrediction *prediction = ol_lesson_work_get_lesson(self->work)->prediction;
  double value, truth;

  self->view.guess = NULL;
  if (self->nobody_guesses || self->guess_unit <= 0 || !is_about_bench(self, prediction))
    return;
  value = ol_lesson_work_get_prediction(self->work);
  self->guess.is_open = isnan(value);
  if (self->guess.is_open)
    value = ol_lesson_work_get_proposal(self->work);
  g_free(self->guess.said);
  g_clear_pointer(&self->guess.found, g_free);
  self->guess.said = dup_said(prediction, value, self->guess.is_open);
  self->guess.predicted = value * self->guess_unit;
  self->guess.measured = NAN;
  if (self->trace && ol_lesson_work_get_truth(self->work, &truth)) {
    truth /= ol_grading_unit_size(prediction->unit);
    self->guess.measured = truth * self->guess_unit;
    self->guess.found = g_strdup_printf(_("measured %.4g %s"), truth, prediction->unit);
  }
  self->view.guess = &self->guess;
}

void ol_lab_session_let_nobody_guess(OlLabSession *self)
{
  self->nobody_guesses = TRUE;
}

void ol_lab_session_guess(OlLabSession *self, double bytes)
{
  const OlPrediction *prediction = ol_lesson_work_get_lesson(self->work)->prediction;

  if (self->guess_unit > 0 && self->guess.is_open && !isnan(bytes))
    ol_lesson_work_propose(self->work, ol_prediction_snap(prediction, bytes / self->guess_unit));
}
