/* Where a predicted number can be seen: the memory that its bytes lie in. */
#pragma once

#include "lessons/course.h"

G_BEGIN_DECLS

typedef struct {
  OlTier tier;
  OlPayload first;   /* its bytes lie from where this payload begins: other payloads before it */
  double unit_bytes; /* bytes here that one unit of the prediction is */
  double capacity;   /* of the tier, bytes here */
} OlPredictionPlace;

/* FALSE for what is no amount of bytes in one memory: a count, a time, a share, or what moved.
 * `data_folder` holds hardware/ and models/; NULL: ol_data_folder(). */
gboolean ol_prediction_find_place(const OlLesson *lesson, const char *data_folder,
                                  OlPredictionPlace *place);

/* The nearest number that can be predicted: in the range, a whole number of steps from its
 * beginning (where it takes any value: two hundred of them). */
double ol_prediction_snap(const OlPrediction *prediction, double value);
double ol_prediction_get_step(const OlPrediction *prediction);

G_END_DECLS
