/* The driver on io_uring: one thread owns the ring, so that both ways share registered buffers.
 *
 * It sleeps in the kernel until a block or the bell is done. The bell is an eventfd that the ring
 * itself reads: a lane that posts a request writes to it. */
#include "engine/memory/disk-private.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

typedef struct Flight Flight;
struct Flight {
  OlDiskBlock block;
  Flight *next; /* in the list of the free ones */
};

typedef struct {
  struct io_uring uring;
  pthread_t thread;
  gboolean running;
  int bell;
  guint64 rings;    /* what the bell's read brings: of no interest */
  gboolean ringing; /* written and not yet read, under the disk's lock */
  Flight *flights, *free;
  struct iovec *registered;
  guint n_registered;
} Ring;

/* A submission entry is always free: there is one for each flight and one for the bell. */
static void listen_to_bell(Ring *ring)
{
  struct io_uring_sqe *entry = io_uring_get_sqe(&ring->uring);
  io_uring_prep_read(entry, ring->bell, &ring->rings, sizeof ring->rings, 0);
  io_uring_sqe_set_data(entry, NULL);
}

static void prepare(const OlDisk *disk, Ring *ring, Flight *flight)
{
  struct io_uring_sqe *entry = io_uring_get_sqe(&ring->uring);
  const OlDiskBlock *block = &flight->block;
  const OlDiskRequest *request = block->request;
  char *memory = request->memory + block->at;
  guint64 offset = request->offset + block->at;
  int file = disk->file.descriptor;

  if (request->way == OL_DISK_READ && request->buffer >= 0)
    io_uring_prep_read_fixed(entry, file, memory, block->bytes, offset, request->buffer);
  else if (request->way == OL_DISK_READ)
    io_uring_prep_read(entry, file, memory, block->bytes, offset);
  else if (request->buffer >= 0)
    io_uring_prep_write_fixed(entry, file, memory, block->bytes, offset, request->buffer);
  else
    io_uring_prep_write(entry, file, memory, block->bytes, offset);
  io_uring_sqe_set_data(entry, flight);
}

static void land(Ring *ring, Flight *flight)
{
  flight->block.request = NULL;
  flight->next = ring->free;
  ring->free = flight;
}

static void issue_new(OlDisk *disk, Ring *ring)
{
  OlDiskBlock block;

  while (ol_disk_take(disk, &block)) {
    Flight *flight = ring->free;
    ring->free = flight->next;
    flight->block = block;
    prepare(disk, ring, flight);
  }
}

/* Settles what is done and sends rests again. TRUE when the bell was heard. */
static gboolean reap(OlDisk *disk, Ring *ring)
{
  struct io_uring_cqe *done;
  gboolean heard = FALSE;

  while (io_uring_peek_cqe(&ring->uring, &done) == 0) {
    Flight *flight = io_uring_cqe_get_data(done);
    gssize answer = done->res;
    io_uring_cqe_seen(&ring->uring, done);
    if (!flight)
      heard = TRUE;
    else if (ol_disk_settle(disk, &flight->block, answer))
      prepare(disk, ring, flight);
    else
      land(ring, flight);
  }
  return heard;
}

static gboolean is_passing(int failure)
{
  return failure == -EINTR || failure == -EAGAIN || failure == -EBUSY;
}

/* The ring itself fails: nothing is known of the blocks in flight any more. */
static void give_up(OlDisk *disk, Ring *ring, int failure)
{
  pthread_mutex_lock(&disk->lock);
  ol_disk_abandon(disk, failure);
  for (guint i = 0; i < 2 * disk->depth; i++) {
    if (ring->flights[i].block.request)
      ol_disk_settle(disk, &ring->flights[i].block, -failure);
  }
  pthread_mutex_unlock(&disk->lock);
}

static void *drive(void *data)
{
  OlDisk *disk = data;
  Ring *ring = disk->engine;
  gboolean stop = FALSE;

  listen_to_bell(ring);
  while (!stop) {
    int answer = disk->system->ring_submit(&ring->uring, 1);
    if (answer < 0 && !is_passing(answer)) {
      give_up(disk, ring, -answer);
      break;
    }
    pthread_mutex_lock(&disk->lock);
    if (reap(disk, ring)) {
      ring->ringing = FALSE;
      stop = disk->stopping;
      if (!stop)
        listen_to_bell(ring);
    }
    issue_new(disk, ring);
    pthread_mutex_unlock(&disk->lock);
  }
  return NULL;
}

static void wake(OlDisk *disk)
{
  Ring *ring = disk->engine;
  guint64 one = 1;

  if (ring->ringing)
    return;
  ring->ringing = TRUE;
  while (write(ring->bell, &one, sizeof one) < 0 && errno == EINTR)
    continue;
}

static void end_thread(OlDisk *disk, Ring *ring)
{
  if (!ring->running)
    return;
  pthread_mutex_lock(&disk->lock);
  disk->stopping = TRUE;
  wake(disk);
  pthread_mutex_unlock(&disk->lock);
  pthread_join(ring->thread, NULL);
  ring->running = FALSE;
}

static int start_thread(OlDisk *disk, Ring *ring)
{
  disk->stopping = FALSE;
  int failure = ol_disk_start_thread(&ring->thread, drive, disk);
  ring->running = failure == 0;
  return failure;
}

static void free_ring(Ring *ring)
{
  if (ring->bell >= 0)
    close(ring->bell);
  g_free(ring->registered);
  g_free(ring->flights);
  g_free(ring);
}

static gboolean start(OlDisk *disk)
{
  Ring *ring = g_new0(Ring, 1);
  int failure;

  ring->flights = g_new0(Flight, 2 * disk->depth);
  for (guint i = 0; i < 2 * disk->depth; i++)
    land(ring, &ring->flights[i]);
  ring->bell = eventfd(0, EFD_CLOEXEC);
  failure = ring->bell < 0 ? errno : -disk->system->ring_open(2 * disk->depth + 1, &ring->uring);
  if (!failure) {
    disk->engine = ring;
    failure = start_thread(disk, ring);
    if (!failure)
      return TRUE;
    disk->engine = NULL;
    io_uring_queue_exit(&ring->uring);
  }
  free_ring(ring);
  errno = failure;
  return FALSE;
}

/* Unregisters by name: a ring's end alone gives locked memory back only some time later. */
static void forget_buffers(Ring *ring)
{
  if (ring->n_registered > 0)
    io_uring_unregister_buffers(&ring->uring);
  g_clear_pointer(&ring->registered, g_free);
  ring->n_registered = 0;
}

static void stop(OlDisk *disk)
{
  Ring *ring = disk->engine;

  end_thread(disk, ring);
  forget_buffers(ring);
  io_uring_queue_exit(&ring->uring);
  free_ring(ring);
}

static gboolean try_first(const OlDisk *disk, Ring *ring, const struct iovec *blocks, guint n)
{
  return disk->system->ring_register(&ring->uring, blocks, n) == 0;
}

/* The system takes all that it is given or nothing, so the longest beginning is sought. */
static guint register_most(const OlDisk *disk, Ring *ring, const struct iovec *blocks, guint n)
{
  guint fits = 0, fails = n;

  if (n == 0 || try_first(disk, ring, blocks, n))
    return n;
  while (fails - fits > 1) {
    guint middle = fits + (fails - fits) / 2;
    if (try_first(disk, ring, blocks, middle)) {
      io_uring_unregister_buffers(&ring->uring);
      fits = middle;
    } else {
      fails = middle;
    }
  }
  while (fits > 0 && !try_first(disk, ring, blocks, fits))
    fits--; /* meanwhile somebody else of this user has locked memory */
  return fits;
}

/* The thread is stopped for it, since older kernels register only when nothing is pending in the
 * ring, the bell's read included. */
guint ol_disk_ring_register(OlDisk *disk, const struct iovec *blocks, guint n)
{
  Ring *ring = disk->engine;

  end_thread(disk, ring);
  forget_buffers(ring);
  if (disk->lost)
    return 0;
  ring->n_registered = register_most(disk, ring, blocks, n);
  ring->registered = g_memdup2(blocks, ring->n_registered * sizeof *blocks);
  int failure = start_thread(disk, ring);
  if (failure)
    ol_disk_abandon(disk, failure);
  return ring->n_registered;
}

int ol_disk_ring_find(const OlDisk *disk, const void *memory, guint64 bytes)
{
  const Ring *ring = disk->engine;

  for (guint i = 0; i < ring->n_registered; i++) {
    gsize at = (gsize)((guintptr)memory - (guintptr)ring->registered[i].iov_base);
    if (at < ring->registered[i].iov_len && bytes <= ring->registered[i].iov_len - at)
      return (int)i;
  }
  return -1;
}

const OlDiskDriver *ol_disk_ring(void)
{
  static const OlDiskDriver driver = {start, stop, wake};
  return &driver;
}
