/* Kernels that sum down columns, in row order. A strip of columns is summed at a time; what its
 * rows add up to is moved to a second sum every so often, so that rounding grows with the blocks
 * and not with the rows. */
#include "engine/device/virtual/kernels-private.h"

#define STRIP 64u /* columns: two cache lines of bf16 */
#define BLOCK 64u /* rows */

typedef struct {
  float block[STRIP], total[STRIP];
  gsize rows;
} Strip;

OL_ELEMENT void strip_add_row(Strip *strip, const void *x, gsize columns, OlDtype dtype)
{
  OL_INDEPENDENT
  for (gsize i = 0; i < columns; i++)
    strip->block[i] += ol_load(x, i, dtype);
}

/* Call after each row that was added to `block`. */
OL_ELEMENT void strip_count_row(Strip *strip)
{
  if (++strip->rows % BLOCK != 0)
    return;
  for (gsize i = 0; i < STRIP; i++) {
    strip->total[i] += strip->block[i];
    strip->block[i] = 0;
  }
}

OL_ELEMENT void strip_store(const Strip *strip, void *sums, gsize first, gsize columns,
                            OlDtype dtype)
{
  for (gsize i = 0; i < columns; i++)
    ol_store(sums, first + i, strip->total[i] + strip->block[i], dtype);
}

/* sums: [columns] of x: [rows][columns] */
OL_ELEMENT void column_sums(const OlColumnSums *launch, gsize begin, gsize end, OlDtype dtype)
{
  gsize bytes = ol_dtype_bytes(dtype);
  for (gsize first = begin; first < end; first += STRIP) {
    gsize columns = MIN(STRIP, end - first);
    Strip strip = {0};
    for (gsize row = 0; row < launch->rows; row++) {
      const char *x = (const char *)launch->x + (row * launch->columns + first) * bytes;
      strip_add_row(&strip, x, columns, dtype);
      strip_count_row(&strip);
    }
    strip_store(&strip, launch->sums, first, columns, dtype);
  }
}
OL_KERNEL_OF_DTYPE(column_sums, OlColumnSums, dtype)

/* d_gain: [width] = Σ d_y·x^, d_bias: [width] = Σ d_y, over rows */
OL_ELEMENT void norm_columns(const OlNormBackwardRun *run, gsize begin, gsize end, OlDtype dtype)
{
  const OlNormBackward *launch = &run->launch;
  gsize bytes = ol_dtype_bytes(dtype);
  for (gsize first = begin; first < end; first += STRIP) {
    gsize columns = MIN(STRIP, end - first);
    Strip gain = {0}, bias = {0};
    for (gsize row = 0; row < launch->rows; row++) {
      gsize offset = (row * launch->width + first) * bytes;
      const char *x = (const char *)launch->x + offset;
      const char *d_y = (const char *)launch->d_y + offset;
      float mean = run->statistics[2 * row], inverse = run->statistics[2 * row + 1];
      OL_INDEPENDENT
      for (gsize i = 0; i < columns; i++)
        gain.block[i] += ol_load(d_y, i, dtype) * ((ol_load(x, i, dtype) - mean) * inverse);
      strip_add_row(&bias, d_y, columns, dtype);
      strip_count_row(&gain);
      strip_count_row(&bias);
    }
    strip_store(&gain, launch->d_gain, first, columns, dtype);
    strip_store(&bias, launch->d_bias, first, columns, dtype);
  }
}
OL_KERNEL_OF_DTYPE(norm_columns, OlNormBackwardRun, launch.dtype)

/* d_token: [vocabulary][width]: the sum of the rows that read it */
OL_ELEMENT void embed_tokens(const OlEmbedBackwardRun *run, gsize begin, gsize end, OlDtype dtype)
{
  const OlEmbedBackward *launch = &run->launch;
  gsize width = launch->width, bytes = ol_dtype_bytes(dtype);
  for (gsize id = begin; id < end; id++)
    for (gsize first = 0; first < width; first += STRIP) {
      gsize columns = MIN(STRIP, width - first);
      Strip strip = {0};
      for (int32_t row = run->first[id]; row >= 0; row = run->next[row]) {
        strip_add_row(&strip, (const char *)launch->d_y + ((gsize)row * width + first) * bytes,
                      columns, dtype);
        strip_count_row(&strip);
      }
      strip_store(&strip, launch->d_token, id * width + first, columns, dtype);
    }
}
OL_KERNEL_OF_DTYPE(embed_tokens, OlEmbedBackwardRun, launch.dtype)

/* d_position: [sequence][width]: the sum over samples */
OL_ELEMENT void embed_positions(const OlEmbedBackwardRun *run, gsize begin, gsize end,
                                OlDtype dtype)
{
  const OlEmbedBackward *launch = &run->launch;
  gsize width = launch->width, bytes = ol_dtype_bytes(dtype);
  for (gsize position = begin; position < end; position++)
    for (gsize first = 0; first < width; first += STRIP) {
      gsize columns = MIN(STRIP, width - first);
      Strip strip = {0};
      for (gsize row = position; row < launch->rows; row += launch->sequence) {
        strip_add_row(&strip, (const char *)launch->d_y + (row * width + first) * bytes, columns,
                      dtype);
        strip_count_row(&strip);
      }
      strip_store(&strip, launch->d_position, position * width + first, columns, dtype);
    }
}
OL_KERNEL_OF_DTYPE(embed_positions, OlEmbedBackwardRun, launch.dtype)
