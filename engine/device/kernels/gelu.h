/* GELU in its tanh form (1606.08415 section 2) and its derivative.
 *
 *   u = √(2/π)·(x + 0.044715·x³)      y = x/2·(1 + tanh u) = x·σ(2u)
 *
 * The second form keeps its relative accuracy where 1 + tanh u would cancel. */
#pragma once

#include "engine/device/kernels/elementary.h"

#define OL_GELU_ROOT  0.797884561f /* √(2/π) */
#define OL_GELU_CUBIC 0.044715f

OL_ELEMENT float ol_gelu_gate(float x)
{
  float u = OL_GELU_ROOT * (x + OL_GELU_CUBIC * (x * x * x));
  return 1.0f / (1.0f + ol_exp(-2.0f * u));
}

OL_ELEMENT float ol_gelu(float x)
{
  return x * ol_gelu_gate(x);
}

OL_ELEMENT float ol_gelu_slope(float x)
{
  float gate = ol_gelu_gate(x);
  float slope_of_2u = 2.0f * OL_GELU_ROOT * (1.0f + 3.0f * OL_GELU_CUBIC * (x * x));
  return gate + x * gate * (1.0f - gate) * slope_of_2u;
}
