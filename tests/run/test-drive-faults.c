/* A drive that fails under a run: no room, short transfers, errors in every phase, folders that
 * cannot be used. Each ends the run with words that name the folder and the reason, in time, with
 * nothing left in the folder and the lab as usable as before. */
#include "tests/memory/disk-fixture.h"
#include "tests/run/run-fixture.h"
#include "tests/suite.h"

#include "engine/base/clock.h"
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOBODY 65534

/* The folder of a test, below the current one, and the run's key for it. */
typedef struct {
  char *path, *key;
} Folder;

static Folder folder_new(void)
{
  Folder folder = {.path = new_folder()};
  folder.key = g_strdup_printf("hardware.nvme_folder=%s", folder.path);
  return folder;
}

static void folder_end(Folder *folder)
{
  ck_assert_int_eq(g_rmdir(folder->path), 0); /* so nothing is in it */
  g_free(folder->path);
  g_free(folder->key);
}

static OlRun *run_on(const Folder *folder, const OlDiskSystem *system)
{
  const char *const set[] = {ON_NVME, folder->key, NULL};
  OlRunOptions options = {.disk_system = system};
  return fixture_run(set, &options);
}

/* The lab is as usable as before. */
static void assert_usable(const Folder *folder, const char *right)
{
  g_autoptr(OlRun) run = run_on(folder, NULL);
  ck_assert_str_eq(fixture_get_hash(run), right);
}

static char *right_hash(const Folder *folder)
{
  g_autoptr(OlRun) run = run_on(folder, NULL);
  return g_strdup(fixture_get_hash(run));
}

static void expect_failure(OlRun *run, const char *first, const char *second)
{
  const OlTrace *trace = ol_run_get_trace(run);
  ck_assert_outcome(run, OL_OUTCOME_FAILED);
  ck_assert_ptr_nonnull(trace->message);
  ck_assert_msg(strstr(trace->message, first) != NULL, "no \"%s\" in: %s", first, trace->message);
  ck_assert_msg(strstr(trace->message, second) != NULL, "no \"%s\" in: %s", second, trace->message);
  ck_assert_ptr_null(ol_trace_get_text(trace, "weights.hash"));
}

static void expect_failure_on(const Folder *folder, const OlDiskSystem *system, int failure,
                              const char *words)
{
  g_autoptr(OlRun) run = run_on(folder, system);
  expect_failure(run, g_strerror(failure), words);
  ck_assert_ptr_nonnull(strstr(ol_run_get_trace(run)->message, folder->path));
}

/* ---- short transfers and errors ---- */

/* The system's own ways, in which a whole step's transfers take many turns. */
static const Faults ways[] = {
    {0}, {.refuse_registration = TRUE}, {.refuse_ring = TRUE}, {.refuse_direct = TRUE}};

START_TEST(test_short_transfers_change_nothing)
{
  static const guint most[] = {4096, 3 * 4096 + 1024};
  Folder folder = folder_new();
  g_autofree char *right = right_hash(&folder);
  for (guint i = 0; i < G_N_ELEMENTS(most); i++) {
    Faults faults = ways[_i];
    faults.most_bytes = most[i];
    g_autoptr(OlRun) run = run_on(&folder, faulty_system(&faults));
    ck_assert_str_eq(fixture_get_hash(run), right);
    const OlTrace *trace = ol_run_get_trace(run);
    for (guint k = 0; k < trace->spans->len; k++) {
      const OlSpan *span = ol_trace_span(trace, k);
      ck_assert_uint_eq(span->bytes, ol_graph_node(trace->graph, span->node)->bytes);
    }
  }
  folder_end(&folder);
}
END_TEST

/* In which parts of the run something had been done when it failed. */
static void note_parts(const OlTrace *trace, gboolean *seen)
{
  guint latest = 0;
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    latest = MAX(latest, ol_graph_node(trace->graph, span->node)->part);
  }
  seen[latest] = TRUE;
}

#define TURNS 24u

/* From one turn of the drive on, every transfer fails; the turns lie all over the run. */
START_TEST(test_errors_in_every_phase)
{
  Folder folder = folder_new();
  g_autofree char *right = right_hash(&folder);
  Faults faults = ways[_i];
  gboolean seen[OL_N_PARTS] = {FALSE};
  {
    g_autoptr(OlRun) clean = run_on(&folder, faulty_system(&faults));
    ck_assert_str_eq(fixture_get_hash(clean), right);
  }
  guint all = count_transfers();
  ck_assert_uint_gt(all, 100);
  for (guint turn = 0; turn < TURNS; turn++) {
    faults.fail_from = 2 + (all - 3) * turn / (TURNS - 1); /* the first only asks for O_DIRECT */
    faults.fail_times = G_MAXUINT;
    faults.failure = EIO;
    const OlDiskSystem *system = faulty_system(&faults);
    gint64 begin = ol_clock_now_ns();
    g_autoptr(OlRun) run = run_on(&folder, system);
    ck_assert_int_lt(ol_clock_now_ns() - begin, 5 * OL_NS_PER_SECOND);
    expect_failure(run, "Input/output error", folder.path);
    note_parts(ol_run_get_trace(run), seen);
    ck_assert_uint_eq(count_files(folder.path), 0);
  }
  ck_assert(seen[OL_PART_FILL] && seen[OL_PART_STEP] && seen[OL_PART_HASH]);
  assert_usable(&folder, right);
  folder_end(&folder);
}
END_TEST

START_TEST(test_a_lost_ring)
{
  Folder folder = folder_new();
  g_autofree char *right = right_hash(&folder);
  for (guint from = 2; from < 80; from += 13) {
    Faults faults = {.fail_from = from, .fail_times = G_MAXUINT, .ring_failure = ENODEV};
    faults.failure = ENODEV;
    expect_failure_on(&folder, faulty_system(&faults), ENODEV, "NVMe");
  }
  assert_usable(&folder, right);
  folder_end(&folder);
}
END_TEST

/* ---- no room ---- */

START_TEST(test_no_room_is_told_before_anything_runs)
{
  Folder folder = folder_new();
  g_autofree char *right = right_hash(&folder);
  Faults faults = {.refuse_room = ENOSPC};
  g_autoptr(OlRun) run = run_on(&folder, faulty_system(&faults));
  expect_failure(run, "cannot reserve", "or use a smaller model");
  ck_assert_uint_eq(ol_run_get_trace(run)->spans->len, 0);
  assert_usable(&folder, right);
  folder_end(&folder);
}
END_TEST

/* A real, small file system, where such a one can be had: full at once, and full half way. */
START_TEST(test_a_full_disk)
{
  Folder folder = folder_new();
  if (!own_mounts() || mount("none", folder.path, "tmpfs", 0, "size=256k") != 0) {
    printf("not held: no small file system can be mounted here\n");
    folder_end(&folder);
    return;
  }
  Faults sparse = {.sparse = TRUE};
  expect_failure_on(&folder, NULL, ENOSPC, "(256 KiB is free)");
  expect_failure_on(&folder, faulty_system(&sparse), ENOSPC, "writing");
  expect_failure_on(&folder, NULL, ENOSPC, "(256 KiB is free)"); /* all was given back */
  umount(folder.path);
  g_autofree char *right = right_hash(&folder);
  assert_usable(&folder, right);
  folder_end(&folder);
}
END_TEST

/* ---- folders ---- */

START_TEST(test_bad_folders)
{
  Folder folder = folder_new();
  g_autofree char *right = right_hash(&folder);
  g_autofree char *missing = g_build_filename(folder.path, "gone", NULL);
  g_autofree char *file = g_build_filename(folder.path, "file", NULL);
  g_autofree char *missing_key = g_strdup_printf("hardware.nvme_folder=%s", missing);
  g_autofree char *file_key = g_strdup_printf("hardware.nvme_folder=%s", file);

  expect_failure_on(&(Folder){missing, missing_key}, NULL, ENOENT, "make it");
  ck_assert(g_file_set_contents(file, "in the way", -1, NULL));
  expect_failure_on(&(Folder){file, file_key}, NULL, ENOTDIR, "hardware.nvme_folder");
  g_unlink(file);
  assert_usable(&folder, right);
  folder_end(&folder);
}
END_TEST

START_TEST(test_read_only_folder)
{
  Folder folder = folder_new();
  /* Root may write everywhere. */
  ck_assert_int_eq(geteuid() == 0 ? seteuid(NOBODY) : chmod(folder.path, 0555), 0);
  expect_failure_on(&folder, NULL, EACCES, "that you may write");
  if (geteuid() == NOBODY && getuid() == 0)
    ck_assert_int_eq(seteuid(0), 0);
  else
    ck_assert_int_eq(chmod(folder.path, 0755), 0);
  folder_end(&folder);
}
END_TEST

static void remove_folder(OlRun *run, guint step, gpointer path)
{
  if (step == 1)
    ck_assert_int_eq(g_rmdir(path), 0);
}

/* The file has no name in it, so the run does not even notice; the next one does. */
START_TEST(test_a_folder_that_vanishes)
{
  Folder folder = folder_new();
  g_autofree char *right = right_hash(&folder);
  const char *const set[] = {ON_NVME, folder.key, NULL};
  OlRunOptions options = {.before_step = remove_folder, .test_data = folder.path};
  g_autofree char *hash = fixture_hash(set, &options);
  ck_assert_str_eq(hash, right);
  expect_failure_on(&folder, NULL, ENOENT, "make it");
  g_free(folder.path);
  g_free(folder.key);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("drive-faults");
  tcase_set_timeout(tests, 120);
  tcase_add_loop_test(tests, test_short_transfers_change_nothing, 0, G_N_ELEMENTS(ways));
  tcase_add_loop_test(tests, test_errors_in_every_phase, 0, G_N_ELEMENTS(ways));
  tcase_add_test(tests, test_a_lost_ring);
  tcase_add_test(tests, test_no_room_is_told_before_anything_runs);
  tcase_add_test(tests, test_a_full_disk);
  tcase_add_test(tests, test_bad_folders);
  tcase_add_test(tests, test_read_only_folder);
  tcase_add_test(tests, test_a_folder_that_vanishes);
  return run_suite("drive-faults", tests);
}
