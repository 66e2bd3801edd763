#include "tests/run/run-checks.h"

#include "tests/run/run-fixture.h"

#include "engine/run/simulator.h"
#include <math.h>
#include <string.h>

/* ---- bytes ---- */

void check_number(const OlMetrics *metrics, const char *path, guint64 expected, GString *faults)
{
  double value = 0;
  ol_metrics_get_number(metrics, path, &value);
  if (value != (double)expected)
    g_string_append_printf(faults, "%s: %.17g, not %" G_GUINT64_FORMAT "\n", path, value, expected);
}

static void check_peak(const OlMetrics *metrics, OlTier tier, const char *what, guint64 expected,
                       GString *faults)
{
  g_autofree char *path = g_strdup_printf("peak.%s.%s", ol_tier_nick(tier), what);
  check_number(metrics, path, expected, faults);
}

void check_peaks(const OlPlan *plan, const OlMetrics *metrics, GString *faults)
{
  for (guint tier = 0; tier < OL_N_TIERS; tier++) {
    for (guint payload = 0; payload < OL_N_PAYLOADS; payload++)
      check_peak(metrics, tier, ol_payload_nick(payload), plan->peak[tier][payload], faults);
    check_peak(metrics, tier, "total", plan->peak_total[tier], faults);
    check_peak(metrics, tier, "arena", plan->arena_bytes[tier], faults);
  }
}

static gboolean is_about_bytes(const char *path)
{
  return ol_metrics_measure(path) == OL_MEASURE_BYTES || strstr(path, "count.") ||
         strstr(path, "bytes_per_parameter");
}

/* Homes and peaks of seven payloads on three tiers alone are more. */
#define LEAST_FIGURES 42

/* Every figure about bytes that `a` has, `b` has alike. */
static void check_same_figures(const OlMetrics *a, const OlMetrics *b, GString *faults)
{
  guint n = 0, compared = 0;
  g_autofree const char **paths = ol_metrics_get_paths(a, &n);
  for (guint i = 0; i < n; i++) {
    double x = NAN, y = NAN;
    if (!is_about_bytes(paths[i]) || !ol_metrics_get_number(a, paths[i], &x))
      continue;
    if (!ol_metrics_get_number(b, paths[i], &y) || x != y)
      g_string_append_printf(faults, "%s: %.17g and %.17g\n", paths[i], x, y);
    compared++;
  }
  if (compared < LEAST_FIGURES)
    g_string_append_printf(faults, "only %u figures about bytes\n", compared);
}

void check_simulation(OlRun *run, const OlMetrics *of_run, GString *faults)
{
  const OlPlan *plan = ol_run_get_plan(run);
  const OlMachine *machine = ol_run_get_machine(run);
  g_autoptr(OlCosts) costs = ol_costs_new(plan, machine, NULL);
  g_autoptr(OlTrace) simulated = ol_simulate(plan, machine, costs, 1);
  g_autoptr(OlMetrics) of_simulation = ol_metrics_new(simulated);
  check_same_figures(of_run, of_simulation, faults);
  check_same_figures(of_simulation, of_run, faults);
}

static guint expected_spans(const OlGraphNode *node, guint steps)
{
  if (node->part != OL_PART_STEP)
    return 1;
  guint n = 0;
  for (guint step = node->steps_behind; step < steps; step++)
    n += ol_graph_node_is_in_step(node, step);
  return n;
}

void check_spans(const OlPlan *plan, const OlTrace *trace, GString *faults)
{
  guint n = plan->graph->nodes->len;
  g_autofree guint *ran = g_new0(guint, n);
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    guint64 planned = ol_graph_node(plan->graph, span->node)->bytes;
    ran[span->node]++;
    if (span->bytes != planned)
      g_string_append_printf(
          faults, "node %u of step %d moved %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " bytes\n",
          span->node, span->step, span->bytes, planned);
  }
  for (guint id = 0; id < n; id++) {
    guint expected = expected_spans(ol_graph_node(plan->graph, id), plan->config->steps);
    if (ran[id] != expected)
      g_string_append_printf(faults, "node %u ran %u times, not %u\n", id, ran[id], expected);
  }
}

/* ---- numbers ---- */

Right *right_new(OlRun *run)
{
  Right *right = g_new(Right, 1);
  right->hash = g_strdup(fixture_get_hash(run));
  right->steps = g_array_ref(ol_run_get_trace(run)->steps);
  return right;
}

void right_free(gpointer data)
{
  Right *right = data;
  if (!right)
    return;
  g_free(right->hash);
  g_array_unref(right->steps);
  g_free(right);
}

static gboolean is_same(double a, double b)
{
  return a == b || (isnan(a) && isnan(b)); /* a norm is unknown without clipping */
}

void check_right(const OlTrace *trace, const Right *right, GString *faults)
{
  const char *hash = ol_trace_get_text(trace, "weights.hash");
  if (g_strcmp0(hash, right->hash) != 0)
    g_string_append_printf(faults, "weights.hash %s, not %s\n", hash, right->hash);
  if (trace->steps->len != right->steps->len)
    g_string_append_printf(faults, "%u steps, not %u\n", trace->steps->len, right->steps->len);
  for (guint i = 0; i < MIN(trace->steps->len, right->steps->len); i++) {
    const OlStep *step = ol_trace_step(trace, i);
    const OlStep *expected = &g_array_index(right->steps, OlStep, i);
    if (!isfinite(step->loss) || step->loss != expected->loss)
      g_string_append_printf(faults, "loss of step %u is %.17g, not %.17g\n", i, step->loss,
                             expected->loss);
    if (!is_same(step->gradient_norm, expected->gradient_norm))
      g_string_append_printf(faults, "norm of step %u is %.17g, not %.17g\n", i,
                             step->gradient_norm, expected->gradient_norm);
  }
}
