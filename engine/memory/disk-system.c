#include "engine/memory/disk-system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* O_EXCL: nor can it be given one later. */
static int open_unnamed(const char *folder)
{
  int file = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  return file < 0 ? -errno : file;
}

static int open_named(char *pattern)
{
  int file = mkostemp(pattern, O_CLOEXEC);
  return file < 0 ? -errno : file;
}

/* After opening, since an open that is refused for O_DIRECT can leave a file behind. */
static int set_direct(int file, gboolean direct)
{
  int flags = fcntl(file, F_GETFL);
  return fcntl(file, F_SETFL, direct ? flags | O_DIRECT : flags & ~O_DIRECT) == 0 ? 0 : -errno;
}

/* For file systems that cannot reserve: at least the room must be there now. */
static int extend(int file, guint64 bytes)
{
  struct statvfs space;

  if (fstatvfs(file, &space) == 0 && bytes / space.f_frsize >= space.f_bavail)
    return -ENOSPC;
  return ftruncate(file, (off_t)bytes) == 0 ? 0 : -errno;
}

static int reserve(int file, guint64 bytes)
{
  while (fallocate(file, 0, 0, (off_t)bytes) != 0) {
    if (errno == EOPNOTSUPP || errno == ENOSYS)
      return extend(file, bytes);
    if (errno != EINTR)
      return -errno;
  }
  return 0;
}

static gssize read_at(int file, void *block, gsize bytes, guint64 offset)
{
  gssize moved = pread(file, block, bytes, (off_t)offset);
  return moved < 0 ? -errno : moved;
}

static gssize write_at(int file, const void *block, gsize bytes, guint64 offset)
{
  gssize moved = pwrite(file, block, bytes, (off_t)offset);
  return moved < 0 ? -errno : moved;
}

/* A kernel with a ring but without plain reads (before 5.6) is as good as one without a ring. */
static int ring_open(guint entries, struct io_uring *ring)
{
  int result = io_uring_queue_init(entries, ring, 0);
  if (result < 0)
    return result;

  struct io_uring_probe *probe = io_uring_get_probe_ring(ring);
  gboolean usable = probe && io_uring_opcode_supported(probe, IORING_OP_READ) &&
                    io_uring_opcode_supported(probe, IORING_OP_WRITE);
  io_uring_free_probe(probe);
  if (!usable) {
    io_uring_queue_exit(ring);
    return -EOPNOTSUPP;
  }
  return 0;
}

static int ring_register(struct io_uring *ring, const struct iovec *blocks, guint n)
{
  return io_uring_register_buffers(ring, blocks, n);
}

static int ring_submit(struct io_uring *ring, guint wait_for)
{
  return io_uring_submit_and_wait(ring, wait_for);
}

const OlDiskSystem *ol_disk_system(void)
{
  static const OlDiskSystem system = {
      .open_unnamed = open_unnamed,
      .open_named = open_named,
      .set_direct = set_direct,
      .reserve = reserve,
      .read_at = read_at,
      .write_at = write_at,
      .ring_open = ring_open,
      .ring_register = ring_register,
      .ring_submit = ring_submit,
  };
  return &system;
}
