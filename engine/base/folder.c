#include "engine/base/folder.h"

#include <string.h>

static int compare_names(gconstpointer a, gconstpointer b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *ol_folder_list(const char *folder, const char *suffix, GError **error)
{
  g_autoptr(GDir) directory = g_dir_open(folder, 0, error);
  GPtrArray *names;
  const char *name;

  if (!directory)
    return NULL;
  names = g_ptr_array_new_with_free_func(g_free);
  while ((name = g_dir_read_name(directory)))
    if (g_str_has_suffix(name, suffix))
      g_ptr_array_add(names, g_strdup(name));
  g_ptr_array_sort(names, compare_names);
  return names;
}
