/* What a learner has done over all courses: how right, how sure, how long, and what to look at
 * again. Nothing here reads a clock: `now` is passed in, in seconds since 1970. */
#pragma once

#include "lessons/course.h"
#include "lessons/progress.h"
#include "lessons/review.h"
#include "lessons/sureness.h"

G_BEGIN_DECLS

typedef enum {
  OL_NEARNESS_UNKNOWN, /* nothing was predicted, or nothing measured yet */
  OL_NEARNESS_NEAR,
  OL_NEARNESS_FAR
} OlNearness;

/* Of one lesson. Its first prediction and first answer are what counts. */
typedef struct {
  const OlCourse *course;
  const OlLesson *lesson;
  double predicted, sure; /* NAN: was not given */
  double measured;        /* in the prediction's unit, by the first run that could; NAN */
  OlNearness nearness;
  OlAnswers answers;
  gboolean done;
  gboolean comes_back; /* and then: */
  OlReviewCard review;
  gint64 seconds; /* spent on it, reviews left out */
} OlLessonSummary;

/* Predictions that were made equally sure of. */
typedef struct {
  guint n, near;
  double sure; /* how sure they were on average, a share; 0 when there are none */
} OlCalibrationBin;

typedef struct {
  GArray *lessons; /* OlLessonSummary, all courses in their order */
  OlCalibrationBin bins[OL_N_SURENESSES];
  guint answered, first_right, done;
  guint due; /* questions, for review */
  guint reviews, reviews_right;
  gint64 seconds, review_seconds;
} OlSummary;

OlSummary *ol_summary_new(GPtrArray *courses, const OlProgress *progress, gint64 now);
void ol_summary_free(OlSummary *summary);

/* The lessons that were missed: answered wrong first and not right in a review since, or not right
 * when they were last asked. OlLessonSummary *, borrowed; those that are due first come first. */
GPtrArray *ol_summary_list_missed(const OlSummary *summary);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlSummary, ol_summary_free)

G_END_DECLS
