#include "engine/base/watch.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"

gboolean ol_watch_tell(const OlWatch *watch, double share, GError **error)
{
  if (watch == NULL || watch->tell(CLAMP(share, 0, 1), watch->data))
    return TRUE;
  g_set_error_literal(error, OL_ERROR, OL_ERROR_STOPPED, _("stopped"));
  return FALSE;
}
