/* Metrics as people read them. */
#include "engine/trace/metrics.h"

#include "engine/base/intl.h"
#include "engine/base/measure.h"

#include <math.h>
#include <string.h>

#define HASH_DIGITS 4 /* of 16: enough to see that two runs agree */

/* Whole percents from 10 % on, tenths below, and no "0 %" for what is merely small. */
static char *dup_fraction(double value)
{
  double percent = 100 * value;
  if (percent != 0 && fabs(percent) < 0.05)
    return g_strdup(percent > 0 ? _("under 0.1 %") : "0 %");
  if (fabs(percent) >= 9.95 || percent == round(percent))
    return g_strdup_printf("%.0f %%", percent);
  return g_strdup_printf("%.1f %%", percent);
}

static char *dup_number(double value)
{
  if (value == round(value) || fabs(value) >= 1e4)
    return ol_measure_dup_count(value);
  return g_strdup_printf("%.4g", value);
}

static char *dup_text(const char *path, const char *text)
{
  if (strcmp(path, "weights.hash") == 0 && strlen(text) > HASH_DIGITS)
    return g_strdup_printf("%.*s…", HASH_DIGITS, text);
  if (g_str_has_prefix(path, "largest."))
    return g_strdup(ol_payload_name(ol_payload_from_nick(text, -1)));
  if (strcmp(path, "outcome") == 0)
    return g_strdelimit(g_strdup(text), "_", ' ');
  return g_strdup(text);
}

char *ol_metrics_dup_words(const OlMetrics *metrics, const char *path)
{
  double value;
  const char *text = ol_metrics_get_text(metrics, path);
  if (text)
    return dup_text(path, text);
  if (!ol_metrics_get_number(metrics, path, &value))
    return NULL;
  switch (ol_metrics_measure(path)) {
  case OL_MEASURE_BYTES:
    return ol_measure_dup_bytes(value);
  case OL_MEASURE_SECONDS:
    return ol_measure_dup_seconds(value);
  case OL_MEASURE_FRACTION:
    return dup_fraction(value);
  default:
    return dup_number(value);
  }
}
