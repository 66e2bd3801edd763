/* The order options are shown in, and what an answer or a prediction is worth. */
#pragma once

#include "lessons/course.h"

G_BEGIN_DECLS

/* order: [n_options], shown position → option index; the same for a learner and lesson always. */
void ol_grading_option_order(const OlLesson *lesson, const char *learner, guint *order);

/* How far a number prediction was off: measured / predicted as words ("you said 1.0 s, it took
 * 0.71 s: 1.4 times too much"). Caller frees. */
char *ol_grading_dup_prediction_words(const OlPrediction *prediction, double predicted,
                                      double measured);

G_END_DECLS
