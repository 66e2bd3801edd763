#include "app/cli/run-arguments.h"

#include "engine/base/intl.h"
#include "engine/config/json-guard.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define DETAILS                                                                                    \
  N_("CONFIG is a JSON file, - for standard input; without it the default config is taken.\n"      \
     "Any key of it can be set: --set overlap.prefetch=2 --set optimizer.runs_on=gpu")

/* What would only show after a long run: a picture of no known kind, a folder that is not there. */
static gboolean check_target(const char *option, const char *path, GError **error)
{
  if (!path)
    return TRUE;
  g_autofree char *folder = g_path_get_dirname(path);
  const char *reason = NULL;
  if (!*path)
    reason = _("the name of a file is missing");
  else if (strcmp(path, "-") == 0)
    reason = _("only events go to standard output; name a file");
  else if (g_file_test(path, G_FILE_TEST_IS_DIR))
    reason = _("it is a folder; name a file in it");
  else if (access(folder, W_OK) != 0 && access(path, W_OK) != 0)
    reason = g_strerror(errno);
  if (!reason)
    return TRUE;
  g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("%s %s cannot be written: %s"), option, path,
              reason);
  return FALSE;
}

static gboolean check_picture(const char *path, GError **error)
{
  if (!path || g_str_has_suffix(path, ".png") || g_str_has_suffix(path, ".svg") ||
      g_str_has_suffix(path, ".pdf"))
    return TRUE;
  g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
              _("--picture %s: the name must end in .png, .svg or .pdf"), path);
  return FALSE;
}

const char *ol_run_arguments_table(const char *argument, OlTableKind *kind)
{
  const char *equals = strchr(argument, '=');
  g_autofree char *nick = equals ? g_strndup(argument, (gsize)(equals - argument)) : NULL;
  if (ol_table_from_nick(nick, kind))
    return equals + 1;
  *kind = OL_TABLE_SPANS;
  return argument;
}

static gboolean check_tables(const OlRunArguments *arguments, GError **error)
{
  OlTableKind kind;
  for (char **table = arguments->tables; table && *table; table++)
    if (!check_target("--table", ol_run_arguments_table(*table, &kind), error))
      return FALSE;
  return TRUE;
}

gboolean ol_run_arguments_check(const OlRunArguments *arguments, GError **error)
{
  const char *events = ol_run_arguments_streams(arguments) ? NULL : arguments->events;
  return check_picture(arguments->picture, error) &&
         check_target("--picture", arguments->picture, error) &&
         check_target("--trace", arguments->trace, error) && check_tables(arguments, error) &&
         check_target("--events", events, error);
}

void ol_run_arguments_clear(OlRunArguments *arguments)
{
  g_free(arguments->config);
  g_strfreev(arguments->set);
  g_free(arguments->events);
  g_free(arguments->trace);
  g_free(arguments->picture);
  g_free(arguments->comm);
  g_strfreev(arguments->tables);
  if (arguments->input.pending)
    ol_lines_clear(&arguments->input);
}

static OlRunConfig *load_standard_input(OlRunArguments *arguments, GError **error)
{
  g_autofree char *text = NULL;
  gsize length = 0;

  if (arguments->control)
    text = ol_lines_wait(&arguments->input, OL_JSON_MAX_BYTES, &length);
  else
    text = ol_input_read(STDIN_FILENO, OL_JSON_MAX_BYTES, _("standard input"), &length, error);
  if (!text && !arguments->control)
    return NULL;
  return ol_run_config_parse(text ? text : "", (gssize)length, _("standard input"), error);
}

static OlRunConfig *load_file(const char *path, GError **error)
{
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("%s cannot be read: %s"), path,
                g_strerror(errno));
    return NULL;
  }
  gsize length;
  g_autofree char *text = ol_input_read(fd, OL_JSON_MAX_BYTES, path, &length, error);
  close(fd);
  return text ? ol_run_config_parse(text, (gssize)length, path, error) : NULL;
}

static OlRunConfig *load_base(OlRunArguments *arguments, GError **error)
{
  if (!arguments->config)
    return ol_run_config_new_default();
  if (strcmp(arguments->config, "-") == 0)
    return load_standard_input(arguments, error);
  return load_file(arguments->config, error);
}

OlRunConfig *ol_run_arguments_load(OlRunArguments *arguments, GError **error)
{
  g_autoptr(OlRunConfig) config = load_base(arguments, error);

  if (config && arguments->set) {
    OlRunConfig *with =
        ol_run_config_with_assignments(config, (const char *const *)arguments->set, error);
    ol_run_config_free(config);
    config = with;
  }
  return g_steal_pointer(&config);
}

/* The defaults, with what --set changes in them. */
static OlExit print_default(OlRunArguments *arguments)
{
  g_autoptr(GError) error = NULL;
  if (arguments->config) {
    ol_cli_complain(_("--config-default prints the default config: leave out %s"),
                    arguments->config);
    return OL_EXIT_BAD_INPUT;
  }
  g_autoptr(OlRunConfig) config = ol_run_arguments_load(arguments, &error);
  if (!config)
    return ol_cli_fail(error);
  g_autofree char *text = ol_run_config_dup_text(config, TRUE);
  g_autofree char *line = g_strdup_printf("%s\n", g_strchomp(text));
  return ol_cli_print(line, &error) ? OL_EXIT_DONE : ol_cli_fail(error);
}

void ol_result_options_fill(GOptionEntry *entries, OlRunArguments *arguments)
{
  const GOptionEntry own[OL_N_RESULT_OPTIONS] = {
      {"summary", 0, 0, G_OPTION_ARG_NONE, &arguments->summary,
       _("Print the metrics as one JSON object"), NULL},
      {"trace", 0, 0, G_OPTION_ARG_FILENAME, &arguments->trace, _("Write a Chrome/Perfetto trace"),
       "FILE"},
      {"picture", 0, 0, G_OPTION_ARG_FILENAME, &arguments->picture, _("Draw the charts"),
       "FILE.png|.svg|.pdf"},
      {"table", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments->tables,
       _("Write a table: ranks, slices, bytes, peaks, lanes or (else) spans"), "[WHICH=]FILE.csv"},
  };
  memcpy(entries, own, sizeof own);
}

#define N_RUN_OPTIONS 5

static gboolean check_comm(const OlRunArguments *arguments, OlTakes takes, const char *command)
{
  if (arguments->comm && !(takes & OL_TAKES_COMM))
    ol_cli_complain(_("%s takes no --comm: nothing is computed between ranks"), command);
  else if (arguments->comm && strcmp(arguments->comm, "threads") != 0 &&
           strcmp(arguments->comm, "mpi") != 0)
    ol_cli_complain(_("--comm %s: ranks are joined as threads or over mpi; name one of these"),
                    arguments->comm);
  else
    return TRUE;
  return FALSE;
}

gboolean ol_run_arguments_parse(OlRunArguments *arguments, int argc, char **argv, OlTakes takes,
                                OlExit *status)
{
  *arguments = (OlRunArguments){0};
  GOptionEntry all[] = {
      {"set", 's', 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments->set, _("Set a key of the config"),
       "KEY=VALUE"},
      {"config-default", 0, 0, G_OPTION_ARG_NONE, &arguments->config_default,
       _("Print the default config and end"), NULL},
      {"events", 0, takes & OL_TAKES_EVENTS ? 0 : G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME,
       &arguments->events, _("Write the event stream, - for standard output"), "FILE|-"},
      {"control", 0, takes & OL_TAKES_CONTROL ? 0 : G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE,
       &arguments->control,
       _("Obey standard input: pause, resume, next, speed 0.5, stop; its end stops the run. With - "
         "as CONFIG its first line is the config"),
       NULL},
      {"comm", 0, takes & OL_TAKES_COMM ? 0 : G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING,
       &arguments->comm,
       _("What joins the ranks: threads of this process (the default), or mpi: one process a "
         "rank, as in mpirun -n 4 --bind-to none offload-lab-cli run --comm mpi CONFIG"),
       "threads|mpi"},
      [N_RUN_OPTIONS + OL_N_RESULT_OPTIONS] = {NULL}};
  g_autoptr(GError) error = NULL;

  ol_result_options_fill(all + N_RUN_OPTIONS, arguments);

  if (!ol_cli_parse("[CONFIG|-]", DETAILS, all, &argc, &argv, 1, status))
    return FALSE;
  *status = OL_EXIT_BAD_INPUT;
  if (arguments->events && !(takes & OL_TAKES_EVENTS)) {
    ol_cli_complain(_("%s takes no --events"), argv[0]);
    return FALSE;
  }
  if (arguments->control && !(takes & OL_TAKES_CONTROL)) {
    ol_cli_complain(_("%s takes no --control: there is nothing to control"), argv[0]);
    return FALSE;
  }
  if (!check_comm(arguments, takes, argv[0]))
    return FALSE;
  if (!ol_run_arguments_check(arguments, &error)) {
    ol_cli_fail(error);
    return FALSE;
  }
  arguments->config = g_strdup(argc > 1 ? argv[1] : NULL);
  if (arguments->config_default) {
    *status = print_default(arguments);
    return FALSE;
  }
  if (arguments->control)
    ol_lines_init(&arguments->input, STDIN_FILENO);
  return TRUE;
}

gboolean ol_run_arguments_streams(const OlRunArguments *arguments)
{
  return g_strcmp0(arguments->events, "-") == 0;
}

gboolean ol_run_arguments_use_mpi(const OlRunArguments *arguments)
{
  return g_strcmp0(arguments->comm, "mpi") == 0;
}
