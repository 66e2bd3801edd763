/* Units of measure, as people read them. Bytes are binary (KiB, MiB, GiB); link rates are decimal
 * (GB/s), as vendors give them: the two are never mixed in one figure. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "18.1 MiB", "512 B", "1.70 GiB": three significant figures, whole numbers bare. Caller frees. */
char *ol_measure_dup_bytes(double bytes);

/* "0.71 s", "12.5 ms", "830 µs". Caller frees. */
char *ol_measure_dup_seconds(double seconds);

/* "24 GB/s". Caller frees. */
char *ol_measure_dup_rate(double bytes_per_second);

/* "1.20 million", "2 billion", "49 152" (no-break space): counts of things. Caller frees. */
char *ol_measure_dup_count(double count);

G_END_DECLS
