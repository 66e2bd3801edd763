#include "engine/memory/disk.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/base/measure.h"
#include "engine/memory/disk-private.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#define USUAL_DEPTH  8u
#define MOST_DEPTH   256u
#define USUAL_BLOCK  (4u << 20)
#define MOST_BLOCK   (256u << 20) /* the system moves less than 2 GiB at once */
#define MOST_BUFFERS 16384u       /* the kernel's own limit */
#define HUGE_PAGE    ((guintptr)2 << 20)

static guint64 round_up(guint64 bytes)
{
  return (bytes + OL_DISK_ALIGNMENT - 1) / OL_DISK_ALIGNMENT * OL_DISK_ALIGNMENT;
}

int ol_disk_start_thread(pthread_t *thread, void *(*body)(void *disk), OlDisk *disk)
{
  sigset_t all, before;

  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failure = pthread_create(thread, NULL, body, disk);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failure;
}

/* n_offered: buffers that the ring was asked to register. */
/* In no language: it is a metric, which lessons and files may compare. */
static void describe_path(OlDisk *disk, guint n_registered, guint n_offered)
{
  GString *path = g_string_new(NULL);

  if (disk->driver == ol_disk_ring()) {
    g_string_append(path, "io_uring, O_DIRECT");
    if (n_offered > 0)
      g_string_append_printf(path, ", %u of %u buffers registered", n_registered, n_offered);
  } else {
    guint threads = ol_disk_threads_count(disk);
    g_string_append_printf(path, "%s, %u thread%s", disk->file.direct ? "O_DIRECT" : "buffered",
                           threads, threads == 1 ? "" : "s");
  }
  if (disk->file.in_memory)
    g_string_append(path, ", in memory: no disk at all");
  g_free(disk->path);
  disk->path = g_string_free(path, FALSE);
}

static gboolean start_driver(OlDisk *disk, GError **error)
{
  disk->driver = ol_disk_ring();
  if (!disk->file.direct || !disk->driver->start(disk)) {
    disk->driver = ol_disk_threads();
    if (!disk->driver->start(disk)) {
      g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, _("the NVMe tier cannot start a thread: %s"),
                  g_strerror(errno));
      return FALSE;
    }
  }
  describe_path(disk, 0, 0);
  return TRUE;
}

OlDisk *ol_disk_open(const OlDiskOptions *options, GError **error)
{
  g_autoptr(OlDisk) disk = g_new0(OlDisk, 1);
  guint64 bytes = CLAMP(options->bytes, 1, G_MAXUINT64 - OL_DISK_ALIGNMENT);
  guint block = options->block_bytes ? options->block_bytes : USUAL_BLOCK;

  disk->capacity = round_up(bytes);
  disk->depth = MIN(options->depth ? options->depth : USUAL_DEPTH, MOST_DEPTH);
  disk->block_bytes = (guint)round_up(MIN(block, MOST_BLOCK));
  disk->system = options->system ? options->system : ol_disk_system();
  pthread_mutex_init(&disk->lock, NULL);
  if (!ol_disk_file_open(&disk->file, options->folder, disk->capacity, disk->system, error) ||
      !start_driver(disk, error))
    return NULL;
  return g_steal_pointer(&disk);
}

void ol_disk_free(OlDisk *disk)
{
  if (!disk)
    return;
  if (disk->engine)
    disk->driver->stop(disk);
  ol_disk_file_close(&disk->file);
  pthread_mutex_destroy(&disk->lock);
  g_free(disk->path);
  g_free(disk);
}

guint ol_disk_register(OlDisk *disk, void *const *blocks, const guint64 *bytes, guint n)
{
  guint n_registered = 0;

  if (disk->driver == ol_disk_ring()) {
    guint n_tried = MIN(n, MOST_BUFFERS);
    g_autofree struct iovec *vectors = g_new(struct iovec, n_tried + 1);
    for (guint i = 0; i < n_tried; i++)
      vectors[i] = (struct iovec){blocks[i], round_up(bytes[i])};
    n_registered = ol_disk_ring_register(disk, vectors, n_tried);
  }
  describe_path(disk, n_registered, n);
  return n_registered;
}

static gboolean refuse_place(const OlDisk *disk, const OlDiskRequest *request, guint64 bytes,
                             GError **error)
{
  gboolean aligned = (guintptr)request->memory % OL_DISK_ALIGNMENT == 0 &&
                     request->offset % OL_DISK_ALIGNMENT == 0;
  gboolean inside = request->offset <= disk->capacity && bytes <= disk->capacity - request->offset;

  if (aligned && inside)
    return FALSE;
  g_set_error(
      error, OL_ERROR, OL_ERROR_STORAGE,
      _("a transfer of %" PRIu64 " bytes at offset %" PRIu64 " of the NVMe tier's file is %s"),
      bytes, request->offset,
      aligned ? _("beyond its end") : _("not aligned to 4096 bytes in memory and file"));
  return TRUE;
}

static void post_and_wait(OlDisk *disk, OlDiskRequest *request)
{
  OlDiskRequest **link = &disk->oldest[request->way];

  pthread_cond_init(&request->ended, NULL);
  pthread_mutex_lock(&disk->lock);
  if (disk->lost) {
    request->failure = disk->lost;
    request->failed_at = request->offset;
  } else {
    while (*link)
      link = &(*link)->next;
    *link = request;
    disk->driver->wake(disk);
    while (!request->over)
      pthread_cond_wait(&request->ended, &disk->lock);
  }
  pthread_mutex_unlock(&disk->lock);
  pthread_cond_destroy(&request->ended);
}

static gboolean transfer(OlDisk *disk, OlDiskRequest *request, guint64 bytes, guint64 *moved,
                         GError **error)
{
  if (moved)
    *moved = 0;
  if (refuse_place(disk, request, bytes, error))
    return FALSE;
  if (bytes == 0)
    return TRUE;

  request->bytes = round_up(bytes);
  request->buffer = disk->driver == ol_disk_ring()
                        ? ol_disk_ring_find(disk, request->memory, request->bytes)
                        : -1;
  post_and_wait(disk, request);
  if (moved)
    *moved = MIN(request->moved, bytes);
  if (!request->failure)
    return TRUE;
  g_autofree char *asked = ol_measure_dup_bytes((double)bytes);
  g_set_error(error, OL_ERROR, OL_ERROR_STORAGE,
              _("%s %s at offset %" PRIu64 " of the NVMe tier's file in %s failed: %s"),
              request->way == OL_DISK_READ ? "reading" : "writing", asked, request->failed_at,
              disk->file.folder, g_strerror(request->failure));
  return FALSE;
}

gboolean ol_disk_read(OlDisk *disk, void *block, guint64 offset, guint64 bytes, guint64 *moved,
                      GError **error)
{
  OlDiskRequest request = {.way = OL_DISK_READ, .memory = block, .offset = offset};
  return transfer(disk, &request, bytes, moved, error);
}

gboolean ol_disk_write(OlDisk *disk, const void *block, guint64 offset, guint64 bytes,
                       guint64 *moved, GError **error)
{
  OlDiskRequest request = {.way = OL_DISK_WRITE, .memory = (char *)block, .offset = offset};
  return transfer(disk, &request, bytes, moved, error);
}

const char *ol_disk_get_path(const OlDisk *disk)
{
  return disk->path;
}

guint64 ol_disk_get_read_bytes(const OlDisk *disk)
{
  return disk->transferred[OL_DISK_READ];
}

guint64 ol_disk_get_written_bytes(const OlDisk *disk)
{
  return disk->transferred[OL_DISK_WRITE];
}

int ol_disk_get_descriptor(const OlDisk *disk)
{
  return disk->file.descriptor;
}

gboolean ol_disk_prefers_huge(void *memory, guint64 bytes)
{
  guintptr begin = ((guintptr)memory + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  guintptr end = ((guintptr)memory + bytes) / HUGE_PAGE * HUGE_PAGE;

  return end > begin && madvise((void *)begin, end - begin, MADV_HUGEPAGE) == 0;
}
