/* What the .cu files share: the arithmetic of one element, for the GPU, and launching. */
#pragma once

#include <cuda_runtime_api.h>
#include <glib.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* The host's own arithmetic. Seen from here, the inline functions of these headers are compiled for
 * the GPU as well; all the headers of the system that they need are already in. */
#define inline inline __host__ __device__
#include "engine/base/bf16.h"
#include "engine/device/device.h"
#include "engine/device/kernels/element.h"
#include "engine/device/kernels/gelu.h"
#include "engine/device/kernels/norm.h"
#include "engine/device/kernels/squares.h"
#include "engine/optimizer/adam.h"
#undef inline

#include "engine/device/cuda/kernels.h"

/* kernel<dtype><<<grid, block>>>(...) with the type as a constant. */
#define LAUNCH_OF_DTYPE(kernel, dtype, grid, block, stream, ...)                                   \
  do {                                                                                             \
    if ((dtype) == OL_DTYPE_BF16)                                                                  \
      kernel<OL_DTYPE_BF16><<<grid, block, 0, stream>>>(__VA_ARGS__);                              \
    else                                                                                           \
      kernel<OL_DTYPE_FP32><<<grid, block, 0, stream>>>(__VA_ARGS__);                              \
  } while (0)
