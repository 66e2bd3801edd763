/* Causal attention, one (sample, head) at a time, its products by oneDNN. A thread takes a whole
 * head, so that no result depends on how many there are. Queries go in blocks, and a block of
 * queries looks at no key behind its last one: half the work, and a scratch that stays small. */
#include "engine/device/virtual/virtual-private.h"

#include "engine/base/intl.h"

#include <math.h>
#include <oneapi/dnnl/dnnl.h>

#define MAX_QUERIES  128u          /* a block */
#define BLOCK_SCORES (64u * 1024u) /* a block's scores, at most: a quarter of a MiB */
#define CACHE_FLOATS 16u           /* workers' scratch starts on lines of its own */

/* One head's view of a launch. Rows of q, k, v and their gradients lie 3·width apart. */
typedef struct {
  gsize sequence, width, depth; /* depth: width / heads */
  gsize queries;                /* a block; a function of the shape alone */
  float scale;
  OlDtype dtype;
} Head;

static Head head_of(gsize sequence, gsize width, gsize heads, OlDtype dtype)
{
  gsize depth = width / heads;
  gsize queries = MIN(MAX_QUERIES, MAX(1, BLOCK_SCORES / sequence));
  return (Head){sequence, width, depth, MIN(queries, sequence), 1.0f / sqrtf((float)depth), dtype};
}

/* fp32 scratch of one worker; the last three are the backward's. */
typedef struct {
  float *keys, *values;                /* [sequence][depth] */
  float *block, *block_out, *scores;   /* [queries][depth] twice, [queries][sequence] */
  float *d_keys, *d_values, *d_scores; /* [sequence][depth] twice, [queries][sequence] */
} Scratch;

static gsize scratch_floats(const Head *head, gboolean backward)
{
  gsize rows = head->sequence * head->depth, block = head->queries * head->depth;
  gsize scores = head->queries * head->sequence;
  gsize floats = (2 * rows + 2 * block + scores) + (backward ? 2 * rows + scores : 0);
  return (floats + CACHE_FLOATS - 1) / CACHE_FLOATS * CACHE_FLOATS;
}

static Scratch scratch_at(float *floats, const Head *head)
{
  gsize rows = head->sequence * head->depth, block = head->queries * head->depth;
  gsize scores = head->queries * head->sequence;
  Scratch s;
  s.keys = floats;
  s.values = s.keys + rows;
  s.block = s.values + rows;
  s.block_out = s.block + block;
  s.scores = s.block_out + block;
  s.d_keys = s.scores + scores;
  s.d_values = s.d_keys + rows;
  s.d_scores = s.d_values + rows;
  return s;
}

/* c: [m][n] (+)= op(a)·op(b); every matrix dense as stored. */
static void multiply(char transpose_a, char transpose_b, gsize m, gsize n, gsize k, const float *a,
                     const float *b, gboolean accumulate, float *c)
{
  dnnl_sgemm(transpose_a, transpose_b, (dnnl_dim_t)m, (dnnl_dim_t)n, (dnnl_dim_t)k, 1.0f, a,
             (dnnl_dim_t)(transpose_a == 'T' ? m : k), b, (dnnl_dim_t)(transpose_b == 'T' ? k : n),
             accumulate ? 1.0f : 0.0f, c, (dnnl_dim_t)n);
}

/* [rows][depth] out of rows that lie `stride` elements apart. */
static void widen(const OlDevice *device, const Head *head, const char *source, gsize stride,
                  gsize rows, float *target)
{
  OlWiden launch = {source, head->depth, stride, head->dtype, target};
  device->kernels->widen(&launch, 0, rows);
}

static void store(const OlDevice *device, const Head *head, const float *values, gsize rows,
                  char *target, gsize stride)
{
  OlFinish launch = {.product = values,
                     .columns = head->depth,
                     .stride = stride,
                     .dtype = head->dtype,
                     .c = target,
                     .c_dtype = head->dtype};
  device->kernels->finish(&launch, 0, rows);
}

/* Where one head of one sample begins in [batch][sequence][columns]. */
static gsize head_offset(const Head *head, gsize columns, gsize sample, gsize h)
{
  return (sample * head->sequence * columns + h * head->depth) * ol_dtype_bytes(head->dtype);
}

static void forward_head(const OlDevice *device, const OlAttentionForward *l, const Head *head,
                         gsize sample, gsize h, const Scratch *s)
{
  gsize e = ol_dtype_bytes(head->dtype), width = head->width, depth = head->depth;
  const char *q = (const char *)l->qkv + head_offset(head, 3 * width, sample, h);
  char *out = (char *)l->out + head_offset(head, width, sample, h);
  char *probabilities =
      (char *)l->probabilities + (sample * l->heads + h) * head->sequence * head->sequence * e;
  widen(device, head, q + width * e, 3 * width, head->sequence, s->keys);
  widen(device, head, q + 2 * width * e, 3 * width, head->sequence, s->values);

  for (gsize first = 0; first < head->sequence; first += head->queries) {
    gsize rows = MIN(head->queries, head->sequence - first), keys = first + rows;
    widen(device, head, q + first * 3 * width * e, 3 * width, rows, s->block);
    multiply('N', 'T', rows, keys, depth, s->block, s->keys, FALSE, s->scores);
    OlCausalSoftmax softmax = {.scores = s->scores,
                               .first = first,
                               .columns = keys,
                               .sequence = head->sequence,
                               .scale = head->scale,
                               .probabilities = probabilities + first * head->sequence * e,
                               .dtype = head->dtype};
    device->kernels->causal_softmax(&softmax, 0, rows);
    multiply('N', 'N', rows, depth, keys, s->scores, s->values, FALSE, s->block_out);
    store(device, head, s->block_out, rows, out + first * width * e, width);
  }
}

/* One block of queries: adds to d_keys and d_values, leaves the queries' gradient in block_out. */
static void backward_block(const OlDevice *device, const Head *head, gsize rows, gsize keys,
                           const char *q, const char *probabilities, const char *d_out,
                           const Scratch *s)
{
  gsize depth = head->depth;
  OlWiden launch = {probabilities, keys, head->sequence, head->dtype, s->scores};
  device->kernels->widen(&launch, 0, rows);

  widen(device, head, d_out, head->width, rows, s->block);
  multiply('T', 'N', keys, depth, rows, s->scores, s->block, TRUE, s->d_values);
  multiply('N', 'T', rows, keys, depth, s->block, s->values, FALSE, s->d_scores);
  OlSoftmaxBackward softmax = {s->d_scores, s->scores, keys, head->scale};
  device->kernels->softmax_backward(&softmax, 0, rows);

  widen(device, head, q, 3 * head->width, rows, s->block);
  multiply('T', 'N', keys, depth, rows, s->d_scores, s->block, TRUE, s->d_keys);
  multiply('N', 'N', rows, depth, keys, s->d_scores, s->keys, FALSE, s->block_out);
}

static void backward_head(const OlDevice *device, const OlAttentionBackward *l, const Head *head,
                          gsize sample, gsize h, const Scratch *s)
{
  gsize e = ol_dtype_bytes(head->dtype), width = head->width, stride = 3 * width;
  gsize offset = head_offset(head, stride, sample, h);
  const char *q = (const char *)l->qkv + offset;
  const char *d_out = (const char *)l->d_out + head_offset(head, width, sample, h);
  const char *probabilities = (const char *)l->probabilities +
                              (sample * l->heads + h) * head->sequence * head->sequence * e;
  char *d_q = (char *)l->d_qkv + offset;
  widen(device, head, q + width * e, stride, head->sequence, s->keys);
  widen(device, head, q + 2 * width * e, stride, head->sequence, s->values);
  memset(s->d_keys, 0, head->sequence * head->depth * sizeof(float));
  memset(s->d_values, 0, head->sequence * head->depth * sizeof(float));

  for (gsize first = 0; first < head->sequence; first += head->queries) {
    gsize rows = MIN(head->queries, head->sequence - first);
    backward_block(device, head, rows, first + rows, q + first * stride * e,
                   probabilities + first * head->sequence * e, d_out + first * width * e, s);
    store(device, head, s->block_out, rows, d_q + first * stride * e, stride);
  }
  store(device, head, s->d_keys, head->sequence, d_q + width * e, stride);
  store(device, head, s->d_values, head->sequence, d_q + 2 * width * e, stride);
}

/* How many heads may be worked on at a time; 0, with the device failed, when not even one. */
static gsize get_workers(OlDevice *device, const char *kernel, const Head *head, gsize n_heads,
                         gsize floats)
{
  if (floats <= OL_SCRATCH_FLOATS)
    return MIN(MIN(device->compute_threads, n_heads), OL_SCRATCH_FLOATS / floats);
  ol_virtual_fail(device,
                  _("%s: a sequence of %zu with heads of width %zu needs more than the virtual "
                    "device's %u MiB of scratch; use more heads or a "
                    "shorter sequence"),
                  kernel, head->sequence, head->depth, OL_DEVICE_VIRTUAL_SCRATCH >> 20);
  return 0;
}

static gboolean check_shape(OlDevice *device, const char *kernel, gsize sequence, gsize width,
                            gsize heads)
{
  if (sequence > 0 && heads > 0 && width > 0 && width % heads == 0)
    return TRUE;
  ol_virtual_fail(device,
                  _("%s: a width of %zu does not divide into %zu heads over a sequence of %zu"),
                  kernel, width, heads, sequence);
  return FALSE;
}

static void run_forward(OlStream *stream, const void *launch)
{
  const OlAttentionForward *l = launch;
  OlDevice *device = ol_stream_get_device(stream);
  gsize e = ol_dtype_bytes(l->dtype), rows = l->batch * l->sequence;
  if (!check_shape(device, "attention_forward", l->sequence, l->width, l->heads) ||
      !OL_CHECK(device, "attention_forward", {"qkv", l->qkv, rows, 3 * l->width, e},
                {"probabilities", l->probabilities, rows * l->heads, l->sequence, e},
                {"out", l->out, rows, l->width, e}))
    return;

  Head head = head_of(l->sequence, l->width, l->heads, l->dtype);
  gsize n_heads = l->batch * l->heads, floats = scratch_floats(&head, FALSE);
  gsize workers = get_workers(device, "attention_forward", &head, n_heads, floats);
  pthread_mutex_lock(&device->scratch_lock);
#pragma omp parallel for num_threads((int)workers) schedule(static) if (workers > 1)
  for (gsize worker = 0; worker < workers; worker++) {
    Scratch scratch = scratch_at(device->scratch + worker * floats, &head);
    for (gsize i = n_heads * worker / workers; i < n_heads * (worker + 1) / workers; i++)
      forward_head(device, l, &head, i / l->heads, i % l->heads, &scratch);
  }
  pthread_mutex_unlock(&device->scratch_lock);
}

static void run_backward(OlStream *stream, const void *launch)
{
  const OlAttentionBackward *l = launch;
  OlDevice *device = ol_stream_get_device(stream);
  gsize e = ol_dtype_bytes(l->dtype), rows = l->batch * l->sequence;
  if (!check_shape(device, "attention_backward", l->sequence, l->width, l->heads) ||
      !OL_CHECK(device, "attention_backward", {"qkv", l->qkv, rows, 3 * l->width, e},
                {"probabilities", l->probabilities, rows * l->heads, l->sequence, e},
                {"d_out", l->d_out, rows, l->width, e}, {"d_qkv", l->d_qkv, rows, 3 * l->width, e}))
    return;

  Head head = head_of(l->sequence, l->width, l->heads, l->dtype);
  gsize n_heads = l->batch * l->heads, floats = scratch_floats(&head, TRUE);
  gsize workers = get_workers(device, "attention_backward", &head, n_heads, floats);
  pthread_mutex_lock(&device->scratch_lock);
#pragma omp parallel for num_threads((int)workers) schedule(static) if (workers > 1)
  for (gsize worker = 0; worker < workers; worker++) {
    Scratch scratch = scratch_at(device->scratch + worker * floats, &head);
    for (gsize i = n_heads * worker / workers; i < n_heads * (worker + 1) / workers; i++)
      backward_head(device, l, &head, i / l->heads, i % l->heads, &scratch);
  }
  pthread_mutex_unlock(&device->scratch_lock);
}

void ol_virtual_attention_forward(OlStream *stream, const OlAttentionForward *launch)
{
  ol_stream_push(stream, run_forward, FALSE, launch, sizeof *launch);
}

void ol_virtual_attention_backward(OlStream *stream, const OlAttentionBackward *launch)
{
  ol_stream_push(stream, run_backward, FALSE, launch, sizeof *launch);
}
