/* offload-lab-cli run: trains for real, live events out, commands in; as one process, or as one of
 * several that mpirun has started. */
#include "app/cli/event-stream.h"
#include "app/cli/listener.h"
#include "app/cli/results.h"
#include "app/cli/run-arguments.h"
#include "engine/base/intl.h"
#include "engine/run/agree.h"

/* The reader is gone or the disk is full: what nobody will see need not be run. */
static void stop_run(gpointer control)
{
  ol_control_stop(control);
}

/* Of several processes rank 0's tells how it ended or, where that has died, another. It does so at
 * once: of a run that has lost a rank mpirun takes no more events, and soon kills. */
static void execute(OlRun *run)
{
  ol_run_execute(run);
  if (ol_run_speaks_for_all(run))
    ol_results_tell_outcome(ol_run_get_trace(run));
}

/* Runs to the end, with events going out meanwhile. */
static OlExit execute_with_events(OlRun *run, OlControl *control, OlEventStream *events)
{
  g_autoptr(GError) error = NULL;
  gboolean reader_gone = FALSE;

  if (!events) {
    execute(run);
    return OL_EXIT_DONE;
  }
  ol_event_stream_start(events, ol_run_get_recorder(run), ol_run_get_trace(run), stop_run, control);
  execute(run);
  if (ol_event_stream_finish(events, &reader_gone, &error))
    return OL_EXIT_DONE;
  ol_cli_fail(error);
  return reader_gone ? OL_EXIT_STOPPED : OL_EXIT_FAILURE;
}

/* Of several processes rank 0's alone reads, writes and speaks: else all would be said as often as
 * there are ranks. */
static gboolean is_first(OlComm *comm)
{
  return !comm || ol_agree_rank(comm) == 0;
}

static OlExit fail(OlComm *comm, const GError *error)
{
  return is_first(comm) ? ol_cli_fail(error) : ol_cli_exit_of_error(error);
}

/* TRUE unless this process or another has failed. Takes `own`. */
static gboolean all_go_on(OlComm *comm, GError *own, GError **error)
{
  if (comm)
    return ol_agree_to_go_on(comm, own, error);
  if (own)
    g_propagate_error(error, own);
  return own == NULL;
}

static OlRunConfig *load_config(OlRunArguments *arguments, OlComm *comm, GError **error)
{
  GError *own = NULL;
  g_autoptr(OlRunConfig) config = NULL;

  if (is_first(comm))
    config = ol_run_arguments_load(arguments, &own);
  if (!all_go_on(comm, own, error))
    return NULL;
  if (!comm)
    return g_steal_pointer(&config);
  char *text = config ? ol_run_config_dup_text(config, FALSE) : NULL;
  gboolean told = ol_agree_on_text(comm, &text, error);
  g_autofree char *same = text;
  return told ? ol_run_config_parse(same, -1, _("rank 0"), error) : NULL;
}

static gboolean open_events(const OlRunArguments *arguments, OlComm *comm, OlEventStream **events,
                            GError **error)
{
  GError *own = NULL;
  if (arguments->events && is_first(comm))
    *events = ol_event_stream_open(arguments->events, &own);
  return all_go_on(comm, own, error);
}

/* Rank 0's trace has all ranks. */
static OlExit write_results(const OlRunArguments *arguments, OlComm *comm, OlRun *run)
{
  const OlTrace *trace = ol_run_get_trace(run);
  if (!is_first(comm))
    return ol_cli_exit_of_outcome(trace->outcome);
  g_autofree char *words = ol_results_dup_words(trace, ol_run_get_machine(run));
  return ol_results_write(arguments, trace, words);
}

static OlExit run_config(const OlRunArguments *arguments, const OlRunConfig *config, OlComm *comm,
                         OlControl *control, OlListener *listener)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(OlEventStream) events = NULL;
  OlRunOptions options = {.control = control, .comm = comm};

  g_autoptr(OlRun) run = ol_run_new(config, &options, &error);
  if (!run || !open_events(arguments, comm, &events, &error))
    return fail(comm, error);

  ol_listener_run_begins(listener);
  OlExit written = execute_with_events(run, control, events);
  OlExit ended = write_results(arguments, comm, run);
  return written != OL_EXIT_DONE ? written : ended;
}

static OlExit run_ranks(OlRunArguments *arguments, OlComm *comm)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(OlRunConfig) config = load_config(arguments, comm, &error);
  if (!config)
    return fail(comm, error);

  g_autoptr(OlControl) control = ol_control_new();
  if (!ol_run_config_has_scale_clock(config))
    ol_control_forbid_speed(control);
  gboolean listens = arguments->control && is_first(comm);
  OlListener *listener = ol_listener_start(control, listens ? &arguments->input : NULL);
  if (comm)
    ol_listener_be_quiet(listener);
  OlExit status = run_config(arguments, config, comm, control, listener);
  ol_listener_stop(listener);
  return status;
}

OlExit ol_command_run(int argc, char **argv)
{
  g_auto(OlRunArguments) arguments = {0};
  g_autoptr(GError) error = NULL;
  g_autoptr(OlComm) comm = NULL;
  OlExit status;

  if (!ol_run_arguments_parse(&arguments, argc, argv,
                              OL_TAKES_EVENTS | OL_TAKES_CONTROL | OL_TAKES_COMM, &status))
    return status;
  if (ol_run_arguments_use_mpi(&arguments)) {
    ol_listener_hold_signals(); /* MPI's threads must not take them */
    comm = ol_comm_new_mpi(0, &error);
    if (!comm)
      return ol_cli_fail(error);
  }
  return run_ranks(&arguments, comm);
}
