/* A text file written in pieces, so that a long trace is never in memory twice. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct OlTextFile OlTextFile;

/* NULL with OL_ERROR_STORAGE. */
OlTextFile *ol_text_file_open(const char *path, GError **error);

/* What a caller appends to; flush() writes it out once it is long. */
GString *ol_text_file_get_text(OlTextFile *file);
#define OL_TEXT_FILE_ENOUGH (1u << 20)
gboolean ol_text_file_flush(OlTextFile *file, GError **error);

/* Writes the rest and closes. After any failure the unfinished file is removed, unless it is not a
 * regular one. Frees `file`. */
gboolean ol_text_file_close(OlTextFile *file, GError **error);

G_END_DECLS
