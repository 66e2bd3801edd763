/* What a summary says, in words. */
#pragma once

#include "lessons/summary.h"

G_BEGIN_DECLS

/* "3 of 4 near; you were 75 % sure", or that there are none. Caller frees. */
char *ol_calibration_bin_dup_words(const OlCalibrationBin *bin);
/* Whether the learner was as sure as right, in a sentence. Caller frees. */
char *ol_summary_dup_verdict(const OlSummary *summary);
/* "under a minute", "25 min", "3 h 10 min". Caller frees. */
char *ol_summary_dup_time(gint64 seconds);

/* All there is to say about one lesson: what was predicted and what it was, the first answer and
 * the latest, reviews and when the next one is. NULL when there is nothing. Caller frees. */
char *ol_lesson_summary_dup_words(const OlLessonSummary *lesson, gint64 now);
/* Why a lesson is to be looked at again, as ol_summary_list_missed() finds it. */
const char *ol_lesson_summary_get_missed(const OlLessonSummary *lesson);

G_END_DECLS
