/* What this machine really does: rates that price a node's real work. Measured in at most 3 s, kept
 * in calibration.json in the cache folder, keyed by CPU, build and compute_threads; a drive's
 * rates only when a plan needs them, keyed by its folder. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint compute_threads;
  guint cores;
  double product_flops;  /* flop/s of products, of the sizes a tiny model has */
  double element_bytes;  /* bytes/s of the small kernels */
  double copy_bytes;     /* bytes/s of a copy */
  double update_seconds; /* per parameter, one thread */
  double node_seconds;   /* per node: issue, stamp, wake the waiter */
  double wake_seconds;   /* that a sleeper is late, all but once in a hundred times */
  double disk_read_bytes, disk_write_bytes; /* bytes/s; 0 until ol_calibration_add_disk() */
} OlCalibration;

/* Measures all but the drive. Takes up to 3 s. */
void ol_calibration_measure(guint compute_threads, OlCalibration *calibration);

/* Measures the drive that `folder` (NULL: the user's cache folder) is on, with a short transfer
 * each way. A folder that cannot be used leaves both rates 0: a run will say why. */
void ol_calibration_measure_disk(const char *folder, OlCalibration *calibration);

/* From the cache file when it is of this CPU and build, else measures and writes it. A cache folder
 * that cannot be written is no error. `path` NULL: the user's cache folder. */
void ol_calibration_get(const char *path, guint compute_threads, OlCalibration *calibration);

/* Measures and writes; tells a file that cannot be written. */
gboolean ol_calibration_renew(const char *path, guint compute_threads, OlCalibration *calibration,
                              GError **error);

/* Adds the drive's rates, which only plans with something on NVMe need: from the cache file, kept
 * there by folder, else measured and written. */
void ol_calibration_add_disk(const char *path, const char *folder, OlCalibration *calibration);

char *ol_calibration_dup_path(void); /* <user cache>/offload-lab/calibration.json */

G_END_DECLS
