/* bfloat16: the upper half of an IEEE binary32. Stored as uint16_t, computed in fp32. */
#pragma once

#include <stdint.h>
#include <string.h>

static inline float ol_bf16_to_float(uint16_t x)
{
  uint32_t bits = (uint32_t)x << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Round to nearest, ties to even; NaN stays NaN. */
static inline uint16_t ol_bf16_from_float(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  uint32_t quiet = (bits >> 16) | 0x40u;
  return (uint16_t)((bits & 0x7fffffffu) > 0x7f800000u ? quiet : rounded);
}
