/* offload-lab-cli run: trains for real, live events out, commands in. */
#include "app/cli/event-stream.h"
#include "app/cli/listener.h"
#include "app/cli/results.h"
#include "app/cli/run-arguments.h"

/* The reader is gone or the disk is full: what nobody will see need not be run. */
static void stop_run(gpointer control)
{
  ol_control_stop(control);
}

/* Runs to the end, with events going out meanwhile. */
static OlExit execute(OlRun *run, OlControl *control, OlEventStream *events)
{
  g_autoptr(GError) error = NULL;
  gboolean reader_gone = FALSE;

  if (!events) {
    ol_run_execute(run);
    return OL_EXIT_DONE;
  }
  ol_event_stream_start(events, ol_run_get_recorder(run), ol_run_get_trace(run), stop_run, control);
  ol_run_execute(run);
  if (ol_event_stream_finish(events, &reader_gone, &error))
    return OL_EXIT_DONE;
  ol_cli_fail(error);
  return reader_gone ? OL_EXIT_STOPPED : OL_EXIT_FAILURE;
}

static OlExit run_config(const OlRunArguments *arguments, const OlRunConfig *config,
                         OlControl *control, OlListener *listener)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(OlEventStream) events = NULL;
  OlRunOptions options = {.control = control};

  g_autoptr(OlRun) run = ol_run_new(config, &options, &error);
  if (!run)
    return ol_cli_fail(error);
  if (arguments->events && !(events = ol_event_stream_open(arguments->events, &error)))
    return ol_cli_fail(error);

  ol_listener_run_begins(listener);
  OlExit written = execute(run, control, events);
  g_autofree char *words = ol_results_dup_words(ol_run_get_trace(run), ol_run_get_machine(run));
  OlExit ended = ol_results_write(arguments, ol_run_get_trace(run), words);
  return written != OL_EXIT_DONE ? written : ended;
}

OlExit ol_command_run(int argc, char **argv)
{
  g_auto(OlRunArguments) arguments = {0};
  g_autoptr(GError) error = NULL;
  OlExit status;

  if (!ol_run_arguments_parse(&arguments, argc, argv, OL_TAKES_EVENTS | OL_TAKES_CONTROL, &status))
    return status;
  g_autoptr(OlRunConfig) config = ol_run_arguments_load(&arguments, &error);
  if (!config)
    return ol_cli_fail(error);

  g_autoptr(OlControl) control = ol_control_new();
  if (!ol_run_config_has_scale_clock(config))
    ol_control_forbid_speed(control);
  OlListener *listener = ol_listener_start(control, arguments.control ? &arguments.input : NULL);
  status = run_config(&arguments, config, control, listener);
  ol_listener_stop(listener);
  return status;
}
