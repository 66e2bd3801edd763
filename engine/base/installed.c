#include "engine/base/installed.h"

#include <string.h>

/* A build tree has no folder of programs; there each lies in its room. */
char *ol_installed_dup_folder(const char *folder)
{
  g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
  g_autofree char *tail = g_strconcat("/", OL_PROGRAMS, NULL);
  if (self == NULL) /* no /proc: a build tree is no place for such a system */
    return g_build_filename(OL_PREFIX, folder, NULL);
  g_autofree char *programs = g_path_get_dirname(self);
  if (!g_str_has_suffix(programs, tail))
    return NULL;
  programs[strlen(programs) - strlen(tail)] = '\0';
  return g_build_filename(*programs ? programs : "/", folder, NULL);
}
