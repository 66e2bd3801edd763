#include "engine/base/measure.h"

#include "engine/base/intl.h"
#include <math.h>
#include <string.h>

/* Three significant figures for what is below 1000, none after the point from 100 on. */
static char *dup_figure(double value, const char *unit)
{
  double size = fabs(value);
  int digits = size >= 99.95 || value == floor(value) ? 0 : size >= 9.995 ? 1 : 2;
  return g_strdup_printf("%.*f %s", digits, value, unit);
}

static char *dup_stepped(double value, double step, const char *const *units, int n)
{
  int i = 0;
  /* What would be printed as a whole step is one of the next unit. */
  while (i + 1 < n && fabs(value) >= step - 0.5) {
    value /= step;
    i++;
  }
  return dup_figure(value, units[i]);
}

char *ol_measure_dup_bytes(double bytes)
{
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  return dup_stepped(bytes, 1024, units, G_N_ELEMENTS(units));
}

char *ol_measure_dup_seconds(double seconds)
{
  static const char *const units[] = {"ns", "µs", "ms"};
  if (seconds == 0)
    return g_strdup("0 s");
  /* From a tenth of a second on, seconds: the scale clock's step times read best so. */
  if (fabs(seconds) >= 0.1)
    return dup_figure(seconds, "s");
  return dup_stepped(seconds * 1e9, 1000, units, G_N_ELEMENTS(units));
}

char *ol_measure_dup_rate(double bytes_per_second)
{
  static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
  return dup_stepped(bytes_per_second, 1000, units, G_N_ELEMENTS(units));
}

/* "49 152": digits in threes, held together by no-break spaces. */
static char *dup_grouped(double count)
{
  g_autofree char *digits = g_strdup_printf("%.0f", fabs(count));
  gsize n = strlen(digits);
  GString *grouped = g_string_new(count < 0 && strcmp(digits, "0") != 0 ? "-" : "");
  for (gsize i = 0; i < n; i++) {
    if (i > 0 && (n - i) % 3 == 0)
      g_string_append(grouped, "\u00a0");
    g_string_append_c(grouped, digits[i]);
  }
  return g_string_free(grouped, FALSE);
}

char *ol_measure_dup_count(double count)
{
  if (fabs(count) >= 1e12)
    return dup_figure(count / 1e12, _("trillion"));
  if (fabs(count) >= 1e9)
    return dup_figure(count / 1e9, _("billion"));
  if (fabs(count) >= 1e6)
    return dup_figure(count / 1e6, _("million"));
  return dup_grouped(count);
}
