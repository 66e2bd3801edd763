/* Lessons begun anew, and that taken back. A reset leaves the time up to which nothing counts in
 * the lesson, so that what another program still holds cannot bring it back, and what it took
 * under "undo". */
#include "lessons/progress-private.h"

#include "lessons/progress-merge.h"
#include "lessons/progress-schema.h"
#include "lessons/stamp.h"

#include <string.h>

typedef struct {
  const char *const *lessons; /* NULL: all */
  guint n;                    /* lessons that it was about */
} Change;

static JsonObject *get_lessons(const OlProgress *progress)
{
  return json_object_get_object_member(progress->root, "lessons");
}

/* When its latest entry was made, or NULL. Borrowed. */
static const char *find_latest(JsonObject *lesson)
{
  const char *latest = NULL;
  g_autoptr(GPtrArray) entries = ol_progress_schema_list_entries(lesson);
  for (guint i = 0; i < entries->len; i++) {
    const char *time = json_object_get_string_member(entries->pdata[i], "time");
    if (ol_stamp_is_valid(time) && g_strcmp0(time, latest) > 0)
      latest = time;
  }
  return latest;
}

/* A lesson that was reset and not taken up again is empty. */
static gboolean has_anything(JsonObject *lesson)
{
  g_autoptr(GList) keys = json_object_get_members(lesson);
  for (GList *key = keys; key != NULL; key = key->next)
    if (!g_str_equal(key->data, "reset") &&
        (!ol_progress_schema_is_list(key->data) ||
         json_array_get_length(json_object_get_array_member(lesson, key->data)) > 0))
      return TRUE;
  return FALSE;
}

static void set_undo(OlProgress *progress, JsonObject *lessons)
{
  JsonObject *undo = json_object_new();
  const char *last = NULL;
  if (json_object_has_member(progress->root, "undo"))
    last = json_object_get_string_member(json_object_get_object_member(progress->root, "undo"),
                                         "time");
  g_autofree char *time = ol_stamp_dup_after(last);
  json_object_set_string_member(undo, "time", time);
  json_object_set_object_member(undo, "lessons", lessons);
  json_object_set_object_member(progress->root, "undo", undo);
}

/* Moves the lesson to `kept`. */
static void reset_lesson(JsonObject *lessons, const char *id, JsonObject *kept)
{
  JsonObject *lesson = json_object_get_object_member(lessons, id);
  g_autofree char *time = ol_stamp_dup_after(ol_progress_reset_time(lesson));
  const char *latest = find_latest(lesson);
  JsonObject *empty = json_object_new();
  ol_progress_set_reset(empty, g_strcmp0(latest, time) > 0 ? latest : time, time);
  json_object_set_object_member(kept, id, json_object_ref(lesson));
  json_object_set_object_member(lessons, id, empty);
}

static gboolean reset(OlProgress *progress, gpointer data)
{
  Change *change = data;
  JsonObject *lessons = get_lessons(progress);
  JsonObject *kept = json_object_new();
  g_autoptr(GList) ids = json_object_get_members(lessons);
  for (GList *id = ids; id != NULL; id = id->next) {
    if (change->lessons != NULL && !g_strv_contains(change->lessons, id->data))
      continue;
    if (has_anything(json_object_get_object_member(lessons, id->data))) {
      g_autofree char *name = g_strdup(id->data); /* the list borrows it from what is replaced */
      reset_lesson(lessons, name, kept);
      change->n++;
    }
  }
  if (change->n > 0)
    set_undo(progress, kept);
  else
    json_object_unref(kept);
  return change->n > 0;
}

guint ol_progress_reset(OlProgress *progress, const char *const *lessons, gboolean *saved,
                        GError **error)
{
  Change change = {lessons, 0};
  gboolean done = ol_progress_change(progress, reset, &change, error);
  if (saved != NULL)
    *saved = done;
  return change.n;
}

/* The lesson as it was, and what came after. */
static void bring_back(JsonObject *lessons, const char *id, JsonObject *kept)
{
  JsonObject *lesson = json_object_has_member(lessons, id)
                           ? json_object_get_object_member(lessons, id)
                           : json_object_new();
  const char *earlier = ol_progress_reset_before(kept);
  g_autofree char *time = ol_stamp_dup_after(ol_progress_reset_time(lesson));
  g_autofree char *before = g_strdup(earlier != NULL ? earlier : ""); /* it is `kept`'s own */
  ol_progress_set_reset(kept, before, time);
  ol_progress_set_reset(lesson, before, time);
  if (!json_object_has_member(lessons, id))
    json_object_set_object_member(lessons, id, lesson);
  ol_progress_merge_lesson(lesson, kept);
}

static gboolean undo(OlProgress *progress, gpointer data)
{
  Change *change = data;
  if (ol_progress_count_undo(progress) == 0)
    return FALSE;
  JsonObject *kept = json_object_get_object_member(
      json_object_get_object_member(progress->root, "undo"), "lessons");
  JsonObjectIter iter;
  const char *id;
  JsonNode *node;
  json_object_iter_init(&iter, kept);
  while (json_object_iter_next(&iter, &id, &node)) {
    bring_back(get_lessons(progress), id, json_node_get_object(node));
    change->n++;
  }
  set_undo(progress, json_object_new());
  return TRUE;
}

guint ol_progress_undo_reset(OlProgress *progress, gboolean *saved, GError **error)
{
  Change change = {NULL, 0};
  gboolean done = ol_progress_change(progress, undo, &change, error);
  if (saved != NULL)
    *saved = done;
  return change.n;
}

guint ol_progress_count_undo(const OlProgress *progress)
{
  if (!json_object_has_member(progress->root, "undo"))
    return 0;
  JsonObject *undo = json_object_get_object_member(progress->root, "undo");
  return json_object_get_size(json_object_get_object_member(undo, "lessons"));
}
