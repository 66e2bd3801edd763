/* A text file written in pieces, so that a long trace is never in memory twice, and put in its
 * place as a whole (base/whole-file.h). */
#pragma once

#include "engine/base/watch.h"

G_BEGIN_DECLS

typedef struct OlTextFile OlTextFile;

/* `watch` may be NULL; it is asked whenever a piece goes out. NULL with OL_ERROR_STORAGE. */
OlTextFile *ol_text_file_open(const char *path, const OlWatch *watch, GError **error);

/* What a caller appends to; flush() writes it out once it is long. `share`: how far the caller has
 * come. FALSE with OL_ERROR_STORAGE or OL_ERROR_STOPPED. */
GString *ol_text_file_get_text(OlTextFile *file);
#define OL_TEXT_FILE_ENOUGH (1u << 20)
gboolean ol_text_file_flush(OlTextFile *file, double share, GError **error);

/* Writes the rest and closes; after any failure nothing is left behind. Frees `file`. */
gboolean ol_text_file_close(OlTextFile *file, GError **error);

G_END_DECLS
