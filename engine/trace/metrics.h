/* Everything a lesson may quote, by path: a number or a text, computed from a trace alone.
 *
 * contracts.md ("Metrics") defines each: moved.<lane>, busy.<lane>, exposed.<lane>,
 * exposed.seconds, critical.<lane>, hidden.fraction, bubble.fraction, peak.<tier>.<payload|total|
 * arena>, home.<tier>.<payload|total>, largest.<tier> (the payload that holds most at the peak),
 * <state|weights|gradients|total>.bytes_per_parameter (homes on all tiers), step.seconds,
 * step.seconds_there, tokens.per_second, loss.first, loss.last, loss.all, weights.hash, nvme.path,
 * outcome, late, total.moved.<lane>, moved.peer.<group> (between the ranks of a group), count.<op>;
 * `rank.N.` and `all.` in front of byte and time metrics of one rank, bytes per parameter and
 * counts. Without them: the largest rank's.
 *
 * Per-step figures are means over all steps that have ended but the first (counts too, save those
 * of fill and hash). A metric with denominator 0 is absent. Byte metrics are bytes, times seconds
 * here, busy and exposed seconds a step. Measured or simulated is the trace's `source`. */
#pragma once

#include "engine/base/watch.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef struct OlMetrics OlMetrics;

OlMetrics *ol_metrics_new(const OlTrace *trace);
/* The same with somebody who looks on: NULL with OL_ERROR_STOPPED when it is to stop. */
OlMetrics *ol_metrics_new_watched(const OlTrace *trace, const OlWatch *watch, GError **error);
void ol_metrics_free(OlMetrics *metrics);

/* FALSE / NULL when absent. Texts are borrowed. */
gboolean ol_metrics_get_number(const OlMetrics *metrics, const char *path, double *value);
const char *ol_metrics_get_text(const OlMetrics *metrics, const char *path);

/* All present paths, sorted; borrowed strings, caller frees the array with g_free(). */
const char **ol_metrics_get_paths(const OlMetrics *metrics, guint *n);

/* One flat JSON object, path to number or text. Caller frees. */
char *ol_metrics_dup_json(const OlMetrics *metrics);

/* Whether any trace could have this path: the course loader refuses unknown ones. */
gboolean ol_metrics_path_is_known(const char *path);

typedef enum {
  OL_MEASURE_NUMBER,
  OL_MEASURE_BYTES,
  OL_MEASURE_SECONDS,
  OL_MEASURE_FRACTION,
  OL_MEASURE_TEXT
} OlMeasure;
OlMeasure ol_metrics_measure(const char *path);

/* "0.71 s", "75 %", "18.1 MiB", "9c01…": the value as people read it; NULL when absent. */
char *ol_metrics_dup_words(const OlMetrics *metrics, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlMetrics, ol_metrics_free)

G_END_DECLS
