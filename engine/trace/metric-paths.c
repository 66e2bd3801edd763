#include "engine/trace/metric-paths-private.h"

#include "engine/base/words.h"

#include <string.h>

/* What follows a stem. */
typedef enum {
  ARGUMENT_NONE,
  ARGUMENT_LANE,
  ARGUMENT_LINK, /* a lane other than compute */
  ARGUMENT_OP,
  ARGUMENT_GROUP,
  ARGUMENT_TIER,
  ARGUMENT_HELD, /* a tier and what it holds: a payload or the total */
  ARGUMENT_PEAK, /* the same, or the arena */
} Argument;

static const struct {
  OlMetricFamily family;
  Argument argument;
} families[] = {
    {{"moved", OL_MEASURE_BYTES, TRUE}, ARGUMENT_LANE},
    {{"moved.peer", OL_MEASURE_BYTES, TRUE}, ARGUMENT_GROUP},
    {{"total.moved", OL_MEASURE_BYTES, TRUE}, ARGUMENT_LANE},
    {{"busy", OL_MEASURE_SECONDS, TRUE}, ARGUMENT_LANE},
    {{"exposed", OL_MEASURE_SECONDS, TRUE}, ARGUMENT_LINK},
    {{"exposed.seconds", OL_MEASURE_SECONDS, TRUE}, ARGUMENT_NONE},
    {{"critical", OL_MEASURE_FRACTION, FALSE}, ARGUMENT_LANE},
    {{"hidden.fraction", OL_MEASURE_FRACTION, FALSE}, ARGUMENT_NONE},
    {{"bubble.fraction", OL_MEASURE_FRACTION, FALSE}, ARGUMENT_NONE},
    {{"peak", OL_MEASURE_BYTES, TRUE}, ARGUMENT_PEAK},
    {{"home", OL_MEASURE_BYTES, TRUE}, ARGUMENT_HELD},
    {{"largest", OL_MEASURE_TEXT, FALSE}, ARGUMENT_TIER},
    {{"state.bytes_per_parameter", OL_MEASURE_BYTES, TRUE}, ARGUMENT_NONE},
    {{"weights.bytes_per_parameter", OL_MEASURE_BYTES, TRUE}, ARGUMENT_NONE},
    {{"gradients.bytes_per_parameter", OL_MEASURE_BYTES, TRUE}, ARGUMENT_NONE},
    {{"total.bytes_per_parameter", OL_MEASURE_BYTES, TRUE}, ARGUMENT_NONE},
    {{"step.seconds", OL_MEASURE_SECONDS, FALSE}, ARGUMENT_NONE},
    {{"step.seconds_there", OL_MEASURE_SECONDS, FALSE}, ARGUMENT_NONE},
    {{"tokens.per_second", OL_MEASURE_NUMBER, FALSE}, ARGUMENT_NONE},
    {{"loss.first", OL_MEASURE_NUMBER, FALSE}, ARGUMENT_NONE},
    {{"loss.last", OL_MEASURE_NUMBER, FALSE}, ARGUMENT_NONE},
    {{"loss.all", OL_MEASURE_TEXT, FALSE}, ARGUMENT_NONE},
    {{"weights.hash", OL_MEASURE_TEXT, FALSE}, ARGUMENT_NONE},
    {{"nvme.path", OL_MEASURE_TEXT, FALSE}, ARGUMENT_NONE},
    {{"outcome", OL_MEASURE_TEXT, FALSE}, ARGUMENT_NONE},
    {{"late", OL_MEASURE_FRACTION, FALSE}, ARGUMENT_NONE},
    {{"count", OL_MEASURE_NUMBER, TRUE}, ARGUMENT_OP},
};

static gboolean is_held(const char *text, gboolean arena)
{
  const char *dot = strchr(text, '.');
  if (!dot || ol_tier_from_nick(text, dot - text) < 0)
    return FALSE;
  return strcmp(dot + 1, "total") == 0 || (arena && strcmp(dot + 1, "arena") == 0) ||
         ol_payload_from_nick(dot + 1, -1) >= 0;
}

static gboolean fits(Argument argument, const char *text)
{
  switch (argument) {
  case ARGUMENT_NONE:
    return FALSE;
  case ARGUMENT_LANE:
    return ol_lane_from_nick(text, -1) >= 0;
  case ARGUMENT_LINK:
    return ol_lane_from_nick(text, -1) > OL_LANE_COMPUTE;
  case ARGUMENT_OP:
    return ol_op_from_nick(text, -1) >= 0;
  case ARGUMENT_GROUP:
    return ol_group_from_nick(text, -1) > OL_GROUP_NONE;
  case ARGUMENT_TIER:
    return ol_tier_from_nick(text, -1) >= 0;
  case ARGUMENT_HELD:
  case ARGUMENT_PEAK:
    return is_held(text, argument == ARGUMENT_PEAK);
  }
  return FALSE;
}

static const OlMetricFamily *find_family(const char *base)
{
  for (guint i = 0; i < G_N_ELEMENTS(families); i++) {
    const char *stem = families[i].family.stem;
    gsize length = strlen(stem);
    if (strncmp(base, stem, length) != 0)
      continue;
    if (families[i].argument == ARGUMENT_NONE
            ? base[length] == 0
            : base[length] == '.' && fits(families[i].argument, base + length + 1))
      return &families[i].family;
  }
  return NULL;
}

/* "rank.12." or "all.": past it, or the path itself when nothing stands in front. NULL: a rank that
 * is no number. */
static const char *skip_front(const char *path, int *rank)
{
  *rank = OL_LARGEST_RANK;
  if (g_str_has_prefix(path, "all.")) {
    *rank = OL_ALL_RANKS;
    return path + strlen("all.");
  }
  if (!g_str_has_prefix(path, "rank."))
    return path;
  const char *digits = path + strlen("rank."), *at = digits;
  for (*rank = 0; g_ascii_isdigit(*at) && at - digits < 6; at++)
    *rank = *rank * 10 + (*at - '0');
  if (at == digits || *at != '.' || (*digits == '0' && at - digits > 1))
    return NULL;
  return at + 1;
}

const OlMetricFamily *ol_metric_path_parse(const char *path, int *rank, const char **base)
{
  int front;
  const char *rest = skip_front(path, &front);
  const OlMetricFamily *family = rest ? find_family(rest) : NULL;
  if (!family || (front != OL_LARGEST_RANK && !family->by_rank))
    return NULL;
  if (rank)
    *rank = front;
  if (base)
    *base = rest;
  return family;
}

gboolean ol_metrics_path_is_known(const char *path)
{
  return ol_metric_path_parse(path, NULL, NULL) != NULL;
}

OlMeasure ol_metrics_measure(const char *path)
{
  const OlMetricFamily *family = ol_metric_path_parse(path, NULL, NULL);
  return family ? family->measure : OL_MEASURE_NUMBER;
}
