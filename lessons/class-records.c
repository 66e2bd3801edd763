#include "lessons/class-records.h"

#include "engine/base/whole-file.h"

#include <stdio.h>
#include <string.h>

#define BEGIN "class-"
#define END   ".csv"

static char *dup_folder(void)
{
  return g_build_filename(g_get_user_data_dir(), "offload-lab", "classes", NULL);
}

gboolean ol_class_record_keep(const OlClassSession *session, GError **error)
{
  g_autofree char *time = g_date_time_format(ol_class_session_get_begin(session), "%Y%m%d-%H%M%S");
  g_autofree char *name = g_strconcat(BEGIN, time, END, NULL);
  g_autofree char *folder = dup_folder();
  g_autofree char *path = g_build_filename(folder, name, NULL);
  g_autofree char *text = ol_class_session_dup_csv(session);
  return ol_whole_file_replace(path, text, strlen(text), error);
}

static void free_record(gpointer data)
{
  OlClassRecord *record = data;
  g_free(record->path);
  g_date_time_unref(record->begin);
  g_free(record);
}

/* When a file of this name says that its class began, or NULL. */
static GDateTime *read_begin(const char *name)
{
  int year, month, day, hour, minute, second, read = 0;
  if (sscanf(name, BEGIN "%4d%2d%2d-%2d%2d%2d%n", &year, &month, &day, &hour, &minute, &second,
             &read) != 6 ||
      !g_str_equal(name + read, END))
    return NULL;
  return g_date_time_new_local(year, month, day, hour, minute, second);
}

static int compare_records(gconstpointer a, gconstpointer b)
{
  return -g_date_time_compare((*(const OlClassRecord *const *)a)->begin,
                              (*(const OlClassRecord *const *)b)->begin);
}

GPtrArray *ol_class_records_list(void)
{
  GPtrArray *records = g_ptr_array_new_with_free_func(free_record);
  g_autofree char *folder = dup_folder();
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    GDateTime *begin = read_begin(name);
    if (begin == NULL)
      continue;
    OlClassRecord *record = g_new0(OlClassRecord, 1);
    record->path = g_build_filename(folder, name, NULL);
    record->begin = begin;
    g_ptr_array_add(records, record);
  }
  g_ptr_array_sort(records, compare_records);
  return records;
}
