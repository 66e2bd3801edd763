/* The pass itself, compiled several times with different instruction sets (meson.build):
 * OL_ADAM_BUILD is the function's name. No intrinsics in the arithmetic: blocks of a fixed length
 * are what the compiler vectorises, and every build keeps the bits of ol_adam_element().
 *
 * Memory decides its speed (28 B a parameter): each block asks for what lies about
 * 1 KiB ahead in the five arrays, and a large bf16 output is written past the caches, since
 * nobody reads it soon and a plain store would first fetch the line. Masters and moments are read
 * anyway, so that for them a streaming store only hurts. */
#include "engine/optimizer/adam-builds.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define BLOCK      64u        /* elements: a bf16 block is two cache lines, an fp32 one four */
#define AHEAD      256u       /* elements: 1 KiB of fp32 */
#define CACHE_LINE 64u        /* bytes */
#define LARGE      (4u << 20) /* bytes of output from which on it outlives no cache */

typedef enum { GRADIENT_BF16, GRADIENT_FP32, GRADIENT_ROUNDED } Gradient;
typedef enum { OUT_NONE, OUT_PLAIN, OUT_STREAMED } Out;

#define INLINE static inline __attribute__((always_inline))

INLINE float gradient_at(const OlAdamSpan *span, Gradient kind, gsize i)
{
  if (kind == GRADIENT_BF16)
    return ol_bf16_to_float(((const uint16_t *)span->gradient)[i]);
  float g = ((const float *)span->gradient)[i];
  return kind == GRADIENT_ROUNDED ? ol_bf16_to_float(ol_bf16_from_float(g)) : g;
}

/* Elements [begin, end) one by one: what does not fill a block. */
INLINE void update_few(const OlAdamScalars *k, const OlAdamSpan *span, float decay, Gradient kind,
                       gsize begin, gsize end)
{
  for (gsize i = begin; i < end; i++) {
    float g = gradient_at(span, kind, i);
    float p = ol_adam_element(k, decay, span->master[i], g, &span->moment1[i], &span->moment2[i]);
    span->master[i] = p;
    if (span->weights_out)
      span->weights_out[i] = ol_bf16_from_float(p);
  }
}

/* The lines of a block that lie AHEAD. A prefetch past an array's end is harmless. */
INLINE void prefetch_block(const OlAdamSpan *span, Gradient kind, gsize i)
{
  gsize gradient_bytes = kind == GRADIENT_BF16 ? sizeof(uint16_t) : sizeof(float);
  const char *gradient = (const char *)span->gradient + (i + AHEAD) * gradient_bytes;

  for (gsize line = 0; line < BLOCK * sizeof(float); line += CACHE_LINE) {
    __builtin_prefetch((const char *)(span->master + i + AHEAD) + line, 1);
    __builtin_prefetch((const char *)(span->moment1 + i + AHEAD) + line, 1);
    __builtin_prefetch((const char *)(span->moment2 + i + AHEAD) + line, 1);
  }
  for (gsize line = 0; line < BLOCK * gradient_bytes; line += CACHE_LINE)
    __builtin_prefetch(gradient + line, 0);
}

INLINE void store_block(uint16_t *restrict target, const uint16_t *restrict block, Out out)
{
#ifdef __SSE2__
  if (out == OUT_STREAMED) {
    for (gsize i = 0; i < BLOCK; i += 8)
      _mm_stream_si128((__m128i *)(target + i), _mm_loadu_si128((const __m128i *)(block + i)));
    return;
  }
#endif
  memcpy(target, block, BLOCK * sizeof *block);
}

INLINE void update_block(const OlAdamScalars *k, const OlAdamSpan *span, float decay, Gradient kind,
                         Out out, gsize first)
{
  float *restrict master = span->master + first;
  float *restrict moment1 = span->moment1 + first;
  float *restrict moment2 = span->moment2 + first;
  uint16_t rounded[BLOCK];

  for (gsize i = 0; i < BLOCK; i++) {
    float g = gradient_at(span, kind, first + i);
    float p = ol_adam_element(k, decay, master[i], g, &moment1[i], &moment2[i]);
    master[i] = p;
    rounded[i] = ol_bf16_from_float(p);
  }
  if (out != OUT_NONE)
    store_block(span->weights_out + first, rounded, out);
}

INLINE void update_all(const OlAdamScalars *scalars, const OlAdamSpan *span, Gradient kind, Out out)
{
  OlAdamScalars k = *scalars; /* a copy that no store of the loop can be taken to change */
  float decay = span->decays ? k.decay : 1.0f;
  gsize i = 0;

  if (out == OUT_STREAMED) {
    gsize past = (uintptr_t)span->weights_out % CACHE_LINE;
    i = past ? (CACHE_LINE - past) / sizeof(uint16_t) : 0;
    update_few(&k, span, decay, kind, 0, i);
  }
  for (; i + BLOCK <= span->elements; i += BLOCK) {
    prefetch_block(span, kind, i);
    update_block(&k, span, decay, kind, out, i);
  }
  update_few(&k, span, decay, kind, i, span->elements);
#ifdef __SSE2__
  if (out == OUT_STREAMED)
    _mm_sfence();
#endif
}

/* Constant arguments: each call becomes a loop of its own. */
INLINE void update_to(const OlAdamScalars *scalars, const OlAdamSpan *span, Out out)
{
  if (!span->gradient_is_fp32)
    update_all(scalars, span, GRADIENT_BF16, out);
  else if (span->round_gradient)
    update_all(scalars, span, GRADIENT_ROUNDED, out);
  else
    update_all(scalars, span, GRADIENT_FP32, out);
}

void OL_ADAM_BUILD(const OlAdamScalars *scalars, const OlAdamSpan *span)
{
  if (!span->weights_out)
    update_to(scalars, span, OUT_NONE);
  else if (MAX(span->elements, span->piece_of) * sizeof(uint16_t) < LARGE)
    update_to(scalars, span, OUT_PLAIN);
  else
    update_to(scalars, span, OUT_STREAMED);
}
