/* offload-lab-cli simulate: the plan that run would execute, in virtual time. */
#include "app/cli/results.h"

#include <string.h>
#include <unistd.h>

/* The whole stream at once: a simulation has no "meanwhile". */
static gboolean write_events(const char *path, const OlTrace *trace, GError **error)
{
  if (strcmp(path, "-") != 0)
    return ol_events_write_file(trace, path, error);

  g_autoptr(OlEventsWriter) writer = ol_events_writer_new(trace);
  g_autoptr(GString) text = g_string_new(NULL);
  ol_events_writer_pull(writer, text);
  return ol_cli_print(text->str, error);
}

OlExit ol_command_simulate(int argc, char **argv)
{
  g_auto(OlRunArguments) arguments = {0};
  g_autoptr(GError) error = NULL;
  OlExit status;

  if (!ol_run_arguments_parse(&arguments, argc, argv, OL_TAKES_EVENTS, &status))
    return status;
  g_autoptr(OlRunConfig) config = ol_run_arguments_load(&arguments, &error);
  if (!config)
    return ol_cli_fail(error);
  g_autoptr(OlRun) run = ol_run_new(config, &(OlRunOptions){0}, &error);
  if (!run)
    return ol_cli_fail(error);

  g_autoptr(OlTrace) trace = ol_run_simulate(run);
  if (arguments.events && !write_events(arguments.events, trace, &error))
    return ol_cli_fail(error);
  g_autofree char *words = ol_results_dup_words(trace, ol_run_get_machine(run));
  ol_results_tell_outcome(trace);
  return ol_results_write(&arguments, trace, words);
}
