#include "app/charts/axis.h"

#include <math.h>

/* The smallest of 1, 2, 5 × 10^k that is not below `size`. */
static double nice_step(double size)
{
  double power = pow(10, floor(log10(size)));
  static const double factors[] = {1, 2, 5, 10};
  for (guint i = 0; i < G_N_ELEMENTS(factors); i++)
    if (factors[i] * power >= size * (1 - 1e-9))
      return factors[i] * power;
  return 10 * power;
}

static guint count_ticks(double begin, double end, double step, double *first)
{
  double from = ceil(begin / step - 1e-9), to = floor(end / step + 1e-9);
  *first = from * step;
  return to >= from ? (guint)(to - from) + 1 : 0;
}

static void choose_unit(OlAxis *axis, double largest)
{
  static const struct {
    const char *name;
    double seconds;
  } units[] = {{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}, {"ns", 1e-9}};
  guint i = 0;
  /* From a tenth of a second on, seconds: as measure.h writes durations. */
  while (i + 1 < G_N_ELEMENTS(units) && largest < units[i].seconds * (i == 0 ? 0.1 : 1))
    i++;
  axis->unit = units[i].name;
  axis->unit_seconds = units[i].seconds;
  double digits = -log10(axis->step / axis->unit_seconds);
  axis->decimals = (int)CLAMP(ceil(digits - 1e-6), 0, 9);
}

OlAxis ol_axis_choose(double begin, double end, guint max_ticks)
{
  OlAxis axis = {0};
  max_ticks = MAX(max_ticks, 2);
  axis.step = nice_step(MAX((end - begin) / max_ticks, 1e-10));
  axis.n = count_ticks(begin, end, axis.step, &axis.first);
  while (axis.n > max_ticks) {
    axis.step = nice_step(axis.step * 1.5);
    axis.n = count_ticks(begin, end, axis.step, &axis.first);
  }
  choose_unit(&axis, MAX(fabs(begin), fabs(end)));
  return axis;
}

double ol_axis_tick(const OlAxis *axis, guint i)
{
  return axis->first + i * axis->step;
}

char *ol_axis_dup_label(const OlAxis *axis, guint i)
{
  double value = ol_axis_tick(axis, i) / axis->unit_seconds;
  if (fabs(value) < axis->step / axis->unit_seconds / 2)
    value = 0; /* never "-0" */
  return g_strdup_printf("%.*f %s", axis->decimals, value, axis->unit);
}
