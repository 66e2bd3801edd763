/* A file is written whole or not at all: the old one is there until the new one is complete. */
#include "engine/base/error.h"
#include "engine/base/watch.h"
#include "engine/base/whole-file.h"
#include "tests/suite.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static char *folder;

static void setup(void)
{
  folder = g_dir_make_tmp("ol-whole-XXXXXX", NULL);
}

static guint count_files(void)
{
  guint n = 0;
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  while (g_dir_read_name(dir) != NULL)
    n++;
  return n;
}

static void teardown(void)
{
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  const char *name;
  while ((name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_unlink(path);
  }
  g_rmdir(folder);
  g_free(folder);
}

static void check_holds(const char *path, const char *expected)
{
  g_autofree char *text = NULL;
  ck_assert(g_file_get_contents(path, &text, NULL, NULL));
  ck_assert_str_eq(text, expected);
}

static OlWholeFile *begin(const char *path, const char *text)
{
  OlWholeFile *file = ol_whole_file_open(path, NULL);
  ck_assert_ptr_nonnull(file);
  ck_assert(ol_whole_file_write(file, text, strlen(text), NULL));
  return file;
}

START_TEST(the_old_one_stays_until_the_new_one_is_kept)
{
  g_autofree char *path = g_build_filename(folder, "run.jsonl", NULL);
  GStatBuf status;
  ck_assert(g_file_set_contents(path, "old", -1, NULL));
  ck_assert_int_eq(g_chmod(path, 0640), 0);
  OlWholeFile *file = begin(path, "new");
  check_holds(path, "old");
  ol_whole_file_drop(file);
  check_holds(path, "old");
  ck_assert_uint_eq(count_files(), 1);
  ck_assert(ol_whole_file_keep(begin(path, "new"), NULL));
  check_holds(path, "new");
  ck_assert_uint_eq(count_files(), 1);
  ck_assert_int_eq(g_stat(path, &status), 0);
  ck_assert_int_eq(status.st_mode & 07777, 0640);
}
END_TEST

START_TEST(a_new_one_that_is_dropped_was_never_there)
{
  g_autofree char *path = g_build_filename(folder, "run.jsonl", NULL);
  ol_whole_file_drop(begin(path, "new"));
  ck_assert_uint_eq(count_files(), 0);
}
END_TEST

/* The link stays, and what it leads to is replaced. */
START_TEST(links_are_followed)
{
  g_autofree char *path = g_build_filename(folder, "run.jsonl", NULL);
  g_autofree char *link = g_build_filename(folder, "latest", NULL);
  ck_assert(g_file_set_contents(path, "old", -1, NULL));
  ck_assert_int_eq(symlink("run.jsonl", link), 0);
  ck_assert(ol_whole_file_keep(begin(link, "new"), NULL));
  ck_assert(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
  check_holds(path, "new");
}
END_TEST

START_TEST(what_cannot_be_written_is_told)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *plain = g_build_filename(folder, "file", NULL);
  g_autofree char *inside = g_build_filename(plain, "run.jsonl", NULL);
  ck_assert_ptr_null(ol_whole_file_open("/no/such/folder/run.jsonl", &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_STORAGE));
  ck_assert_ptr_nonnull(strstr(error->message, "/no/such/folder/run.jsonl"));
  g_clear_error(&error);
  ck_assert_ptr_null(ol_whole_file_open(folder, &error));
  ck_assert_ptr_nonnull(strstr(error->message, g_strerror(EISDIR)));
  g_clear_error(&error);
  ck_assert(ol_whole_file_keep(begin(plain, "x"), NULL));
  ck_assert_ptr_null(ol_whole_file_open(inside, &error));
  ck_assert_ptr_nonnull(strstr(error->message, g_strerror(ENOTDIR)));
}
END_TEST

/* A device is written in place, and stays. */
START_TEST(a_full_disk_is_told)
{
  g_autoptr(GError) error = NULL;
  if (!g_file_test("/dev/full", G_FILE_TEST_EXISTS))
    return;
  ck_assert(!ol_whole_file_keep(begin("/dev/full", "x"), &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_STORAGE));
  ck_assert_ptr_nonnull(strstr(error->message, g_strerror(ENOSPC)));
  ck_assert(g_file_test("/dev/full", G_FILE_TEST_EXISTS));
}
END_TEST

static gboolean tell(double share, gpointer data)
{
  *(double *)data = share;
  return share < 0.5;
}

START_TEST(who_looks_on_may_end_it)
{
  g_autoptr(GError) error = NULL;
  double seen = -1;
  OlWatch watch = {tell, &seen};
  ck_assert(ol_watch_tell(NULL, 0.7, &error));
  ck_assert(ol_watch_tell(&watch, 0.3, &error));
  ck_assert_double_eq(seen, 0.3);
  ck_assert(!ol_watch_tell(&watch, 7, &error));
  ck_assert_double_eq(seen, 1);
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_STOPPED));
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("whole-file");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, the_old_one_stays_until_the_new_one_is_kept);
  tcase_add_test(tests, a_new_one_that_is_dropped_was_never_there);
  tcase_add_test(tests, links_are_followed);
  tcase_add_test(tests, what_cannot_be_written_is_told);
  tcase_add_test(tests, a_full_disk_is_told);
  tcase_add_test(tests, who_looks_on_may_end_it);
  return run_suite("whole-file", tests);
}
