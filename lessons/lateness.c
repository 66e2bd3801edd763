#include "lessons/lateness.h"

#include <string.h>

const char *ol_metric_skip_rank(const char *metric)
{
  if (g_str_has_prefix(metric, "all."))
    return metric + strlen("all.");
  if (!g_str_has_prefix(metric, "rank."))
    return metric;
  const char *dot = strchr(metric + strlen("rank."), '.');
  return dot != NULL ? dot + 1 : metric;
}

gboolean ol_metric_is_time(const char *metric)
{
  static const char *const times[] = {"busy.",           "exposed.",        "critical.",
                                      "hidden.fraction", "bubble.fraction", "tokens.per_second"};
  const char *name = ol_metric_skip_rank(metric);
  for (guint i = 0; i < G_N_ELEMENTS(times); i++)
    if (g_str_has_prefix(name, times[i]))
      return TRUE;
  /* step.seconds_there is simulated: no late run can touch it. */
  return g_str_equal(name, "step.seconds");
}
