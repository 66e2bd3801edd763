#include "tests/run/rank-runs.h"
#include "tests/run/run-fixture.h"

#include "engine/base/clock.h"
#include "engine/plan/estimate.h"
#include "engine/run/bell.h"
#include "engine/run/simulator.h"
#include <math.h>
#include <pthread.h>
#include <string.h>

/* ---- running ---- */

/* A run takes some tenths of a second, however busy the machine. */
#define HANGS_NS (60 * OL_NS_PER_SECOND)

typedef struct {
  OlControl *control;
  OlBell bell;
  atomic_bool over;
} Watch;

static gboolean is_over(gconstpointer data)
{
  return atomic_load(&((const Watch *)data)->over);
}

static void *watch(void *data)
{
  Watch *watch = data;
  if (!ol_bell_sleep(&watch->bell, is_over, watch, HANGS_NS))
    ol_control_stop(watch->control);
  return NULL;
}

OlRun *rank_run(const OlRunConfig *config, const OlRunOptions *options)
{
  Watch watched = {.control = ol_control_new()};
  OlRunOptions own = options ? *options : (OlRunOptions){.poison = TRUE};
  g_autoptr(GError) error = NULL;
  pthread_t watcher;
  own.control = watched.control;
  OlRun *run = ol_run_new(config, &own, &error);
  ck_assert_msg(run != NULL, "%s", error ? error->message : "");
  ol_bell_init(&watched.bell);
  ck_assert_int_eq(pthread_create(&watcher, NULL, watch, &watched), 0);
  ol_run_execute(run);
  atomic_store(&watched.over, TRUE);
  ol_bell_ring(&watched.bell);
  pthread_join(watcher, NULL);
  ol_bell_clear(&watched.bell);
  ol_control_unref(watched.control);
  return run;
}

guint rank_run_count_threads(void)
{
  g_autoptr(GDir) tasks = g_dir_open("/proc/self/task", 0, NULL);
  guint n = 0;
  ck_assert_ptr_nonnull(tasks);
  while (g_dir_read_name(tasks))
    n++;
  return n;
}

/* A thread that was joined may be listed for a moment still, and a sanitizer starts one of its own.
 */
void rank_run_expect_threads(guint n)
{
  gint64 begin = ol_clock_now_ns();
  guint most = n + (IS_SANITIZED ? 1 : 0);
  while (rank_run_count_threads() > most && ol_clock_now_ns() - begin < 5 * OL_NS_PER_SECOND)
    g_usleep(1000);
  ck_assert_uint_le(rank_run_count_threads(), most);
}

/* ---- bytes ---- */

static gboolean is_about_bytes(const char *path)
{
  return ol_metrics_measure(path) == OL_MEASURE_BYTES || strstr(path, "count.") ||
         strstr(path, "bytes_per_parameter");
}

/* Figures that `a` has and `b` has not alike. */
static void compare_figures(const OlMetrics *a, const OlMetrics *b, GString *faults)
{
  guint n = 0;
  g_autofree const char **paths = ol_metrics_get_paths(a, &n);
  for (guint i = 0; i < n; i++) {
    double x = NAN, y = NAN;
    if (!is_about_bytes(paths[i]) || !ol_metrics_get_number(a, paths[i], &x))
      continue;
    if (!ol_metrics_get_number(b, paths[i], &y) || x != y)
      g_string_append_printf(faults, "%s: %.17g and %.17g\n", paths[i], x, y);
  }
}

static void compare_number(const OlMetrics *metrics, const char *path, guint64 expected,
                           GString *faults)
{
  double value = 0; /* absent: nothing lies there */
  ol_metrics_get_number(metrics, path, &value);
  if (value != (double)expected)
    g_string_append_printf(faults, "%s: %.17g, not %" G_GUINT64_FORMAT "\n", path, value, expected);
}

static void compare_rank(const OlPlan *plan, guint rank, const OlMetrics *metrics, GString *faults)
{
  OlEstimate estimate = ol_estimate(plan->config, rank);
  for (guint tier = 0; tier < OL_N_TIERS; tier++)
    for (guint payload = 0; payload < OL_N_PAYLOADS; payload++) {
      g_autofree char *path =
          g_strdup_printf("rank.%u.home.%s.%s", rank, ol_tier_nick(tier), ol_payload_nick(payload));
      compare_number(metrics, path, estimate.home[tier][payload], faults);
    }
  const struct {
    const char *group;
    guint64 bytes;
  } groups[] = {{"data", estimate.data},
                {"pipeline", estimate.stages},
                {"tensor", estimate.slices},
                {"world", estimate.norms}};
  for (guint i = 0; i < G_N_ELEMENTS(groups); i++) {
    g_autofree char *path = g_strdup_printf("rank.%u.moved.peer.%s", rank, groups[i].group);
    compare_number(metrics, path, groups[i].bytes, faults);
  }
  g_autofree char *peer = g_strdup_printf("rank.%u.moved.peer", rank);
  compare_number(metrics, peer, estimate.data + estimate.stages + estimate.slices + estimate.norms,
                 faults);
}

static void compare_plan(const OlPlan *plan, const OlMetrics *metrics, GString *faults)
{
  for (guint tier = 0; tier < OL_N_TIERS; tier++) {
    g_autofree char *total = g_strdup_printf("peak.%s.total", ol_tier_nick(tier));
    g_autofree char *arena = g_strdup_printf("peak.%s.arena", ol_tier_nick(tier));
    compare_number(metrics, total, plan->peak_total[tier], faults);
    compare_number(metrics, arena, plan->arena_bytes[tier], faults);
    for (guint payload = 0; payload < OL_N_PAYLOADS; payload++) {
      g_autofree char *path =
          g_strdup_printf("peak.%s.%s", ol_tier_nick(tier), ol_payload_nick(payload));
      compare_number(metrics, path, plan->peak[tier][payload], faults);
    }
  }
  for (guint rank = 0; rank < plan->graph->n_ranks; rank++)
    compare_rank(plan, rank, metrics, faults);
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

static void compare_spans(const OlPlan *plan, const OlTrace *trace, GString *faults)
{
  guint n = plan->graph->nodes->len;
  g_autofree guint *ran = g_new0(guint, n);
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    guint64 planned = ol_graph_node(plan->graph, span->node)->bytes;
    ran[span->node]++;
    if (span->bytes != planned)
      g_string_append_printf(
          faults, "node %u of step %d moved %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT "\n",
          span->node, span->step, span->bytes, planned);
  }
  for (guint id = 0; id < n; id++) {
    guint expected = expected_spans(ol_graph_node(plan->graph, id), plan->config->steps);
    if (ran[id] != expected)
      g_string_append_printf(faults, "node %u ran %u times, not %u\n", id, ran[id], expected);
  }
}

char *rank_run_dup_fault(OlRun *run)
{
  const OlPlan *plan = ol_run_get_plan(run);
  const OlTrace *trace = ol_run_get_trace(run);
  g_autoptr(GString) faults = g_string_new(NULL);
  g_autoptr(OlCosts) costs = ol_costs_new(plan, ol_run_get_machine(run), NULL);
  g_autoptr(OlTrace) simulated = ol_simulate(plan, ol_run_get_machine(run), costs, 1);
  g_autoptr(OlMetrics) of_run = ol_metrics_new(trace);
  g_autoptr(OlMetrics) of_simulation = ol_metrics_new(simulated);
  compare_figures(of_run, of_simulation, faults);
  compare_figures(of_simulation, of_run, faults);
  compare_plan(plan, of_run, faults);
  compare_spans(plan, trace, faults);
  return faults->len > 0 ? g_strdup(faults->str) : NULL;
}
