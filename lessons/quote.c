#include "lessons/quote.h"

#include <string.h>

#define SETTING "config."

char *ol_quotes_replace(const char *text, OlQuoteReplace replace, gpointer data)
{
  GString *filled = g_string_new(NULL);
  const char *brace;
  while ((brace = strchr(text, '{')) != NULL) {
    g_string_append_len(filled, text, brace - text);
    gsize inside = strcspn(brace + 1, "{}");
    g_autofree char *run = g_strndup(brace + 1, inside);
    char *colon = strchr(run, ':');
    gboolean whole = brace[1 + inside] == '}' && colon != NULL && colon != run && colon[1] != '\0';
    if (whole)
      *colon = '\0';
    g_autofree char *value = whole ? replace(run, colon + 1, data) : replace(NULL, NULL, data);
    gsize length = whole ? inside + 2 : 1;
    if (value != NULL)
      g_string_append(filled, value);
    else
      g_string_append_len(filled, brace, (gssize)length);
    text = brace + length;
  }
  g_string_append(filled, text);
  return g_string_free(filled, FALSE);
}

const char *ol_quote_setting(const char *metric)
{
  return g_str_has_prefix(metric, SETTING) ? metric + strlen(SETTING) : NULL;
}

JsonNode *ol_setting_find(JsonObject *config, const char *key_path)
{
  g_auto(GStrv) keys = g_strsplit(key_path, ".", -1);
  JsonObject *object = config;
  for (guint i = 0; keys[i] != NULL; i++) {
    JsonNode *node = object != NULL ? json_object_get_member(object, keys[i]) : NULL;
    if (node == NULL)
      return NULL;
    if (keys[i + 1] == NULL)
      return JSON_NODE_HOLDS_VALUE(node) || JSON_NODE_HOLDS_NULL(node) ? node : NULL;
    object = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
  }
  return NULL;
}
