#include "lessons/own-courses.h"

#include "engine/base/folder.h"

char *ol_own_courses_dup_folder(void)
{
  return g_build_filename(g_get_user_data_dir(), "offload-lab", "courses", NULL);
}

static void tell(GPtrArray *faults, const GError *error)
{
  if (faults != NULL)
    g_ptr_array_add(faults, g_strdup(error->message));
}

void ol_own_courses_add(GPtrArray *courses, const char *folder, const char *data_folder,
                        GPtrArray *faults)
{
  g_autofree char *own = folder != NULL ? g_strdup(folder) : ol_own_courses_dup_folder();
  g_autoptr(GError) unread = NULL;
  g_autoptr(GPtrArray) names = ol_folder_list(own, ".json", &unread);

  if (unread != NULL && !g_error_matches(unread, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    tell(faults, unread);
  for (guint i = 0; names != NULL && i < names->len; i++) {
    g_autoptr(GError) error = NULL;
    g_autofree char *left_out = NULL;
    if (!ol_courses_add(courses, own, g_ptr_array_index(names, i), data_folder, &left_out, &error))
      tell(faults, error);
    else if (left_out != NULL && faults != NULL)
      g_ptr_array_add(faults, g_steal_pointer(&left_out));
  }
}

GPtrArray *ol_own_courses_load_all(const char *data_folder, GPtrArray *faults, GError **error)
{
  GPtrArray *courses = ol_courses_load(data_folder, error);
  if (courses != NULL)
    ol_own_courses_add(courses, NULL, data_folder, faults);
  return courses;
}
