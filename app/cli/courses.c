#include "app/cli/cli.h"

#include "engine/base/intl.h"
#include "engine/config/hardware.h"
#include "lessons/own-courses.h"

GPtrArray *ol_cli_load_courses(GError **error)
{
  g_autoptr(GPtrArray) faults = g_ptr_array_new_with_free_func(g_free);
  GPtrArray *courses = ol_own_courses_load_all(ol_data_folder(), faults, error);

  for (guint i = 0; i < faults->len; i++)
    ol_cli_complain(_("this course of yours is left out: %s"),
                    (char *)g_ptr_array_index(faults, i));
  return courses;
}
