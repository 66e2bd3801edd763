#include "lessons/own-courses.h"

#include <string.h>

char *ol_own_courses_dup_folder(void)
{
  return g_build_filename(g_get_user_data_dir(), "offload-lab", "courses", NULL);
}

static int compare_names(gconstpointer a, gconstpointer b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static GPtrArray *list_paths(const char *folder, GPtrArray *faults)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GError) error = NULL;
  g_autoptr(GDir) dir = g_dir_open(folder, 0, &error);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL)
    if (g_str_has_suffix(name, ".json"))
      g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
  if (error != NULL && !g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT) && faults != NULL)
    g_ptr_array_add(faults, g_strdup(error->message));
  g_ptr_array_sort(paths, compare_names);
  return paths;
}

void ol_own_courses_add(GPtrArray *courses, const char *folder, const char *data_folder,
                        GPtrArray *faults)
{
  g_autofree char *own = folder != NULL ? g_strdup(folder) : ol_own_courses_dup_folder();
  g_autoptr(GPtrArray) paths = list_paths(own, faults);

  for (guint i = 0; i < paths->len; i++) {
    g_autoptr(GError) error = NULL;
    if (!ol_courses_add(courses, g_ptr_array_index(paths, i), data_folder, &error) &&
        faults != NULL)
      g_ptr_array_add(faults, g_strdup(error->message));
  }
}

GPtrArray *ol_own_courses_load_all(const char *data_folder, GPtrArray *faults, GError **error)
{
  GPtrArray *courses = ol_courses_load(data_folder, error);
  if (courses != NULL)
    ol_own_courses_add(courses, NULL, data_folder, faults);
  return courses;
}
