/* What the subcommands share: exit statuses, complaints and the table that main.c holds. */
#pragma once

#include "engine/base/error.h"
#include "engine/base/words.h"

G_BEGIN_DECLS

/* What a script can rely on. */
typedef enum {
  OL_EXIT_DONE = 0,
  OL_EXIT_CLAIM = 1,         /* a checked claim does not hold */
  OL_EXIT_BAD_INPUT = 2,     /* command line, config or course */
  OL_EXIT_OUT_OF_MEMORY = 3, /* on a tier */
  OL_EXIT_FAILURE = 4,       /* device, storage or peer */
  OL_EXIT_STOPPED = 130
} OlExit;

typedef struct {
  const char *name;
  const char *usage;                    /* its arguments, as --help shows them */
  const char *summary;                  /* one line */
  OlExit (*run)(int argc, char **argv); /* argv[0] is the subcommand's name */
} OlCommand;

OlExit ol_command_run(int argc, char **argv);
OlExit ol_command_simulate(int argc, char **argv);
OlExit ol_command_plan(int argc, char **argv);
OlExit ol_command_replay(int argc, char **argv);
OlExit ol_command_lesson(int argc, char **argv);
OlExit ol_command_quiz(int argc, char **argv);
OlExit ol_command_review(int argc, char **argv);
OlExit ol_command_progress(int argc, char **argv);
OlExit ol_command_calibrate(int argc, char **argv);
OlExit ol_command_bench(int argc, char **argv);

/* "offload-lab-cli: <message>" on standard error. */
/* The lab's courses and the user's own (lessons/own-courses.h); each of those that cannot be used
 * is complained about, and left out. */
GPtrArray *ol_cli_load_courses(GError **error);

void ol_cli_complain(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* The status that belongs to the error's code. */
OlExit ol_cli_exit_of_error(const GError *error);

/* Complains and gives the status that belongs to the error's code. */
OlExit ol_cli_fail(const GError *error);

OlExit ol_cli_exit_of_outcome(OlOutcome outcome);

/* All of `text` on standard output, at once. FALSE with OL_ERROR_STORAGE when it cannot be. */
gboolean ol_cli_print(const char *text, GError **error);

/* Parses a subcommand's options. FALSE when it is to end at once with *status: a bad command line,
 * or --help, which was then printed. What is left of argv (from 1 on) are its arguments, at most
 * `most`. `details` (may be NULL) is printed below the options. */
gboolean ol_cli_parse(const char *usage, const char *details, const GOptionEntry *entries,
                      int *argc, char ***argv, int most, OlExit *status);

G_END_DECLS
