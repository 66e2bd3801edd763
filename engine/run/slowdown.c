#include "engine/run/slowdown.h"

#include "engine/base/clock.h"
#include "engine/base/error.h"
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

typedef struct {
  OlPlan *plan;
  OlCosts *costs;
} Candidate;

static void clear_candidate(gpointer data)
{
  Candidate *candidate = data;
  ol_plan_free(candidate->plan);
  ol_costs_free(candidate->costs);
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

static gboolean is_by_drive(const OlGraphNode *node)
{
  return node->lane == OL_LANE_NVME_READ || node->lane == OL_LANE_NVME_WRITE;
}

static gboolean uses_drive(const Candidate *candidate)
{
  for (guint i = 0; i < candidate->costs->n; i++)
    if (is_by_drive(ol_graph_node(candidate->plan->graph, i)))
      return TRUE;
  return FALSE;
}

/* Of cores: a transfer by the drive needs next to none. */
static double real_work(const Candidate *candidate)
{
  double sum = 0;
  for (guint i = 0; i < candidate->costs->n; i++) {
    const OlGraphNode *node = ol_graph_node(candidate->plan->graph, i);
    if (node->part == OL_PART_STEP && !is_by_drive(node))
      sum += candidate->costs->real[i];
  }
  return sum;
}

/* Ranks on one core: those of a plan do much the same at the same time. */
static double ranks_a_core(const Candidate *candidate, const OlCalibration *calibration)
{
  return MAX(1, (double)candidate->plan->graph->n_ranks / calibration->cores);
}

/* What each node takes at least, in ns: its real work, on its share of a core, or of the one drive
 * that all ranks have here. */
static gint64 *dup_floor(const Candidate *candidate, const OlCalibration *calibration)
{
  gint64 *floor = g_new(gint64, candidate->costs->n);
  const OlGraph *graph = candidate->plan->graph;
  double on_core = ranks_a_core(candidate, calibration), on_drive = graph->n_ranks;
  for (guint i = 0; i < candidate->costs->n; i++) {
    double sharers = is_by_drive(ol_graph_node(graph, i)) ? on_drive : on_core;
    floor[i] = llround((double)ol_costs_ns(candidate->costs, i, NAN) * sharers);
  }
  return floor;
}

/* How late a lane may wake that holds a node until its due. Of each of several ranks two lanes work
 * at a time, compute and peer. */
static double wake_seconds(const Candidate *candidate, const OlCalibration *calibration)
{
  guint ranks = candidate->plan->graph->n_ranks;
  gboolean shares = ranks > 1 && 2 * ranks > calibration->cores;
  guint wakers = uses_drive(candidate) ? 2 : 1; /* the drive's thread wakes first, then the lane */
  return calibration->wake_seconds + (shares ? wakers * TURNS_SECONDS : 0);
}

static gboolean is_in_time(const Candidate *candidate, double slowdown,
                           const OlCalibration *calibration)
{
  double step = ol_simulate_step_seconds(candidate->plan, candidate->costs, slowdown);
  if (real_work(candidate) > BUSY_SHARE * calibration->cores * step)
    return FALSE;
  g_autofree gint64 *floor = dup_floor(candidate, calibration);
  g_autoptr(OlTimetable) timetable =
      ol_timetable_new(candidate->plan->graph, candidate->costs, slowdown, floor);
  for (guint i = 0; i < MIN(candidate->plan->config->steps, TRIED_STEPS); i++)
    ol_timetable_advance(timetable, OL_PART_STEP);
  double late = (double)ol_timetable_lateness(timetable) / OL_NS_PER_SECOND;
  return late + wake_seconds(candidate, calibration) <= OL_LATE_SHARE * step;
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
  Candidate candidate = {plan, ol_costs_new(plan, machine, calibration)};
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
      g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                  "hardware.slowdown: runs of one experiment share one clock, but it is %g in one "
                  "and %g in another",
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
