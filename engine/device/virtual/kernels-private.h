/* Shared by the files that are compiled once for every instruction set: the names of this build's
 * functions, and sums over lanes. OL_KERNELS_BUILD ("avx2") comes from meson.build. */
#pragma once

#include "engine/device/kernels/element.h"
#include "engine/device/virtual/kernels.h"

#define OL_PASTE3(a, b, c)      a##b##c
#define OL_NAME3(a, b, c)       OL_PASTE3(a, b, c)
#define OL_KERNEL(name)         OL_NAME3(ol_kernel_##name, _, OL_KERNELS_BUILD)
#define OL_KERNELS_TABLE        OL_NAME3(ol_kernels, _, OL_KERNELS_BUILD)
#define OL_DECLARE_KERNEL(name) void OL_KERNEL(name)(const void *launch, gsize begin, gsize end)

OL_DECLARE_KERNEL(widen);
OL_DECLARE_KERNEL(finish);
OL_DECLARE_KERNEL(norm_forward);
OL_DECLARE_KERNEL(norm_statistics);
OL_DECLARE_KERNEL(norm_columns);
OL_DECLARE_KERNEL(norm_rows);
OL_DECLARE_KERNEL(causal_softmax);
OL_DECLARE_KERNEL(softmax_backward);
OL_DECLARE_KERNEL(softmax_loss);
OL_DECLARE_KERNEL(gelu_forward);
OL_DECLARE_KERNEL(gelu_backward);
OL_DECLARE_KERNEL(add);
OL_DECLARE_KERNEL(accumulate);
OL_DECLARE_KERNEL(cast);
OL_DECLARE_KERNEL(column_sums);
OL_DECLARE_KERNEL(embed_forward);
OL_DECLARE_KERNEL(embed_tokens);
OL_DECLARE_KERNEL(embed_positions);

/* A kernel for either element type from one body that takes the type as a constant. */
#define OL_KERNEL_OF_DTYPE(name, Launch, dtype_of)                                                 \
  void OL_KERNEL(name)(const void *data, gsize begin, gsize end)                                   \
  {                                                                                                \
    const Launch *launch = data;                                                                   \
    if (launch->dtype_of == OL_DTYPE_BF16)                                                         \
      name(launch, begin, end, OL_DTYPE_BF16);                                                     \
    else                                                                                           \
      name(launch, begin, end, OL_DTYPE_FP32);                                                     \
  }

/* No iteration of the loop reads what another writes (in-place work reads its own element only). */
#define OL_INDEPENDENT _Pragma("GCC ivdep")

/* Element i of a row is summed in lane i mod 16, the lanes then in halves: the same order on every
 * build, whatever its vectors' width. */
#define OL_LANES 16u

OL_ELEMENT float ol_lanes_sum(const float lanes[OL_LANES])
{
  float half[OL_LANES];
  memcpy(half, lanes, sizeof half);
  for (guint width = OL_LANES / 2; width > 0; width /= 2)
    for (guint i = 0; i < width; i++)
      half[i] += half[i + width];
  return half[0];
}

/* sum: the float variable to set. TERM: an expression of the index `i`, over 0 … n-1. */
#define OL_SUM(sum, n, TERM)                                                                       \
  do {                                                                                             \
    float lanes_[OL_LANES] = {0};                                                                  \
    gsize whole_ = (n) - (n) % OL_LANES;                                                           \
    for (gsize base_ = 0; base_ < whole_; base_ += OL_LANES)                                       \
      for (gsize lane_ = 0; lane_ < OL_LANES; lane_++) {                                           \
        gsize i = base_ + lane_;                                                                   \
        lanes_[lane_] += (TERM);                                                                   \
      }                                                                                            \
    for (gsize i = whole_; i < (n); i++)                                                           \
      lanes_[i - whole_] += (TERM);                                                                \
    (sum) = ol_lanes_sum(lanes_);                                                                  \
  } while (0)
