/* Copies, and every kernel but products and attention: check the arguments, then launch. On the
 * stream's thread. */
#include "engine/device/cuda/cuda-private.h"

#include "engine/base/error.h"

gboolean ol_cuda_check(OlStream *stream, const char *kernel, const OlArgument *arguments,
                       guint n_arguments)
{
  GError *error = NULL;
  if (ol_arguments_check(&stream->device->gpu, kernel, arguments, n_arguments, &error))
    return TRUE;
  ol_cuda_fail(stream->device, error);
  return FALSE;
}

void *ol_cuda_scratch(OlStream *stream, const char *kernel, gsize bytes)
{
  if (bytes > OL_CUDA_SCRATCH) {
    ol_cuda_fail(stream->device,
                 g_error_new(OL_ERROR, OL_ERROR_DEVICE,
                             "%s: %" G_GSIZE_FORMAT " B of scratch needed, the CUDA device has "
                             "%" G_GSIZE_FORMAT "; use a smaller micro-batch or a shorter sequence",
                             kernel, bytes, OL_CUDA_SCRATCH));
    return NULL;
  }
  if (!stream->scratch)
    OL_TRY(stream->device, kernel, cudaMalloc, &stream->scratch, OL_CUDA_SCRATCH);
  return stream->scratch;
}

void *ol_cuda_staging(OlStream *stream, const char *kernel)
{
  if (!stream->staging)
    OL_TRY(stream->device, kernel, cudaMallocHost, &stream->staging, OL_CUDA_STAGING);
  return stream->staging;
}

/* Brings GPU memory to the host a piece at a time; see(data, piece, index of its first element, how
 * many) looks at each. FALSE when it, or a copy, failed. */
typedef gboolean (*OlSee)(gpointer data, const void *piece, gsize first, gsize n, GError **error);

static gboolean look_at(OlStream *stream, const char *kernel, const void *array, gsize n,
                        gsize element, OlSee see, gpointer data)
{
  void *staging = ol_cuda_staging(stream, kernel);
  gsize most = OL_CUDA_STAGING / element;
  for (gsize first = 0; staging && first < n; first += most) {
    gsize count = MIN(most, n - first);
    GError *error = NULL;
    if (!OL_TRY(stream->device, kernel, cudaMemcpyAsync, staging,
                (const char *)array + first * element, count * element, cudaMemcpyDeviceToHost,
                stream->cuda) ||
        !ol_cuda_drain(stream, kernel))
      return FALSE;
    if (!see(data, staging, first, count, &error)) {
      ol_cuda_fail(stream->device, error);
      return FALSE;
    }
  }
  return staging != NULL;
}

typedef struct {
  const char *kernel, *argument;
  gsize vocabulary;
} Ids;

static gboolean see_ids(gpointer data, const void *piece, gsize first, gsize n, GError **error)
{
  const Ids *ids = data;
  return ol_arguments_check_ids(ids->kernel, ids->argument, piece, first, n, ids->vocabulary,
                                error);
}

/* A bad id would make a kernel read or write past its arrays, so they are looked at beforehand. */
static gboolean check_ids(OlStream *stream, const char *kernel, const char *argument,
                          const int32_t *ids, gsize rows, gsize vocabulary)
{
  Ids what = {kernel, argument, vocabulary};
  return look_at(stream, kernel, ids, rows, sizeof *ids, see_ids, &what);
}

static void launched(OlStream *stream, const char *kernel, cudaError_t code)
{
  ol_cuda_ok(stream->device, kernel, "launch", code);
}

void ol_cuda_run_norm_forward(OlStream *stream, const OlNormForward *l)
{
  gsize e = ol_dtype_bytes(l->dtype);
  if (OL_CHECK(stream, "norm_forward", {"x", l->x, l->rows, l->width, e},
               {"gain", l->gain, 1, l->width, e}, {"bias", l->bias, 1, l->width, e},
               {"y", l->y, l->rows, l->width, e}))
    launched(stream, "norm_forward", ol_cuda_norm_forward(l, stream->cuda));
}

void ol_cuda_run_norm_backward(OlStream *stream, const OlNormBackward *l)
{
  static const char kernel[] = "norm_backward";
  gsize e = ol_dtype_bytes(l->dtype);
  if (!OL_CHECK(stream, kernel, {"x", l->x, l->rows, l->width, e},
                {"gain", l->gain, 1, l->width, e}, {"d_y", l->d_y, l->rows, l->width, e},
                {"d_x", l->d_x, l->rows, l->width, e}, {"d_gain", l->d_gain, 1, l->width, e},
                {"d_bias", l->d_bias, 1, l->width, e}) ||
      (l->residual && !OL_CHECK(stream, kernel, {"residual", l->residual, l->rows, l->width, e})))
    return;
  float *statistics = ol_cuda_scratch(stream, kernel, l->rows * 2 * sizeof(float));
  if (!statistics)
    return;
  launched(stream, kernel, ol_cuda_norm_statistics(l, statistics, stream->cuda));
  launched(stream, kernel, ol_cuda_norm_columns(l, statistics, stream->cuda));
  launched(stream, kernel, ol_cuda_norm_rows(l, statistics, stream->cuda));
}

void ol_cuda_run_gelu_forward(OlStream *stream, const OlGeluForward *l)
{
  gsize e = ol_dtype_bytes(l->dtype);
  if (OL_CHECK(stream, "gelu_forward", {"x", l->x, 1, l->n, e}, {"y", l->y, 1, l->n, e}))
    launched(stream, "gelu_forward", ol_cuda_gelu_forward(l, stream->cuda));
}

void ol_cuda_run_gelu_backward(OlStream *stream, const OlGeluBackward *l)
{
  gsize e = ol_dtype_bytes(l->dtype);
  if (OL_CHECK(stream, "gelu_backward", {"x", l->x, 1, l->n, e}, {"d_y", l->d_y, 1, l->n, e},
               {"d_x", l->d_x, 1, l->n, e}))
    launched(stream, "gelu_backward", ol_cuda_gelu_backward(l, stream->cuda));
}

void ol_cuda_run_add(OlStream *stream, const OlAdd *l)
{
  gsize e = ol_dtype_bytes(l->dtype);
  if (OL_CHECK(stream, "add", {"a", l->a, 1, l->n, e}, {"b", l->b, 1, l->n, e},
               {"y", l->y, 1, l->n, e}))
    launched(stream, "add", ol_cuda_add(l, stream->cuda));
}

void ol_cuda_run_column_sums(OlStream *stream, const OlColumnSums *l)
{
  gsize e = ol_dtype_bytes(l->dtype);
  if (OL_CHECK(stream, "column_sums", {"x", l->x, l->rows, l->columns, e},
               {"sums", l->sums, 1, l->columns, e}))
    launched(stream, "column_sums", ol_cuda_column_sums(l, stream->cuda));
}

void ol_cuda_run_embed_forward(OlStream *stream, const OlEmbedForward *l)
{
  gsize e = ol_dtype_bytes(l->dtype);
  if (OL_CHECK(stream, "embed_forward", {"ids", l->ids, 1, l->rows, sizeof *l->ids},
               {"token", l->token, l->vocabulary, l->width, e},
               {"position", l->position, l->sequence, l->width, e},
               {"y", l->y, l->rows, l->width, e}) &&
      check_ids(stream, "embed_forward", "ids", l->ids, l->rows, l->vocabulary))
    launched(stream, "embed_forward", ol_cuda_embed_forward(l, stream->cuda));
}

void ol_cuda_run_embed_backward(OlStream *stream, const OlEmbedBackward *l)
{
  gsize e = ol_dtype_bytes(l->dtype);
  if (OL_CHECK(stream, "embed_backward", {"ids", l->ids, 1, l->rows, sizeof *l->ids},
               {"d_y", l->d_y, l->rows, l->width, e},
               {"d_token", l->d_token, l->vocabulary, l->width, e},
               {"d_position", l->d_position, l->sequence, l->width, e}) &&
      check_ids(stream, "embed_backward", "ids", l->ids, l->rows, l->vocabulary))
    launched(stream, "embed_backward", ol_cuda_embed_backward(l, stream->cuda));
}

static gboolean keep_sums(gpointer data, const void *piece, gsize first, gsize n, GError **error)
{
  memcpy((double *)data + first, piece, n * sizeof(double));
  return TRUE;
}

void ol_cuda_run_squares(OlStream *stream, const OlSquares *l)
{
  static const char kernel[] = "squares";
  if (!OL_CHECK(stream, kernel, {"x", l->x, 1, l->n, ol_dtype_bytes(l->dtype)}))
    return;
  gsize chunks = (l->n + l->chunk - 1) / l->chunk;
  double *sums = ol_cuda_scratch(stream, kernel, chunks * sizeof(double));
  if (!sums)
    return;
  launched(stream, kernel, ol_cuda_squares(l, sums, stream->cuda));
  look_at(stream, kernel, sums, chunks, sizeof(double), keep_sums, l->sums);
}

/* In row order, as the virtual device adds them. */
static gboolean see_losses(gpointer data, const void *piece, gsize first, gsize n, GError **error)
{
  double *sum = data;
  for (gsize i = 0; i < n; i++)
    *sum += ((const double *)piece)[i];
  return TRUE;
}

void ol_cuda_run_softmax_loss(OlStream *stream, const OlSoftmaxLoss *l)
{
  static const char kernel[] = "softmax_loss";
  if (!OL_CHECK(stream, kernel,
                {"logits", l->logits, l->rows, l->vocabulary, ol_dtype_bytes(l->dtype)},
                {"targets", l->targets, 1, l->rows, sizeof *l->targets}) ||
      !check_ids(stream, kernel, "targets", l->targets, l->rows, l->vocabulary))
    return;
  double *row_losses = ol_cuda_scratch(stream, kernel, l->rows * sizeof(double)), sum = 0;
  if (!row_losses)
    return;
  launched(stream, kernel, ol_cuda_softmax_loss(l, row_losses, stream->cuda));
  if (look_at(stream, kernel, row_losses, l->rows, sizeof(double), see_losses, &sum))
    *l->loss = l->scale * sum;
}

void ol_cuda_run_accumulate(OlStream *stream, const OlAccumulate *l)
{
  if (OL_CHECK(stream, "accumulate", {"x", l->x, 1, l->n, ol_dtype_bytes(l->dtype)},
               {"sum", l->sum, 1, l->n, sizeof *l->sum}))
    launched(stream, "accumulate", ol_cuda_accumulate(l, stream->cuda));
}

void ol_cuda_run_cast(OlStream *stream, const OlCast *l)
{
  if (OL_CHECK(stream, "cast", {"x", l->x, 1, l->n, sizeof *l->x},
               {"y", l->y, 1, l->n, sizeof *l->y}))
    launched(stream, "cast", ol_cuda_cast(l, stream->cuda));
}

void ol_cuda_run_adam(OlStream *stream, const OlAdamLaunch *l)
{
  const OlAdamSpan *span = &l->span;
  gsize n = span->elements;
  if (OL_CHECK(stream, "adam", {"master", span->master, 1, n, 4},
               {"moment1", span->moment1, 1, n, 4}, {"moment2", span->moment2, 1, n, 4},
               {"gradient", span->gradient, 1, n, span->gradient_is_fp32 ? 4 : 2}) &&
      (!span->weights_out || OL_CHECK(stream, "adam", {"weights_out", span->weights_out, 1, n, 2})))
    launched(stream, "adam", ol_cuda_adam(l, stream->cuda));
}

static gboolean check_side(OlStream *stream, const char *operation, const char *side,
                           const void *pointer, gsize bytes, gboolean *on_gpu)
{
  GError *error = NULL;
  if (ol_arguments_check_side(&stream->device->gpu, operation, side, pointer, bytes, on_gpu,
                              &error))
    return TRUE;
  ol_cuda_fail(stream->device, error);
  return FALSE;
}

/* Between two places on the host the stream's thread copies, in its turn. */
void ol_cuda_run_copy(OlStream *stream, void *target, const void *source, gsize bytes)
{
  static const enum cudaMemcpyKind kinds[2][2] = {
      {cudaMemcpyHostToHost, cudaMemcpyHostToDevice},
      {cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice}};
  gboolean from_gpu, to_gpu;
  if (bytes == 0 || !check_side(stream, "copy", "target", target, bytes, &to_gpu) ||
      !check_side(stream, "copy", "source", source, bytes, &from_gpu))
    return;
  if (from_gpu || to_gpu)
    OL_TRY(stream->device, "copy", cudaMemcpyAsync, target, source, bytes, kinds[from_gpu][to_gpu],
           stream->cuda);
  else if (ol_cuda_drain(stream, "copy"))
    memcpy(target, source, bytes);
}

void ol_cuda_run_clear(OlStream *stream, void *target, gsize bytes)
{
  gboolean on_gpu;
  if (bytes == 0 || !check_side(stream, "clear", "target", target, bytes, &on_gpu))
    return;
  if (on_gpu)
    OL_TRY(stream->device, "clear", cudaMemsetAsync, target, 0, bytes, stream->cuda);
  else if (ol_cuda_drain(stream, "clear"))
    memset(target, 0, bytes);
}
