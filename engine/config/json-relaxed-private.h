/* JSON as people write it for DeepSpeed, which reads it with Hjson: comments from // or # to the
 * end of the line or between slash-star and star-slash, and a comma after the last element. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A copy of `text` (`length` bytes) as plain JSON for the guard: a comment becomes as many spaces
 * as it has characters and keeps its line breaks, and a trailing comma becomes one space, so that
 * every line and column is that of the original. What is in quotes is not touched. `strict_length`
 * is the copy's; a NUL follows it. OL_ERROR_BAD_INPUT with `where` and the line for a comment that
 * is never closed; NULL on error. Caller frees. */
char *ol_json_dup_strict(const char *text, gsize length, const char *where, gsize *strict_length,
                         GError **error);

G_END_DECLS
