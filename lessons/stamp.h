/* When something was done, as a progress file says it: UTC to the second, "2025-01-31T09:30:00Z",
 * so that the order of letters is that of time. Private to lessons/. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean ol_stamp_is_valid(const char *text);
/* Seconds since 1970; 0 for what is no stamp. */
gint64 ol_stamp_to_seconds(const char *text);

/* Now; but a second later than `stamp` (NULL or no stamp: does not count), where the clock has not
 * got there: what is done after a reset stays after it, even within its second or with a clock that
 * was set back. Caller frees. */
char *ol_stamp_dup_after(const char *stamp);

G_END_DECLS
