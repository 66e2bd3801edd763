/* Where the lab's data lies. */
#include "engine/config/hardware.h"

#include "engine/base/installed.h"

static const char *find_data_folder(void)
{
  const char *asked = g_getenv("OFFLOAD_LAB_DATA");
  g_autofree char *installed = ol_installed_dup_folder(OL_DATA_INSTALLED);
  return g_intern_string(asked && *asked ? asked : installed ? installed : OL_DATA_SOURCE);
}

const char *ol_data_folder(void)
{
  static const char *folder;
  if (g_once_init_enter(&folder))
    g_once_init_leave(&folder, find_data_folder());
  return folder;
}
