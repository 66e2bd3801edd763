/* Kernels that sum along rows: layer norm, softmax. */
#include "engine/device/kernels/norm.h"
#include "engine/device/virtual/kernels-private.h"

typedef struct {
  float mean, inverse_deviation;
} Statistics;

/* x: [width]. The variance is summed around the mean, so nothing cancels. */
OL_ELEMENT Statistics row_statistics(const void *x, gsize width, OlDtype dtype)
{
  float sum, squares;
  OL_SUM(sum, width, ol_load(x, i, dtype));
  float mean = sum / (float)width;
  OL_SUM(squares, width, (ol_load(x, i, dtype) - mean) * (ol_load(x, i, dtype) - mean));
  return (Statistics){mean, 1.0f / sqrtf(squares / (float)width + OL_NORM_EPSILON)};
}

/* y: [rows][width] */
OL_ELEMENT void norm_forward(const OlNormForward *launch, gsize begin, gsize end, OlDtype dtype)
{
  gsize width = launch->width, row_bytes = width * ol_dtype_bytes(dtype);
  const void *gain = launch->gain, *bias = launch->bias;
  for (gsize row = begin; row < end; row++) {
    const char *x = (const char *)launch->x + row * row_bytes;
    char *y = (char *)launch->y + row * row_bytes;
    Statistics s = row_statistics(x, width, dtype);
    OL_INDEPENDENT
    for (gsize i = 0; i < width; i++) {
      float value = ol_norm(ol_load(x, i, dtype), s.mean, s.inverse_deviation,
                            ol_load(gain, i, dtype), ol_load(bias, i, dtype));
      ol_store(y, i, value, dtype);
    }
  }
}
OL_KERNEL_OF_DTYPE(norm_forward, OlNormForward, dtype)

/* statistics: [rows][2] */
OL_ELEMENT void norm_statistics(const OlNormBackwardRun *run, gsize begin, gsize end, OlDtype dtype)
{
  gsize width = run->launch.width, row_bytes = width * ol_dtype_bytes(dtype);
  for (gsize row = begin; row < end; row++) {
    Statistics s = row_statistics((const char *)run->launch.x + row * row_bytes, width, dtype);
    run->statistics[2 * row] = s.mean;
    run->statistics[2 * row + 1] = s.inverse_deviation;
  }
}
OL_KERNEL_OF_DTYPE(norm_statistics, OlNormBackwardRun, launch.dtype)

/* d_x: [rows][width] */
OL_ELEMENT void norm_rows(const OlNormBackwardRun *run, gsize begin, gsize end, OlDtype dtype)
{
  const OlNormBackward *launch = &run->launch;
  gsize width = launch->width, row_bytes = width * ol_dtype_bytes(dtype);
  const void *gain = launch->gain;
  for (gsize row = begin; row < end; row++) {
    const char *x = (const char *)launch->x + row * row_bytes;
    const char *d_y = (const char *)launch->d_y + row * row_bytes;
    const char *residual =
        launch->residual ? (const char *)launch->residual + row * row_bytes : NULL;
    char *d_x = (char *)launch->d_x + row * row_bytes;
    float mean = run->statistics[2 * row], inverse = run->statistics[2 * row + 1];

    float sum_g, sum_gx;
    OL_SUM(sum_g, width, ol_load(gain, i, dtype) * ol_load(d_y, i, dtype));
    OL_SUM(sum_gx, width,
           ol_load(gain, i, dtype) * ol_load(d_y, i, dtype) *
               ((ol_load(x, i, dtype) - mean) * inverse));
    float mean_g = sum_g / (float)width, mean_gx = sum_gx / (float)width;

    OL_INDEPENDENT
    for (gsize i = 0; i < width; i++) {
      float g = ol_load(gain, i, dtype) * ol_load(d_y, i, dtype);
      float normalised = (ol_load(x, i, dtype) - mean) * inverse;
      float value = ol_norm_gradient(normalised, inverse, g, mean_g, mean_gx);
      ol_store(d_x, i, residual ? ol_load(residual, i, dtype) + value : value, dtype);
    }
  }
}
OL_KERNEL_OF_DTYPE(norm_rows, OlNormBackwardRun, launch.dtype)

/* The largest of x: [n]; NaN is passed over (the sum that follows finds it). */
OL_ELEMENT float row_largest(const void *x, gsize n, OlDtype dtype)
{
  float lanes[OL_LANES];
  for (gsize lane = 0; lane < OL_LANES; lane++)
    lanes[lane] = ol_load(x, 0, dtype);
  gsize whole = n - n % OL_LANES;
  for (gsize base = 0; base < whole; base += OL_LANES)
    for (gsize lane = 0; lane < OL_LANES; lane++) {
      float value = ol_load(x, base + lane, dtype);
      lanes[lane] = value > lanes[lane] ? value : lanes[lane];
    }
  for (gsize i = whole; i < n; i++) {
    float value = ol_load(x, i, dtype);
    lanes[0] = value > lanes[0] ? value : lanes[0];
  }
  float largest = lanes[0];
  for (gsize lane = 1; lane < OL_LANES; lane++)
    largest = lanes[lane] > largest ? lanes[lane] : largest;
  return largest;
}

/* One causal row: scores: [columns], of which `n` count. */
OL_ELEMENT void causal_row(float *scores, gsize n, gsize columns, float scale, OlDtype dtype)
{
  float largest = row_largest(scores, n, OL_DTYPE_FP32);
  OL_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    scores[i] = ol_exp((scores[i] - largest) * scale);
  float sum;
  OL_SUM(sum, n, scores[i]);
  float inverse = 1.0f / sum;
  OL_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    scores[i] = ol_rounded(scores[i] * inverse, dtype);
  memset(scores + n, 0, (columns - n) * sizeof *scores);
}

/* scores: [rows][columns], probabilities: [rows][sequence] */
OL_ELEMENT void causal_softmax(const OlCausalSoftmax *launch, gsize begin, gsize end, OlDtype dtype)
{
  gsize columns = launch->columns, sequence = launch->sequence, bytes = ol_dtype_bytes(dtype);
  for (gsize row = begin; row < end; row++) {
    float *scores = launch->scores + row * columns;
    char *probabilities = (char *)launch->probabilities + row * sequence * bytes;
    causal_row(scores, launch->first + row + 1, columns, launch->scale, dtype);
    OL_INDEPENDENT
    for (gsize i = 0; i < columns; i++)
      ol_store(probabilities, i, scores[i], dtype);
    memset(probabilities + columns * bytes, 0, (sequence - columns) * bytes);
  }
}
OL_KERNEL_OF_DTYPE(causal_softmax, OlCausalSoftmax, dtype)

/* d_scores = scale · p · (d_p - Σ p·d_p): [rows][columns] */
void OL_KERNEL(softmax_backward)(const void *data, gsize begin, gsize end)
{
  const OlSoftmaxBackward *launch = data;
  gsize columns = launch->columns;
  for (gsize row = begin; row < end; row++) {
    float *d = launch->d_scores + row * columns;
    const float *p = launch->widened + row * columns;
    float sum;
    OL_SUM(sum, columns, p[i] * d[i]);
    OL_INDEPENDENT
    for (gsize i = 0; i < columns; i++)
      d[i] = launch->scale * (p[i] * (d[i] - sum));
  }
}

/* logits: [rows][vocabulary], replaced by (softmax - one-hot)·scale; row_losses: [rows] */
OL_ELEMENT void softmax_loss(const OlSoftmaxLossRun *run, gsize begin, gsize end, OlDtype dtype)
{
  const OlSoftmaxLoss *launch = &run->launch;
  gsize n = launch->vocabulary;
  float scale = (float)launch->scale;
  for (gsize row = begin; row < end; row++) {
    char *logits = (char *)launch->logits + row * n * ol_dtype_bytes(dtype);
    gsize target = (gsize)launch->targets[row];
    float target_logit = ol_load(logits, target, dtype);
    float largest = row_largest(logits, n, dtype);
    float sum;
    OL_SUM(sum, n, ol_exp(ol_load(logits, i, dtype) - largest));
    run->row_losses[row] = (double)ol_log(sum) + (double)(largest - target_logit);

    float inverse = 1.0f / sum;
    float target_gradient = (ol_exp(target_logit - largest) * inverse - 1.0f) * scale;
    OL_INDEPENDENT
    for (gsize i = 0; i < n; i++) {
      float probability = ol_exp(ol_load(logits, i, dtype) - largest) * inverse;
      ol_store(logits, i, probability * scale, dtype);
    }
    ol_store(logits, target, target_gradient, dtype);
  }
}
OL_KERNEL_OF_DTYPE(softmax_loss, OlSoftmaxLossRun, launch.dtype)
