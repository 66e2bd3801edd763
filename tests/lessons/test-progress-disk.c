/* A learner's work survives full disks, folders that refuse, and kills. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lessons/progress-fixture.h"

/* A folder that cannot be: its parent is a file. It refuses root as well. */
START_TEST(unusable_folder)
{
  ck_assert(g_file_set_contents(path, "a file", -1, NULL));
  g_autofree char *below = g_build_filename(path, "progress.json", NULL);
  GError *error = NULL;
  g_autoptr(OlProgress) progress = ol_progress_load(below, "Ada", &error);
  suite_assert_error(&error, OL_ERROR_STORAGE, g_strerror(ENOTDIR));
  ck_assert(!ol_progress_answer(progress, "x", 1, TRUE, &error));
  suite_assert_error(&error, OL_ERROR_STORAGE, path);
  ck_assert(!ol_progress_is_saved(progress));
  ck_assert(ol_progress_is_done(progress, "x"));

  /* Once it can be, the next save brings everything. */
  ck_assert_int_eq(g_remove(path), 0);
  ck_assert(ol_progress_save(progress, &error));
  ck_assert(ol_progress_is_saved(progress));
  g_autoptr(OlProgress) again = ol_progress_load(below, "Ada", &error);
  ck_assert_ptr_null(error);
  ck_assert(ol_progress_is_done(again, "x"));
  g_remove(below);
}
END_TEST

/* No byte can be written: what a full disk does, for any user and on any file system. */
START_TEST(a_full_disk)
{
  g_autoptr(OlProgress) progress = load_well();
  ck_assert(ol_progress_answer(progress, "x", 1, TRUE, NULL));
  g_autofree char *before = NULL, *after = NULL;
  ck_assert(g_file_get_contents(path, &before, NULL, NULL));

  struct rlimit kept, none = {0, 0};
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &kept), 0);
  none.rlim_max = kept.rlim_max;
  none.rlim_cur = 100; /* the first part goes through, as when the last block is found full */
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
  GError *error = NULL;
  gboolean saved = ol_progress_answer(progress, "y", 1, TRUE, &error);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &kept), 0);

  ck_assert(!saved);
  ck_assert_ptr_nonnull(strstr(error->message, path));
  suite_assert_error(&error, OL_ERROR_STORAGE, g_strerror(EFBIG));
  ck_assert(g_file_get_contents(path, &after, NULL, NULL));
  ck_assert_str_eq(before, after);
  ck_assert_uint_eq(count_files(""), 1); /* the half-written file is gone */
  ck_assert(ol_progress_is_done(progress, "y"));

  /* The next thing the learner does saves both. */
  ck_assert(ol_progress_ran(progress, "y", "serial", &error));
  g_autoptr(OlProgress) again = load_well();
  ck_assert(ol_progress_is_done(again, "y"));
}
END_TEST

#define NOBODY 65534 /* root, whom no mode stops, becomes this one for a while */

static void give_up_rights(void)
{
  if (geteuid() == 0)
    ck_assert_int_eq(chown(folder, NOBODY, NOBODY) | chown(path, NOBODY, NOBODY) | seteuid(NOBODY),
                     0);
}

/* A folder that takes no new file, and then does again. */
START_TEST(a_read_only_folder)
{
  g_autoptr(OlProgress) progress = load_well();
  ck_assert(ol_progress_answer(progress, "x", 1, TRUE, NULL));
  g_autofree char *before = NULL, *after = NULL;
  ck_assert(g_file_get_contents(path, &before, NULL, NULL));
  give_up_rights();
  ck_assert_int_eq(chmod(folder, 0555), 0);

  GError *error = NULL;
  ck_assert(!ol_progress_answer(progress, "y", 1, TRUE, &error));
  ck_assert_ptr_nonnull(strstr(error->message, path));
  suite_assert_error(&error, OL_ERROR_STORAGE, g_strerror(EACCES));
  ck_assert(!ol_progress_predict(progress, "y", 4, &error));
  suite_assert_error(&error, OL_ERROR_STORAGE, path);
  ck_assert(!ol_progress_is_saved(progress));
  ck_assert(ol_progress_is_done(progress, "y"));
  ck_assert(g_file_get_contents(path, &after, NULL, NULL));
  ck_assert_str_eq(before, after);

  ck_assert_int_eq(chmod(folder, 0755), 0);
  ck_assert(ol_progress_ran(progress, "y", "serial", &error));
  if (geteuid() != getuid())
    ck_assert_int_eq(seteuid(getuid()), 0);
  g_autoptr(OlProgress) again = load_well();
  double value;
  ck_assert(ol_progress_is_done(again, "x") && ol_progress_is_done(again, "y"));
  ck_assert(ol_progress_get_prediction(again, "y", &value) && value == 4);
  ck_assert_uint_eq(count_files(""), 1);
}
END_TEST

/* Answers in a loop and says after each, on `told`, that it was saved. */
static void answer_until_killed(int told)
{
  OlProgress *progress = ol_progress_load(path, "Ada", NULL);
  for (guint i = 0;; i++) {
    char byte = ol_progress_answer(progress, "x", i % 4, FALSE, NULL) ? 'y' : 'n';
    if (write(told, &byte, 1) != 1)
      _exit(1);
  }
}

#define KILLS (g_getenv("OFFLOAD_LAB_LONG") ? 500 : 20)

START_TEST(kills_at_random_moments)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  guint answers = 0, all = 0;
  for (int round = 0; round < KILLS; round++) {
    int told[2];
    ck_assert_int_eq(pipe(told), 0);
    pid_t child = fork();
    if (child == 0) {
      close(told[0]);
      answer_until_killed(told[1]);
    }
    close(told[1]);
    g_usleep((gulong)g_rand_int_range(random, 0, 30000));
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    guint saved = 0;
    for (char byte; read(told[0], &byte, 1) == 1; saved++)
      ck_assert_int_eq(byte, 'y');
    close(told[0]);

    g_autoptr(OlProgress) progress = load_well(); /* valid, or this fails */
    guint found = count_answers();
    ck_assert_uint_ge(found, answers + saved); /* what was told to be saved is there */
    ck_assert_uint_le(found, answers + saved + 1);
    all += found - answers;
    answers = found;
    if (answers > 500) { /* of a lesson 1000 answers are kept: begin anew well before */
      ck_assert_int_eq(g_remove(path), 0);
      answers = 0;
    }
  }
  ck_assert_uint_gt(all, 0);
}
END_TEST

START_TEST(leftovers_are_swept)
{
  g_autofree char *old = g_build_filename(folder, ".offload-lab-new-abcdef", NULL);
  g_autofree char *young = g_build_filename(folder, ".offload-lab-new-ghijkl", NULL);
  g_autofree char *foreign = g_strconcat(path, ".mine", NULL);
  const char *files[] = {old, young, foreign};
  for (guint i = 0; i < G_N_ELEMENTS(files); i++)
    ck_assert(g_file_set_contents(files[i], "half", -1, NULL));
  struct timespec hour_ago[2] = {{time(NULL) - 3600, 0}, {time(NULL) - 3600, 0}};
  ck_assert_int_eq(utimensat(AT_FDCWD, old, hour_ago, 0), 0);
  ck_assert_int_eq(utimensat(AT_FDCWD, foreign, hour_ago, 0), 0);
  g_autoptr(OlProgress) progress = load_well();
  ck_assert(!g_file_test(old, G_FILE_TEST_EXISTS));
  ck_assert(g_file_test(young, G_FILE_TEST_EXISTS)); /* another lab may be writing it */
  ck_assert(g_file_test(foreign, G_FILE_TEST_EXISTS));
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {unusable_folder,         a_full_disk,         a_read_only_folder,
                                kills_at_random_moments, leftovers_are_swept, NULL};
  return suite_run_with("progress disk", tests, g_getenv("OFFLOAD_LAB_LONG") ? 900 : 60, set_up,
                        tear_down);
}
