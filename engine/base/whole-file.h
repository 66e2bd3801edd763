/* A file written whole or not at all: a new one in the same folder takes the name once everything
 * is in it and synced. A reader, a full disk or a machine that loses power sees the old file or the
 * new one. A new file has the mode of any other, a replaced one keeps its own, and links are
 * followed. What is no plain file (a pipe, a device) is written in place. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct OlWholeFile OlWholeFile;

/* A file whose folder takes no other is written in place, too: what is saved there has been chosen
 * for it. NULL with OL_ERROR_STORAGE, which names the path and says why. */
OlWholeFile *ol_whole_file_open(const char *path, GError **error);

/* FALSE with OL_ERROR_STORAGE. */
gboolean ol_whole_file_write(OlWholeFile *file, gconstpointer bytes, gsize length, GError **error);

/* Puts the file in its place. Frees it, also when that fails: then nothing is left behind. */
gboolean ol_whole_file_keep(OlWholeFile *file, GError **error);
/* Forgets what was written: the old file stays. Frees it. */
void ol_whole_file_drop(OlWholeFile *file);

/* All at once, for what must not be lost: its folder is made, for the user alone, and a plain file
 * is never written in place; one whose folder takes no other is refused. OL_ERROR_STORAGE names the
 * path and says why; then the old file is untouched. */
gboolean ol_whole_file_replace(const char *path, const char *text, gsize length, GError **error);

/* Removes from the folder of `path` new files that a killed program left behind, older than ten
 * minutes. */
void ol_whole_file_sweep(const char *path);

/* Gives a file that cannot be used a name of its own beside it: "x.json.damaged-20261201T150000Z".
 * Returns that; one that is not there counts as moved. NULL with OL_ERROR_STORAGE: it is where it
 * was. Caller frees. */
char *ol_whole_file_move_aside(const char *path, GError **error);

G_END_DECLS
