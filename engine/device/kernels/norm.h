/* Layer norm (1607.06450): what one element needs once its row's sums are known. */
#pragma once

#include "engine/device/kernels/elementary.h"

#define OL_NORM_EPSILON 1e-5f /* added to the variance */

OL_ELEMENT float ol_norm(float x, float mean, float inverse_deviation, float gain, float bias)
{
  return gain * ((x - mean) * inverse_deviation) + bias;
}

/* The gradient to x. With x^ the normalised element and g = gain·dy: `mean_g` is the row's mean of
 * g, `mean_gx` that of g·x^. */
OL_ELEMENT float ol_norm_gradient(float normalised, float inverse_deviation, float g, float mean_g,
                                  float mean_gx)
{
  return inverse_deviation * ((g - mean_g) - normalised * mean_gx);
}
