/* offload-lab-cli replay: a saved run, looked at again. A damaged file is told as far as it goes.
 */
#include "app/cli/results.h"

#include "engine/base/intl.h"

#define DETAILS                                                                                    \
  N_("FILE is an events file, as run --events and the window write it. One that is cut off or\n"   \
     "damaged is read as far as it goes, and the line is named; the exit status is then 2.")

/* NULL when the file's config is of no use: then there is no scale to tell. */
static OlMachine *machine_of(const OlTrace *trace)
{
  if (!trace->header.config)
    return NULL;
  g_autoptr(OlRunConfig) config =
      ol_run_config_parse(trace->header.config, -1, "the file's config", NULL);
  return config ? ol_machine_new(config, NULL, NULL) : NULL;
}

static OlExit replay(const OlRunArguments *arguments, const char *path)
{
  g_autoptr(GError) damage = NULL;
  g_autoptr(OlTrace) trace = ol_events_read_file(path, &damage);
  if (!trace)
    return ol_cli_fail(damage);
  g_autoptr(OlMachine) machine = machine_of(trace);
  g_autofree char *words = ol_results_dup_words(trace, machine);
  ol_results_tell_outcome(trace);
  OlExit status = ol_results_write(arguments, trace, words);
  return damage ? ol_cli_fail(damage) : status;
}

OlExit ol_command_replay(int argc, char **argv)
{
  g_auto(OlRunArguments) arguments = {0};
  g_autoptr(GError) error = NULL;
  OlExit status;
  GOptionEntry entries[OL_N_RESULT_OPTIONS + 1] = {0};

  ol_result_options_fill(entries, &arguments);
  if (!ol_cli_parse("FILE", DETAILS, entries, &argc, &argv, 1, &status))
    return status;
  if (argc < 2) {
    ol_cli_complain(_("name the events file to replay; see --help"));
    return OL_EXIT_BAD_INPUT;
  }
  return ol_run_arguments_check(&arguments, &error) ? replay(&arguments, argv[1])
                                                    : ol_cli_fail(error);
}
