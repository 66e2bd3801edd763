#include "tests/run/rank-runs.h"

#include "tests/run/live-run.h"
#include "tests/run/run-checks.h"
#include "tests/run/run-fixture.h"

#include "engine/base/clock.h"
#include "engine/plan/estimate.h"

/* ---- running ---- */

OlRun *rank_run(const OlRunConfig *config, const OlRunOptions *options)
{
  const OlRunOptions usual = {.poison = TRUE};
  return live_run_watched(config, options ? options : &usual);
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

static void compare_rank(const OlPlan *plan, guint rank, const OlMetrics *metrics, GString *faults)
{
  OlEstimate estimate = ol_estimate(plan->config, rank);
  for (guint tier = 0; tier < OL_N_TIERS; tier++)
    for (guint payload = 0; payload < OL_N_PAYLOADS; payload++) {
      g_autofree char *path =
          g_strdup_printf("rank.%u.home.%s.%s", rank, ol_tier_nick(tier), ol_payload_nick(payload));
      check_number(metrics, path, estimate.home[tier][payload], faults);
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
    check_number(metrics, path, groups[i].bytes, faults);
  }
  g_autofree char *peer = g_strdup_printf("rank.%u.moved.peer", rank);
  check_number(metrics, peer, estimate.data + estimate.stages + estimate.slices + estimate.norms,
               faults);
}

char *rank_run_dup_fault(OlRun *run)
{
  const OlPlan *plan = ol_run_get_plan(run);
  g_autoptr(GString) faults = g_string_new(NULL);
  g_autoptr(OlMetrics) metrics = ol_metrics_new(ol_run_get_trace(run));
  check_simulation(run, metrics, faults);
  check_peaks(plan, metrics, faults);
  for (guint rank = 0; rank < plan->graph->n_ranks; rank++)
    compare_rank(plan, rank, metrics, faults);
  check_spans(plan, ol_run_get_trace(run), faults);
  return faults->len > 0 ? g_strdup(faults->str) : NULL;
}
