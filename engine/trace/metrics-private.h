/* How the files that compute metrics hand them in. */
#pragma once

#include "engine/trace/metrics.h"

G_BEGIN_DECLS

/* The steps that per-step figures are means over: all that ended but the first, or that one. */
typedef struct {
  GArray *numbers; /* guint: step numbers, ascending */
} OlMeasuredSteps;

/* Its place among the measured steps, or -1. */
int ol_measured_steps_find(const OlMeasuredSteps *steps, int step);

/* `value` that is not finite is absent. */
void ol_metrics_put_number(OlMetrics *metrics, double value, const char *path);
void ol_metrics_put_text(OlMetrics *metrics, const char *text, const char *path);
/* values: [ranks], NAN where unknown. The path itself becomes the largest, all. the sum when every
 * rank's is known. */
void ol_metrics_put_ranks(OlMetrics *metrics, const double *values, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* peak.*, home.*, largest.*, *.bytes_per_parameter */
void ol_metrics_add_memory(OlMetrics *metrics, const OlTrace *trace);
/* moved.*, total.moved.*, count.* */
void ol_metrics_add_traffic(OlMetrics *metrics, const OlTrace *trace, const OlMeasuredSteps *steps);
/* busy.*, exposed.*, hidden.fraction: long. FALSE when it is to stop. */
gboolean ol_metrics_add_overlap(OlMetrics *metrics, const OlTrace *trace,
                                const OlMeasuredSteps *steps, const OlWatch *watch, GError **error);
/* critical.*, bubble.fraction: long, too. FALSE when it is to stop. */
gboolean ol_metrics_add_schedule(OlMetrics *metrics, const OlTrace *trace,
                                 const OlMeasuredSteps *steps, const OlWatch *watch,
                                 GError **error);

G_END_DECLS
