#include "tests/memory/disk-fixture.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of both below */
static Faults told;
static guint transfers;

/* ---- what the fake does ---- */

static Faults current(void)
{
  pthread_mutex_lock(&lock);
  Faults faults = told;
  pthread_mutex_unlock(&lock);
  return faults;
}

static gboolean is_due(guint number)
{
  return told.fail_from && number >= told.fail_from && number - told.fail_from < told.fail_times;
}

/* Counts a transfer and shortens it; TRUE when its turn to fail has come. */
static gboolean goes_wrong(gsize *bytes, int *failure)
{
  pthread_mutex_lock(&lock);
  gboolean wrong = is_due(++transfers);
  *failure = told.failure;
  if (told.most_bytes)
    *bytes = MIN(*bytes, told.most_bytes);
  pthread_mutex_unlock(&lock);
  return wrong;
}

static int ring_failure(void)
{
  pthread_mutex_lock(&lock);
  int failure = is_due(transfers) ? told.ring_failure : 0;
  pthread_mutex_unlock(&lock);
  return failure;
}

static int fake_unnamed(const char *folder)
{
  return current().refuse_unnamed ? -EOPNOTSUPP : ol_disk_system()->open_unnamed(folder);
}

static int real_named(char *pattern)
{
  return ol_disk_system()->open_named(pattern);
}

static int fake_direct(int file, gboolean direct)
{
  return current().refuse_direct && direct ? -EINVAL : ol_disk_system()->set_direct(file, direct);
}

static int fake_reserve(int file, guint64 bytes)
{
  if (current().refuse_room)
    return -current().refuse_room;
  if (current().sparse)
    return ftruncate(file, (off_t)bytes) == 0 ? 0 : -errno;
  return ol_disk_system()->reserve(file, bytes);
}

static gssize fake_read(int file, void *block, gsize bytes, guint64 offset)
{
  int failure;
  if (goes_wrong(&bytes, &failure))
    return -failure;
  return ol_disk_system()->read_at(file, block, bytes, offset);
}

static gssize fake_write(int file, const void *block, gsize bytes, guint64 offset)
{
  int failure;
  if (goes_wrong(&bytes, &failure))
    return -failure;
  return ol_disk_system()->write_at(file, block, bytes, offset);
}

static int fake_ring(guint entries, struct io_uring *ring)
{
  return current().refuse_ring ? -EPERM : ol_disk_system()->ring_open(entries, ring);
}

static int fake_register(struct io_uring *ring, const struct iovec *blocks, guint n)
{
  return current().refuse_registration ? -ENOMEM : ol_disk_system()->ring_register(ring, blocks, n);
}

/* Entries that carry a block (the bell's has no data) are shortened, or sent to no file at all:
 * that fails within the call, so its answer can be put in place before anyone sees it. */
static int fake_submit(struct io_uring *ring, guint wait_for)
{
  struct io_uring_cqe *done;
  int failure = 0;
  unsigned head;

  for (unsigned i = ring->sq.sqe_head; i != ring->sq.sqe_tail; i++) {
    struct io_uring_sqe *entry = &ring->sq.sqes[i & ring->sq.ring_mask];
    gsize bytes = entry->len;
    if (entry->user_data == 0)
      continue;
    if (goes_wrong(&bytes, &failure))
      entry->fd = -1;
    entry->len = (guint)bytes;
  }
  if (ring_failure())
    return -ring_failure();
  int answer = ol_disk_system()->ring_submit(ring, wait_for);
  io_uring_for_each_cqe(ring, head, done)
  {
    if (done->res == -EBADF)
      done->res = -failure;
  }
  return answer;
}

void set_faults(const Faults *faults)
{
  pthread_mutex_lock(&lock);
  told = *faults;
  transfers = 0;
  pthread_mutex_unlock(&lock);
}

const OlDiskSystem *faulty_system(const Faults *faults)
{
  static const OlDiskSystem system = {
      .open_unnamed = fake_unnamed,
      .open_named = real_named,
      .set_direct = fake_direct,
      .reserve = fake_reserve,
      .read_at = fake_read,
      .write_at = fake_write,
      .ring_open = fake_ring,
      .ring_register = fake_register,
      .ring_submit = fake_submit,
  };
  set_faults(faults);
  return &system;
}

guint count_transfers(void)
{
  pthread_mutex_lock(&lock);
  guint n = transfers;
  pthread_mutex_unlock(&lock);
  return n;
}

const Way *disk_way(guint i)
{
  static const Way ways[N_WAYS] = {
      {"io_uring, O_DIRECT, 1 of 1 buffers registered", {0}, TRUE},
      {"io_uring, O_DIRECT, 0 of 1 buffers registered", {.refuse_registration = TRUE}, TRUE},
      {"O_DIRECT, 4 threads", {.refuse_ring = TRUE}, FALSE},
      {"buffered, 4 threads", {.refuse_direct = TRUE}, FALSE},
  };
  return &ways[i];
}

/* ---- folders ---- */

char *new_folder(void)
{
  char *folder = g_strdup("disk-test-XXXXXX");
  ck_assert_msg(g_mkdtemp(folder) != NULL, "no folder: %s", g_strerror(errno));
  return folder;
}

guint count_files(const char *folder)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GDir) dir = g_dir_open(folder, 0, &error);
  guint n = 0;

  ck_assert_msg(dir != NULL, "%s", error ? error->message : "");
  while (g_dir_read_name(dir))
    n++;
  return n;
}

static gboolean write_text(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  gboolean written = file && fputs(text, file) >= 0;
  return file && fclose(file) == 0 && written;
}

/* An ordinary user becomes root of a name space of his own, where the system lets him. */
static gboolean own_users(void)
{
  g_autofree char *user = g_strdup_printf("0 %u 1", (guint)getuid());
  g_autofree char *group = g_strdup_printf("0 %u 1", (guint)getgid());
  return unshare(CLONE_NEWUSER) == 0 && write_text("/proc/self/setgroups", "deny") &&
         write_text("/proc/self/uid_map", user) && write_text("/proc/self/gid_map", group);
}

gboolean own_mounts(void)
{
  return (geteuid() == 0 || own_users()) && unshare(CLONE_NEWNS) == 0 &&
         mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* ---- blocks ---- */

char *new_block(guint64 bytes)
{
  guint64 whole = (bytes + OL_DISK_ALIGNMENT - 1) / OL_DISK_ALIGNMENT * OL_DISK_ALIGNMENT;
  char *block = aligned_alloc(OL_DISK_ALIGNMENT, MAX(whole, OL_DISK_ALIGNMENT));
  ck_assert_ptr_nonnull(block);
  memset(block, 0x5a, MAX(whole, OL_DISK_ALIGNMENT));
  return block;
}

/* A byte depends on its place and the seed, so that no shifted, stale or foreign piece can pass. */
static char pattern_at(guint64 i, guint64 seed)
{
  guint64 x = (i + (seed << 32)) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
  return (char)(x >> 56);
}

void fill_pattern(char *block, guint64 bytes, guint64 seed)
{
  for (guint64 i = 0; i < bytes; i++)
    block[i] = pattern_at(i, seed);
}

gboolean has_pattern(const char *block, guint64 bytes, guint64 seed)
{
  for (guint64 i = 0; i < bytes; i++) {
    if (block[i] != pattern_at(i, seed))
      return FALSE;
  }
  return TRUE;
}

/* ---- transfers that must succeed ---- */

OlDisk *open_disk(const OlDiskOptions *options)
{
  g_autoptr(GError) error = NULL;
  OlDisk *disk = ol_disk_open(options, &error);
  ck_assert_msg(disk != NULL, "%s", error ? error->message : "no error set");
  return disk;
}

void expect_write(OlDisk *disk, const char *block, guint64 offset, guint64 bytes)
{
  g_autoptr(GError) error = NULL;
  guint64 moved = 0;
  ck_assert_msg(ol_disk_write(disk, block, offset, bytes, &moved, &error), "%s",
                error ? error->message : "no error set");
  ck_assert_uint_eq(moved, bytes);
}

void expect_read(OlDisk *disk, char *block, guint64 offset, guint64 bytes)
{
  g_autoptr(GError) error = NULL;
  guint64 moved = 0;
  ck_assert_msg(ol_disk_read(disk, block, offset, bytes, &moved, &error), "%s",
                error ? error->message : "no error set");
  ck_assert_uint_eq(moved, bytes);
}
