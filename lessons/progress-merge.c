#include "lessons/progress-merge.h"

#include "lessons/progress-schema.h"
#include "lessons/stamp.h"

#include <string.h>

/* Of one lesson: the first of a list stays, and the newest; between them the oldest make room. */
#define MOST_KEPT 1000

/* How often each entry, as text, is in the list: equal ones may be made within one second. */
static GHashTable *count_entries(JsonArray *list)
{
  GHashTable *counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < json_array_get_length(list); i++) {
    char *text = json_to_string(json_array_get_element(list, i), FALSE);
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, text));
    g_hash_table_replace(counts, text, GUINT_TO_POINTER(n + 1));
  }
  return counts;
}

/* The entries of `list` that `other` does not have. Borrowed nodes. */
static GPtrArray *list_missing(JsonArray *list, JsonArray *other)
{
  GPtrArray *missing = g_ptr_array_new();
  g_autoptr(GHashTable) counts = count_entries(other);
  for (guint i = 0; i < json_array_get_length(list); i++) {
    JsonNode *node = json_array_get_element(list, i);
    char *text = json_to_string(node, FALSE);
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, text));
    if (n == 0)
      g_ptr_array_add(missing, node);
    else
      g_hash_table_replace(counts, g_strdup(text), GUINT_TO_POINTER(n - 1));
    g_free(text);
  }
  return missing;
}

/* UTC as ISO 8601, so the order of letters is that of time. */
static int compare_times(gconstpointer a, gconstpointer b, gpointer data)
{
  (void)data;
  JsonObject *left = json_node_get_object(*(JsonNode *const *)a);
  JsonObject *right = json_node_get_object(*(JsonNode *const *)b);
  return g_strcmp0(json_object_get_string_member(left, "time"),
                   json_object_get_string_member(right, "time"));
}

/* Both lists in one. Where only `from` grew it stays as it is, even if the clock was set back. */
static JsonArray *join_lists(JsonArray *into, JsonArray *from)
{
  g_autoptr(GPtrArray) others = list_missing(into, from);
  g_autoptr(GPtrArray) added = list_missing(from, into);
  g_autoptr(GPtrArray) all = g_ptr_array_new();
  JsonArray *longer = others->len > 0 ? into : from;
  for (guint i = 0; i < json_array_get_length(longer); i++)
    g_ptr_array_add(all, json_array_get_element(longer, i));
  if (others->len > 0)
    g_ptr_array_extend(all, added, NULL, NULL);
  if (others->len > 0 && added->len > 0) /* stable: what is of one second stays in order */
    g_qsort_with_data(all->pdata, (int)all->len, sizeof(gpointer), compare_times, NULL);
  JsonArray *joined = json_array_new();
  for (guint i = 0; i < all->len; i++)
    json_array_add_element(joined, json_node_copy(g_ptr_array_index(all, i)));
  return joined;
}

const char *ol_progress_reset_before(JsonObject *lesson)
{
  if (lesson == NULL || !json_object_has_member(lesson, "reset"))
    return NULL;
  const char *before =
      json_object_get_string_member(json_object_get_object_member(lesson, "reset"), "before");
  return *before != '\0' ? before : NULL;
}

static const char *get_time(JsonObject *object, const char *key)
{
  return object != NULL && json_object_has_member(object, key)
             ? json_object_get_string_member(json_object_get_object_member(object, key), "time")
             : NULL;
}

const char *ol_progress_reset_time(JsonObject *lesson)
{
  return get_time(lesson, "reset");
}

void ol_progress_set_reset(JsonObject *lesson, const char *before, const char *time)
{
  JsonObject *reset = json_object_new();
  json_object_set_string_member(reset, "before", before);
  json_object_set_string_member(reset, "time", time);
  json_object_set_object_member(lesson, "reset", reset);
}

gboolean ol_progress_is_reset(const char *before, JsonObject *entry)
{
  const char *time = json_object_get_string_member(entry, "time");
  return before != NULL && (!ol_stamp_is_valid(time) || strcmp(time, before) <= 0);
}

static void drop_entries(JsonArray *list, const char *before)
{
  for (guint i = json_array_get_length(list); i-- > 0;)
    if (ol_progress_is_reset(before, json_array_get_object_element(list, i)))
      json_array_remove_element(list, i);
}

/* Drops what a reset that the lesson did not know of leaves nothing of: entries up to then, and
 * keys of a newer lab, which have no time. */
static void obey_reset(JsonObject *lesson, JsonObject *reset)
{
  const char *before = json_object_get_string_member(reset, "before");
  json_object_set_object_member(lesson, "reset", json_object_ref(reset));
  if (*before == '\0')
    return;
  g_autoptr(GList) keys = json_object_get_members(lesson);
  for (GList *key = keys; key != NULL; key = key->next)
    if (ol_progress_schema_is_list(key->data))
      drop_entries(json_object_get_array_member(lesson, key->data), before);
    else if (!g_str_equal(key->data, "reset"))
      json_object_remove_member(lesson, key->data);
}

/* Gives both the reset of the later time. */
static void agree_on_reset(JsonObject *a, JsonObject *b)
{
  int order = g_strcmp0(ol_progress_reset_time(a), ol_progress_reset_time(b));
  if (order < 0)
    obey_reset(a, json_object_get_object_member(b, "reset"));
  else if (order > 0)
    obey_reset(b, json_object_get_object_member(a, "reset"));
}

void ol_progress_merge_lesson(JsonObject *into, JsonObject *from)
{
  JsonObjectIter iter;
  const char *key;
  JsonNode *node;
  agree_on_reset(into, from);
  json_object_iter_init(&iter, from);
  while (json_object_iter_next(&iter, &key, &node)) {
    if (!json_object_has_member(into, key))
      json_object_set_member(into, key, json_node_copy(node));
    else if (ol_progress_schema_is_list(key))
      json_object_set_array_member(
          into, key,
          join_lists(json_object_get_array_member(into, key), json_node_get_array(node)));
  }
}

void ol_progress_merge(JsonObject *into, JsonObject *from)
{
  JsonObject *lessons = json_object_get_object_member(into, "lessons");
  JsonObjectIter iter;
  const char *lesson;
  JsonNode *node;
  json_object_iter_init(&iter, json_object_get_object_member(from, "lessons"));
  while (json_object_iter_next(&iter, &lesson, &node)) {
    if (json_object_has_member(lessons, lesson))
      ol_progress_merge_lesson(json_object_get_object_member(lessons, lesson),
                               json_node_get_object(node));
    else
      json_object_set_member(lessons, lesson, json_node_copy(node));
  }
  if (g_strcmp0(get_time(into, "undo"), get_time(from, "undo")) < 0)
    json_object_set_member(into, "undo", json_node_copy(json_object_get_member(from, "undo")));
}

static void trim_lesson(JsonObject *lesson)
{
  JsonObjectIter iter;
  const char *key;
  JsonNode *node;
  json_object_iter_init(&iter, lesson);
  while (json_object_iter_next(&iter, &key, &node))
    if (ol_progress_schema_is_list(key))
      while (json_array_get_length(json_node_get_array(node)) > MOST_KEPT)
        json_array_remove_element(json_node_get_array(node), 1);
}

void ol_progress_trim(JsonObject *root)
{
  JsonObjectIter iter;
  const char *lesson;
  JsonNode *node;
  json_object_iter_init(&iter, json_object_get_object_member(root, "lessons"));
  while (json_object_iter_next(&iter, &lesson, &node))
    trim_lesson(json_node_get_object(node));
}
