/* What the drive under the NVMe tier really does, in the way that the tier uses it. */
#include "engine/run/calibration.h"

#include "engine/base/clock.h"
#include "engine/memory/disk.h"
#include <stdlib.h>
#include <string.h>

#define BYTES   ((guint64)32 << 20)
#define SAMPLES 3u
#define PART_NS (400 * OL_NS_PER_SECOND / 1000) /* no new sample of one way after that */

typedef gboolean (*Move)(OlDisk *disk, char *block);

static gboolean read_all(OlDisk *disk, char *block)
{
  return ol_disk_read(disk, block, 0, BYTES, NULL, NULL);
}

static gboolean write_all(OlDisk *disk, char *block)
{
  return ol_disk_write(disk, block, 0, BYTES, NULL, NULL);
}

/* Bytes/s of the slowest sample: what a run must be able to count on. 0 when the drive fails. */
static double slowest_rate(Move move, OlDisk *disk, char *block)
{
  gint64 start = ol_clock_now_ns(), slowest = 1;
  for (guint i = 0; i < SAMPLES && ol_clock_now_ns() - start < PART_NS; i++) {
    gint64 begin = ol_clock_now_ns();
    if (!move(disk, block))
      return 0;
    slowest = MAX(slowest, ol_clock_now_ns() - begin);
  }
  return (double)BYTES * (double)OL_NS_PER_SECOND / (double)slowest;
}

void ol_calibration_measure_disk(const char *folder, OlCalibration *calibration)
{
  OlDiskOptions options = {.folder = folder, .bytes = BYTES};
  g_autoptr(OlDisk) disk = ol_disk_open(&options, NULL);
  char *block = disk ? g_aligned_alloc(1, BYTES, OL_DISK_ALIGNMENT) : NULL;

  calibration->disk_read_bytes = calibration->disk_write_bytes = 0;
  if (!block)
    return;
  memset(block, 1, BYTES);
  if (write_all(disk, block)) { /* the first write is slower: room is found */
    calibration->disk_write_bytes = slowest_rate(write_all, disk, block);
    calibration->disk_read_bytes = slowest_rate(read_all, disk, block);
  }
  g_aligned_free(block);
}
