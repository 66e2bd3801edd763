/* Every launch but products and attention: check the arguments, then run the plain C kernel over
 * the device's threads. */
#include "engine/base/intl.h"
#include "engine/device/kernels/squares.h"
#include "engine/device/virtual/virtual-private.h"

/* A part of an elementwise loop begins on cache lines of its own, in either type. */
#define ELEMENT_GRAIN 64u

static void over_elements(OlDevice *device, OlRangeKernel kernel, const void *launch, gsize n)
{
  ol_virtual_over(device, kernel, launch, n, ELEMENT_GRAIN, n);
}

/* ids: [rows], each below `most`. */
static gboolean check_ids(OlDevice *device, const char *kernel, const char *argument,
                          const int32_t *ids, gsize rows, gsize most)
{
  for (gsize row = 0; row < rows; row++)
    if (ids[row] < 0 || (gsize)ids[row] >= most) {
      ol_virtual_fail(device, _("%s: %s[%zu] is %d, outside the vocabulary of %zu"), kernel,
                      argument, row, ids[row], most);
      return FALSE;
    }
  return TRUE;
}

/* The scratch, locked; NULL, with the device failed, when `bytes` are more than it has. */
static void *borrow_scratch(OlDevice *device, const char *kernel, gsize bytes)
{
  if (bytes > OL_DEVICE_VIRTUAL_SCRATCH) {
    ol_virtual_fail(device,
                    _("%s: %zu B of scratch needed, the virtual device has %u; use a "
                      "smaller micro-batch"),
                    kernel, bytes, OL_DEVICE_VIRTUAL_SCRATCH);
    return NULL;
  }
  pthread_mutex_lock(&device->scratch_lock);
  return device->scratch;
}

static void return_scratch(OlDevice *device)
{
  pthread_mutex_unlock(&device->scratch_lock);
}

static void run_norm_forward(OlStream *stream, const void *launch)
{
  const OlNormForward *l = launch;
  OlDevice *device = ol_stream_get_device(stream);
  gsize e = ol_dtype_bytes(l->dtype);
  if (OL_CHECK(device, "norm_forward", {"x", l->x, l->rows, l->width, e},
               {"gain", l->gain, 1, l->width, e}, {"bias", l->bias, 1, l->width, e},
               {"y", l->y, l->rows, l->width, e}))
    ol_virtual_over(device, device->kernels->norm_forward, l, l->rows, 1, l->rows * l->width);
}

static void run_norm_backward(OlStream *stream, const void *launch)
{
  OlNormBackwardRun run = {.launch = *(const OlNormBackward *)launch};
  const OlNormBackward *l = &run.launch;
  OlDevice *device = ol_stream_get_device(stream);
  gsize e = ol_dtype_bytes(l->dtype), work = l->rows * l->width;
  if (!OL_CHECK(device, "norm_backward", {"x", l->x, l->rows, l->width, e},
                {"gain", l->gain, 1, l->width, e}, {"d_y", l->d_y, l->rows, l->width, e},
                {"d_x", l->d_x, l->rows, l->width, e}, {"d_gain", l->d_gain, 1, l->width, e},
                {"d_bias", l->d_bias, 1, l->width, e}) ||
      (l->residual &&
       !OL_CHECK(device, "norm_backward", {"residual", l->residual, l->rows, l->width, e})))
    return;

  run.statistics = borrow_scratch(device, "norm_backward", l->rows * 2 * sizeof(float));
  if (run.statistics == NULL)
    return;
  ol_virtual_over(device, device->kernels->norm_statistics, &run, l->rows, 1, work);
  ol_virtual_over(device, device->kernels->norm_columns, &run, l->width, ELEMENT_GRAIN, work);
  ol_virtual_over(device, device->kernels->norm_rows, &run, l->rows, 1, work);
  return_scratch(device);
}

static void run_gelu_forward(OlStream *stream, const void *launch)
{
  const OlGeluForward *l = launch;
  OlDevice *device = ol_stream_get_device(stream);
  gsize e = ol_dtype_bytes(l->dtype);
  if (OL_CHECK(device, "gelu_forward", {"x", l->x, 1, l->n, e}, {"y", l->y, 1, l->n, e}))
    over_elements(device, device->kernels->gelu_forward, l, l->n);
}

static void run_gelu_backward(OlStream *stream, const void *launch)
{
  const OlGeluBackward *l = launch;
  OlDevice *device = ol_stream_get_device(stream);
  gsize e = ol_dtype_bytes(l->dtype);
  if (OL_CHECK(device, "gelu_backward", {"x", l->x, 1, l->n, e}, {"d_y", l->d_y, 1, l->n, e},
               {"d_x", l->d_x, 1, l->n, e}))
    over_elements(device, device->kernels->gelu_backward, l, l->n);
}

static void run_add(OlStream *stream, const void *launch)
{
  const OlAdd *l = launch;
  OlDevice *device = ol_stream_get_device(stream);
  gsize e = ol_dtype_bytes(l->dtype);
  if (OL_CHECK(device, "add", {"a", l->a, 1, l->n, e}, {"b", l->b, 1, l->n, e},
               {"y", l->y, 1, l->n, e}))
    over_elements(device, device->kernels->add, l, l->n);
}

static void run_column_sums(OlStream *stream, const void *launch)
{
  const OlColumnSums *l = launch;
  OlDevice *device = ol_stream_get_device(stream);
  gsize e = ol_dtype_bytes(l->dtype);
  if (OL_CHECK(device, "column_sums", {"x", l->x, l->rows, l->columns, e},
               {"sums", l->sums, 1, l->columns, e}))
    ol_virtual_over(device, device->kernels->column_sums, l, l->columns, ELEMENT_GRAIN,
                    l->rows * l->columns);
}

static void run_embed_forward(OlStream *stream, const void *launch)
{
  const OlEmbedForward *l = launch;
  OlDevice *device = ol_stream_get_device(stream);
  gsize e = ol_dtype_bytes(l->dtype);
  if (OL_CHECK(device, "embed_forward", {"ids", l->ids, 1, l->rows, sizeof *l->ids},
               {"token", l->token, l->vocabulary, l->width, e},
               {"position", l->position, l->sequence, l->width, e},
               {"y", l->y, l->rows, l->width, e}) &&
      check_ids(device, "embed_forward", "ids", l->ids, l->rows, l->vocabulary))
    ol_virtual_over(device, device->kernels->embed_forward, l, l->rows, 1, l->rows * l->width);
}

/* Chains the rows of each id, in row order. first: [vocabulary], next: [rows]. */
static void chain_rows(const OlEmbedBackward *l, int32_t *first, int32_t *next)
{
  for (gsize id = 0; id < l->vocabulary; id++)
    first[id] = -1;
  for (gsize row = l->rows; row-- > 0;) {
    next[row] = first[l->ids[row]];
    first[l->ids[row]] = (int32_t)row;
  }
}

static void run_embed_backward(OlStream *stream, const void *launch)
{
  OlEmbedBackwardRun run = {.launch = *(const OlEmbedBackward *)launch};
  const OlEmbedBackward *l = &run.launch;
  OlDevice *device = ol_stream_get_device(stream);
  gsize e = ol_dtype_bytes(l->dtype), work = l->rows * l->width;
  if (!OL_CHECK(device, "embed_backward", {"ids", l->ids, 1, l->rows, sizeof *l->ids},
                {"d_y", l->d_y, l->rows, l->width, e},
                {"d_token", l->d_token, l->vocabulary, l->width, e},
                {"d_position", l->d_position, l->sequence, l->width, e}) ||
      !check_ids(device, "embed_backward", "ids", l->ids, l->rows, l->vocabulary))
    return;

  int32_t *first =
      borrow_scratch(device, "embed_backward", (l->vocabulary + l->rows) * sizeof(int32_t));
  if (first == NULL)
    return;
  int32_t *next = first + l->vocabulary;
  chain_rows(l, first, next);
  run.first = first;
  run.next = next;
  ol_virtual_over(device, device->kernels->embed_tokens, &run, l->vocabulary, 1, work);
  ol_virtual_over(device, device->kernels->embed_positions, &run, l->sequence, 1, work);
  return_scratch(device);
}

static void run_softmax_loss(OlStream *stream, const void *launch)
{
  OlSoftmaxLossRun run = {.launch = *(const OlSoftmaxLoss *)launch};
  const OlSoftmaxLoss *l = &run.launch;
  OlDevice *device = ol_stream_get_device(stream);
  if (!OL_CHECK(device, "softmax_loss",
                {"logits", l->logits, l->rows, l->vocabulary, ol_dtype_bytes(l->dtype)},
                {"targets", l->targets, 1, l->rows, sizeof *l->targets}) ||
      !check_ids(device, "softmax_loss", "targets", l->targets, l->rows, l->vocabulary))
    return;

  run.row_losses = borrow_scratch(device, "softmax_loss", l->rows * sizeof(double));
  if (run.row_losses == NULL)
    return;
  ol_virtual_over(device, device->kernels->softmax_loss, &run, l->rows, 1, l->rows * l->vocabulary);
  double sum = 0;
  for (gsize row = 0; row < l->rows; row++)
    sum += run.row_losses[row];
  *l->loss = l->scale * sum;
  return_scratch(device);
}

static void run_accumulate(OlStream *stream, const void *launch)
{
  const OlAccumulate *l = launch;
  OlDevice *device = ol_stream_get_device(stream);
  if (OL_CHECK(device, "accumulate", {"x", l->x, 1, l->n, ol_dtype_bytes(l->dtype)},
               {"sum", l->sum, 1, l->n, sizeof *l->sum}))
    over_elements(device, device->kernels->accumulate, l, l->n);
}

static void run_cast(OlStream *stream, const void *launch)
{
  const OlCast *l = launch;
  OlDevice *device = ol_stream_get_device(stream);
  if (OL_CHECK(device, "cast", {"x", l->x, 1, l->n, sizeof *l->x},
               {"y", l->y, 1, l->n, sizeof *l->y}))
    over_elements(device, device->kernels->cast, l, l->n);
}

/* Chunks [begin, end) of a gradient. */
static void squares_range(const void *launch, gsize begin, gsize end)
{
  const OlSquares *l = launch;
  for (gsize i = begin; i < end; i++) {
    gsize first = ol_squares_first(l, i);
    l->sums[i] = ol_squares(l->x, first, ol_squares_count(l, i), l->dtype, l->round);
  }
}

static void run_squares(OlStream *stream, const void *launch)
{
  const OlSquares *l = launch;
  OlDevice *device = ol_stream_get_device(stream);
  if (OL_CHECK(device, "squares", {"x", l->x, 1, l->n, ol_dtype_bytes(l->dtype)}))
    ol_virtual_over(device, squares_range, l, (l->n + l->chunk - 1) / l->chunk, 1, l->n);
}

/* Elements [begin, end) of an update. */
static void adam_range(const void *launch, gsize begin, gsize end)
{
  const OlAdamLaunch *l = launch;
  OlAdamSpan span = l->span;
  span.elements = end - begin;
  span.piece_of = l->span.elements;
  span.master += begin;
  span.moment1 += begin;
  span.moment2 += begin;
  span.gradient = (const char *)span.gradient + begin * (span.gradient_is_fp32 ? 4 : 2);
  if (span.weights_out)
    span.weights_out += begin;
  ol_adam_update(&l->scalars, &span);
}

static void run_adam(OlStream *stream, const void *launch)
{
  const OlAdamLaunch *l = launch;
  const OlAdamSpan *span = &l->span;
  OlDevice *device = ol_stream_get_device(stream);
  gsize n = span->elements;
  if (!OL_CHECK(device, "adam", {"master", span->master, 1, n, 4},
                {"moment1", span->moment1, 1, n, 4}, {"moment2", span->moment2, 1, n, 4},
                {"gradient", span->gradient, 1, n, span->gradient_is_fp32 ? 4 : 2}) ||
      (span->weights_out && !OL_CHECK(device, "adam", {"weights_out", span->weights_out, 1, n, 2})))
    return;
  over_elements(device, adam_range, l, n);
}

static gboolean is_partly_gpu(const OlDevice *device, const void *pointer, gsize bytes)
{
  guintptr begin = (guintptr)pointer, gpu = (guintptr)device->gpu;
  return begin < gpu + device->gpu_bytes && begin + bytes > gpu;
}

/* One side of a copy: host memory, or wholly inside the GPU's. */
static gboolean check_side(OlDevice *device, const char *operation, const char *side,
                           const void *pointer, gsize bytes)
{
  if (pointer == NULL) {
    ol_virtual_fail(device, _("%s: %s is NULL"), operation, side);
    return FALSE;
  }
  return !is_partly_gpu(device, pointer, bytes) ||
         OL_CHECK(device, operation, {side, pointer, 1, bytes, 1});
}

typedef struct {
  void *target;
  const void *source;
  gsize bytes;
} Copy;

static void run_copy(OlStream *stream, const void *launch)
{
  const Copy *copy = launch;
  OlDevice *device = ol_stream_get_device(stream);
  if (copy->bytes > 0 && check_side(device, "copy", "target", copy->target, copy->bytes) &&
      check_side(device, "copy", "source", copy->source, copy->bytes))
    memcpy(copy->target, copy->source, copy->bytes);
}

static void run_clear(OlStream *stream, const void *launch)
{
  const Copy *clear = launch;
  OlDevice *device = ol_stream_get_device(stream);
  if (clear->bytes > 0 && check_side(device, "clear", "target", clear->target, clear->bytes))
    memset(clear->target, 0, clear->bytes);
}

void ol_virtual_copy(OlStream *stream, void *target, const void *source, gsize bytes)
{
  ol_stream_push(stream, run_copy, FALSE, &(const Copy){target, source, bytes}, sizeof(Copy));
}

void ol_virtual_clear(OlStream *stream, void *target, gsize bytes)
{
  ol_stream_push(stream, run_clear, FALSE, &(const Copy){.target = target, .bytes = bytes},
                 sizeof(Copy));
}

#define LAUNCH(name, Launch)                                                                       \
  void ol_virtual_##name(OlStream *stream, const Launch *launch)                                   \
  {                                                                                                \
    ol_stream_push(stream, run_##name, FALSE, launch, sizeof *launch);                             \
  }

LAUNCH(norm_forward, OlNormForward)
LAUNCH(norm_backward, OlNormBackward)
LAUNCH(gelu_forward, OlGeluForward)
LAUNCH(gelu_backward, OlGeluBackward)
LAUNCH(add, OlAdd)
LAUNCH(column_sums, OlColumnSums)
LAUNCH(embed_forward, OlEmbedForward)
LAUNCH(embed_backward, OlEmbedBackward)
LAUNCH(softmax_loss, OlSoftmaxLoss)
LAUNCH(accumulate, OlAccumulate)
LAUNCH(cast, OlCast)
LAUNCH(squares, OlSquares)
LAUNCH(adam, OlAdamLaunch)
