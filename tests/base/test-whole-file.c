/* A file is written whole or not at all: the old one is there until the new one is complete. */
#include "engine/base/error.h"
#include "engine/base/watch.h"
#include "engine/base/whole-file.h"
#include "tests/suite.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;

/* What was synced, in order ('f' a file, 'd' a folder), and whether "run.jsonl" was new by then. */
static GString *synced;

int __real_fsync(int fd);
int __wrap_fsync(int fd);

int __wrap_fsync(int fd)
{
  g_autofree char *path = g_build_filename(folder, "run.jsonl", NULL), *text = NULL;
  struct stat status;
  ck_assert_int_eq(fstat(fd, &status), 0);
  g_string_append(synced, S_ISDIR(status.st_mode) ? "d" : "f");
  g_string_append(synced, g_file_get_contents(path, &text, NULL, NULL) ? text : "none");
  g_string_append_c(synced, ' ');
  return __real_fsync(fd);
}

static void setup(void)
{
  folder = g_dir_make_tmp("ol-whole-XXXXXX", NULL);
  synced = g_string_new(NULL);
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
  g_string_free(synced, TRUE);
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

static guint mode_of(const char *path)
{
  struct stat status;
  ck_assert_int_eq(stat(path, &status), 0);
  return status.st_mode & 07777;
}

static gboolean replace(const char *path, const char *text, GError **error)
{
  return ol_whole_file_replace(path, text, strlen(text), error);
}

/* As any program's new file: what the user lets others do. A file that is there keeps its own. */
START_TEST(modes_are_those_of_any_file)
{
  static const guint masks[] = {0022, 0077, 0002};
  for (guint i = 0; i < G_N_ELEMENTS(masks); i++) {
    g_autofree char *name = g_strdup_printf("mask-%u", i);
    g_autofree char *path = g_build_filename(folder, name, NULL);
    umask(masks[i]);
    ck_assert(replace(path, "new", NULL));
    ck_assert_uint_eq(mode_of(path), 0666 & ~masks[i]);
    ck_assert_int_eq(g_chmod(path, 0604), 0);
    ck_assert(replace(path, "newer", NULL));
    ck_assert_uint_eq(mode_of(path), 0604);
  }
}
END_TEST

/* A machine that loses power has the old name or the new one, and a whole file under it. */
START_TEST(file_and_folder_are_synced)
{
  g_autofree char *path = g_build_filename(folder, "run.jsonl", NULL);
  ck_assert(replace(path, "old", NULL));
  ck_assert_str_eq(synced->str, "fnone dold ");
  g_string_truncate(synced, 0);
  ck_assert(replace(path, "new", NULL));
  ck_assert_str_eq(synced->str, "fold dnew ");
}
END_TEST

START_TEST(a_folder_is_made)
{
  g_autofree char *below = g_build_filename(folder, "a", NULL);
  g_autofree char *path = g_build_filename(below, "b", "progress.json", NULL);
  g_autofree char *inner = g_path_get_dirname(path);
  ck_assert(replace(path, "new", NULL));
  check_holds(path, "new");
  ck_assert_uint_eq(mode_of(inner), 0700);
  g_unlink(path);
  g_rmdir(inner);
  g_rmdir(below);
}
END_TEST

/* Its first bytes go through, the rest does not. */
START_TEST(half_a_file_never_takes_the_place)
{
  g_autofree char *path = g_build_filename(folder, "run.jsonl", NULL);
  g_autofree char *much = g_strnfill(100000, 'x');
  g_autoptr(GError) error = NULL;
  ck_assert(replace(path, "old", NULL));
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){64, 64}), 0);
  ck_assert(!replace(path, much, &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_STORAGE));
  ck_assert_ptr_nonnull(strstr(error->message, path));
  ck_assert_ptr_nonnull(strstr(error->message, g_strerror(EFBIG)));
  check_holds(path, "old");
  ck_assert_uint_eq(count_files(), 1);
}
END_TEST

/* To write there in place would be to lose the old file when the disk is full. */
START_TEST(a_folder_that_takes_no_other_file_is_refused)
{
  g_autofree char *path = g_build_filename(folder, "run.jsonl", NULL);
  g_autoptr(GError) error = NULL;
  ck_assert(replace(path, "old", NULL));
  if (geteuid() == 0) /* whom no mode stops */
    ck_assert_int_eq(chown(folder, 65534, 65534) | chown(path, 65534, 65534) | seteuid(65534), 0);
  ck_assert_int_eq(g_chmod(folder, 0500), 0);
  ck_assert(!replace(path, "new", &error));
  ck_assert_ptr_nonnull(strstr(error->message, g_strerror(EACCES)));
  check_holds(path, "old");
  ck_assert(ol_whole_file_keep(begin(path, "chosen"), NULL));
  check_holds(path, "chosen");
  if (geteuid() != getuid())
    ck_assert_int_eq(seteuid(getuid()), 0);
  ck_assert_int_eq(g_chmod(folder, 0700), 0);
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
  tcase_add_test(tests, modes_are_those_of_any_file);
  tcase_add_test(tests, file_and_folder_are_synced);
  tcase_add_test(tests, a_folder_is_made);
  tcase_add_test(tests, half_a_file_never_takes_the_place);
  tcase_add_test(tests, a_folder_that_takes_no_other_file_is_refused);
  tcase_add_test(tests, who_looks_on_may_end_it);
  return run_suite("whole-file", tests);
}
