#include "app/charts/config-differences.h"

#include "engine/base/intl.h"
#include <json-glib/json-glib.h>

#define MOST_DEPTH 8 /* of a config: its sections are one deep */

static char *dup_value(JsonNode *node)
{
  if (JSON_NODE_HOLDS_NULL(node))
    return g_strdup(_("not set"));
  if (JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING)
    return g_strdup(json_node_get_string(node));
  return json_to_string(node, FALSE);
}

/* Values by their whole key path. */
static void flatten(GHashTable *values, JsonObject *object, const char *before, int depth)
{
  g_autoptr(GList) members = json_object_get_members(object);
  for (GList *at = members; at != NULL; at = at->next) {
    JsonNode *node = json_object_get_member(object, at->data);
    g_autofree char *key = g_strconcat(before, at->data, NULL);
    g_autofree char *section = g_strconcat(key, ".", NULL);
    if (JSON_NODE_HOLDS_OBJECT(node) && depth < MOST_DEPTH)
      flatten(values, json_node_get_object(node), section, depth + 1);
    else
      g_hash_table_insert(values, g_steal_pointer(&key), dup_value(node));
  }
}

static GHashTable *read_values(const char *config)
{
  GHashTable *values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr(JsonNode) root = config != NULL ? json_from_string(config, NULL) : NULL;
  if (root != NULL && JSON_NODE_HOLDS_OBJECT(root))
    flatten(values, json_node_get_object(root), "", 0);
  g_hash_table_remove(values, "name");
  return values;
}

static void free_difference(gpointer data)
{
  OlConfigDifference *difference = data;
  g_free(difference->key);
  g_free(difference->shown);
  g_free(difference->pinned);
  g_free(difference);
}

static void add_if_differs(GPtrArray *differences, const char *key, const char *shown,
                           const char *pinned)
{
  shown = shown != NULL ? shown : _("not set");
  pinned = pinned != NULL ? pinned : _("not set");
  if (g_str_equal(shown, pinned))
    return;
  OlConfigDifference *difference = g_new0(OlConfigDifference, 1);
  difference->key = g_strdup(key);
  difference->shown = g_strdup(shown);
  difference->pinned = g_strdup(pinned);
  g_ptr_array_add(differences, difference);
}

static gint by_key(gconstpointer one, gconstpointer other)
{
  const OlConfigDifference *const *a = one, *const *b = other;
  return g_strcmp0((*a)->key, (*b)->key);
}

GPtrArray *ol_config_differences_new(const char *shown, const char *pinned)
{
  GPtrArray *differences = g_ptr_array_new_with_free_func(free_difference);
  g_autoptr(GHashTable) ours = read_values(shown), theirs = read_values(pinned);
  GHashTableIter iter;
  gpointer key, value;
  g_hash_table_iter_init(&iter, ours);
  while (g_hash_table_iter_next(&iter, &key, &value))
    add_if_differs(differences, key, value, g_hash_table_lookup(theirs, key));
  g_hash_table_iter_init(&iter, theirs);
  while (g_hash_table_iter_next(&iter, &key, &value))
    if (!g_hash_table_contains(ours, key))
      add_if_differs(differences, key, NULL, value);
  g_ptr_array_sort(differences, by_key);
  return differences;
}
