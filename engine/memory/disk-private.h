/* Shared by the disk's files: the file, the queue of transfers, and the two drivers that empty it.
 *
 * A lane posts a request and sleeps. A driver takes blocks off the requests, oldest first, up to
 * `depth` in flight each way, and settles each with what the system answered. */
#pragma once

#include "engine/memory/disk-system.h"
#include "engine/memory/disk.h"

#include <pthread.h>
#include <stdatomic.h>

G_BEGIN_DECLS

typedef enum { OL_DISK_READ, OL_DISK_WRITE, OL_DISK_N_WAYS } OlDiskWay;

/* ---- the file: disk-file.c ---- */

typedef struct {
  char *folder;
  int descriptor;
  gboolean direct;    /* past the page cache */
  gboolean in_memory; /* tmpfs or ramfs */
} OlDiskFile;

/* Opens and reserves; on failure `file` needs only ol_disk_file_close, as it does in the end. */
gboolean ol_disk_file_open(OlDiskFile *file, const char *folder, guint64 bytes,
                           const OlDiskSystem *system, GError **error);
void ol_disk_file_close(OlDiskFile *file);

/* ---- the queue: disk-queue.c. All of it is used with the disk's lock held ---- */

typedef struct OlDiskRequest OlDiskRequest;
struct OlDiskRequest {
  OlDiskWay way;
  char *memory;
  guint64 offset, bytes; /* aligned */
  int buffer;            /* the registered one it lies in; -1: none */

  guint64 issued; /* bytes handed to a driver */
  guint64 moved;  /* bytes done */
  guint in_flight;
  int failure; /* errno of the first block that failed; 0: none */
  guint64 failed_at;
  gboolean over;
  pthread_cond_t ended;
  OlDiskRequest *next;
};

typedef struct {
  OlDiskRequest *request;
  guint64 at;  /* from the request's begin */
  guint bytes; /* still to move */
  guint tries; /* since it last moved */
} OlDiskBlock;

/* The next block to move, if there is one and its way is not full. */
gboolean ol_disk_take(OlDisk *disk, OlDiskBlock *block);

/* Books an answer: bytes moved or a negative errno. TRUE: the rest of the block has to go again. */
gboolean ol_disk_settle(OlDisk *disk, OlDiskBlock *block, gssize answer);

/* The device is lost: every request fails with this errno, those in flight and all to come. */
void ol_disk_abandon(OlDisk *disk, int failure);

/* ---- drivers: disk-ring.c, disk-threads.c ---- */

typedef struct {
  gboolean (*start)(OlDisk *disk); /* sets `engine`; FALSE, with errno set: not allowed */
  void (*stop)(OlDisk *disk);      /* nothing is in flight */
  void (*wake)(OlDisk *disk);      /* there are new requests; the lock is held */
} OlDiskDriver;

const OlDiskDriver *ol_disk_ring(void);
const OlDiskDriver *ol_disk_threads(void);

/* Of the ring only. */
guint ol_disk_ring_register(OlDisk *disk, const struct iovec *blocks, guint n);
int ol_disk_ring_find(const OlDisk *disk, const void *memory, guint64 bytes); /* -1: none */

guint ol_disk_threads_count(const OlDisk *disk);

/* A thread of a driver takes no signals: they are for the threads of the program. */
int ol_disk_start_thread(pthread_t *thread, void *(*body)(void *disk), OlDisk *disk);

struct OlDisk {
  OlDiskFile file;
  guint64 capacity;
  guint depth, block_bytes;
  const OlDiskSystem *system;
  const OlDiskDriver *driver;
  gpointer engine; /* the driver's own */
  char *path;      /* in words */

  pthread_mutex_t lock; /* of all below */
  gboolean stopping;
  int lost; /* errno of a lost device; 0: none */
  OlDiskRequest *oldest[OL_DISK_N_WAYS];
  guint in_flight[OL_DISK_N_WAYS];

  atomic_uint_least64_t transferred[OL_DISK_N_WAYS];
};

G_END_DECLS
