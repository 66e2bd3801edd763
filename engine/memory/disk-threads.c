/* The driver for systems without a ring: a few threads, each with one block in flight. */
#include "engine/memory/disk-private.h"

#include <errno.h>

#define MOST_THREADS 4u

typedef struct {
  pthread_t threads[MOST_THREADS];
  guint n_threads;
  pthread_cond_t work;
} Threads;

static gssize move(OlDisk *disk, const OlDiskBlock *block)
{
  char *memory = block->request->memory + block->at;
  guint64 offset = block->request->offset + block->at;

  if (block->request->way == OL_DISK_READ)
    return disk->system->read_at(disk->file.descriptor, memory, block->bytes, offset);
  return disk->system->write_at(disk->file.descriptor, memory, block->bytes, offset);
}

static void *serve(void *data)
{
  OlDisk *disk = data;
  Threads *threads = disk->engine;
  OlDiskBlock block;

  pthread_mutex_lock(&disk->lock);
  while (!disk->stopping) {
    if (!ol_disk_take(disk, &block)) {
      pthread_cond_wait(&threads->work, &disk->lock);
      continue;
    }
    gssize answer;
    do {
      pthread_mutex_unlock(&disk->lock);
      answer = move(disk, &block);
      pthread_mutex_lock(&disk->lock);
    } while (ol_disk_settle(disk, &block, answer));
  }
  pthread_mutex_unlock(&disk->lock);
  return NULL;
}

static gboolean start(OlDisk *disk)
{
  Threads *threads = g_new0(Threads, 1);
  int failure = 0;

  pthread_cond_init(&threads->work, NULL);
  disk->engine = threads;
  while (threads->n_threads < MOST_THREADS && !failure) {
    failure = ol_disk_start_thread(&threads->threads[threads->n_threads], serve, disk);
    threads->n_threads += !failure;
  }
  if (threads->n_threads > 0)
    return TRUE;
  disk->engine = NULL;
  pthread_cond_destroy(&threads->work);
  g_free(threads);
  errno = failure;
  return FALSE;
}

static void stop(OlDisk *disk)
{
  Threads *threads = disk->engine;

  pthread_mutex_lock(&disk->lock);
  disk->stopping = TRUE;
  pthread_cond_broadcast(&threads->work);
  pthread_mutex_unlock(&disk->lock);
  for (guint i = 0; i < threads->n_threads; i++)
    pthread_join(threads->threads[i], NULL);
  pthread_cond_destroy(&threads->work);
  g_free(threads);
}

static void wake(OlDisk *disk)
{
  Threads *threads = disk->engine;
  pthread_cond_broadcast(&threads->work);
}

guint ol_disk_threads_count(const OlDisk *disk)
{
  const Threads *threads = disk->engine;
  return threads->n_threads;
}

const OlDiskDriver *ol_disk_threads(void)
{
  static const OlDiskDriver driver = {start, stop, wake};
  return &driver;
}
