/* Causal attention: products by cuBLAS over the heads of one sample, softmax by our own kernel. The
 * scratch bounds how many heads go at a time. */
#include "engine/device/cuda/cuda-private.h"

#include <math.h>

/* One sample's view of a launch: rows of q, k, v and their gradients lie 3·width apart. */
typedef struct {
  const char *kernel;
  gsize sequence, width, depth; /* depth: width / heads */
  float scale;
  OlDtype dtype;
} Sample;

static Sample sample_of(const char *kernel, gsize sequence, gsize width, gsize heads, OlDtype dtype)
{
  gsize depth = width / heads;
  return (Sample){kernel, sequence, width, depth, 1.0f / sqrtf((float)depth), dtype};
}

/* [sequence or so][depth] of each head, side by side in rows `columns` wide. */
static OlFactor side_by_side(const Sample *s, const void *data, gsize columns, gboolean transpose)
{
  return (OlFactor){data, transpose, columns, s->depth};
}

/* Heads whose [rows][sequence] lie one after the other, rows `leading` apart. */
static OlFactor one_by_one(const void *data, gsize leading, gsize step, gboolean transpose)
{
  return (OlFactor){data, transpose, leading, step};
}

/* Where head h of a sample begins in [batch][sequence][columns], in bytes. */
static gsize head_offset(const Sample *s, gsize columns, gsize sample, gsize h)
{
  return (sample * s->sequence * columns + h * s->depth) * ol_dtype_bytes(s->dtype);
}

/* Queries first … first + rows of `heads` heads. q, out, probabilities: of the first head. */
static gboolean forward_block(OlStream *stream, const Sample *s, gsize heads, gsize first,
                              gsize rows, const char *q, char *probabilities, char *out,
                              float *scores)
{
  gsize e = ol_dtype_bytes(s->dtype), w = s->width, keys = first + rows;
  gsize square = s->sequence * s->sequence;
  OlProduct score = {.m = rows,
                     .n = keys,
                     .k = s->depth,
                     .batch = heads,
                     .a = side_by_side(s, q + first * 3 * w * e, 3 * w, FALSE),
                     .b = side_by_side(s, q + w * e, 3 * w, TRUE),
                     .dtype = s->dtype,
                     .c = scores,
                     .c_leading = keys,
                     .c_step = rows * keys,
                     .c_dtype = OL_DTYPE_FP32};
  OlCudaCausalSoftmax softmax = {.heads = heads,
                                 .first = first,
                                 .rows = rows,
                                 .sequence = s->sequence,
                                 .scale = s->scale,
                                 .scores = scores,
                                 .probabilities = probabilities,
                                 .dtype = s->dtype};
  OlProduct mix = {
      .m = rows,
      .n = s->depth,
      .k = keys,
      .batch = heads,
      .a = one_by_one(probabilities + first * s->sequence * e, s->sequence, square, FALSE),
      .b = side_by_side(s, q + 2 * w * e, 3 * w, FALSE),
      .dtype = s->dtype,
      .c = out + first * w * e,
      .c_leading = w,
      .c_step = s->depth,
      .c_dtype = s->dtype};
  return ol_cuda_multiply(stream, s->kernel, &score) &&
         ol_cuda_ok(stream->device, s->kernel, "launch",
                    ol_cuda_causal_softmax(&softmax, stream->cuda)) &&
         ol_cuda_multiply(stream, s->kernel, &mix);
}

static gboolean check_shape(OlStream *stream, const char *kernel, gsize sequence, gsize width,
                            gsize heads)
{
  GError *error = NULL;
  if (ol_arguments_check_heads(kernel, sequence, width, heads, &error))
    return TRUE;
  ol_cuda_fail(stream->device, error);
  return FALSE;
}

/* How many of `n` pieces of `bytes` each the scratch holds: at least one, that it may refuse. */
static gsize at_a_time(gsize n, gsize bytes)
{
  return MIN(n, MAX(1, OL_CUDA_SCRATCH / bytes));
}

void ol_cuda_run_attention_forward(OlStream *stream, const OlAttentionForward *l)
{
  gsize e = ol_dtype_bytes(l->dtype), rows = l->batch * l->sequence, square;
  Sample s;
  if (!check_shape(stream, "attention_forward", l->sequence, l->width, l->heads) ||
      !OL_CHECK(stream, "attention_forward", {"qkv", l->qkv, rows, 3 * l->width, e},
                {"probabilities", l->probabilities, rows * l->heads, l->sequence, e},
                {"out", l->out, rows, l->width, e}))
    return;
  s = sample_of("attention_forward", l->sequence, l->width, l->heads, l->dtype);
  square = s.sequence * s.sequence;

  /* Heads with all their queries if one fits, else one head in blocks of queries. */
  gsize heads = at_a_time(l->heads, square * sizeof(float));
  gsize block = at_a_time(s.sequence, s.sequence * sizeof(float));
  float *scores = ol_cuda_scratch(stream, s.kernel, heads * block * s.sequence * sizeof(float));
  for (gsize i = 0; scores && i < l->batch; i++)
    for (gsize h = 0; h < l->heads; h += heads)
      for (gsize first = 0; first < s.sequence; first += block)
        if (!forward_block(stream, &s, MIN(heads, l->heads - h), first,
                           MIN(block, s.sequence - first),
                           (const char *)l->qkv + head_offset(&s, 3 * s.width, i, h),
                           (char *)l->probabilities + (i * l->heads + h) * square * e,
                           (char *)l->out + head_offset(&s, s.width, i, h), scores))
          return;
}

/* Of the first of `heads` heads. d_p: fp32, d_scores: [heads][sequence][sequence], both scratch. */
typedef struct {
  gsize heads;
  const char *q, *probabilities, *d_out;
  char *d_q;
  float *d_p;
  void *d_scores;
} Backward;

/* c = op(a)·op(b) for all heads, where c's heads lie side by side in d_qkv. */
static gboolean into_d_qkv(OlStream *stream, const Sample *s, gsize heads, OlFactor a, OlFactor b,
                           void *c)
{
  OlProduct product = {.m = s->sequence,
                       .n = s->depth,
                       .k = s->sequence,
                       .batch = heads,
                       .a = a,
                       .b = b,
                       .dtype = s->dtype,
                       .c = c,
                       .c_leading = 3 * s->width,
                       .c_step = s->depth,
                       .c_dtype = s->dtype};
  return ol_cuda_multiply(stream, s->kernel, &product);
}

/* The scores' gradient is rounded to the launch's type, as a factor of products has to be. */
static gboolean backward_heads(OlStream *stream, const Sample *s, const Backward *b)
{
  gsize n = s->sequence, e = ol_dtype_bytes(s->dtype), w = s->width, wide = 3 * w;
  OlProduct d_probabilities = {.m = n,
                               .n = n,
                               .k = s->depth,
                               .batch = b->heads,
                               .a = side_by_side(s, b->d_out, w, FALSE),
                               .b = side_by_side(s, b->q + 2 * w * e, wide, TRUE),
                               .dtype = s->dtype,
                               .c = b->d_p,
                               .c_leading = n,
                               .c_step = n * n,
                               .c_dtype = OL_DTYPE_FP32};
  OlCudaSoftmaxBackward softmax = {.rows = b->heads * n,
                                   .columns = n,
                                   .scale = s->scale,
                                   .d_probabilities = b->d_p,
                                   .probabilities = b->probabilities,
                                   .d_scores = b->d_scores,
                                   .dtype = s->dtype};
  return into_d_qkv(stream, s, b->heads, one_by_one(b->probabilities, n, n * n, TRUE),
                    side_by_side(s, b->d_out, w, FALSE), b->d_q + 2 * w * e) &&
         ol_cuda_multiply(stream, s->kernel, &d_probabilities) &&
         ol_cuda_ok(stream->device, s->kernel, "launch",
                    ol_cuda_softmax_backward(&softmax, stream->cuda)) &&
         into_d_qkv(stream, s, b->heads, one_by_one(b->d_scores, n, n * n, FALSE),
                    side_by_side(s, b->q + w * e, wide, FALSE), b->d_q) &&
         into_d_qkv(stream, s, b->heads, one_by_one(b->d_scores, n, n * n, TRUE),
                    side_by_side(s, b->q, wide, FALSE), b->d_q + w * e);
}

void ol_cuda_run_attention_backward(OlStream *stream, const OlAttentionBackward *l)
{
  gsize e = ol_dtype_bytes(l->dtype), rows = l->batch * l->sequence;
  if (!check_shape(stream, "attention_backward", l->sequence, l->width, l->heads) ||
      !OL_CHECK(stream, "attention_backward", {"qkv", l->qkv, rows, 3 * l->width, e},
                {"probabilities", l->probabilities, rows * l->heads, l->sequence, e},
                {"d_out", l->d_out, rows, l->width, e}, {"d_qkv", l->d_qkv, rows, 3 * l->width, e}))
    return;
  Sample s = sample_of("attention_backward", l->sequence, l->width, l->heads, l->dtype);
  gsize square = s.sequence * s.sequence, heads = at_a_time(l->heads, square * (sizeof(float) + e));
  float *scratch = ol_cuda_scratch(stream, s.kernel, heads * square * (sizeof(float) + e));
  for (gsize i = 0; scratch && i < l->batch; i++)
    for (gsize h = 0; h < l->heads; h += heads) {
      gsize wide = head_offset(&s, 3 * s.width, i, h);
      Backward b = {.heads = MIN(heads, l->heads - h),
                    .q = (const char *)l->qkv + wide,
                    .probabilities =
                        (const char *)l->probabilities + (i * l->heads + h) * square * e,
                    .d_out = (const char *)l->d_out + head_offset(&s, s.width, i, h),
                    .d_q = (char *)l->d_qkv + wide,
                    .d_p = scratch,
                    .d_scores = scratch + heads * square};
      if (!backward_heads(stream, &s, &b))
        return;
    }
}
