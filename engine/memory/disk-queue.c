#include "engine/memory/disk-private.h"

#include <errno.h>

#define MOST_TRIES 1000u /* of one block without a byte moved: then the drive is said to fail */

static void end_if_done(OlDiskRequest *request)
{
  gboolean all_issued = request->issued == request->bytes || request->failure;
  if (!all_issued || request->in_flight > 0)
    return;
  request->over = TRUE;
  pthread_cond_signal(&request->ended);
}

/* A request leaves the queue when its last block is issued. */
static void unqueue(OlDisk *disk, OlDiskRequest *request)
{
  OlDiskRequest **link = &disk->oldest[request->way];
  while (*link && *link != request)
    link = &(*link)->next;
  if (*link)
    *link = request->next;
}

gboolean ol_disk_take(OlDisk *disk, OlDiskBlock *block)
{
  /* The emptier way first, so that neither starves where few blocks can be in flight. */
  guint first = disk->in_flight[OL_DISK_READ] > disk->in_flight[OL_DISK_WRITE];

  for (guint i = 0; i < OL_DISK_N_WAYS; i++) {
    OlDiskWay way = (OlDiskWay)(first ^ i);
    OlDiskRequest *request = disk->oldest[way];
    if (!request || disk->in_flight[way] == disk->depth)
      continue;
    *block = (OlDiskBlock){.request = request, .at = request->issued};
    block->bytes = (guint)MIN(disk->block_bytes, request->bytes - request->issued);
    request->issued += block->bytes;
    request->in_flight++;
    disk->in_flight[way]++;
    if (request->issued == request->bytes)
      unqueue(disk, request);
    return TRUE;
  }
  return FALSE;
}

static void fail(OlDisk *disk, OlDiskRequest *request, guint64 at, int failure)
{
  if (request->failure)
    return;
  request->failure = failure;
  request->failed_at = request->offset + at;
  unqueue(disk, request); /* its other blocks are in vain */
}

/* Whole alignment units only: the rest of a block begins where O_DIRECT lets it. */
static void advance(OlDisk *disk, OlDiskBlock *block, guint bytes)
{
  guint whole = bytes >= block->bytes ? block->bytes : bytes - bytes % OL_DISK_ALIGNMENT;

  disk->transferred[block->request->way] += bytes;
  block->request->moved += whole;
  block->at += whole;
  block->bytes -= whole;
  block->tries = whole ? 0 : block->tries + 1;
}

gboolean ol_disk_settle(OlDisk *disk, OlDiskBlock *block, gssize answer)
{
  OlDiskRequest *request = block->request;

  if (answer > 0)
    advance(disk, block, (guint)answer);
  else if (answer == -EINTR || answer == -EAGAIN)
    block->tries++;
  else
    fail(disk, request, block->at, answer ? (int)-answer : EIO); /* 0: the file ends too early */
  if (block->tries == MOST_TRIES)
    fail(disk, request, block->at, answer < 0 ? (int)-answer : EIO);

  if (block->bytes > 0 && !request->failure)
    return TRUE;
  request->in_flight--;
  disk->in_flight[request->way]--;
  end_if_done(request);
  return FALSE;
}

void ol_disk_abandon(OlDisk *disk, int failure)
{
  disk->lost = failure;
  for (guint way = 0; way < OL_DISK_N_WAYS; way++) {
    while (disk->oldest[way]) {
      OlDiskRequest *request = disk->oldest[way];
      fail(disk, request, request->issued, failure);
      end_if_done(request);
    }
  }
}
