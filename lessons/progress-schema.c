#include "lessons/progress-schema.h"

/* One list of a lesson and the keys that each of its entries has. */
typedef struct {
  const char *list;
  struct {
    const char *key;
    GType type; /* G_TYPE_DOUBLE: any number */
  } keys[3];
} ListRule;

static const ListRule *get_rules(void)
{
  static const ListRule rules[] = {
      {"predictions", {{"value", G_TYPE_DOUBLE}, {"time", G_TYPE_STRING}}},
      {"answers", {{"option", G_TYPE_INT64}, {"right", G_TYPE_BOOLEAN}, {"time", G_TYPE_STRING}}},
      {"runs", {{"run", G_TYPE_STRING}, {"time", G_TYPE_STRING}}},
      {NULL, {{NULL, 0}}},
  };
  return rules;
}

static gboolean holds(JsonObject *object, const char *key, GType type)
{
  JsonNode *node = json_object_get_member(object, key);
  if (node == NULL || !JSON_NODE_HOLDS_VALUE(node))
    return FALSE;
  GType found = json_node_get_value_type(node);
  return found == type || (type == G_TYPE_DOUBLE && found == G_TYPE_INT64);
}

static gboolean entry_fits(JsonNode *node, const ListRule *rule)
{
  if (!JSON_NODE_HOLDS_OBJECT(node))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS(rule->keys) && rule->keys[i].key != NULL; i++)
    if (!holds(json_node_get_object(node), rule->keys[i].key, rule->keys[i].type))
      return FALSE;
  return TRUE;
}

static char *dup_lesson_misfit(const char *lesson, JsonNode *node)
{
  if (!JSON_NODE_HOLDS_OBJECT(node))
    return g_strdup_printf("lessons.%s: must be an object", lesson);
  JsonObject *object = json_node_get_object(node);
  for (const ListRule *rule = get_rules(); rule->list != NULL; rule++) {
    JsonNode *list = json_object_get_member(object, rule->list);
    if (list == NULL)
      continue;
    if (!JSON_NODE_HOLDS_ARRAY(list))
      return g_strdup_printf("lessons.%s.%s: must be a list", lesson, rule->list);
    JsonArray *array = json_node_get_array(list);
    for (guint i = 0; i < json_array_get_length(array); i++)
      if (!entry_fits(json_array_get_element(array, i), rule))
        return g_strdup_printf("lessons.%s.%s[%u]: has no such form", lesson, rule->list, i);
  }
  return NULL;
}

gboolean ol_progress_schema_is_newer(JsonObject *root)
{
  return holds(root, "schema", G_TYPE_DOUBLE) &&
         json_object_get_double_member(root, "schema") >= OL_PROGRESS_SCHEMA + 1;
}

gboolean ol_progress_schema_is_list(const char *key)
{
  for (const ListRule *rule = get_rules(); rule->list != NULL; rule++)
    if (g_str_equal(rule->list, key))
      return TRUE;
  return FALSE;
}

char *ol_progress_schema_dup_misfit(JsonObject *root)
{
  if (!holds(root, "schema", G_TYPE_DOUBLE) ||
      !(json_object_get_double_member(root, "schema") >= OL_PROGRESS_SCHEMA))
    return g_strdup("schema: must be 1");
  JsonNode *lessons = json_object_get_member(root, "lessons");
  if (lessons == NULL || !JSON_NODE_HOLDS_OBJECT(lessons))
    return g_strdup("lessons: must be an object");
  JsonObjectIter iter;
  const char *lesson;
  JsonNode *node;
  json_object_iter_init(&iter, json_node_get_object(lessons));
  while (json_object_iter_next(&iter, &lesson, &node)) {
    char *misfit = dup_lesson_misfit(lesson, node);
    if (misfit != NULL)
      return misfit;
  }
  return NULL;
}
