#include "engine/base/intl.h"

#include "engine/base/installed.h"
#include <locale.h>

static char *dup_folder(void)
{
  const char *asked = g_getenv("OFFLOAD_LAB_LOCALE");
  char *installed = ol_installed_dup_folder(OL_LOCALE_INSTALLED);

  if (asked && *asked) {
    g_free(installed);
    return g_strdup(asked);
  }
  return installed ? installed : g_strdup(OL_LOCALE_BUILD);
}

void ol_intl_open(void)
{
  g_autofree char *folder = dup_folder();

  setlocale(LC_ALL, "");
  bindtextdomain(GETTEXT_PACKAGE, folder);
  bind_textdomain_codeset(GETTEXT_PACKAGE, "UTF-8");
  textdomain(GETTEXT_PACKAGE);
}
