#include "tests/memory/disk-fixture.h"
#include "tests/suite.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define TMPFS 0x01021994

static gboolean is_in_memory(const char *folder)
{
  struct statfs type;
  return statfs(folder, &type) == 0 && type.f_type == TMPFS;
}

static void expect_path(const OlDisk *disk, const char *folder, const char *words)
{
  g_autofree char *all =
      g_strconcat(words, is_in_memory(folder) ? ", in memory: no disk at all" : NULL, NULL);
  ck_assert_str_eq(ol_disk_get_path(disk), all);
}

static guint64 whole(guint64 bytes)
{
  return (bytes + OL_DISK_ALIGNMENT - 1) / OL_DISK_ALIGNMENT * OL_DISK_ALIGNMENT;
}

/* The file as somebody else sees it. */
static void expect_in_file(const OlDisk *disk, guint64 offset, guint64 bytes, guint64 seed)
{
  char *seen = new_block(bytes);
  gsize asked = (gsize)whole(bytes), at = 0;
  while (at < asked) {
    gssize n = pread(ol_disk_get_descriptor(disk), seen + at, asked - at, (off_t)(offset + at));
    ck_assert_msg(n > 0, "pread: %s", g_strerror(errno));
    at += (gsize)n;
  }
  ck_assert(has_pattern(seen, bytes, seed));
  free(seen);
}

static void round_trip_sizes(OlDisk *disk, char *block, guint64 most)
{
  static const guint64 sizes[] = {1,      511,     4095,        4096,        4097,
                                  100000, MIB - 1, 2 * MIB + 5, 3 * MIB - 1, 3 * MIB};
  guint64 there = 0;

  for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
    guint64 offset = i * OL_DISK_ALIGNMENT, bytes = sizes[i];
    ck_assert_uint_le(bytes, most);
    fill_pattern(block, bytes, i);
    expect_write(disk, block, offset, bytes);
    expect_in_file(disk, offset, bytes, i);
    memset(block, 0, (gsize)whole(bytes));
    expect_read(disk, block, offset, bytes);
    ck_assert(has_pattern(block, bytes, i));
    there += whole(bytes);
  }
  ck_assert_uint_eq(ol_disk_get_written_bytes(disk), there);
  ck_assert_uint_eq(ol_disk_get_read_bytes(disk), there);
}

START_TEST(bytes_come_back_every_way)
{
  static const struct {
    guint depth, block_bytes;
  } settings[] = {{0, 0}, {1, 1}, {2, 65536}, {64, 10000}};
  const Way *way = disk_way((guint)_i);
  g_autofree char *folder = new_folder();
  guint64 most = 3 * MIB;
  char *block = new_block(most);

  for (guint i = 0; i < G_N_ELEMENTS(settings); i++) {
    g_autoptr(OlDisk) disk = open_disk(&(OlDiskOptions){.folder = folder,
                                                        .bytes = 4 * MIB,
                                                        .depth = settings[i].depth,
                                                        .block_bytes = settings[i].block_bytes,
                                                        .system = faulty_system(&way->faults)});
    guint n = ol_disk_register(disk, (void *[]){block}, &most, 1);
    if (!way->registers || way->faults.refuse_registration)
      ck_assert_uint_eq(n, 0);
    if (n == 1 || !way->registers || way->faults.refuse_registration)
      expect_path(disk, folder, way->words); /* else the user's lock limit is used up */
    round_trip_sizes(disk, block, most);
    ck_assert_uint_eq(count_files(folder), 0);
  }
  free(block);
  ck_assert_int_eq(g_rmdir(folder), 0);
}
END_TEST

/* ---- several lanes ---- */

typedef struct {
  OlDisk *disk;
  char *block;
  guint64 offset, bytes;
  guint rounds;
  gboolean writes;
} Lane;

/* A reading lane reads what was there before; a writing one ends with its last round there. */
static void *run_lane(void *data)
{
  Lane *lane = data;
  for (guint round = 0; round < lane->rounds; round++) {
    if (lane->writes) {
      fill_pattern(lane->block, lane->bytes, lane->offset + round);
      expect_write(lane->disk, lane->block, lane->offset, lane->bytes);
    } else {
      memset(lane->block, 0, lane->bytes);
      expect_read(lane->disk, lane->block, lane->offset, lane->bytes);
      ck_assert(has_pattern(lane->block, lane->bytes, lane->offset));
    }
  }
  return NULL;
}

START_TEST(lanes_read_and_write_at_once)
{
  g_autofree char *folder = new_folder();
  g_autoptr(OlDisk) disk =
      open_disk(&(OlDiskOptions){.folder = folder,
                                 .bytes = 16 * MIB,
                                 .depth = 3,
                                 .block_bytes = 64 * KIB,
                                 .system = faulty_system(&disk_way((guint)_i)->faults)});
  pthread_t threads[4];
  Lane lanes[4];

  for (guint i = 0; i < 4; i++) {
    lanes[i] = (Lane){disk, new_block(2 * MIB), i * 4 * MIB, 700001 + 1234 * i, 6, i % 2 == 0};
    fill_pattern(lanes[i].block, lanes[i].bytes, lanes[i].offset);
    expect_write(disk, lanes[i].block, lanes[i].offset, lanes[i].bytes);
  }
  ol_disk_register(disk, (void *[]){lanes[0].block, lanes[1].block}, (guint64[]){2 * MIB, 2 * MIB},
                   2);
  for (guint i = 0; i < 4; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, run_lane, &lanes[i]), 0);
  for (guint i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
    expect_in_file(disk, lanes[i].offset, lanes[i].bytes,
                   lanes[i].offset + (lanes[i].writes ? lanes[i].rounds - 1 : 0));
    free(lanes[i].block);
  }
  g_rmdir(folder);
}
END_TEST

/* ---- bounds ---- */

static void expect_refused(OlDisk *disk, char *block, guint64 offset, guint64 bytes,
                           const char *words)
{
  g_autoptr(GError) error = NULL;
  guint64 moved = 1;
  ck_assert(!ol_disk_write(disk, block, offset, bytes, &moved, &error));
  ck_assert_msg(strstr(error->message, words) != NULL, "%s", error->message);
  ck_assert_uint_eq(moved, 0);
  g_clear_error(&error);
  ck_assert(!ol_disk_read(disk, block, offset, bytes, NULL, &error));
}

START_TEST(the_tier_is_bounded)
{
  g_autofree char *folder = new_folder();
  g_autoptr(OlDisk) disk = open_disk(&(OlDiskOptions){.folder = folder, .bytes = 3 * 4096 - 7});
  char *block = new_block(4 * 4096);

  expect_write(disk, block, 0, 3 * 4096); /* the capacity is rounded up as transfers are */
  expect_write(disk, block, 2 * 4096, 1);
  expect_write(disk, block, 3 * 4096, 0);
  expect_read(disk, block, 0, 0);
  expect_refused(disk, block, 0, 3 * 4096 + 1, "beyond its end");
  expect_refused(disk, block, 3 * 4096, 1, "beyond its end");
  expect_refused(disk, block, G_MAXUINT64 - 4095, 4096, "beyond its end");
  expect_refused(disk, block, 4096, G_MAXUINT64, "beyond its end");
  expect_refused(disk, block, 100, 1, "not aligned");
  expect_refused(disk, block + 8, 0, 1, "not aligned");
  ck_assert_uint_eq(ol_disk_get_written_bytes(disk), 4 * 4096);
  free(block);
  g_rmdir(folder);
}
END_TEST

START_TEST(the_usual_folder_is_made)
{
  g_autofree char *cache = new_folder(), *here = g_get_current_dir();
  g_autofree char *absolute = g_build_filename(here, cache, NULL);
  g_autofree char *folder = g_build_filename(cache, "offload-lab", NULL);

  g_setenv("XDG_CACHE_HOME", absolute, TRUE);
  OlDisk *disk = open_disk(&(OlDiskOptions){.bytes = 1});
  ck_assert_uint_eq(count_files(folder), 0);
  ol_disk_free(disk);
  ck_assert_int_eq(g_rmdir(folder), 0);
  g_rmdir(cache);
}
END_TEST

START_TEST(memory_is_not_called_a_disk)
{
  if (!is_in_memory("/dev/shm"))
    return;
  g_autoptr(OlDisk) disk = open_disk(&(OlDiskOptions){.folder = "/dev/shm", .bytes = MIB});
  char *block = new_block(MIB);
  ck_assert(g_str_has_suffix(ol_disk_get_path(disk), ", in memory: no disk at all"));
  fill_pattern(block, 12345, 3);
  expect_write(disk, block, 0, 12345);
  expect_in_file(disk, 0, 12345, 3);
  free(block);
}
END_TEST

START_TEST(nameless_without_the_system_s_help)
{
  g_autofree char *folder = new_folder();
  OlDisk *disk = open_disk(&(OlDiskOptions){
      .folder = folder, .bytes = MIB, .system = faulty_system(&(Faults){.refuse_unnamed = TRUE})});
  ck_assert_uint_eq(count_files(folder), 0);
  ol_disk_free(disk);
  ck_assert_int_eq(g_rmdir(folder), 0);
}
END_TEST

START_TEST(huge_pages_are_asked_for)
{
  gsize bytes = 8 * MIB;
  char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert(memory != MAP_FAILED);
  g_autofree char *settings = NULL;
  g_file_get_contents("/sys/kernel/mm/transparent_hugepage/enabled", &settings, NULL, NULL);
  ck_assert_int_eq(ol_disk_prefers_huge(memory + 4096, bytes - 4096), settings != NULL);
  ck_assert(!ol_disk_prefers_huge(memory + 4096, 4096)); /* no huge page fits */
  memset(memory, 1, bytes);
  munmap(memory, bytes);
}
END_TEST

/* ---- against what the kernel counts ---- */

static guint64 read_counter(const char *name)
{
  g_autofree char *text = NULL;
  ck_assert(g_file_get_contents("/proc/self/io", &text, NULL, NULL));
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  for (guint i = 0; lines[i]; i++) {
    if (g_str_has_prefix(lines[i], name))
      return g_ascii_strtoull(lines[i] + strlen(name), NULL, 10);
  }
  ck_abort_msg("no %s in /proc/self/io", name);
  return 0;
}

START_TEST(the_kernel_counts_the_same)
{
  g_autofree char *folder = new_folder();
  g_autoptr(OlDisk) disk =
      open_disk(&(OlDiskOptions){.folder = folder,
                                 .bytes = 24 * MIB,
                                 .block_bytes = 256 * KIB,
                                 .system = faulty_system(&disk_way((guint)_i)->faults)});
  char *block = new_block(20 * MIB);
  guint64 slack = 64 * KIB; /* pages of the program that are read for the first time */

  g_autofree char *counters = NULL;
  if (!is_in_memory(folder) && g_file_get_contents("/proc/self/io", &counters, NULL, NULL)) {
    expect_write(disk, block, 0, 20 * MIB); /* the file system's own first writes */
    expect_read(disk, block, 0, 20 * MIB);
    guint64 reads = read_counter("read_bytes: "), writes = read_counter("write_bytes: ");
    guint64 counted_reads = ol_disk_get_read_bytes(disk);
    guint64 counted_writes = ol_disk_get_written_bytes(disk);

    expect_write(disk, block, 4 * MIB, 20 * MIB - 12345);
    expect_read(disk, block, 4096, 7 * MIB + 1);
    reads = read_counter("read_bytes: ") - reads;
    writes = read_counter("write_bytes: ") - writes;
    counted_reads = ol_disk_get_read_bytes(disk) - counted_reads;
    counted_writes = ol_disk_get_written_bytes(disk) - counted_writes;
    ck_assert_uint_eq(counted_reads, whole(7 * MIB + 1));
    ck_assert_uint_eq(counted_writes, whole(20 * MIB - 12345));
    ck_assert_uint_ge(reads, counted_reads);
    ck_assert_uint_le(reads, counted_reads + slack);
    ck_assert_uint_ge(writes, counted_writes);
    ck_assert_uint_le(writes, counted_writes + slack);
  }
  free(block);
  g_rmdir(folder);
}
END_TEST

/* ---- registering within the lock limit ---- */

#define N_SLOTS    6u
#define SLOT_BYTES ((guint64)12 * 196608) /* the states of a width-128 block: 2.25 MiB */

/* An ordinary user with the usual 8 MiB: root's locked memory is not limited. TRUE: one that nobody
 * else is, so that the limit is wholly ours. */
static gboolean become_ordinary(const char *folder)
{
  struct rlimit limit = {8 * MIB, 8 * MIB};
  guint user = 100000 + (guint)getpid();

  if (geteuid() != 0) {
    getrlimit(RLIMIT_MEMLOCK, &limit);
    limit.rlim_cur = MIN(limit.rlim_max, 8 * MIB);
    ck_assert_int_eq(setrlimit(RLIMIT_MEMLOCK, &limit), 0);
    return FALSE;
  }
  ck_assert_int_eq(chown(folder, user, user), 0);
  ck_assert_int_eq(setrlimit(RLIMIT_MEMLOCK, &limit), 0);
  ck_assert_int_eq(setgroups(0, NULL), 0);
  ck_assert_int_eq(setgid(user), 0);
  ck_assert_int_eq(setuid(user), 0);
  return TRUE;
}

static void round_trip_slots(OlDisk *disk, void *const *slots)
{
  for (guint i = 0; i < N_SLOTS; i++) {
    fill_pattern(slots[i], SLOT_BYTES, i);
    expect_write(disk, slots[i], i * SLOT_BYTES, SLOT_BYTES);
  }
  for (guint i = 0; i < N_SLOTS; i++) {
    memset(slots[i], 0, SLOT_BYTES);
    expect_read(disk, slots[i], i * SLOT_BYTES, SLOT_BYTES);
    ck_assert(has_pattern(slots[i], SLOT_BYTES, i));
  }
}

static void register_within_limit(const char *folder)
{
  guint64 sizes[N_SLOTS];
  void *slots[N_SLOTS];

  gboolean alone = become_ordinary(folder);
  OlDisk *disk = open_disk(&(OlDiskOptions){.folder = folder, .bytes = N_SLOTS * SLOT_BYTES});
  for (guint i = 0; i < N_SLOTS; i++) {
    slots[i] = new_block(SLOT_BYTES);
    sizes[i] = SLOT_BYTES;
    madvise(slots[i], SLOT_BYTES, MADV_NOHUGEPAGE); /* or the count depends on where they lie */
  }
  for (guint round = 0; round < 2 && g_str_has_prefix(ol_disk_get_path(disk), "io_uring");
       round++) {
    guint n = ol_disk_register(disk, slots, sizes, N_SLOTS);
    g_autofree char *words = g_strdup_printf("io_uring, O_DIRECT, %u of 6 buffers registered", n);
    expect_path(disk, folder, words);
    ck_assert_uint_le(n, 3); /* less, if this user locks memory elsewhere */
    if (alone)
      ck_assert_uint_eq(n, 3);
    round_trip_slots(disk, slots);
    ck_assert_uint_le(ol_disk_register(disk, slots + 3, sizes, 1), 1);
    round_trip_slots(disk, slots);
  }
  ck_assert_uint_eq(ol_disk_register(disk, NULL, NULL, 0), 0);
  round_trip_slots(disk, slots);
  ol_disk_free(disk);
  for (guint i = 0; i < N_SLOTS; i++)
    free(slots[i]);
}

START_TEST(as_many_buffers_as_may_be_locked)
{
  g_autofree char *folder = new_folder();
  int status = 0;
  pid_t child = fork(); /* whoever becomes ordinary cannot clear up */
  if (child == 0) {
    register_within_limit(folder);
    _exit(0);
  }
  waitpid(child, &status, 0);
  g_rmdir(folder);
  ck_assert_int_eq(status, 0);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("disk");
  tcase_set_timeout(tests, 60);
  tcase_add_loop_test(tests, bytes_come_back_every_way, 0, N_WAYS);
  tcase_add_loop_test(tests, lanes_read_and_write_at_once, 0, N_WAYS);
  tcase_add_test(tests, the_tier_is_bounded);
  tcase_add_test(tests, the_usual_folder_is_made);
  tcase_add_test(tests, memory_is_not_called_a_disk);
  tcase_add_test(tests, nameless_without_the_system_s_help);
  tcase_add_test(tests, huge_pages_are_asked_for);
  tcase_add_loop_test(tests, the_kernel_counts_the_same, 0, N_WAYS - 1); /* buffered: later */
  tcase_add_test(tests, as_many_buffers_as_may_be_locked);
  return run_suite("disk", tests);
}
