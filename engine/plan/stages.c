/* Pipeline stages: consecutive units, divided so that the costliest stage is as cheap as possible.
 * With chunks, a rank has several, as far apart as there are ranks. */
#include "engine/plan/builder.h"

static double cost_of(const OlShape *shape, guint unit)
{
  return ol_shape_forward_flops(shape, unit, OL_PIECE_WHOLE) +
         ol_shape_backward_flops(shape, unit, OL_PIECE_WHOLE);
}

/* Fills stages from the front with units up to `limit` each, but leaves one unit for every stage
 * still to come. FALSE when the units do not fit. */
static gboolean divide(const OlShape *shape, guint stages, double limit, guint *first)
{
  guint unit = 0;
  for (guint stage = 0; stage < stages; stage++) {
    double sum = 0;
    first[stage] = unit;
    while (unit < shape->n_units - (stages - 1 - stage) &&
           (unit == first[stage] || sum + cost_of(shape, unit) <= limit))
      sum += cost_of(shape, unit++);
    if (sum > limit)
      return FALSE;
  }
  first[stages] = unit;
  return unit == shape->n_units;
}

void ol_stages_divide(const OlShape *shape, guint stages, guint *first)
{
  double low = 0, high = 0;
  for (guint u = 0; u < shape->n_units; u++)
    high += cost_of(shape, u);
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    *(divide(shape, stages, middle, first) ? &high : &low) = middle;
  }
  divide(shape, stages, high, first);
}

OlChunk *ol_stages_dup_chunks(const OlShape *shape, const OlRunConfig *config, guint stage)
{
  guint ranks = config->parallel.pipeline, n = config->parallel.chunks;
  g_autofree guint *first = g_new(guint, ranks * n + 1);
  ol_stages_divide(shape, ranks * n, first);
  OlChunk *chunks = g_new(OlChunk, n);
  guint before = 0;
  for (guint c = 0; c < n; c++) {
    const guint *own = &first[c * ranks + stage];
    chunks[c] = (OlChunk){own[0], own[1], before};
    before += own[1] - own[0];
  }
  return chunks;
}
