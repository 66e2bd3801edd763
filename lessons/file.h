/* A small file written whole. Private to lessons/. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Puts `text` in the place of `path`, in full or not at all: a new file in the same folder, written
 * and synced, takes its name; then the folder is synced. A reader, or a machine that loses power,
 * sees the old file or the new one. OL_ERROR_STORAGE names the path and says why. */
gboolean ol_file_replace(const char *path, const char *text, gsize length, GError **error);

/* Keeps other programs that lock too from replacing `path`, until the unlock. Waits three
 * seconds at most, and goes on without the lock where there is none to be had: -1. */
int ol_file_lock(const char *path);
void ol_file_unlock(int lock);

/* Removes new files of `path` that a killed program left behind, older than a minute. */
void ol_file_sweep(const char *path);

G_END_DECLS
