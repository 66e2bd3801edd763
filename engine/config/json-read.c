/* From a file or a text to a JSON object, past the guard. */
#include "engine/base/error.h"

#include "engine/base/intl.h"
#include "engine/config/json-guard.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

JsonParser *ol_json_parse_object(const char *text, gssize length, const char *where,
                                 JsonObject **root, GError **error)
{
  gsize bytes = length < 0 ? strlen(text) : (gsize)length;
  if (!ol_json_guard(text, bytes, where, error))
    return NULL;
  g_autoptr(JsonParser) parser = json_parser_new_immutable();
  g_autoptr(GError) parse_error = NULL;
  if (!json_parser_load_from_data(parser, text, bytes, &parse_error)) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, "%s: %s", where, parse_error->message);
    return NULL;
  }
  JsonNode *node = json_parser_get_root(parser);
  if (!JSON_NODE_HOLDS_OBJECT(node)) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("%s:1:1: must be an object, { … }"), where);
    return NULL;
  }
  *root = json_node_get_object(node);
  return g_steal_pointer(&parser);
}

char *ol_json_read_file(const char *path, gsize *length, GError **error)
{
  FILE *file = fopen(path, "rbe");
  if (!file) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("%s: cannot be read: %s"), path,
                g_strerror(errno));
    return NULL;
  }
  GByteArray *bytes = g_byte_array_new();
  guint8 part[16384];
  gsize n;
  while (bytes->len <= OL_JSON_MAX_BYTES && (n = fread(part, 1, sizeof part, file)) > 0)
    g_byte_array_append(bytes, part, n);
  gboolean broken = ferror(file);
  int reason = errno;
  fclose(file);
  if (broken || bytes->len > OL_JSON_MAX_BYTES) {
    if (broken)
      g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("%s: cannot be read: %s"), path,
                  g_strerror(reason));
    else
      g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                  _("%s: larger than the %u MiB that are read"), path, OL_JSON_MAX_BYTES >> 20);
    g_byte_array_unref(bytes);
    return NULL;
  }
  *length = bytes->len;
  g_byte_array_append(bytes, (const guint8 *)"", 1);
  return (char *)g_byte_array_free(bytes, FALSE);
}
