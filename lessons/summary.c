#include "lessons/summary.h"

#include "lessons/grading.h"

#include <math.h>

/* A longer silence between two things that a learner did is a break. */
#define BREAK_SECONDS (10 * 60)

typedef struct {
  gint64 time;
  guint lesson;
  gboolean review;
} Moment;

/* What the first run that could tell has measured; the right choice is known once a run was made.
 */
static double find_measured(const OlLesson *lesson, GArray *runs)
{
  const OlPrediction *asked = lesson->prediction;
  if (asked->kind == OL_PREDICTION_CHOICE)
    return runs->len > 0 ? asked->right_choice : NAN;
  for (guint i = 0; i < runs->len; i++) {
    const OlProgressEntry *run = &g_array_index(runs, OlProgressEntry, i);
    if (g_str_equal(run->run, asked->run) && !isnan(run->value))
      return run->value;
  }
  return NAN;
}

static void judge_prediction(OlLessonSummary *of, const OlProgress *progress)
{
  const OlPrediction *asked = of->lesson->prediction;
  g_autoptr(GArray) given = ol_progress_list_entries(progress, of->lesson->id, OL_ENTRY_PREDICTION);
  g_autoptr(GArray) runs = ol_progress_list_entries(progress, of->lesson->id, OL_ENTRY_RUN);
  of->predicted = of->sure = of->measured = NAN;
  if (asked == NULL || given->len == 0)
    return;
  of->predicted = g_array_index(given, OlProgressEntry, 0).value;
  of->sure = g_array_index(given, OlProgressEntry, 0).sure;
  of->measured = find_measured(of->lesson, runs);
  if (!isnan(of->measured))
    of->nearness =
        ol_grading_is_near(asked, of->predicted, of->measured) ? OL_NEARNESS_NEAR : OL_NEARNESS_FAR;
}

static OlLessonSummary look(const OlCourse *course, const OlLesson *lesson,
                            const OlProgress *progress, gint64 now)
{
  OlLessonSummary of = {.course = course, .lesson = lesson};
  judge_prediction(&of, progress);
  ol_progress_get_answers(progress, lesson->id, &of.answers);
  of.done = ol_progress_is_done(progress, lesson->id);
  of.comes_back = ol_review_look(course, lesson, progress, now, &of.review);
  return of;
}

static void add_up(OlSummary *summary, const OlLessonSummary *of, gint64 now)
{
  summary->due += of->comes_back && ol_review_is_due(&of->review, now);
  summary->answered += of->answers.n > 0;
  summary->first_right += of->answers.n > 0 && of->answers.first_right;
  summary->done += of->done;
  summary->reviews += of->review.reviews;
  summary->reviews_right += of->review.right;
  if (of->nearness == OL_NEARNESS_UNKNOWN || isnan(of->sure))
    return;
  OlCalibrationBin *bin = &summary->bins[ol_sureness_of(of->sure)];
  bin->sure = (bin->sure * bin->n + of->sure) / (bin->n + 1);
  bin->n++;
  bin->near += of->nearness == OL_NEARNESS_NEAR;
}

static int compare_moments(gconstpointer a, gconstpointer b)
{
  const Moment *left = a, *right = b;
  return (left->time > right->time) - (left->time < right->time);
}

static GArray *list_moments(const OlSummary *summary, const OlProgress *progress)
{
  GArray *moments = g_array_new(FALSE, FALSE, sizeof(Moment));
  for (guint i = 0; i < summary->lessons->len; i++) {
    const char *id = g_array_index(summary->lessons, OlLessonSummary, i).lesson->id;
    for (int kind = OL_ENTRY_PREDICTION; kind <= OL_ENTRY_REVIEW; kind++) {
      g_autoptr(GArray) entries = ol_progress_list_entries(progress, id, (OlEntryKind)kind);
      for (guint j = 0; j < entries->len; j++) {
        Moment moment = {g_array_index(entries, OlProgressEntry, j).time, i,
                         kind == OL_ENTRY_REVIEW};
        if (moment.time > 0)
          g_array_append_val(moments, moment);
      }
    }
  }
  g_array_sort(moments, compare_moments);
  return moments;
}

/* The time before each thing that was done is taken for it, as long as it was no break. */
static void add_times(OlSummary *summary, const OlProgress *progress)
{
  g_autoptr(GArray) moments = list_moments(summary, progress);
  for (guint i = 1; i < moments->len; i++) {
    const Moment *moment = &g_array_index(moments, Moment, i);
    gint64 seconds = moment->time - g_array_index(moments, Moment, i - 1).time;
    if (seconds > BREAK_SECONDS)
      continue;
    summary->seconds += seconds;
    if (moment->review)
      summary->review_seconds += seconds;
    else
      g_array_index(summary->lessons, OlLessonSummary, moment->lesson).seconds += seconds;
  }
}

OlSummary *ol_summary_new(GPtrArray *courses, const OlProgress *progress, gint64 now)
{
  OlSummary *summary = g_new0(OlSummary, 1);
  summary->lessons = g_array_new(FALSE, FALSE, sizeof(OlLessonSummary));
  for (guint i = 0; i < courses->len; i++) {
    const OlCourse *course = g_ptr_array_index(courses, i);
    for (guint j = 0; j < course->n_lessons; j++) {
      OlLessonSummary of = look(course, &course->lessons[j], progress, now);
      g_array_append_val(summary->lessons, of);
      add_up(summary, &of, now);
    }
  }
  add_times(summary, progress);
  return summary;
}

void ol_summary_free(OlSummary *summary)
{
  if (summary == NULL)
    return;
  g_array_unref(summary->lessons);
  g_free(summary);
}

static gboolean is_missed(const OlLessonSummary *of)
{
  return of->answers.n > 0 &&
         (!of->review.latest_right || (!of->answers.first_right && of->review.right == 0));
}

static int compare_due(gconstpointer a, gconstpointer b)
{
  const OlLessonSummary *left = *(const OlLessonSummary *const *)a;
  const OlLessonSummary *right = *(const OlLessonSummary *const *)b;
  return (left->review.due > right->review.due) - (left->review.due < right->review.due);
}

GPtrArray *ol_summary_list_missed(const OlSummary *summary)
{
  GPtrArray *missed = g_ptr_array_new();
  for (guint i = 0; i < summary->lessons->len; i++) {
    OlLessonSummary *of = &g_array_index(summary->lessons, OlLessonSummary, i);
    if (is_missed(of))
      g_ptr_array_add(missed, of);
  }
  g_ptr_array_sort(missed, compare_due);
  return missed;
}
