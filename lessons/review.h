/* Questions that come back, at growing intervals, as long as they are answered right.
 *
 * The scheme is Leitner's boxes (S. Leitner, So lernt man lernen, 1972): right moves a question on
 * to the next interval, wrong moves it back to the first. Intervals grow by a little more than two
 * each time, as in SuperMemo 2 (P. Wozniak, 1990); expanding intervals with a test at each are from
 * T. Landauer and R. Bjork, "Optimum rehearsal patterns and name learning", 1978.
 *
 * Nothing here reads a clock: `now` is passed in, in seconds since 1970. */
#pragma once

#include "lessons/course.h"
#include "lessons/progress.h"

G_BEGIN_DECLS

typedef struct {
  const OlCourse *course;
  const OlLesson *lesson;
  guint level;           /* which interval it waits for, from 0 */
  gint64 due;            /* when it comes back */
  guint reviews, right;  /* how often it was reviewed, and how often right */
  gboolean latest_right; /* of answers and reviews */
} OlReviewCard;

/* How long a question waits on a level, in days. */
guint ol_review_days(guint level);

/* FALSE when the question was never answered in its lesson, and so does not come back yet. */
gboolean ol_review_look(const OlCourse *course, const OlLesson *lesson, const OlProgress *progress,
                        gint64 now, OlReviewCard *card);
gboolean ol_review_is_due(const OlReviewCard *card, gint64 now);
/* All questions that come back, OlReviewCard: those that are due first, and of these the missed
 * ones; then by when they are due. Caller unrefs. */
GArray *ol_review_list(GPtrArray *courses, const OlProgress *progress, gint64 now);
/* The first of them: those that are due. Caller unrefs. */
GArray *ol_review_list_due(GPtrArray *courses, const OlProgress *progress, gint64 now);
guint ol_review_count_due(GPtrArray *courses, const OlProgress *progress, gint64 now);

/* "now", "in 5 hours", "in 3 days". Caller frees. */
char *ol_review_dup_when(gint64 due, gint64 now);

G_END_DECLS
