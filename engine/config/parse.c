/* A config from JSON: whole, or as changes to another. */
#include "engine/base/intl.h"
#include "engine/config/fields-private.h"
#include "engine/config/json-guard.h"

#include <string.h>

static void add_unknown(OlFaults *faults, const char *path)
{
  g_autofree char *quoted = ol_faults_dup_quoted(path);
  quoted[strlen(quoted) - 1] = '\0'; /* the path itself stands without its quotes */
  g_autofree char *meant = ol_field_dup_near_miss(path);
  g_autofree char *known = ol_field_dup_known(path);
  if (meant)
    ol_faults_add(faults, quoted + 1, _("unknown key; did you mean %s?"), meant);
  else
    ol_faults_add(faults, quoted + 1, _("unknown key; known here: %s"), known);
}

static void read_member(OlRunConfig *config, const char *path, JsonNode *value, OlFaults *faults)
{
  const OlField *field = ol_field_find(path);
  if (field)
    ol_field_read(field, value, config, faults);
  else if (ol_field_is_group(path))
    ol_faults_add(faults, path, _("is a group of keys; it must be an object"));
  else
    add_unknown(faults, path);
}

static void read_group(OlRunConfig *config, const char *group, JsonObject *object, OlFaults *faults)
{
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;
  json_object_iter_init(&iter, object);
  while (json_object_iter_next(&iter, &key, &value)) {
    g_autofree char *path = g_strdup_printf("%s.%s", group, key);
    read_member(config, path, value, faults);
  }
}

static void read_object(OlRunConfig *config, JsonObject *object, OlFaults *faults)
{
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;
  json_object_iter_init(&iter, object);
  while (json_object_iter_next(&iter, &key, &value)) {
    if (JSON_NODE_HOLDS_OBJECT(value) && ol_field_is_group(key))
      read_group(config, key, json_node_get_object(value), faults);
    else if (strchr(key, '.')) /* a dotted path is for `set`; here it would hide a second value */
      add_unknown(faults, key);
    else
      read_member(config, key, value, faults);
  }
}

/* The end of every way in: rules between keys, then the config or all its faults. */
static OlRunConfig *finish(OlRunConfig *config, OlFaults *faults, GError **error)
{
  g_autoptr(OlRunConfig) owned = config;
  ol_rules_check(config, faults);
  return ol_faults_none(faults, OL_ERROR_BAD_INPUT, error) ? g_steal_pointer(&owned) : NULL;
}

static OlFaults *new_faults_below(const char *path)
{
  g_autofree char *prefix = path && *path ? g_strconcat(path, ".", NULL) : NULL;
  return ol_faults_new(prefix);
}

OlRunConfig *ol_run_config_parse(const char *text, gssize length, const char *where, GError **error)
{
  JsonObject *root;
  g_autoptr(JsonParser) parser = ol_json_parse_object(text, length, where, &root, error);
  if (!parser)
    return NULL;
  g_autofree char *prefix = g_strconcat(where, ": ", NULL);
  g_autoptr(OlFaults) faults = ol_faults_new(prefix);
  OlRunConfig *config = ol_run_config_new_default();
  read_object(config, root, faults);
  return finish(config, faults, error);
}

OlRunConfig *ol_run_config_from_json(JsonObject *object, const char *path, GError **error)
{
  g_autoptr(OlFaults) faults = new_faults_below(path);
  OlRunConfig *config = ol_run_config_new_default();
  read_object(config, object, faults);
  return finish(config, faults, error);
}

OlRunConfig *ol_run_config_with(const OlRunConfig *config, JsonObject *set, const char *path,
                                GError **error)
{
  g_autoptr(OlFaults) faults = new_faults_below(path);
  OlRunConfig *changed = ol_run_config_copy(config);
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;
  json_object_iter_init(&iter, set);
  while (json_object_iter_next(&iter, &key, &value))
    read_member(changed, key, value, faults);
  return finish(changed, faults, error);
}

/* What stands right of the '=': JSON when it parses as such, else text. A key that holds text takes
 * any other value as it is written, so that a name may be 7. */
static JsonNode *new_assigned_value(const char *key, const char *value)
{
  g_autoptr(JsonNode) node = NULL;
  if (ol_json_guard(value, strlen(value), "", NULL))
    node = json_from_string(value, NULL);
  const OlField *field = ol_field_find(key);
  gboolean wants_text = field && ol_field_is_text(field);
  gboolean is_text =
      node && JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING;
  if (node && (!wants_text || is_text || JSON_NODE_HOLDS_NULL(node)))
    return g_steal_pointer(&node);
  return json_node_init_string(json_node_alloc(), value);
}

static void assign(OlRunConfig *config, const char *assignment, OlFaults *faults)
{
  const char *equals = strchr(assignment, '=');
  if (!equals || equals == assignment) {
    g_autofree char *quoted = ol_faults_dup_quoted(assignment);
    ol_faults_add(faults, quoted, _("%smust be key=value, as in overlap.prefetch=2"),
                  equals ? _("names no key; it ") : "");
    return;
  }
  g_autofree char *key = g_strndup(assignment, equals - assignment);
  g_autoptr(JsonNode) value = new_assigned_value(key, equals + 1);
  read_member(config, key, value, faults);
}

static OlRunConfig *assign_all(const OlRunConfig *config, const char *const *set, OlFaults *faults)
{
  OlRunConfig *changed = ol_run_config_copy(config);
  for (guint i = 0; set && set[i]; i++)
    assign(changed, set[i], faults);
  return changed;
}

OlRunConfig *ol_run_config_with_assignments(const OlRunConfig *config, const char *const *set,
                                            GError **error)
{
  g_autoptr(OlFaults) faults = ol_faults_new("--set: ");
  return finish(assign_all(config, set, faults), faults, error);
}

OlRunConfig *ol_run_config_try_assignments(const OlRunConfig *config, const char *const *set,
                                           GPtrArray **faults)
{
  g_autoptr(OlFaults) found = ol_faults_new(NULL);
  OlRunConfig *changed = finish(assign_all(config, set, found), found, NULL);
  if (faults)
    *faults = changed ? NULL : g_ptr_array_ref(found->each);
  return changed;
}
