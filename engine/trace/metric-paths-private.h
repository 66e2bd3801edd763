/* Which paths of metrics exist, and what kind of value each has. */
#pragma once

#include "engine/trace/metrics.h"

G_BEGIN_DECLS

typedef struct {
  const char *stem; /* "peak" of peak.gpu.total */
  OlMeasure measure;
  gboolean by_rank; /* rank.N. and all. may stand in front */
} OlMetricFamily;

#define OL_ALL_RANKS    (-1) /* all. */
#define OL_LARGEST_RANK (-2) /* nothing in front */

/* The family of a path, or NULL when no trace can have it. rank: N, OL_ALL_RANKS or
 * OL_LARGEST_RANK; base: the path without what stands in front. Both may be NULL. */
const OlMetricFamily *ol_metric_path_parse(const char *path, int *rank, const char **base);

G_END_DECLS
