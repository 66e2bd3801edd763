/* exp and log in fp32, written out, so that results depend on no mathematical library and loops
 * over them vectorise. IEEE operations in this order give the same bits on every build that does
 * not contract them. NaN in, NaN out. */
#pragma once

#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define OL_ELEMENT static inline __host__ __device__
#else
#define OL_ELEMENT static inline __attribute__((always_inline))
#endif

OL_ELEMENT uint32_t ol_bits_of(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

OL_ELEMENT float ol_float_of(uint32_t bits)
{
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* e^x to 2 ulp for x in [-87, 88]; beyond, the value at that end (never 0 and never infinite). */
OL_ELEMENT float ol_exp(float x)
{
  x = x < -87.0f ? -87.0f : x;
  x = x > 88.0f ? 88.0f : x;

  /* x = n·ln 2 + r with |r| <= ln 2 / 2. Adding 1.5·2^23 rounds to an integer, which then stands
   * in the low bits. ln 2 is split so that n times its upper part is exact. */
  float shifted = x * 1.44269504f + 12582912.0f;
  float n = shifted - 12582912.0f;
  float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;

  /* Taylor to r^7: the first term left out is below 6e-9. */
  float p = 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  return p * ol_float_of((ol_bits_of(shifted) + 127u) << 23);
}

/* ln x for normal positive x: 2 ulp, or 1e-7 near 1. */
OL_ELEMENT float ol_log(float x)
{
  /* x = m·2^e with m in [√½, √2); 0x3f3504f3 is √½. */
  int32_t e = (int32_t)(ol_bits_of(x) - 0x3f3504f3u) >> 23;
  float m = ol_float_of(ol_bits_of(x) - ((uint32_t)e << 23));

  /* ln m = 2·artanh t; t² <= 0.0295, so the first term left out is below 5e-9 of the sum. */
  float t = (m - 1.0f) / (m + 1.0f);
  float z = t * t;
  float series = 1.0f + z * (1.0f / 3 + z * (1.0f / 5 + z * (1.0f / 7 + z * (1.0f / 9))));
  float not_a_number_stays = x - x;
  return (float)e * 0.693147181f + 2.0f * t * series + not_a_number_stays;
}
