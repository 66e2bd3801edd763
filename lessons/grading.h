/* The order options are shown in, and what an answer or a prediction is worth. */
#pragma once

#include "engine/trace/metrics.h"
#include "lessons/course.h"

G_BEGIN_DECLS

/* order: [n_options], shown position → option index; the same for a learner and lesson always. */
void ol_grading_option_order(const OlLesson *lesson, const char *learner, guint *order);

/* The same for a review after `reviews` others: each time another order. */
void ol_grading_review_order(const OlLesson *lesson, const char *learner, guint reviews,
                             guint *order);

/* Whether a prediction was right, or near enough to count as right: a number within a fifth of what
 * was measured, a twentieth of the range that was asked for, or a step of it. Both are in the
 * prediction's unit; for a choice as below. */
gboolean ol_grading_is_near(const OlPrediction *prediction, double predicted, double measured);

/* How far a prediction was off, as words ("you said 1 s, it took 0.71 s: 1.4 times too much").
 * `predicted` is in the prediction's unit, as the learner gave it; `measured` in the metric's own
 * (bytes, seconds, a fraction), as ol_experiment_get_number() gives it. For a choice both are
 * indices, and measured is right_choice. Caller frees. */
char *ol_grading_dup_prediction_words(const OlPrediction *prediction, double predicted,
                                      double measured);

/* A prediction as it was typed: "3.5", "3,5 s", "40 %". FALSE when it is no such number, has
 * another tail than the unit, or lies beyond the range or between the steps. */
gboolean ol_grading_parse_prediction(const OlPrediction *prediction, const char *text,
                                     double *value);

/* The unit beside a value, translated: "1 layer", "2 layers", "3 MiB". */
const char *ol_grading_unit_words(const char *unit, double value);

/* What one `unit` is in a metric's own measure: 1048576 for "MiB", 0.001 for "ms", 0.01 for "%";
 * 1 for anything that is counted ("layers"). */
double ol_grading_unit_size(const char *unit);
/* Whether a metric of this measure can be given in `unit`. */
gboolean ol_grading_unit_fits(const char *unit, OlMeasure measure);

G_END_DECLS
