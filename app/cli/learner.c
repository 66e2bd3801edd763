#include "app/cli/learner.h"

#include "app/cli/cli.h"
#include "engine/base/intl.h"
#include "lessons/learners.h"

gboolean ol_learner_check(const char *name)
{
  switch (name ? ol_learner_check_name(name) : OL_NAME_FINE) {
  case OL_NAME_UNREADABLE:
    ol_cli_complain(_("--learner: a name has no control characters or line breaks"));
    return FALSE;
  case OL_NAME_EMPTY:
    ol_cli_complain(_("--learner: say a name"));
    return FALSE;
  default:
    return TRUE;
  }
}

OlProgress *ol_learner_progress(const char *name)
{
  g_autoptr(GError) damaged = NULL;
  OlProgress *progress = ol_progress_load(NULL, name, &damaged);

  if (damaged)
    ol_cli_complain("%s", damaged->message);
  return progress;
}
