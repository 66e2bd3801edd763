#include "app/cli/cli.h"

#include "engine/base/intl.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

void ol_cli_complain(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  fprintf(stderr, _("offload-lab-cli: %s\n"), g_strchomp(message));
}

OlExit ol_cli_exit_of_error(const GError *error)
{
  if (error->domain == G_OPTION_ERROR)
    return OL_EXIT_BAD_INPUT;
  if (error->domain != OL_ERROR)
    return OL_EXIT_FAILURE;
  switch ((OlErrorCode)error->code) {
  case OL_ERROR_BAD_INPUT:
    return OL_EXIT_BAD_INPUT;
  case OL_ERROR_OUT_OF_MEMORY:
    return OL_EXIT_OUT_OF_MEMORY;
  case OL_ERROR_STOPPED:
    return OL_EXIT_STOPPED;
  case OL_ERROR_DEVICE:
  case OL_ERROR_STORAGE:
    break;
  }
  return OL_EXIT_FAILURE;
}

OlExit ol_cli_fail(const GError *error)
{
  ol_cli_complain("%s", error->message);
  return ol_cli_exit_of_error(error);
}

OlExit ol_cli_exit_of_outcome(OlOutcome outcome)
{
  switch (outcome) {
  case OL_OUTCOME_DONE:
    return OL_EXIT_DONE;
  case OL_OUTCOME_OUT_OF_MEMORY:
    return OL_EXIT_OUT_OF_MEMORY;
  case OL_OUTCOME_STOPPED:
    return OL_EXIT_STOPPED;
  case OL_OUTCOME_FAILED:
  case OL_N_OUTCOMES:
    break;
  }
  return OL_EXIT_FAILURE;
}

gboolean ol_cli_print(const char *text, GError **error)
{
  if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
    return TRUE;
  g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, _("standard output cannot be written: %s"),
              g_strerror(errno));
  return FALSE;
}

static gboolean print_help(GOptionContext *context, OlExit *status)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *help = g_option_context_get_help(context, TRUE, NULL);
  *status = ol_cli_print(help, &error) ? OL_EXIT_DONE : ol_cli_fail(error);
  return FALSE;
}

gboolean ol_cli_parse(const char *usage, const char *details, const GOptionEntry *entries,
                      int *argc, char ***argv, int most, OlExit *status)
{
  gboolean help = FALSE;
  GOptionEntry help_entry[] = {
      {"help", 'h', 0, G_OPTION_ARG_NONE, &help, N_("Print this and end"), NULL}, {NULL}};
  g_autoptr(GOptionContext) context = g_option_context_new(usage);
  g_autoptr(GError) error = NULL;

  /* GLib's own --help would end the process here and now. */
  g_option_context_set_help_enabled(context, FALSE);
  g_option_context_set_description(context, details ? _(details) : NULL);
  g_option_context_set_translation_domain(context, GETTEXT_PACKAGE);
  if (entries)
    g_option_context_add_main_entries(context, entries, NULL);
  g_option_context_add_main_entries(context, help_entry, NULL);

  *status = OL_EXIT_BAD_INPUT;
  if (!g_option_context_parse(context, argc, argv, &error)) {
    ol_cli_complain(_("%s; see --help"), error->message);
    return FALSE;
  }
  if (help)
    return print_help(context, status);
  if (*argc - 1 > most) {
    ol_cli_complain(_("unexpected argument \"%s\"; see --help"), (*argv)[most + 1]);
    return FALSE;
  }
  return TRUE;
}
