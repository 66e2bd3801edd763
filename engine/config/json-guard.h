/* A scan of JSON text before json-glib sees it.
 *
 * json-glib recurses, so deep nesting would overflow the stack; it also lets comments, hexadecimal
 * numbers and doubled keys pass, ends a text at \u0000 and wraps whole numbers beyond 64 bits. The
 * scan is strict (RFC 8259), does not recurse, and says line, column and key path. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define OL_JSON_MAX_DEPTH 64
#define OL_JSON_MAX_BYTES (16u << 20)

/* OL_ERROR_BAD_INPUT with `where`, line and column when the text is over the size limit, nested
 * too deep, empty, not UTF-8, holds a NUL, is not JSON, gives a key twice or a number that no
 * int64 or double holds. */
gboolean ol_json_guard(const char *text, gsize length, const char *where, GError **error);

/* Guard, parse and return the root, which must be an object. `length` -1: to the NUL. The parser
 * keeps the root alive: caller unrefs it. Errors carry line and column. */
JsonParser *ol_json_parse_object(const char *text, gssize length, const char *where,
                                 JsonObject **root, GError **error);

/* Reads a file, stopping at the size limit whatever it is (a device, a pipe, a huge file).
 * OL_ERROR_BAD_INPUT with the path when it cannot be read or is too large. Caller frees; a NUL
 * follows the text. */
char *ol_json_read_file(const char *path, gsize *length, GError **error);

G_END_DECLS
