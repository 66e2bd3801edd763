/* offload-lab-cli: everything of the lab that needs no window; also the process that the window
 * starts for a run. A subcommand is a row of the table and a file of its own. */
#include "app/cli/cli.h"

#include "engine/base/intl.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const OlCommand commands[] = {
    {"run", "[CONFIG|-] [OPTION...]", N_("train for real, on this machine"), ol_command_run},
    {"simulate", "[CONFIG|-] [OPTION...]", N_("the same plan in virtual time"),
     ol_command_simulate},
    {"plan", "[CONFIG|-] [OPTION...]", N_("what would lie where, and how long a step would last"),
     ol_command_plan},
    {"replay", "FILE [OPTION...]", N_("a saved run (run --events), looked at again"),
     ol_command_replay},
    {"lesson", "[ID...] [--list] [--check]", N_("a lesson in the terminal, or proof of its claims"),
     ol_command_lesson},
    {"quiz", "[COURSE] [--import FILE]", N_("the questions alone, of a course or a quiz file"),
     ol_command_quiz},
    {"review", "[--list] [--learner NAME]", N_("the questions that are due again"),
     ol_command_review},
    {"progress", "[--learner NAME] [OPTION...]", N_("what was done: shown, moved, begun anew"),
     ol_command_progress},
    {"calibrate", "[--threads N]", N_("measure this machine and keep the figures"),
     ol_command_calibrate},
    {"bench", "[NAME]", N_("how near to this machine's limits the engine gets"), ol_command_bench},
};

static char *dup_help(void)
{
  GString *help = g_string_new(_("Usage: offload-lab-cli COMMAND [ARGUMENT...]\n\n"));
  for (guint i = 0; i < G_N_ELEMENTS(commands); i++)
    g_string_append_printf(help, "  %-10s %-28s %s\n", commands[i].name, commands[i].usage,
                           _(commands[i].summary));
  g_string_append(help,
                  _("\noffload-lab-cli COMMAND --help tells each command's options; "
                    "offload-lab-cli --version its version.\n"
                    "Exit status: 0 done, 1 a checked claim does not hold, 2 bad input, 3 out "
                    "of memory on a tier,\n4 device, storage or peer failure, 130 stopped.\n"));
  return g_string_free(help, FALSE);
}

static OlExit print(const char *text)
{
  g_autoptr(GError) error = NULL;
  return ol_cli_print(text, &error) ? OL_EXIT_DONE : ol_cli_fail(error);
}

static OlExit dispatch(int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : "--help";

  for (guint i = 0; i < G_N_ELEMENTS(commands); i++)
    if (strcmp(name, commands[i].name) == 0) {
      g_autofree char *title = g_strdup_printf("offload-lab-cli %s", name);
      g_set_prgname(title); /* what --help calls it */
      return commands[i].run(argc - 1, argv + 1);
    }
  if (strcmp(name, "--version") == 0)
    return print("offload-lab " OL_VERSION "\n");

  g_autofree char *help = dup_help();
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
    return print(help);
  ol_cli_complain(_("there is no command \"%s\"; see offload-lab-cli --help"), name);
  return OL_EXIT_BAD_INPUT;
}

/* OpenMP's threads (oneDNN's products) spin while they wait, unless told otherwise before the
 * process begins. Spinning takes the core that another lane needs: on a busy machine a product on
 * two threads is then 60 times slower. */
static void wait_passively(char **argv)
{
  if (g_getenv("OMP_WAIT_POLICY"))
    return;
  g_setenv("OMP_WAIT_POLICY", "passive", TRUE);
  execv("/proc/self/exe", argv); /* where that is not possible, all goes on as it is */
}

/* A standard stream that the caller closed is held by a stand-in that refuses: else the next file
 * opened would take its number, the NVMe tier's perhaps, and words meant for people would go there.
 */
static void hold_standard_streams(void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY); /* the lowest free number: fd */
}

int main(int argc, char **argv)
{
  hold_standard_streams();
  ol_intl_open();
  signal(SIGPIPE, SIG_IGN); /* a reader that goes shows as an error of the write, … */
  signal(SIGXFSZ, SIG_IGN); /* … and so does a file that may not grow any more */
  wait_passively(argv);

  /* GOption takes the array apart: it gets a copy. */
  g_autofree char **copy = g_memdup2(argv, sizeof *argv * ((gsize)argc + 1));
  return dispatch(argc, copy);
}
