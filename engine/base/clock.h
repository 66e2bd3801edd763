/* The machine's monotonic clock, in nanoseconds. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define OL_NS_PER_SECOND G_GINT64_CONSTANT(1000000000)

/* Now, in ns from an arbitrary origin. Never goes back. */
gint64 ol_clock_now_ns(void);

G_END_DECLS
