/* The visible part of a tier's memory as steps to draw. While there are few changes each gives a
 * step of its own; else a pixel column shows its highest moment, so that no peak vanishes and the
 * cost depends on the width alone. */
#pragma once

#include "app/charts/plot.h"

G_BEGIN_DECLS

typedef struct {
  double x0, x1;
  gint64 bytes[OL_N_PAYLOADS];
} OlMemoryStep;

/* Steps that join, from left to right, until the trace's newest moment. Caller unrefs. */
GArray *ol_memory_steps_new(const OlChartView *view, OlTier tier, const OlPlot *plot);

gboolean ol_memory_steps_have(const GArray *steps, int payload);

/* Bytes of payloads 0 … upto. */
static inline gint64 ol_memory_step_sum(const OlMemoryStep *step, int upto)
{
  gint64 sum = 0;
  for (int p = 0; p <= upto; p++)
    sum += MAX(step->bytes[p], 0);
  return sum;
}

G_END_DECLS
