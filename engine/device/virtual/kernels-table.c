/* This build's table. */
#include "engine/device/virtual/kernels-private.h"

#define OL_QUOTE2(x) #x
#define OL_QUOTE(x)  OL_QUOTE2(x)

extern const OlKernels OL_KERNELS_TABLE;
const OlKernels OL_KERNELS_TABLE = {
    .name = OL_QUOTE(OL_KERNELS_BUILD),
    .widen = OL_KERNEL(widen),
    .finish = OL_KERNEL(finish),
    .norm_forward = OL_KERNEL(norm_forward),
    .norm_statistics = OL_KERNEL(norm_statistics),
    .norm_columns = OL_KERNEL(norm_columns),
    .norm_rows = OL_KERNEL(norm_rows),
    .causal_softmax = OL_KERNEL(causal_softmax),
    .softmax_backward = OL_KERNEL(softmax_backward),
    .softmax_loss = OL_KERNEL(softmax_loss),
    .gelu_forward = OL_KERNEL(gelu_forward),
    .gelu_backward = OL_KERNEL(gelu_backward),
    .add = OL_KERNEL(add),
    .accumulate = OL_KERNEL(accumulate),
    .cast = OL_KERNEL(cast),
    .column_sums = OL_KERNEL(column_sums),
    .embed_forward = OL_KERNEL(embed_forward),
    .embed_tokens = OL_KERNEL(embed_tokens),
    .embed_positions = OL_KERNEL(embed_positions),
};
