/* Progress that goes to another computer, and comes from one. */
#include "lessons/progress-private.h"

#include "engine/config/json-guard.h"
#include "lessons/progress-merge.h"
#include "lessons/progress-schema.h"
#include "lessons/stamp.h"

typedef struct {
  JsonObject *root; /* of the file */
  OlProgressTaken *taken;
} Import;

char *ol_progress_dup_json(const OlProgress *progress)
{
  g_autoptr(JsonNode) node = json_node_new(JSON_NODE_OBJECT);
  json_node_set_object(node, progress->root);
  g_autofree char *text = json_to_string(node, TRUE);
  return g_strconcat(text, "\n", NULL);
}

static guint count(const OlProgress *progress, const char *lesson, const char *list)
{
  JsonArray *array = ol_progress_find_list(progress, lesson, list);
  return array != NULL ? json_array_get_length(array) : 0;
}

static OlProgressTaken count_all(const OlProgress *progress, const char *lesson)
{
  return (OlProgressTaken){0, count(progress, lesson, "predictions"),
                           count(progress, lesson, "answers"), count(progress, lesson, "runs"),
                           count(progress, lesson, "reviews")};
}

static gboolean has_reset_entry(JsonObject *lesson, const char *before)
{
  g_autoptr(GPtrArray) entries = ol_progress_schema_list_entries(lesson);
  for (guint i = 0; i < entries->len; i++)
    if (ol_progress_is_reset(before, entries->pdata[i]))
      return TRUE;
  return FALSE;
}

/* The file's entries count again, though there was a reset since: whoever imports wants them. */
static void lift_reset(JsonObject *lesson)
{
  g_autofree char *time = ol_stamp_dup_after(ol_progress_reset_time(lesson));
  ol_progress_set_reset(lesson, "", time);
}

static void take_lesson(OlProgress *progress, const char *id, JsonObject *from,
                        OlProgressTaken *taken)
{
  JsonObject *lessons = json_object_get_object_member(progress->root, "lessons");
  OlProgressTaken before = count_all(progress, id);
  if (!json_object_has_member(lessons, id))
    json_object_set_object_member(lessons, id, json_object_new());
  JsonObject *into = json_object_get_object_member(lessons, id);
  json_object_remove_member(from, "reset"); /* the other computer's: here nothing goes for it */
  if (has_reset_entry(from, ol_progress_reset_before(into)))
    lift_reset(into);
  if (json_object_has_member(into, "reset")) /* both know of it: nothing is dropped */
    json_object_set_object_member(from, "reset",
                                  json_object_ref(json_object_get_object_member(into, "reset")));
  ol_progress_merge_lesson(into, from);
  OlProgressTaken after = count_all(progress, id);
  taken->predictions += after.predictions - before.predictions;
  taken->answers += after.answers - before.answers;
  taken->runs += after.runs - before.runs;
  taken->reviews += after.reviews - before.reviews;
  taken->lessons += after.predictions + after.answers + after.runs + after.reviews >
                    before.predictions + before.answers + before.runs + before.reviews;
}

static gboolean take(OlProgress *progress, gpointer data)
{
  Import *import = data;
  JsonObjectIter iter;
  const char *key;
  JsonNode *node;
  json_object_iter_init(&iter, json_object_get_object_member(import->root, "lessons"));
  while (json_object_iter_next(&iter, &key, &node))
    take_lesson(progress, key, json_node_get_object(node), import->taken);
  json_object_iter_init(&iter, import->root);
  while (json_object_iter_next(&iter, &key, &node))
    if (!json_object_has_member(progress->root, key) && !g_str_equal(key, "undo"))
      json_object_set_member(progress->root, key, json_node_copy(node));
  return TRUE;
}

gboolean ol_progress_import(OlProgress *progress, const char *path, OlProgressTaken *taken,
                            GError **error)
{
  gboolean newer;
  *taken = (OlProgressTaken){0};
  g_autoptr(JsonObject) root = ol_progress_read(path, &newer, error);
  if (root == NULL)
    return FALSE;
  Import import = {root, taken};
  return ol_progress_change(progress, take, &import, error);
}

gboolean ol_progress_file_is_likely(const char *path)
{
  gsize length;
  JsonObject *root = NULL;
  g_autofree char *text = ol_json_read_file(path, &length, NULL);
  g_autoptr(JsonParser) parser =
      text != NULL ? ol_json_parse_object(text, (gssize)length, path, &root, NULL) : NULL;
  JsonNode *lessons = parser != NULL ? json_object_get_member(root, "lessons") : NULL;
  return lessons != NULL && JSON_NODE_HOLDS_OBJECT(lessons) &&
         json_object_has_member(root, "schema");
}

gboolean ol_progress_file_describe(const char *path, char **learner, guint *n_lessons,
                                   GError **error)
{
  gboolean newer;
  g_autoptr(JsonObject) root = ol_progress_read(path, &newer, error);
  if (root == NULL)
    return FALSE;
  JsonObjectIter iter;
  const char *id;
  JsonNode *lesson;
  *learner = g_strdup(ol_progress_schema_get_learner(root));
  *n_lessons = 0;
  json_object_iter_init(&iter, json_object_get_object_member(root, "lessons"));
  while (json_object_iter_next(&iter, &id, &lesson)) {
    g_autoptr(GPtrArray) entries = ol_progress_schema_list_entries(json_node_get_object(lesson));
    *n_lessons += entries->len > 0;
  }
  return TRUE;
}
