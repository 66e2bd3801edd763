/* A file written whole or not at all: a new one in the same folder takes the name once everything
 * is in it and synced. A reader, a full disk or a machine that loses power sees the old file or the
 * new one. What is no plain file (a pipe, a device) is written in place, and so is a file whose
 * folder takes no other. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct OlWholeFile OlWholeFile;

/* NULL with OL_ERROR_STORAGE, which names the path and says why. */
OlWholeFile *ol_whole_file_open(const char *path, GError **error);

/* FALSE with OL_ERROR_STORAGE. */
gboolean ol_whole_file_write(OlWholeFile *file, gconstpointer bytes, gsize length, GError **error);

/* Puts the file in its place. Frees it, also when that fails: then nothing is left behind. */
gboolean ol_whole_file_keep(OlWholeFile *file, GError **error);
/* Forgets what was written: the old file stays. Frees it. */
void ol_whole_file_drop(OlWholeFile *file);

G_END_DECLS
