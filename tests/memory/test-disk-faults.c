#include "engine/base/error.h"
#include "tests/memory/disk-fixture.h"
#include "tests/suite.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

static void expect_words(GError *error, const char *first, const char *second)
{
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_STORAGE));
  ck_assert_msg(strstr(error->message, first) != NULL, "no \"%s\" in: %s", first, error->message);
  ck_assert_msg(strstr(error->message, second) != NULL, "no \"%s\" in: %s", second, error->message);
}

static void expect_no_disk(const OlDiskOptions *options, int failure, const char *words)
{
  g_autoptr(GError) error = NULL;
  OlDisk *disk = ol_disk_open(options, &error);
  ck_assert_ptr_null(disk);
  expect_words(error, g_strerror(failure), words);
  ck_assert_ptr_nonnull(strstr(error->message, options->folder));
}

/* ---- transfers that go wrong ---- */

START_TEST(short_transfers_are_completed)
{
  static const guint most[] = {4096, 12288, 40960, 4096 + 512, 3 * 4096 + 1024};
  g_autofree char *folder = new_folder();
  guint64 bytes = 500001;
  char *block = new_block(bytes);

  for (guint i = 0; i < G_N_ELEMENTS(most); i++) {
    Faults faults = disk_way((guint)_i)->faults;
    faults.most_bytes = most[i];
    g_autoptr(OlDisk) disk = open_disk(&(OlDiskOptions){
        .folder = folder, .bytes = MIB, .block_bytes = 64 * KIB, .system = faulty_system(&faults)});
    ol_disk_register(disk, (void *[]){block}, &bytes, 1);
    fill_pattern(block, bytes, i);
    expect_write(disk, block, 4096, bytes);
    memset(block, 0, bytes);
    expect_read(disk, block, 4096, bytes);
    ck_assert(has_pattern(block, bytes, i));
    ck_assert_uint_ge(count_transfers(), 2 * bytes / most[i]);
    ck_assert_uint_ge(ol_disk_get_read_bytes(disk), bytes);
  }
  free(block);
  g_rmdir(folder);
}
END_TEST

/* The case i: a way, then reading or writing. */
START_TEST(a_failing_drive_is_told)
{
  Faults faults = disk_way((guint)_i % N_WAYS)->faults;
  gboolean reads = _i >= N_WAYS;
  g_autofree char *folder = new_folder();
  guint64 bytes = 2 * MIB - 77, moved = 0;
  char *block = new_block(bytes);
  g_autoptr(GError) error = NULL;
  g_autoptr(OlDisk) disk = open_disk(&(OlDiskOptions){.folder = folder,
                                                      .bytes = 4 * MIB,
                                                      .depth = 1,
                                                      .block_bytes = 64 * KIB,
                                                      .system = faulty_system(&faults)});

  faults.fail_from = 6;
  faults.fail_times = 1000;
  faults.failure = EIO;
  set_faults(&faults);
  ck_assert(!(reads ? ol_disk_read(disk, block, MIB, bytes, &moved, &error)
                    : ol_disk_write(disk, block, MIB, bytes, &moved, &error)));
  expect_words(error, "Input/output error", reads ? "reading 2.00 MiB at" : "writing 2.00 MiB at");
  expect_words(error, folder, "offset 1376256 "); /* 1 MiB + 5 blocks */
  ck_assert_uint_eq(moved, 5 * 64 * KIB);
  ck_assert_uint_eq(count_transfers(), 6); /* the rest is not tried */

  set_faults(&disk_way((guint)_i % N_WAYS)->faults); /* it recovers */
  fill_pattern(block, bytes, 4);
  expect_write(disk, block, MIB, bytes);
  expect_read(disk, block, MIB, bytes);
  ck_assert(has_pattern(block, bytes, 4));
  free(block);
  g_rmdir(folder);
}
END_TEST

START_TEST(several_in_flight_fail_together)
{
  Faults faults = disk_way((guint)_i)->faults;
  g_autofree char *folder = new_folder();
  char *block = new_block(4 * MIB);
  g_autoptr(GError) error = NULL;
  g_autoptr(OlDisk) disk = open_disk(&(OlDiskOptions){.folder = folder,
                                                      .bytes = 4 * MIB,
                                                      .block_bytes = 64 * KIB,
                                                      .system = faulty_system(&faults)});

  for (guint from = 1; from <= 64; from += 9) {
    faults.fail_from = from;
    faults.fail_times = 3;
    faults.failure = EIO;
    set_faults(&faults);
    ck_assert(!ol_disk_write(disk, block, 0, 4 * MIB, NULL, &error));
    g_clear_error(&error);
  }
  set_faults(&disk_way((guint)_i)->faults);
  fill_pattern(block, 4 * MIB, 4);
  expect_write(disk, block, 0, 4 * MIB);
  expect_read(disk, block, 0, 4 * MIB);
  ck_assert(has_pattern(block, 4 * MIB, 4));
  free(block);
  g_rmdir(folder);
}
END_TEST

START_TEST(passing_failures_pass)
{
  Faults faults = disk_way((guint)_i)->faults;
  g_autofree char *folder = new_folder();
  char *block = new_block(MIB);
  g_autoptr(GError) error = NULL;
  g_autoptr(OlDisk) disk = open_disk(&(OlDiskOptions){
      .folder = folder, .bytes = MIB, .block_bytes = 64 * KIB, .system = faulty_system(&faults)});

  for (guint i = 0; i < 2; i++) {
    faults.fail_from = 3;
    faults.fail_times = 20;
    faults.failure = i ? EAGAIN : EINTR;
    set_faults(&faults);
    fill_pattern(block, MIB, i);
    expect_write(disk, block, 0, MIB);
    set_faults(&faults);
    expect_read(disk, block, 0, MIB);
    ck_assert(has_pattern(block, MIB, i));
    ck_assert_uint_eq(count_transfers(), 16 + 20);
  }
  faults.fail_times = G_MAXUINT; /* one that never passes is no reason to hang */
  set_faults(&faults);
  ck_assert(!ol_disk_read(disk, block, 0, MIB, NULL, &error));
  expect_words(error, g_strerror(EAGAIN), "reading 1 MiB");
  free(block);
  g_rmdir(folder);
}
END_TEST

START_TEST(a_file_that_ends_early_is_an_error)
{
  Faults faults = {.refuse_ring = _i == 1};
  g_autofree char *folder = new_folder();
  char *block = new_block(MIB);
  guint64 moved;
  g_autoptr(GError) error = NULL;
  g_autoptr(OlDisk) disk = open_disk(&(OlDiskOptions){
      .folder = folder, .bytes = MIB, .depth = 1, .system = faulty_system(&faults)});

  ck_assert_int_eq(ftruncate(ol_disk_get_descriptor(disk), 512 * KIB), 0);
  ck_assert(!ol_disk_read(disk, block, 0, MIB, &moved, &error));
  expect_words(error, "Input/output error", "offset 524288 ");
  ck_assert_uint_eq(moved, 512 * KIB);
  free(block);
  g_rmdir(folder);
}
END_TEST

static void *read_all(void *disk)
{
  g_autoptr(GError) error = NULL;
  char *block = new_block(4 * MIB);
  ck_assert(!ol_disk_read(disk, block, 0, 4 * MIB, NULL, &error));
  expect_words(error, "No such device", "reading 4 MiB");
  free(block);
  return NULL;
}

START_TEST(a_lost_ring_fails_all_and_hangs_none)
{
  Faults faults = {.fail_from = 5, .fail_times = G_MAXUINT, .failure = EIO, .ring_failure = ENODEV};
  g_autofree char *folder = new_folder();
  guint64 bytes = 4096;
  char *block = new_block(bytes);
  g_autoptr(GError) error = NULL;
  g_autoptr(OlDisk) disk = open_disk(&(OlDiskOptions){.folder = folder,
                                                      .bytes = 4 * MIB,
                                                      .block_bytes = 64 * KIB,
                                                      .system = faulty_system(&faults)});
  pthread_t threads[3];

  if (g_str_has_prefix(ol_disk_get_path(disk), "io_uring")) {
    for (guint i = 0; i < 3; i++)
      pthread_create(&threads[i], NULL, read_all, disk);
    for (guint i = 0; i < 3; i++)
      pthread_join(threads[i], NULL);
    ck_assert(!ol_disk_write(disk, block, 0, bytes, NULL, &error));
    expect_words(error, "No such device", "writing");
    ck_assert_uint_eq(ol_disk_register(disk, (void *[]){block}, &bytes, 1), 0);
  }
  free(block);
  g_rmdir(folder);
}
END_TEST

/* ---- no room ---- */

START_TEST(no_room_is_told_at_once)
{
  g_autofree char *folder = new_folder();
  Faults faults = {.refuse_room = ENOSPC};

  expect_no_disk(
      &(OlDiskOptions){.folder = folder, .bytes = 8 * MIB, .system = faulty_system(&faults)},
      ENOSPC, "cannot reserve 8 MiB");
  ck_assert_uint_eq(count_files(folder), 0);
  expect_no_disk(&(OlDiskOptions){.folder = folder, .bytes = G_MAXUINT64}, EFBIG, "ulimit -f");
  ck_assert_uint_eq(count_files(folder), 0);
  g_rmdir(folder);
}
END_TEST

START_TEST(a_file_size_limit_is_no_death)
{
  g_autofree char *folder = new_folder();
  struct rlimit limit;

  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = MIN(limit.rlim_max, MIB);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
  expect_no_disk(&(OlDiskOptions){.folder = folder, .bytes = 8 * MIB}, EFBIG, "ulimit -f");
  ol_disk_free(open_disk(&(OlDiskOptions){.folder = folder, .bytes = MIB}));
  g_rmdir(folder);
}
END_TEST

/* On a real, small file system, where such a one can be had. */
START_TEST(a_full_disk_is_told)
{
  g_autofree char *folder = new_folder();

  if (own_mounts() && mount("none", folder, "tmpfs", 0, "size=1m") == 0) {
    g_autoptr(GError) error = NULL;
    char *block = new_block(2 * MIB);
    expect_no_disk(&(OlDiskOptions){.folder = folder, .bytes = 8 * MIB}, ENOSPC, "(1 MiB is free)");
    OlDisk *disk = open_disk(&(OlDiskOptions){
        .folder = folder, .bytes = 8 * MIB, .system = faulty_system(&(Faults){.sparse = TRUE})});
    ck_assert(!ol_disk_write(disk, block, 0, 2 * MIB, NULL, &error));
    expect_words(error, g_strerror(ENOSPC), folder);
    expect_read(disk, block, 0, 64 * KIB);
    ol_disk_free(disk);
    disk = open_disk(&(OlDiskOptions){.folder = folder, .bytes = MIB / 2}); /* all given back */
    expect_write(disk, block, 0, MIB / 2);
    ol_disk_free(disk);
    free(block);
    umount(folder);
  }
  g_rmdir(folder);
}
END_TEST

/* ---- folders ---- */

START_TEST(bad_folders_are_told)
{
  g_autofree char *folder = new_folder();
  g_autofree char *missing = g_build_filename(folder, "gone", NULL);
  g_autofree char *file = g_build_filename(folder, "file", NULL);

  expect_no_disk(&(OlDiskOptions){.folder = missing, .bytes = MIB}, ENOENT, "make it");
  ck_assert(g_file_set_contents(file, "in the way", -1, NULL));
  expect_no_disk(&(OlDiskOptions){.folder = file, .bytes = MIB}, ENOTDIR, "hardware.nvme_folder");
  g_unlink(file);
  if (geteuid() == 0)
    ck_assert_int_eq(seteuid(NOBODY), 0);
  else
    ck_assert_int_eq(chmod(folder, 0555), 0);
  expect_no_disk(&(OlDiskOptions){.folder = folder, .bytes = MIB}, EACCES, "that you may write");
  if (geteuid() == NOBODY)
    ck_assert_int_eq(seteuid(getuid()), 0);
  g_rmdir(folder);
}
END_TEST

START_TEST(a_file_in_the_way_of_the_usual_folder_is_told)
{
  g_autofree char *folder = new_folder(), *here = g_get_current_dir();
  g_autofree char *file = g_build_filename(here, folder, "offload-lab", NULL);
  g_autofree char *cache = g_path_get_dirname(file);
  g_autoptr(GError) error = NULL;

  ck_assert(g_file_set_contents(file, "in the way", -1, NULL));
  g_setenv("XDG_CACHE_HOME", cache, TRUE);
  ck_assert_ptr_null(ol_disk_open(&(OlDiskOptions){.bytes = MIB}, &error));
  expect_words(error, file, "hardware.nvme_folder");
  g_unlink(file);
  g_rmdir(folder);
}
END_TEST

START_TEST(a_read_only_file_system_is_told)
{
  g_autofree char *folder = new_folder();

  if (own_mounts() && mount("none", folder, "tmpfs", MS_RDONLY, "size=1m") == 0) {
    expect_no_disk(&(OlDiskOptions){.folder = folder, .bytes = 4096}, EROFS, "that you may write");
    umount(folder);
  }
  g_rmdir(folder);
}
END_TEST

START_TEST(a_folder_may_vanish)
{
  g_autofree char *folder = new_folder();
  char *block = new_block(MIB);
  OlDisk *disk = open_disk(&(OlDiskOptions){.folder = folder, .bytes = MIB});

  ck_assert_int_eq(g_rmdir(folder), 0); /* the file stays, nameless, until it is closed */
  fill_pattern(block, MIB, 9);
  expect_write(disk, block, 0, MIB);
  memset(block, 0, MIB);
  expect_read(disk, block, 0, MIB);
  ck_assert(has_pattern(block, MIB, 9));
  ol_disk_free(disk);
  expect_no_disk(&(OlDiskOptions){.folder = folder, .bytes = MIB}, ENOENT, "make it");
  free(block);
}
END_TEST

/* ---- death ---- */

/* Writes for ever, and says so after the first time. */
static void write_for_ever(const char *folder, const Faults *faults, int told)
{
  OlDisk *disk = open_disk(
      &(OlDiskOptions){.folder = folder, .bytes = 8 * MIB, .system = faulty_system(faults)});
  char *block = new_block(8 * MIB);
  for (;;) {
    expect_write(disk, block, 0, 8 * MIB);
    if (write(told, "x", 1) != 1)
      _exit(1);
  }
}

START_TEST(nothing_is_left_after_a_kill)
{
  static const Faults kinds[] = {
      {0}, {.refuse_ring = TRUE}, {.refuse_direct = TRUE}, {.refuse_unnamed = TRUE}};
  g_autofree char *folder = new_folder();

  for (guint i = 0; i < 2 * G_N_ELEMENTS(kinds); i++) {
    int told[2];
    char byte;
    ck_assert_int_eq(pipe(told), 0);
    pid_t child = fork();
    if (child == 0)
      write_for_ever(folder, &kinds[i % G_N_ELEMENTS(kinds)], told[1]);
    close(told[1]);
    ck_assert_int_eq(read(told[0], &byte, 1), 1);
    g_usleep(i * 1500); /* the next write is under way, not always at the same place */
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    close(told[0]);
    ck_assert_uint_eq(count_files(folder), 0);
  }
  ck_assert_int_eq(g_rmdir(folder), 0);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("disk-faults");
  tcase_set_timeout(tests, 60);
  tcase_add_loop_test(tests, short_transfers_are_completed, 0, N_WAYS);
  tcase_add_loop_test(tests, a_failing_drive_is_told, 0, 2 * N_WAYS);
  tcase_add_loop_test(tests, several_in_flight_fail_together, 0, N_WAYS);
  tcase_add_loop_test(tests, passing_failures_pass, 0, N_WAYS);
  tcase_add_loop_test(tests, a_file_that_ends_early_is_an_error, 0, 2);
  tcase_add_test(tests, a_lost_ring_fails_all_and_hangs_none);
  tcase_add_test(tests, no_room_is_told_at_once);
  tcase_add_test(tests, a_file_size_limit_is_no_death);
  tcase_add_test(tests, a_full_disk_is_told);
  tcase_add_test(tests, bad_folders_are_told);
  tcase_add_test(tests, a_file_in_the_way_of_the_usual_folder_is_told);
  tcase_add_test(tests, a_read_only_file_system_is_told);
  tcase_add_test(tests, a_folder_may_vanish);
  tcase_add_test(tests, nothing_is_left_after_a_kill);
  return run_suite("disk-faults", tests);
}
