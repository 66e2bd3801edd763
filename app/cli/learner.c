#include "app/cli/learner.h"

#include "app/cli/cli.h"
#include "engine/base/intl.h"

gboolean ol_learner_check(const char *name)
{
  gboolean spaces_only = TRUE;
  for (const char *at = name; at && *at; at = g_utf8_next_char(at)) {
    if (g_unichar_iscntrl(g_utf8_get_char(at))) {
      ol_cli_complain(_("--learner: a name has no control characters or line breaks"));
      return FALSE;
    }
    spaces_only = spaces_only && g_unichar_isspace(g_utf8_get_char(at));
  }
  if (name && spaces_only)
    ol_cli_complain(_("--learner: say a name"));
  return !name || !spaces_only;
}

OlProgress *ol_learner_progress(const char *name)
{
  g_autoptr(GError) damaged = NULL;
  OlProgress *progress = ol_progress_load(NULL, name, &damaged);

  if (damaged)
    ol_cli_complain("%s", damaged->message);
  return progress;
}
