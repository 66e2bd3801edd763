#include "engine/run/run.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/config/plan-size.h"
#include "engine/device/plugin.h"
#include "engine/run/agree.h"
#include "engine/run/begin-trace.h"
#include "engine/run/calibration.h"
#include "engine/run/cost.h"
#include "engine/run/executor.h"
#include "engine/run/simulator.h"
#include "engine/run/slowdown.h"
#include <math.h>

struct OlRun {
  OlRunOptions options;
  char *calibration_path;
  OlControl *control;
  OlMachine *machine;
  OlPlan *plan;
  OlCosts *costs;
  OlText *text;         /* of task `text`, else NULL */
  double slowdown;      /* NAN on the machine's clock */
  double seconds_there; /* a step at full size; NAN when the config stands for nothing */
  const OlDeviceOps *ops;
  OlTrace *trace;
  OlRecorder *recorder;
  OlExecutor *executor; /* while running */
  gboolean speaks;      /* for all processes, after the run */
};

static gboolean choose_slowdown(OlRun *run, const OlRunConfig *config, GError **error)
{
  return !run->machine->scale_clock ||
         ol_slowdown_choose(&config, 1, run->options.data_folder, 0, &run->slowdown, error);
}

/* Costs are whole ns: a set s that makes all of them 0 would leave nothing to be on time for. The
 * lab itself never chooses one below 1. */
static gboolean check_slowdown(const OlRun *run, const OlRunConfig *config, GError **error)
{
  if (!run->machine->scale_clock || run->slowdown >= 1 ||
      ol_simulate_step_seconds(run->plan, run->costs, run->slowdown) > 0)
    return TRUE;
  g_set_error(
      error, OL_ERROR, OL_ERROR_BAD_INPUT,
      _("hardware.slowdown: at %g a modelled step lasts less than a nanosecond; set a larger "
        "one, or null to let the lab choose"),
      config->hardware.slowdown);
  return FALSE;
}

static void make_plan(OlRun *run, const OlRunConfig *config)
{
  run->plan = ol_plan_new(config, run->machine);
  if (run->options.edit_plan)
    run->options.edit_plan(run->plan, run->options.test_data);
  run->costs = ol_costs_new(run->plan, run->machine, NULL);
}

static gboolean load_text(OlRun *run, const OlRunConfig *config, GError **error)
{
  if (config->task.kind != OL_TASK_TEXT)
    return TRUE;
  run->text =
      ol_text_load(config->task.file, config->model.vocabulary, config->model.sequence, error);
  return run->text != NULL;
}

static void tell_there(const OlRun *run, OlTrace *trace)
{
  if (!isnan(run->seconds_there))
    ol_trace_set_number(trace, "step.seconds_there", run->seconds_there);
}

static gboolean refuse_processes(guint ranks, guint processes, GError **error)
{
  if (processes == 1)
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("--comm mpi: this config has %u ranks (parallel.data × pipeline × tensor), and "
                  "there is one process: start it with mpirun -n %u"),
                ranks, ranks);
  else
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                ol_ngettext("--comm mpi: this config has %u rank (parallel.data × pipeline × "
                            "tensor), and mpirun has started %u processes: start it with mpirun "
                            "-n %u",
                            "--comm mpi: this config has %u ranks (parallel.data × pipeline × "
                            "tensor), and mpirun has started %u processes: start it with mpirun "
                            "-n %u",
                            ranks),
                ranks, processes, ranks);
  return FALSE;
}

/* One process a rank, and none is left over. */
static gboolean check_processes(const OlRun *run, const OlRunConfig *config, GError **error)
{
  OlComm *comm = run->options.comm;
  guint ranks = config->parallel.data * config->parallel.pipeline * config->parallel.tensor;
  if (comm && ol_comm_get_n_ranks(comm) != ranks)
    return refuse_processes(ranks, ol_comm_get_n_ranks(comm), error);
  if (comm && config->hardware.device == OL_DEVICE_CUDA) {
    g_set_error_literal(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                        _("hardware.device: ranks over mpi compute on the device \"virtual\"; set "
                          "it to that, or leave --comm mpi out"));
    return FALSE;
  }
  return TRUE;
}

static gboolean find_device(OlRun *run, const OlRunConfig *config, GError **error)
{
  run->ops = config->hardware.device == OL_DEVICE_CUDA ? ol_device_plugin_load("cuda", error)
                                                       : ol_device_virtual();
  return run->ops != NULL;
}

/* Each process finds what it needs where it is; s is rank 0's to choose. */
static gboolean prepare(OlRun *run, const OlRunConfig *config, GError **error)
{
  OlComm *comm = run->options.comm;
  run->slowdown = NAN;
  run->machine = ol_machine_new(config, run->options.data_folder, error);
  return run->machine && check_processes(run, config, error) && find_device(run, config, error) &&
         load_text(run, config, error) &&
         ((comm && ol_agree_rank(comm) > 0) || choose_slowdown(run, config, error));
}

/* What was found elsewhere may be other data, another text, another version of the lab. */
static gboolean check_likeness(const OlRun *run, GError **error)
{
  OlComm *comm = run->options.comm;
  const OlPlan *plan = run->plan;
  g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
  g_autofree char *facts =
      g_strdup_printf("%s %u %u %.17g %.17g", OL_VERSION, plan->graph->nodes->len,
                      plan->graph->buffers->len, run->machine->mu, run->machine->kappa);
  g_checksum_update(checksum, (const guchar *)facts, -1);
  g_checksum_update(checksum, (const guchar *)plan->offset,
                    (gssize)(plan->graph->buffers->len * sizeof *plan->offset));
  g_checksum_update(checksum, (const guchar *)plan->capacity, sizeof plan->capacity);
  if (run->text)
    ol_text_add_to_checksum(run->text, checksum);
  g_autofree char *digest = g_strdup(g_checksum_get_string(checksum));
  if (!ol_agree_on_text(comm, &digest, error))
    return FALSE;
  if (strcmp(digest, g_checksum_get_string(checksum)) == 0)
    return TRUE;
  g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
              _("the lab here (on %s) plans this run otherwise than at rank 0: give all machines "
                "the same version of the lab, its data and the same files"),
              g_get_host_name());
  return FALSE;
}

/* Ends the preparation of all processes, or of this alone: TRUE when none has failed. `ready` is
 * FALSE with *own set. */
static gboolean all_go_on(const OlRun *run, gboolean ready, GError *own, GError **error)
{
  if (run->options.comm)
    return ol_agree_to_go_on(run->options.comm, own, error);
  if (!ready)
    g_propagate_error(error, own);
  return ready;
}

static gboolean plan_run(OlRun *run, const OlRunConfig *config, GError **error)
{
  OlComm *comm = run->options.comm;
  GError *own = NULL;
  gboolean ready = prepare(run, config, &own);
  if (!all_go_on(run, ready, own, error))
    return FALSE;
  if (comm && !ol_agree_on_number(comm, &run->slowdown, error))
    return FALSE;
  make_plan(run, config);
  own = NULL;
  ready = check_slowdown(run, config, &own) && (!comm || check_likeness(run, &own));
  return all_go_on(run, ready, own, error);
}

OlRun *ol_run_new(const OlRunConfig *config, const OlRunOptions *options, GError **error)
{
  g_autoptr(OlRun) run = g_new0(OlRun, 1);
  if (options)
    run->options = *options;
  run->calibration_path = g_strdup(run->options.calibration_path);
  run->control = run->options.control ? ol_control_ref(run->options.control) : ol_control_new();
  if (!plan_run(run, config, error))
    return NULL;
  /* What the tiny run stands for is never its own figure (design section 4). */
  run->seconds_there = ol_run_step_seconds_there(config, run->options.data_folder, NULL);
  run->trace = ol_begin_trace(OL_SOURCE_MEASURED, run->plan, run->machine, run->slowdown);
  tell_there(run, run->trace);
  run->recorder = ol_recorder_new(run->trace);
  return g_steal_pointer(&run);
}

void ol_run_free(OlRun *run)
{
  if (!run)
    return;
  g_clear_pointer(&run->recorder, ol_recorder_free);
  g_clear_pointer(&run->trace, ol_trace_unref);
  ol_costs_free(run->costs);
  ol_plan_free(run->plan);
  ol_text_free(run->text);
  ol_machine_free(run->machine);
  ol_control_unref(run->control);
  g_free(run->calibration_path);
  g_free(run);
}

const OlPlan *ol_run_get_plan(const OlRun *run)
{
  return run->plan;
}

const OlMachine *ol_run_get_machine(const OlRun *run)
{
  return run->machine;
}

double ol_run_get_slowdown(const OlRun *run)
{
  return run->slowdown;
}

OlTrace *ol_run_get_trace(OlRun *run)
{
  return run->trace;
}

OlRecorder *ol_run_get_recorder(OlRun *run)
{
  return run->recorder;
}

void *ol_run_get_buffer(OlRun *run, guint buffer)
{
  g_return_val_if_fail(buffer < run->plan->graph->buffers->len, NULL);
  return run->executor ? ol_executor_get_buffer(run->executor, (int)buffer) : NULL;
}

static void call_before_step(guint step, gpointer data)
{
  OlRun *run = data;
  run->options.before_step(run, step, run->options.test_data);
}

static void end_failed(OlTrace *trace, gpointer message)
{
  ol_trace_end(trace, OL_OUTCOME_FAILED, message, NULL);
}

void ol_run_execute(OlRun *run)
{
  gboolean scale = run->machine->scale_clock;
  OlExecutorOptions options = {
      .plan = run->plan,
      .ops = run->ops,
      .recorder = run->recorder,
      .control = run->control,
      .comm = run->options.comm,
      .costs = run->costs,
      .slowdown = run->slowdown,
      .step_seconds = scale ? ol_simulate_step_seconds(run->plan, run->costs, run->slowdown) : NAN,
      .poison = run->options.poison,
      .text = run->text,
      .disk_system = run->options.disk_system,
      .before_step = run->options.before_step ? call_before_step : NULL,
      .before_step_data = run};
  g_autoptr(GError) error = NULL;
  GError *own = NULL;
  run->executor = ol_executor_new(&options, &own);
  if (!all_go_on(run, run->executor != NULL, own, &error)) {
    run->speaks = !run->options.comm || ol_agree_rank(run->options.comm) == 0;
    g_clear_pointer(&run->executor, ol_executor_free);
    ol_recorder_with_trace(run->recorder, end_failed, error->message);
    return;
  }
  ol_executor_run(run->executor);
  run->speaks = ol_executor_speaks_for_all(run->executor);
  g_clear_pointer(&run->executor, ol_executor_free);
}

gboolean ol_run_speaks_for_all(const OlRun *run)
{
  return run->speaks;
}

static OlTrace *simulate(OlRun *run)
{
  if (run->machine->scale_clock)
    return ol_simulate(run->plan, run->machine, run->costs, run->slowdown);
  /* On the machine's clock a node lasts as long as its real work. */
  OlCalibration calibration;
  ol_calibration_get(run->calibration_path, run->plan->config->hardware.compute_threads,
                     &calibration);
  if (run->plan->arena_bytes[OL_TIER_NVME] > 0)
    ol_calibration_add_disk(run->calibration_path, run->plan->config->hardware.nvme_folder,
                            &calibration);
  g_autoptr(OlCosts) costs = ol_costs_new(run->plan, run->machine, &calibration);
  return ol_simulate(run->plan, run->machine, costs, NAN);
}

OlTrace *ol_run_simulate(OlRun *run)
{
  OlTrace *trace = simulate(run);
  tell_there(run, trace);
  return trace;
}

double ol_run_step_seconds_there(const OlRunConfig *config, const char *data_folder, GError **error)
{
  g_autoptr(OlMachine) here = ol_machine_new(config, data_folder, error);
  if (!here || !here->reference)
    return NAN;
  g_autoptr(OlRunConfig) full = ol_machine_dup_full_size(here, config);
  g_autoptr(OlMachine) there = ol_machine_new(full, data_folder, error);
  if (!there)
    return NAN;
  if (ol_plan_size_bytes(full) > OL_PLAN_SIZE_MOST_BYTES)
    return NAN;
  g_autoptr(OlPlan) plan = ol_plan_new(full, there);
  if (plan->refusal.refused)
    return NAN;
  g_autoptr(OlCosts) costs = ol_costs_new(plan, there, NULL);
  return ol_simulate_step_seconds(plan, costs, 1);
}
