/* Compiled with -O3: the loops over a block are written to be vectorised by the compiler, for every
 * instruction set below; none changes a bit. A block's sum stays in the first cache, and is stored
 * only when every source of the block has been read: so the target may be a source. */
#include "engine/comm/sum-private.h"

#include "engine/base/bf16.h"

#define BLOCK  1024u /* elements */
#define INLINE static inline __attribute__((always_inline))

typedef struct {
  const void *const *sources;
  guint n_sources;
  gsize first, count;
  OlDtype dtype, target_dtype;
  void *target;
} Sum;

/* sum: [n] = (is_first ? nothing : sum) + x: [n] */
INLINE void add_bf16(float *restrict sum, const uint16_t *restrict x, gsize n, gboolean is_first)
{
  if (is_first) {
    for (gsize i = 0; i < n; i++)
      sum[i] = ol_bf16_to_float(x[i]);
  } else {
    for (gsize i = 0; i < n; i++)
      sum[i] += ol_bf16_to_float(x[i]);
  }
}

INLINE void add_fp32(float *restrict sum, const float *restrict x, gsize n, gboolean is_first)
{
  if (is_first) {
    memcpy(sum, x, n * sizeof *sum);
  } else {
    for (gsize i = 0; i < n; i++)
      sum[i] += x[i];
  }
}

INLINE void store_bf16(uint16_t *restrict target, const float *restrict sum, gsize n)
{
  for (gsize i = 0; i < n; i++)
    target[i] = ol_bf16_from_float(sum[i]);
}

INLINE void sum_blocks(const Sum *all)
{
  float sum[BLOCK];

  for (gsize at = 0; at < all->count; at += BLOCK) {
    gsize n = MIN(BLOCK, all->count - at), from = all->first + at;
    for (guint k = 0; k < all->n_sources; k++) {
      if (all->dtype == OL_DTYPE_BF16)
        add_bf16(sum, (const uint16_t *)all->sources[k] + from, n, k == 0);
      else
        add_fp32(sum, (const float *)all->sources[k] + from, n, k == 0);
    }
    if (all->target_dtype == OL_DTYPE_BF16)
      store_bf16((uint16_t *)all->target + at, sum, n);
    else
      memcpy((float *)all->target + at, sum, n * sizeof *sum);
  }
}

static void sum_baseline(const Sum *all)
{
  sum_blocks(all);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void sum_avx2(const Sum *all)
{
  sum_blocks(all);
}

__attribute__((target("avx2,avx512f,avx512bw,prefer-vector-width=512"))) static void sum_avx512(
    const Sum *all)
{
  sum_blocks(all);
}
#endif

void ol_comm_sum(const void *const *sources, guint n_sources, gsize first, gsize count,
                 OlDtype dtype, void *target, OlDtype target_dtype)
{
  Sum all = {sources, n_sources, first, count, dtype, target_dtype, target};

#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512bw")) {
    sum_avx512(&all);
    return;
  }
  if (__builtin_cpu_supports("avx2")) {
    sum_avx2(&all);
    return;
  }
#endif
  sum_baseline(&all);
}
