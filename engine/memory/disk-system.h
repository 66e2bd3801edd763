/* What the disk asks of the system, as a table: a test puts in calls that refuse, fall short or
 * fail. Every call returns a negative errno when it fails, like those of liburing. */
#pragma once

#include <glib.h>
#include <liburing.h>

G_BEGIN_DECLS

typedef struct OlDiskSystem {
  int (*open_unnamed)(const char *folder); /* a file that never had a name */
  int (*open_named)(char *pattern);        /* ends in XXXXXX, as for mkostemp */
  int (*set_direct)(int file, gboolean direct);
  int (*reserve)(int file, guint64 bytes);
  gssize (*read_at)(int file, void *block, gsize bytes, guint64 offset);
  gssize (*write_at)(int file, const void *block, gsize bytes, guint64 offset);
  int (*ring_open)(guint entries, struct io_uring *ring);
  int (*ring_register)(struct io_uring *ring, const struct iovec *blocks, guint n);
  int (*ring_submit)(struct io_uring *ring, guint wait_for); /* and wait for that many */
} OlDiskSystem;

const OlDiskSystem *ol_disk_system(void);

G_END_DECLS
