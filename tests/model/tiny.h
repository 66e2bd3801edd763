/* A whole model on a device of its own, unit after unit as a run would do it, for tests. Memory
 * that a unit must write is NaN before, and what follows each block is watched. */
#pragma once

#include "engine/model/gpt.h"

typedef struct {
  const OlDeviceOps *ops;
  OlDevice *device;
  OlStream *stream;
  OlShape *shape;
  char *gpu;
  gsize used;
  OlGptBuffers *units;                  /* [n_units] */
  float **master, **moment1, **moment2; /* [n_units], in GPU memory */
  int32_t *tokens;                      /* [2][n], in GPU memory */
  double loss;
} Tiny;

OlRunConfig tiny_config(guint layers, guint width, guint heads, guint sequence, guint vocabulary,
                        guint micro_batch, OlPrecision precision);

Tiny *tiny_new(const OlRunConfig *config, guint compute_threads);
void tiny_free(Tiny *tiny); /* asserts that nothing failed and nothing was written beyond a block */

gsize tiny_tokens(const Tiny *tiny); /* n */

/* Masters from the lab's own start, or from [parameters]; then the weights, rounded. */
void tiny_start(Tiny *tiny, guint64 seed);
void tiny_set_weights(Tiny *tiny, const float *all);

/* [2][n] */
void tiny_set_tokens(Tiny *tiny, const int32_t *tokens);
void tiny_set_sums(Tiny *tiny, guint64 seed, guint step);

double tiny_forward(Tiny *tiny);
void tiny_backward(Tiny *tiny);
void tiny_update(Tiny *tiny, const OlAdamSettings *settings, guint step);

/* [parameters], in shape's order. Caller frees. */
float *tiny_read_gradients(Tiny *tiny);
