#include "lessons/results.h"

#include "engine/base/csv.h"

#include <math.h>

static void put_heading(GString *text)
{
  static const char *const names[] = {"learner",      "course",      "lesson",     "title",
                                      "first answer", "first right", "latest",     "latest right",
                                      "answers",      "done",        "prediction", "unit",
                                      "sure",         "first time",  "latest time"};
  for (guint i = 0; i < G_N_ELEMENTS(names); i++)
    ol_csv_put_text(text, i == 0, names[i]);
  ol_csv_end_line(text);
}

static void put_answer(GString *text, guint n, guint option, gboolean right)
{
  const char letter[] = {'A' + (char)(option % 26), '\0'};
  ol_csv_put_text(text, FALSE, n > 0 ? letter : NULL);
  ol_csv_put_text(text, FALSE, n == 0 ? NULL : right ? "yes" : "no");
}

static void put_prediction(GString *text, const OlLesson *lesson, const OlProgress *progress)
{
  const OlPrediction *asked = lesson->prediction;
  double value = NAN, sure = NAN;
  gboolean given = ol_progress_get_prediction(progress, lesson->id, &value) && asked != NULL;
  if (given && asked->kind == OL_PREDICTION_CHOICE) {
    guint n = g_strv_length(asked->choices);
    ol_csv_put_words(text, FALSE, value >= 0 && value < n ? asked->choices[(guint)value] : "");
    ol_csv_put_text(text, FALSE, NULL);
  } else {
    ol_csv_put_number(text, FALSE, value);
    ol_csv_put_words(text, FALSE, given && asked->unit != NULL ? asked->unit : "");
  }
  if (!ol_progress_get_sure(progress, lesson->id, &sure))
    sure = NAN;
  ol_csv_put_number(text, FALSE, sure);
}

static void put_row(GString *text, const OlCourse *course, const OlLesson *lesson,
                    const OlProgress *progress)
{
  OlAnswers answers;
  ol_progress_get_answers(progress, lesson->id, &answers);
  ol_csv_put_words(text, TRUE, ol_progress_get_learner(progress));
  ol_csv_put_words(text, FALSE, course->id);
  ol_csv_put_words(text, FALSE, lesson->id);
  ol_csv_put_words(text, FALSE, lesson->title);
  put_answer(text, answers.n, answers.first_option, answers.first_right);
  put_answer(text, answers.n, answers.latest_option, answers.latest_right);
  ol_csv_put_number(text, FALSE, answers.n);
  ol_csv_put_text(text, FALSE, ol_progress_is_done(progress, lesson->id) ? "yes" : "no");
  put_prediction(text, lesson, progress);
  ol_csv_put_words(text, FALSE, answers.n > 0 ? answers.first_time : "");
  ol_csv_put_words(text, FALSE, answers.n > 0 ? answers.latest_time : "");
  ol_csv_end_line(text);
}

char *ol_results_dup_csv(GPtrArray *courses, const OlProgress *progress)
{
  GString *text = g_string_new(NULL);
  put_heading(text);
  for (guint i = 0; i < courses->len; i++) {
    const OlCourse *course = g_ptr_array_index(courses, i);
    for (guint j = 0; j < course->n_lessons; j++)
      put_row(text, course, &course->lessons[j], progress);
  }
  return g_string_free(text, FALSE);
}

OlScore ol_results_score(const OlCourse *course, const OlProgress *progress)
{
  OlScore score = {0};
  for (guint i = 0; i < course->n_lessons; i++) {
    OlAnswers answers;
    if (!ol_progress_get_answers(progress, course->lessons[i].id, &answers))
      continue;
    score.answered++;
    score.first_right += answers.first_right;
    score.done += ol_progress_is_done(progress, course->lessons[i].id);
  }
  return score;
}
