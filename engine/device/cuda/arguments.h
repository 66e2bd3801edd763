/* Whether the arguments of a launch lie where they should: plain arithmetic, no CUDA. Each check
 * names kernel and argument. Private to engine/device/cuda and its tests. */
#pragma once

#include "engine/device/device.h"

G_BEGIN_DECLS

typedef struct {
  const char *begin;
  gsize bytes;
} OlGpuRange;

/* `rows` · `columns` elements of `element` bytes at `pointer`. */
typedef struct {
  const char *name;
  const void *pointer;
  gsize rows, columns, element;
} OlArgument;

/* All of them wholly in the GPU's memory. */
gboolean ol_arguments_check(const OlGpuRange *gpu, const char *kernel, const OlArgument *arguments,
                            guint n_arguments, GError **error);

/* One side of a copy: *on_gpu tells whether it lies wholly in the GPU's memory or wholly outside.
 */
gboolean ol_arguments_check_side(const OlGpuRange *gpu, const char *kernel, const char *side,
                                 const void *pointer, gsize bytes, gboolean *on_gpu,
                                 GError **error);

/* ids: [n], in host memory, each below `vocabulary`; `first` is the index of ids[0] in the whole.
 */
gboolean ol_arguments_check_ids(const char *kernel, const char *argument, const int32_t *ids,
                                gsize first, gsize n, gsize vocabulary, GError **error);

gboolean ol_arguments_check_heads(const char *kernel, gsize sequence, gsize width, gsize heads,
                                  GError **error);

G_END_DECLS
