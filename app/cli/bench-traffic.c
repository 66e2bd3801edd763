/* Compiled with -O3: the compiler vectorises each block, for every instruction set below. */
#include "app/cli/bench-traffic.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define BLOCK 64u /* elements: as in engine/optimizer/adam-kernel.c, so that both walk alike */
#define AHEAD 256u
#define LINE  64u
#define LARGE (4u << 20)

#define INLINE static inline __attribute__((always_inline))

INLINE void prefetch(const void *array, gsize bytes, int write)
{
  for (gsize line = 0; line < bytes; line += LINE) {
    if (write)
      __builtin_prefetch((const char *)array + line, 1);
    else
      __builtin_prefetch((const char *)array + line, 0);
  }
}

INLINE void change(float *restrict master, float *restrict moment1, float *restrict moment2)
{
  for (gsize i = 0; i < BLOCK; i++) {
    master[i] *= 0.999f;
    moment1[i] *= 0.999f;
    moment2[i] *= 0.999f;
  }
}

INLINE void store(uint16_t *restrict target, const uint16_t *restrict source, gboolean past_caches)
{
#ifdef __SSE2__
  if (past_caches) {
    for (gsize i = 0; i < BLOCK; i += 8)
      _mm_stream_si128((__m128i *)(target + i), _mm_loadu_si128((const __m128i *)(source + i)));
    return;
  }
#endif
  memcpy(target, source, BLOCK * sizeof *target);
}

INLINE void pass(const OlAdamSpan *span, gboolean past_caches)
{
  const uint16_t *gradient = span->gradient;

  for (gsize i = 0; i + BLOCK <= span->elements; i += BLOCK) {
    prefetch(span->master + i + AHEAD, BLOCK * sizeof(float), 1);
    prefetch(span->moment1 + i + AHEAD, BLOCK * sizeof(float), 1);
    prefetch(span->moment2 + i + AHEAD, BLOCK * sizeof(float), 1);
    prefetch(gradient + i + AHEAD, BLOCK * sizeof(uint16_t), 0);
    change(span->master + i, span->moment1 + i, span->moment2 + i);
    store(span->weights_out + i, gradient + i, past_caches);
  }
}

INLINE void pass_of_size(const OlAdamSpan *span)
{
  if (span->elements * sizeof(uint16_t) >= LARGE && (uintptr_t)span->weights_out % LINE == 0)
    pass(span, TRUE);
  else
    pass(span, FALSE);
}

INLINE void cast_up(const uint16_t *restrict source, float *restrict target, gsize n)
{
  for (gsize i = 0; i < n; i++)
    target[i] = ol_bf16_to_float(source[i]);
}

INLINE void cast_out(const float *restrict source, uint16_t *restrict target, gsize n)
{
  for (gsize i = 0; i < n; i++)
    target[i] = ol_bf16_from_float(source[i]);
}

/* Each function once for every instruction set. */
#define BUILDS(name, declaration, call)                                                            \
  static void name##_baseline declaration                                                          \
  {                                                                                                \
    call;                                                                                          \
  }                                                                                                \
  BUILDS_X86(name, declaration, call)
#ifdef __x86_64__
#define BUILDS_X86(name, declaration, call)                                                        \
  __attribute__((target("avx2"))) static void name##_avx2 declaration                              \
  {                                                                                                \
    call;                                                                                          \
  }                                                                                                \
  __attribute__((                                                                                  \
      target("avx512f,avx512bw,prefer-vector-width=512"))) static void name##_avx512 declaration   \
  {                                                                                                \
    call;                                                                                          \
  }
#define BEST_BUILD(name)                                                                           \
  (__builtin_cpu_supports("avx512bw") ? name##_avx512                                              \
   : __builtin_cpu_supports("avx2")   ? name##_avx2                                                \
                                      : name##_baseline)
#else
#define BUILDS_X86(name, declaration, call)
#define BEST_BUILD(name) name##_baseline
#endif

BUILDS(traffic, (const OlAdamSpan *span), pass_of_size(span))
BUILDS(up, (const uint16_t *source, float *target, gsize n), cast_up(source, target, n))
BUILDS(out, (const float *source, uint16_t *target, gsize n), cast_out(source, target, n))

void ol_bench_traffic(const OlAdamSpan *span)
{
  BEST_BUILD(traffic)(span);
}

void ol_bench_cast_up(const uint16_t *source, float *target, gsize n)
{
  BEST_BUILD(up)(source, target, n);
}

void ol_bench_cast_out(const float *source, uint16_t *target, gsize n)
{
  BEST_BUILD(out)(source, target, n);
}
