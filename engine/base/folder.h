/* What lies in a folder. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The names in it that end with `suffix`, without the folder, sorted by bytes: the same on every
 * machine. Strings (char *), freed with the array. NULL with an error of G_FILE_ERROR when the
 * folder cannot be read. */
GPtrArray *ol_folder_list(const char *folder, const char *suffix, GError **error);

G_END_DECLS
