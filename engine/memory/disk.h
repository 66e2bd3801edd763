/* The NVMe tier's file: a bounded space on a drive that blocks of memory are written to and read
 * from. The file has no name, so nothing is left after any death of the program.
 *
 * Bytes go past the page cache (O_DIRECT) through io_uring, several blocks in flight at once. Where
 * the system refuses any of that, a slower way does the same work, and ol_disk_get_path says which:
 *   io_uring, O_DIRECT  →  O_DIRECT with threads  →  buffered with threads
 *
 * Any threads may read and write at once: a read lane and a write lane share one disk, and so may
 * several ranks at offsets of their own. Who touches the same bytes orders it, as with any memory.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Offsets and blocks of memory begin on multiples of this: enough for O_DIRECT on every drive. */
#define OL_DISK_ALIGNMENT 4096u

typedef struct OlDisk OlDisk;

typedef struct {
  const char *folder; /* must be there; NULL: offload-lab in the user's cache folder, made if not */
  guint64 bytes;      /* reserved on the drive at once: the highest address that a plan uses */
  guint depth;        /* blocks in flight, each way; 0: 8 */
  guint block_bytes;  /* a transfer is cut into blocks of this size; 0: 4 MiB */
  const struct OlDiskSystem *system; /* NULL: the real one; tests put in one that fails */
} OlDiskOptions;

/* OL_ERROR_STORAGE names the folder, the system's reason and what to do: no room for `bytes`, no
 * such folder, not writable. */
OlDisk *ol_disk_open(const OlDiskOptions *options, GError **error);

/* No transfer may be under way. The file is gone from the drive when this returns. */
void ol_disk_free(OlDisk *disk);

/* Registers blocks of memory with the ring, in the order given, as many as the user's lock limit
 * allows (RLIMIT_MEMLOCK, often 8 MiB); a registered block spares the kernel the work of pinning it
 * at every transfer. Huge pages count whole against the limit. Returns how many; the others work
 * too. Takes the place of earlier registrations; the memory must stay mapped until the next one or
 * ol_disk_free. No transfer may be under way. */
guint ol_disk_register(OlDisk *disk, void *const *blocks, const guint64 *bytes, guint n);

/* Moves `bytes` between memory and the file, and returns when they are there. `block` and `offset`
 * are multiples of OL_DISK_ALIGNMENT, `bytes` need not be: what is moved is rounded up to the next
 * one, so `block` has room for that (as an arena's blocks do). `moved`, if not NULL, gets the bytes
 * of `bytes` that the system reported as transferred: all of them on success.
 * OL_ERROR_STORAGE names the folder, the offset and the system's reason; the failed range is then
 * undefined. */
gboolean ol_disk_read(OlDisk *disk, void *block, guint64 offset, guint64 bytes, guint64 *moved,
                      GError **error);
gboolean ol_disk_write(OlDisk *disk, const void *block, guint64 offset, guint64 bytes,
                       guint64 *moved, GError **error);

/* The way that bytes take, in words, for the metric nvme.path: "io_uring, O_DIRECT, 3 of 6 buffers
 * registered", "O_DIRECT, 4 threads", "buffered, 4 threads", each with ", in memory: no disk at
 * all" when the folder is. Valid until the next ol_disk_register. */
const char *ol_disk_get_path(const OlDisk *disk);

/* Bytes that really went each way so far, rounding and repeated parts included: what
 * /proc/self/io counts too. */
guint64 ol_disk_get_read_bytes(const OlDisk *disk);
guint64 ol_disk_get_written_bytes(const OlDisk *disk);

/* The open file, borrowed: for a bench that goes round all this. */
int ol_disk_get_descriptor(const OlDisk *disk);

/* Asks for huge pages behind the part of a mapping that can have them, which is worth a tenth of a
 * fast drive's speed. FALSE when the system has none to give; nothing else changes. */
gboolean ol_disk_prefers_huge(void *memory, guint64 bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlDisk, ol_disk_free)

G_END_DECLS
