/* One element of an array of either type, as fp32. With a constant dtype the choice vanishes. */
#pragma once

#include "engine/base/bf16.h"
#include "engine/device/device.h"
#include "engine/device/kernels/elementary.h"

OL_ELEMENT float ol_load(const void *array, gsize i, OlDtype dtype)
{
  return dtype == OL_DTYPE_BF16 ? ol_bf16_to_float(((const uint16_t *)array)[i])
                                : ((const float *)array)[i];
}

/* Rounds once. */
OL_ELEMENT void ol_store(void *array, gsize i, float value, OlDtype dtype)
{
  if (dtype == OL_DTYPE_BF16)
    ((uint16_t *)array)[i] = ol_bf16_from_float(value);
  else
    ((float *)array)[i] = value;
}

/* The value as it would be read back. */
OL_ELEMENT float ol_rounded(float value, OlDtype dtype)
{
  return dtype == OL_DTYPE_BF16 ? ol_bf16_to_float(ol_bf16_from_float(value)) : value;
}
