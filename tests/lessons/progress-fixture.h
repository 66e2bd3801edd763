/* A learner's progress file in a folder of its own, for each test. */
#pragma once

#include "lessons/progress.h"
#include <glib/gstdio.h>

#include "tests/lessons/suite.h"

static char *folder, *path;

static inline void set_up(void)
{
  folder = g_dir_make_tmp("offload-lab-XXXXXX", NULL);
  ck_assert_ptr_nonnull(folder);
  path = g_build_filename(folder, "progress.json", NULL);
}

static inline void tear_down(void)
{
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *file = g_build_filename(folder, name, NULL);
    g_remove(file);
  }
  g_rmdir(folder);
  g_free(path);
  g_free(folder);
}

static inline OlProgress *load_well(void)
{
  GError *error = NULL;
  OlProgress *progress = ol_progress_load(path, "Ada", &error);
  ck_assert_msg(error == NULL, "%s", error != NULL ? error->message : "");
  return progress;
}

/* How many files of the folder have this in their name. */
static inline guint count_files(const char *words)
{
  guint n = 0;
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  const char *name;
  while ((name = g_dir_read_name(dir)) != NULL)
    n += strstr(name, words) != NULL;
  return n;
}

static inline guint count_answers(void)
{
  g_autofree char *text = NULL;
  if (!g_file_get_contents(path, &text, NULL, NULL))
    return 0;
  guint n = 0;
  for (const char *at = text; (at = strstr(at, "\"option\"")) != NULL; at++)
    n++;
  return n;
}
