/* For the suites on the NVMe tier's file: folders, patterns, and a system that can be told to
 * refuse, fall short or fail. */
#pragma once

#include "engine/memory/disk-system.h"
#include "engine/memory/disk.h"

G_BEGIN_DECLS

#define KIB ((guint64)1 << 10)
#define MIB ((guint64)1 << 20)

typedef struct {
  gboolean refuse_ring, refuse_direct, refuse_unnamed, refuse_registration;
  int refuse_room;  /* errno of reserving; 0: none */
  gboolean sparse;  /* reserving sets the size and takes no room */
  guint most_bytes; /* of one transfer; 0: as asked */
  guint fail_from;  /* transfers from this one on (from 1) fail with `failure`; 0: none */
  guint fail_times; /* that many of them */
  int failure;      /* errno; 0: the file seems to end (threads only) */
  int ring_failure; /* errno of every call on the ring once `fail_from` is reached */
} Faults;

/* The real system with faults. They belong to the test's process, and may change while no transfer
 * is under way; transfers are counted from then on. */
const OlDiskSystem *faulty_system(const Faults *faults);
void set_faults(const Faults *faults);
guint count_transfers(void);

/* The ways that bytes can take, as faults and words. */
typedef struct {
  const char *words;
  Faults faults;
  gboolean registers;
} Way;

#define N_WAYS 4
const Way *disk_way(guint i);

/* A new folder below the current one, which the builder made on a disk, as a rule. */
char *new_folder(void);
guint count_files(const char *folder);

/* Its own view of what is mounted, which dies with the process. FALSE: not allowed here. */
gboolean own_mounts(void);

/* Aligned memory, and bytes that say where they belong. */
char *new_block(guint64 bytes);
void fill_pattern(char *block, guint64 bytes, guint64 seed);
gboolean has_pattern(const char *block, guint64 bytes, guint64 seed);

OlDisk *open_disk(const OlDiskOptions *options);
void expect_write(OlDisk *disk, const char *block, guint64 offset, guint64 bytes);
void expect_read(OlDisk *disk, char *block, guint64 offset, guint64 bytes);

G_END_DECLS
