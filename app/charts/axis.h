/* Ticks of a time axis: at steps of 1, 2 or 5 times a power of ten, in one unit, all labels with
 * the same number of decimals. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double first, step; /* seconds; first lies in the range */
  guint n;
  const char *unit;    /* "s", "ms", "µs", "ns" */
  double unit_seconds; /* 1, 1e-3, … */
  int decimals;
} OlAxis;

/* At most `max_ticks` (at least 2) ticks in [begin, end], begin < end, in seconds. */
OlAxis ol_axis_choose(double begin, double end, guint max_ticks);

double ol_axis_tick(const OlAxis *axis, guint i);     /* its place, in seconds */
char *ol_axis_dup_label(const OlAxis *axis, guint i); /* "0.25 s". Caller frees. */

G_END_DECLS
