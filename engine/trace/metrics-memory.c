/* Metrics of memory: what each tier held at most and what is at home there. */
#include "engine/trace/metrics-private.h"

#include <math.h>

/* One tier of one rank, as the changes go by. */
typedef struct {
  gint64 held[OL_N_PAYLOADS], held_total;
  gint64 peak[OL_N_PAYLOADS], peak_total;
  OlPayload largest; /* at the peak of the total */
  gint64 home[OL_N_PAYLOADS];
} Tier;

static OlPayload largest_payload(const gint64 *held)
{
  OlPayload largest = 0;
  for (guint payload = 1; payload < OL_N_PAYLOADS; payload++)
    if (held[payload] > held[largest])
      largest = payload;
  return largest;
}

static void change_tier(Tier *tier, OlPayload payload, gint64 bytes)
{
  tier->held[payload] += bytes;
  tier->held_total += bytes;
  tier->peak[payload] = MAX(tier->peak[payload], tier->held[payload]);
  if (tier->held_total > tier->peak_total) {
    tier->peak_total = tier->held_total;
    tier->largest = largest_payload(tier->held);
  }
}

/* tiers: [ranks][OL_N_TIERS]. A home is given back when the run ends: what counts is that it was
 * there, once. */
static void sweep(const OlTrace *trace, Tier *tiers)
{
  const OlGraph *graph = trace->graph;
  g_autofree guint8 *counted = g_malloc0(graph->buffers->len);
  for (guint i = 0; i < trace->changes->len; i++) {
    const OlMemoryChange *change = ol_trace_change(trace, i);
    const OlGraphBuffer *buffer = ol_graph_buffer(graph, change->buffer);
    Tier *tier = &tiers[buffer->rank * OL_N_TIERS + buffer->tier];
    change_tier(tier, buffer->payload, change->bytes);
    if (buffer->kind == OL_BUFFER_HOME && change->bytes > 0 && !counted[change->buffer]) {
      tier->home[buffer->payload] += change->bytes;
      counted[change->buffer] = TRUE;
    }
  }
}

static double home_total(const Tier *tier)
{
  double total = 0;
  for (guint payload = 0; payload < OL_N_PAYLOADS; payload++)
    total += tier->home[payload];
  return total;
}

/* The highest address used in a rank's tier, where the run has said so. */
static double arena_bytes(const OlTrace *trace, guint rank, OlTier tier)
{
  char path[64];
  double bytes;
  g_snprintf(path, sizeof path, "rank.%u.arena.%s", rank, ol_tier_nick(tier));
  if (ol_trace_get_number(trace, path, &bytes) ||
      ol_trace_get_number(trace, strstr(path, "arena"), &bytes))
    return bytes;
  return NAN;
}

static void add_tier(OlMetrics *metrics, const OlTrace *trace, const Tier *tiers, OlTier tier)
{
  guint n = trace->graph->n_ranks;
  const char *nick = ol_tier_nick(tier);
  g_autofree double *peak = g_new(double, n), *home = g_new(double, n);
  guint fullest = 0;
  for (guint payload = 0; payload < OL_N_PAYLOADS; payload++) {
    for (guint rank = 0; rank < n; rank++) {
      peak[rank] = tiers[rank * OL_N_TIERS + tier].peak[payload];
      home[rank] = tiers[rank * OL_N_TIERS + tier].home[payload];
    }
    ol_metrics_put_ranks(metrics, peak, "peak.%s.%s", nick, ol_payload_nick(payload));
    ol_metrics_put_ranks(metrics, home, "home.%s.%s", nick, ol_payload_nick(payload));
  }
  for (guint rank = 0; rank < n; rank++) {
    peak[rank] = tiers[rank * OL_N_TIERS + tier].peak_total;
    home[rank] = home_total(&tiers[rank * OL_N_TIERS + tier]);
    fullest = peak[rank] > peak[fullest] ? rank : fullest;
  }
  ol_metrics_put_ranks(metrics, peak, "peak.%s.total", nick);
  ol_metrics_put_ranks(metrics, home, "home.%s.total", nick);
  if (n > 0 && peak[fullest] > 0) {
    g_autofree char *path = g_strconcat("largest.", nick, NULL);
    OlPayload largest = tiers[fullest * OL_N_TIERS + tier].largest;
    ol_metrics_put_text(metrics, ol_payload_nick(largest), path);
  }
}

static void add_arenas(OlMetrics *metrics, const OlTrace *trace)
{
  g_autofree double *bytes = g_new(double, trace->graph->n_ranks);
  for (guint tier = 0; tier < OL_N_TIERS; tier++) {
    for (guint rank = 0; rank < trace->graph->n_ranks; rank++)
      bytes[rank] = arena_bytes(trace, rank, tier);
    ol_metrics_put_ranks(metrics, bytes, "peak.%s.arena", ol_tier_nick(tier));
  }
}

/* Homes on all tiers of the payloads first … last, over all the model's parameters. */
static void add_per_parameter(OlMetrics *metrics, const OlTrace *trace, const Tier *tiers,
                              const char *what, OlPayload first, OlPayload last)
{
  guint n = trace->graph->n_ranks;
  g_autofree double *values = g_new0(double, n);
  double parameters = 0;
  for (guint unit = 0; unit < trace->graph->units->len; unit++)
    parameters += ol_graph_unit(trace->graph, unit)->parameters;
  for (guint rank = 0; rank < n; rank++) {
    for (guint tier = 0; tier < OL_N_TIERS; tier++)
      for (guint payload = first; payload <= last; payload++)
        values[rank] += tiers[rank * OL_N_TIERS + tier].home[payload];
    values[rank] = parameters > 0 ? values[rank] / parameters : NAN;
  }
  ol_metrics_put_ranks(metrics, values, "%s.bytes_per_parameter", what);
}

void ol_metrics_add_memory(OlMetrics *metrics, const OlTrace *trace)
{
  add_arenas(metrics, trace);
  if (trace->changes->len == 0)
    return;
  g_autofree Tier *tiers = g_new0(Tier, trace->graph->n_ranks * OL_N_TIERS);
  sweep(trace, tiers);
  for (guint tier = 0; tier < OL_N_TIERS; tier++)
    add_tier(metrics, trace, tiers, tier);
  add_per_parameter(metrics, trace, tiers, "weights", OL_PAYLOAD_WEIGHTS, OL_PAYLOAD_WEIGHTS);
  add_per_parameter(metrics, trace, tiers, "gradients", OL_PAYLOAD_GRADIENTS, OL_PAYLOAD_GRADIENTS);
  add_per_parameter(metrics, trace, tiers, "state", OL_PAYLOAD_MASTER, OL_PAYLOAD_MOMENT2);
  add_per_parameter(metrics, trace, tiers, "total", OL_PAYLOAD_WEIGHTS, OL_PAYLOAD_MOMENT2);
}
