/* The command line of run, simulate and plan, and of replay in part: where the config comes from
 * and where results go. */
#pragma once

#include "app/charts/chart-table.h"
#include "app/cli/cli.h"
#include "app/cli/input.h"
#include "engine/config/run-config.h"

G_BEGIN_DECLS

typedef struct {
  char *config;  /* a file, "-" or NULL: the default */
  char **set;    /* key=value… */
  char *events;  /* a file, "-" or NULL */
  char *trace;   /* a file or NULL */
  char *picture; /* a file or NULL */
  char **tables; /* [WHICH=]FILE.csv… */
  char *comm;    /* "threads", "mpi" or NULL: threads */
  gboolean control, summary, config_default;
  OlLines input; /* standard input, when --control reads it line by line */
} OlRunArguments;

typedef enum { OL_TAKES_EVENTS = 1, OL_TAKES_CONTROL = 2, OL_TAKES_COMM = 4 } OlTakes;

/* What every command takes that has a trace to tell of: fills that many entries. */
#define OL_N_RESULT_OPTIONS 4
void ol_result_options_fill(GOptionEntry *entries, OlRunArguments *arguments);

/* FALSE: end at once with *status; --config-default has then been printed, as had --help. */
gboolean ol_run_arguments_parse(OlRunArguments *arguments, int argc, char **argv, OlTakes takes,
                                OlExit *status);
/* Whether results can go where they are to. OL_ERROR_BAD_INPUT. */
gboolean ol_run_arguments_check(const OlRunArguments *arguments, GError **error);
/* The file of one of `tables`, borrowed, and which table it is to hold. */
const char *ol_run_arguments_table(const char *argument, OlTableKind *kind);
void ol_run_arguments_clear(OlRunArguments *arguments);

/* The config asked for, with --set applied, valid. NULL on error. */
OlRunConfig *ol_run_arguments_load(OlRunArguments *arguments, GError **error);

/* Whether ranks are processes that mpirun starts. */
gboolean ol_run_arguments_use_mpi(const OlRunArguments *arguments);

/* Whether standard output carries the event stream. */
gboolean ol_run_arguments_streams(const OlRunArguments *arguments);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(OlRunArguments, ol_run_arguments_clear)

G_END_DECLS
