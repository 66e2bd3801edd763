/* One program at a time changes a file. Private to lessons/. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Keeps other programs that lock too from replacing `path`, until the unlock; makes its folder, the
 * user's alone. Waits three seconds at most, and goes on without the lock where there is none to be
 * had: -1. */
int ol_file_lock(const char *path);
void ol_file_unlock(int lock);

G_END_DECLS
