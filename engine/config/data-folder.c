/* Where the lab's data lies. */
#include "engine/config/hardware.h"

/* A program in the prefix's bin is the installed one; any other was started from a build tree. */
static gboolean is_installed(void)
{
  g_autofree char *share = g_path_get_dirname(OL_DATA_INSTALLED);
  g_autofree char *prefix = g_path_get_dirname(share);
  g_autofree char *programs = g_build_filename(prefix, "bin", "", NULL);
  g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
  return !self || g_str_has_prefix(self, programs);
}

static const char *find_data_folder(void)
{
  const char *asked = g_getenv("OFFLOAD_LAB_DATA");
  if (asked && *asked)
    return g_intern_string(asked);
  if (!is_installed() && g_file_test(OL_DATA_SOURCE, G_FILE_TEST_IS_DIR))
    return OL_DATA_SOURCE;
  return OL_DATA_INSTALLED;
}

const char *ol_data_folder(void)
{
  static const char *folder;
  if (g_once_init_enter(&folder))
    g_once_init_leave(&folder, find_data_folder());
  return folder;
}
