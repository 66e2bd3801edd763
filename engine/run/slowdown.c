#include "engine/run/slowdown.h"

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/run/cost.h"
#include "engine/run/simulator.h"
#include "engine/run/timetable.h"

#include <math.h>

/* Design section 4: real work under 0.6 of the cores. */
#define BUSY_SHARE       0.6
#define SLOWEST_SECONDS  5.0
#define TRIED_STEPS      3u
#define LARGEST_SLOWDOWN 1e12
/* Where lanes share a core, one that wakes waits for others' turns there, which end with a tick of
 * 250 Hz: three ticks at most were seen, whether one or four ranks to a core. */
#define TURNS_SECONDS (3 * 0.004)

/* One config, and what of it does not depend on the slow-down. */
typedef struct {
  OlPlan *plan;
  OlCosts *costs;
  gint64 *floor;       /* [nodes], ns that each takes at least */
  double real_work;    /* seconds of cores a step */
  double wake_seconds; /* that a lane may wake late which holds a node until its due */
} Candidate;

static void clear_candidate(gpointer data)
{
  Candidate *candidate = data;
  ol_plan_free(candidate->plan);
  ol_costs_free(candidate->costs);
  g_free(candidate->floor);
}

/* The next step up in 1, 2, 5 × 10^k, from `value` itself when it is one. */
double ol_slowdown_round_up(double value)
{
  double power = pow(10, floor(log10(value)));
  static const double figures[] = {1, 2, 5, 10};
  for (guint i = 0; i < G_N_ELEMENTS(figures); i++)
    if (figures[i] * power >= value * (1 - 1e-9))
      return figures[i] * power;
  return 10 * power;
}

/* Of cores: a transfer by the drive needs next to none. */
static double real_work(const OlGraph *graph, const OlCosts *costs)
{
  double sum = 0;
  for (guint i = 0; i < costs->n; i++) {
    const OlGraphNode *node = ol_graph_node(graph, i);
    if (node->part == OL_PART_STEP && !ol_lane_is_drive(node->lane))
      sum += costs->real[i];
  }
  return sum;
}

/* Real work, on its share of a core, or of the one drive that all ranks have here. Ranks of a plan
 * do much the same at the same time. */
static gint64 *dup_floor(const OlGraph *graph, const OlCosts *costs, guint cores)
{
  gint64 *floor = g_new(gint64, costs->n);
  double on_core = MAX(1, (double)graph->n_ranks / cores), on_drive = graph->n_ranks;
  for (guint i = 0; i < costs->n; i++) {
    double sharers = ol_lane_is_drive(ol_graph_node(graph, i)->lane) ? on_drive : on_core;
    floor[i] = llround((double)ol_costs_ns(costs, i, NAN) * sharers);
  }
  return floor;
}

static gboolean uses_drive(const OlGraph *graph)
{
  for (guint i = 0; i < graph->nodes->len; i++)
    if (ol_lane_is_drive(ol_graph_node(graph, i)->lane))
      return TRUE;
  return FALSE;
}

/* Of each of several ranks two lanes work at a time, compute and peer. */
static double wake_seconds(const OlGraph *graph, const OlCalibration *calibration)
{
  gboolean shares = graph->n_ranks > 1 && 2 * graph->n_ranks > calibration->cores;
  guint wakers = uses_drive(graph) ? 2 : 1; /* the drive's thread wakes first, then the lane */
  return calibration->wake_seconds + (shares ? wakers * TURNS_SECONDS : 0);
}

static gboolean is_in_time(const Candidate *candidate, double slowdown,
                           const OlCalibration *calibration)
{
  double step = ol_simulate_step_seconds(candidate->plan, candidate->costs, slowdown);
  if (candidate->real_work > BUSY_SHARE * calibration->cores * step)
    return FALSE;
  g_autoptr(OlTimetable) timetable =
      ol_timetable_new(candidate->plan->graph, candidate->costs, slowdown, candidate->floor);
  for (guint i = 0; i < MIN(candidate->plan->config->steps, TRIED_STEPS); i++)
    ol_timetable_advance(timetable, OL_PART_STEP);
  double late = (double)ol_timetable_lateness(timetable) / OL_NS_PER_SECOND;
  return late + candidate->wake_seconds <= OL_LATE_SHARE * step;
}

static gboolean all_in_time(GArray *candidates, double slowdown, const OlCalibration *calibration)
{
  for (guint i = 0; i < candidates->len; i++)
    if (!is_in_time(&g_array_index(candidates, Candidate, i), slowdown, calibration))
      return FALSE;
  return TRUE;
}

/* The slow-down at which the quickest run takes `seconds` a step, or less if the slowest would then
 * take over 5 s. */
static double for_the_eye(GArray *candidates, double seconds)
{
  double quickest = INFINITY, slowest = 0;
  for (guint i = 0; i < candidates->len; i++) {
    const Candidate *candidate = &g_array_index(candidates, Candidate, i);
    /* At a high slow-down rounding to ns does not matter. */
    double step = ol_simulate_step_seconds(candidate->plan, candidate->costs, 1e3) / 1e3;
    quickest = MIN(quickest, step);
    slowest = MAX(slowest, step);
  }
  double wanted = ol_slowdown_round_up(seconds / quickest);
  double most = SLOWEST_SECONDS / slowest;
  /* The next lower of 1, 2, 5 × 10^k that keeps the slowest under its limit. */
  return wanted <= most ? wanted : ol_slowdown_round_up(most / 2.5);
}

static gboolean add_candidate(GArray *candidates, const OlRunConfig *config,
                              const char *data_folder, const OlCalibration *calibration,
                              GError **error)
{
  g_autoptr(OlMachine) machine = ol_machine_new(config, data_folder, error);
  if (machine == NULL)
    return FALSE;
  OlPlan *plan = ol_plan_new(config, machine);
  OlCosts *costs = ol_costs_new(plan, machine, calibration);
  Candidate candidate = {.plan = plan,
                         .costs = costs,
                         .floor = dup_floor(plan->graph, costs, calibration->cores),
                         .real_work = real_work(plan->graph, costs),
                         .wake_seconds = wake_seconds(plan->graph, calibration)};
  g_array_append_val(candidates, candidate);
  return TRUE;
}

/* Sets *slowdown and returns TRUE when the configs set one; they must agree. */
static gboolean find_set_value(const OlRunConfig *const *configs, guint n, double *slowdown,
                               GError **error)
{
  *slowdown = 0;
  for (guint i = 0; i < n; i++) {
    double set = configs[i]->hardware.slowdown;
    if (set == 0)
      continue;
    if (*slowdown != 0 && set != *slowdown) {
      g_set_error(
          error, OL_ERROR, OL_ERROR_BAD_INPUT,
          _("hardware.slowdown: runs of one experiment share one clock, but it is %g in one "
            "and %g in another"),
          *slowdown, set);
      return FALSE;
    }
    *slowdown = set;
  }
  return TRUE;
}

/* A drive's rates are measured only when something lies on it. */
static void get_calibration(const OlRunConfig *const *configs, guint n, OlCalibration *calibration)
{
  ol_calibration_get(NULL, configs[0]->hardware.compute_threads, calibration);
  for (guint i = 0; i < n; i++)
    if (configs[i]->placement.optimizer == OL_TIER_NVME ||
        configs[i]->placement.weights == OL_TIER_NVME) {
      ol_calibration_add_disk(NULL, configs[i]->hardware.nvme_folder, calibration);
      return;
    }
}

gboolean ol_slowdown_choose(const OlRunConfig *const *configs, guint n, const char *data_folder,
                            double seconds_a_step, double *slowdown, GError **error)
{
  g_return_val_if_fail(n > 0, FALSE);
  if (!find_set_value(configs, n, slowdown, error))
    return FALSE;
  if (*slowdown != 0)
    return TRUE;

  OlCalibration calibration;
  get_calibration(configs, n, &calibration);
  return ol_slowdown_choose_for(&calibration, configs, n, data_folder, seconds_a_step, slowdown,
                                error);
}

gboolean ol_slowdown_choose_for(const OlCalibration *calibration, const OlRunConfig *const *configs,
                                guint n, const char *data_folder, double seconds_a_step,
                                double *slowdown, GError **error)
{
  g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(Candidate));
  g_array_set_clear_func(candidates, clear_candidate);
  for (guint i = 0; i < n; i++)
    if (!add_candidate(candidates, configs[i], data_folder, calibration, error))
      return FALSE;

  double s = seconds_a_step > 0 ? MAX(1, for_the_eye(candidates, seconds_a_step)) : 1;
  while (!all_in_time(candidates, s, calibration) && s < LARGEST_SLOWDOWN)
    s = ol_slowdown_round_up(s * 1.5);
  *slowdown = s;
  return TRUE;
}
