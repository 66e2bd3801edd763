#include "lessons/lesson-words.h"

#include "engine/base/intl.h"
#include "lessons/grading.h"

#include <math.h>

/* From here on a difference between sure and right is more than luck can easily be. */
#define FEWEST_TO_JUDGE 4
#define CLEARLY         0.15

char *ol_calibration_bin_dup_words(const OlCalibrationBin *bin)
{
  if (bin->n == 0)
    return g_strdup(_("none yet"));
  return g_strdup_printf(_("%u of %u near; you were %.0f %% sure"), bin->near, bin->n,
                         bin->sure * 100);
}

char *ol_summary_dup_verdict(const OlSummary *summary)
{
  double sure = 0, near = 0, n = 0;
  for (int i = 0; i < OL_N_SURENESSES; i++) {
    n += summary->bins[i].n;
    near += summary->bins[i].near;
    sure += summary->bins[i].sure * summary->bins[i].n;
  }
  if (n == 0)
    return g_strdup(_("No prediction has been held against a run yet."));
  if (n < FEWEST_TO_JUDGE)
    return g_strdup(_("Too few predictions to tell yet."));
  double surplus = (sure - near) / n;
  if (surplus > CLEARLY)
    return g_strdup(_("You are more often sure than right."));
  if (surplus < -CLEARLY)
    return g_strdup(_("You are more often right than you think."));
  return g_strdup(_("You are about as often right as you are sure."));
}

char *ol_summary_dup_time(gint64 seconds)
{
  guint minutes = (guint)((seconds + 30) / 60);
  if (seconds < 60)
    return g_strdup(seconds > 0 ? _("under a minute") : _("0 min"));
  if (minutes < 60)
    return g_strdup_printf(_("%u min"), minutes);
  return g_strdup_printf(_("%u h %u min"), minutes / 60, minutes % 60);
}

static const char *get_choice(const OlPrediction *asked, double index)
{
  guint n = g_strv_length(asked->choices);
  return index >= 0 && index < n ? asked->choices[(guint)index] : "…";
}

static char *dup_prediction(const OlLessonSummary *of)
{
  const OlPrediction *asked = of->lesson->prediction;
  gboolean known = of->nearness != OL_NEARNESS_UNKNOWN;
  if (asked == NULL || isnan(of->predicted))
    return NULL;
  if (asked->kind == OL_PREDICTION_CHOICE) {
    const char *said = get_choice(asked, of->predicted);
    return known ? g_strdup_printf(_("You predicted “%s”, it is “%s”."), said,
                                   get_choice(asked, of->measured))
                 : g_strdup_printf(_("You predicted “%s”."), said);
  }
  const char *said_unit = ol_grading_unit_words(asked->unit, of->predicted);
  const char *was_unit = ol_grading_unit_words(asked->unit, of->measured);
  return known ? g_strdup_printf(_("You predicted %.3g %s, it was %.3g %s."), of->predicted,
                                 said_unit, of->measured, was_unit)
               : g_strdup_printf(_("You predicted %.3g %s."), of->predicted, said_unit);
}

static char *dup_answers(const OlAnswers *answers)
{
  static const char *const later[2][2] = {
      {N_("First answer wrong, the latest of %u wrong."),
       N_("First answer wrong, the latest of %u right.")},
      {N_("First answer right, the latest of %u wrong."),
       N_("First answer right, the latest of %u right.")},
  };
  if (answers->n == 0)
    return NULL;
  if (answers->n == 1)
    return g_strdup(answers->first_right ? _("First answer right.") : _("First answer wrong."));
  return g_strdup_printf(_(later[answers->first_right][answers->latest_right]), answers->n);
}

static char *dup_reviews(const OlLessonSummary *of, gint64 now)
{
  if (!of->comes_back)
    return NULL;
  g_autofree char *when = ol_review_dup_when(of->review.due, now);
  if (of->review.reviews == 0)
    return g_strdup_printf(_("To be reviewed %s."), when);
  return g_strdup_printf(ol_ngettext("%u review, %u right; the next %s.",
                                     "%u reviews, %u right; the next %s.", of->review.reviews),
                         of->review.reviews, of->review.right, when);
}

char *ol_lesson_summary_dup_words(const OlLessonSummary *of, gint64 now)
{
  g_autofree char *predicted = dup_prediction(of);
  g_autofree char *answered = dup_answers(&of->answers);
  g_autofree char *reviewed = dup_reviews(of, now);
  char *parts[4] = {NULL};
  guint n = 0;
  if (answered != NULL)
    parts[n++] = answered;
  if (reviewed != NULL)
    parts[n++] = reviewed;
  if (predicted != NULL)
    parts[n++] = predicted;
  return n > 0 ? g_strjoinv(" ", parts) : NULL;
}

const char *ol_lesson_summary_get_missed(const OlLessonSummary *of)
{
  if (!of->done)
    return _("Not right yet.");
  return of->review.reviews > 0 && !of->review.latest_right ? _("Missed when it was last reviewed.")
                                                            : _("Missed the first time.");
}
