/* The squares of one chunk of a gradient, for the clipping norm. Eight running sums in fp64,
 * element i to sum i mod 8, added up pairwise at the end: an order that depends on the length
 * alone. */
#pragma once

#include "engine/device/kernels/element.h"

#define OL_SQUARES_LANES 8

/* x: [n] from element `first` on. */
OL_ELEMENT double ol_squares(const void *x, gsize first, gsize n, OlDtype dtype, gboolean round)
{
  double sums[OL_SQUARES_LANES] = {0};
  for (gsize i = 0; i < n; i++) {
    float value = ol_load(x, first + i, dtype);
    if (round)
      value = ol_rounded(value, OL_DTYPE_BF16);
    sums[i % OL_SQUARES_LANES] += (double)value * (double)value;
  }
  for (int half = OL_SQUARES_LANES / 2; half > 0; half /= 2)
    for (int i = 0; i < half; i++)
      sums[i] += sums[i + half];
  return sums[0];
}

/* Of a launch's chunk: its first element that is not skipped, and how many there are from there. */
OL_ELEMENT gsize ol_squares_first(const OlSquares *l, gsize chunk)
{
  return chunk * l->chunk > l->skip ? chunk * l->chunk : l->skip;
}

OL_ELEMENT gsize ol_squares_count(const OlSquares *l, gsize chunk)
{
  gsize first = ol_squares_first(l, chunk), end = (chunk + 1) * l->chunk;
  end = end < l->n ? end : l->n;
  return first < end ? end - first : 0;
}
