#include "lessons/progress-schema.h"

#include "engine/base/intl.h"
#include "lessons/stamp.h"

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
      {"reviews", {{"option", G_TYPE_INT64}, {"right", G_TYPE_BOOLEAN}, {"time", G_TYPE_STRING}}},
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

static gboolean is_share(JsonNode *node)
{
  double value = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_double(node) : -1;
  GType type = json_node_get_value_type(node);
  return (type == G_TYPE_DOUBLE || type == G_TYPE_INT64) && value >= 0 && value <= 1;
}

static gboolean entry_fits(JsonNode *node, const ListRule *rule)
{
  if (!JSON_NODE_HOLDS_OBJECT(node))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS(rule->keys) && rule->keys[i].key != NULL; i++)
    if (!holds(json_node_get_object(node), rule->keys[i].key, rule->keys[i].type))
      return FALSE;
  JsonObject *entry = json_node_get_object(node);
  JsonNode *sure = json_object_get_member(entry, "sure");
  gboolean measured_fits =
      !json_object_has_member(entry, "measured") || holds(entry, "measured", G_TYPE_DOUBLE);
  return measured_fits && (sure == NULL || is_share(sure));
}

static gboolean has_stamp(JsonObject *object, const char *key)
{
  return holds(object, key, G_TYPE_STRING) &&
         ol_stamp_is_valid(json_object_get_string_member(object, key));
}

static gboolean reset_fits(JsonNode *node)
{
  JsonObject *reset = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
  if (reset == NULL || !has_stamp(reset, "time") || !holds(reset, "before", G_TYPE_STRING))
    return FALSE;
  return *json_object_get_string_member(reset, "before") == '\0' || has_stamp(reset, "before");
}

static char *dup_lesson_misfit(const char *parent, const char *lesson, JsonNode *node)
{
  if (!JSON_NODE_HOLDS_OBJECT(node))
    return g_strdup_printf(_("%s.%s: must be an object"), parent, lesson);
  JsonObject *object = json_node_get_object(node);
  for (const ListRule *rule = get_rules(); rule->list != NULL; rule++) {
    JsonNode *list = json_object_get_member(object, rule->list);
    if (list == NULL)
      continue;
    if (!JSON_NODE_HOLDS_ARRAY(list))
      return g_strdup_printf(_("%s.%s.%s: must be a list"), parent, lesson, rule->list);
    JsonArray *array = json_node_get_array(list);
    for (guint i = 0; i < json_array_get_length(array); i++)
      if (!entry_fits(json_array_get_element(array, i), rule))
        return g_strdup_printf(_("%s.%s.%s[%u]: has no such form"), parent, lesson, rule->list, i);
  }
  JsonNode *reset = json_object_get_member(object, "reset");
  if (reset != NULL && !reset_fits(reset))
    return g_strdup_printf(_("%s.%s.reset: must have two times, before and time"), parent, lesson);
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

static char *dup_lessons_misfit(JsonObject *object, const char *parent)
{
  JsonNode *lessons = json_object_get_member(object, "lessons");
  if (lessons == NULL || !JSON_NODE_HOLDS_OBJECT(lessons))
    return g_strdup_printf(_("%s: must be an object"), parent);
  JsonObjectIter iter;
  const char *lesson;
  JsonNode *node;
  json_object_iter_init(&iter, json_node_get_object(lessons));
  while (json_object_iter_next(&iter, &lesson, &node)) {
    char *misfit = dup_lesson_misfit(parent, lesson, node);
    if (misfit != NULL)
      return misfit;
  }
  return NULL;
}

GPtrArray *ol_progress_schema_list_entries(JsonObject *lesson)
{
  GPtrArray *entries = g_ptr_array_new();
  JsonObjectIter iter;
  const char *key;
  JsonNode *node;
  json_object_iter_init(&iter, lesson);
  while (json_object_iter_next(&iter, &key, &node)) {
    JsonArray *list = ol_progress_schema_is_list(key) ? json_node_get_array(node) : NULL;
    for (guint i = 0; list != NULL && i < json_array_get_length(list); i++)
      g_ptr_array_add(entries, json_array_get_object_element(list, i));
  }
  return entries;
}

char *ol_progress_schema_dup_misfit(JsonObject *root)
{
  if (!holds(root, "schema", G_TYPE_DOUBLE) ||
      !(json_object_get_double_member(root, "schema") >= OL_PROGRESS_SCHEMA))
    return g_strdup(_("schema: must be 1"));
  char *misfit = dup_lessons_misfit(root, "lessons");
  JsonNode *undo = json_object_get_member(root, "undo");
  if (misfit != NULL || undo == NULL)
    return misfit;
  if (!JSON_NODE_HOLDS_OBJECT(undo) || !has_stamp(json_node_get_object(undo), "time"))
    return g_strdup(_("undo: must have a time and lessons"));
  return dup_lessons_misfit(json_node_get_object(undo), "undo.lessons");
}

const char *ol_progress_schema_get_learner(JsonObject *root)
{
  g_autofree char *misfit = ol_progress_schema_dup_misfit(root);
  gboolean fits = misfit == NULL && !ol_progress_schema_is_newer(root);
  return fits && holds(root, "learner", G_TYPE_STRING)
             ? json_object_get_string_member(root, "learner")
             : NULL;
}
