/* A scan of JSON text before json-glib sees it: json-glib recurses, so deep nesting would overflow
 * the stack. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define OL_JSON_MAX_DEPTH 64
#define OL_JSON_MAX_BYTES (16u << 20)

/* OL_ERROR_BAD_INPUT with `where`, line and column when the text is over the size limit, nested
 * too deep, empty, not UTF-8 or holds a NUL. */
gboolean ol_json_guard(const char *text, gsize length, const char *where, GError **error);

/* Guard, parse and return the root, which must be an object. The parser keeps the root alive:
 * caller unrefs it. Errors carry line and column. */
JsonParser *ol_json_parse_object(const char *text, gssize length, const char *where,
                                 JsonObject **root, GError **error);

G_END_DECLS
