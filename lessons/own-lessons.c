#include "lessons/own-lessons.h"

#include "engine/base/error.h"
#include "engine/base/folder.h"
#include "engine/base/intl.h"
#include "engine/base/whole-file.h"
#include "engine/config/json-guard.h"
#include "lessons/own-courses.h"

#include <glib/gstdio.h>

#define COURSE_ID "mine"

char *ol_own_lessons_dup_path(void)
{
  g_autofree char *folder = ol_own_courses_dup_folder();
  return g_build_filename(folder, COURSE_ID ".json", NULL);
}

OlCourseDraft *ol_own_lessons_open(GError **error)
{
  g_autofree char *path = ol_own_lessons_dup_path();
  if (g_file_test(path, G_FILE_TEST_EXISTS))
    return ol_course_draft_open(path, error);
  return ol_course_draft_new(COURSE_ID, _("My lessons"));
}

/* A course without lessons is none: its file goes with the last of them. */
gboolean ol_own_lessons_save(OlCourseDraft *draft, GError **error)
{
  g_autofree char *path = ol_own_lessons_dup_path();
  if (!ol_course_draft_save(draft, path, error))
    return FALSE;
  if (ol_own_lessons_count(draft) == 0)
    g_unlink(path);
  return TRUE;
}

char *ol_own_lessons_put_aside(GError **error)
{
  g_autofree char *path = ol_own_lessons_dup_path();
  return ol_whole_file_move_aside(path, error);
}

static JsonArray *get_array(const OlCourseDraft *draft, const char *key_path)
{
  JsonNode *node = ol_course_draft_get(draft, key_path);
  return node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

guint ol_own_lessons_count(const OlCourseDraft *draft)
{
  JsonArray *lessons = get_array(draft, "lessons");
  return lessons != NULL ? json_array_get_length(lessons) : 0;
}

static const char *get_string(JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE(node) &&
                 json_node_get_value_type(node) == G_TYPE_STRING
             ? json_node_get_string(node)
             : "";
}

static const char *get_member(JsonObject *object, const char *key)
{
  return get_string(json_object_get_member(object, key));
}

const char *ol_own_lessons_get_text(const OlCourseDraft *draft, guint lesson, const char *key)
{
  g_autofree char *path = g_strdup_printf("lessons[%u].%s", lesson, key);
  return get_string(ol_course_draft_get(draft, path));
}

static char *dup_lesson(const OlCourseDraft *draft, guint lesson)
{
  g_autofree char *path = g_strdup_printf("lessons[%u]", lesson);
  JsonNode *node = ol_course_draft_get(draft, path);
  return node != NULL ? json_to_string(node, FALSE) : NULL;
}

int ol_own_lessons_undo(OlCourseDraft *draft, gboolean again)
{
  guint n = ol_own_lessons_count(draft);
  int found = -1;
  g_autoptr(GPtrArray) before = g_ptr_array_new_with_free_func(g_free);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add(before, dup_lesson(draft, i));
  (again ? ol_course_draft_redo : ol_course_draft_undo)(draft);
  for (guint i = 0; i < n && n == ol_own_lessons_count(draft) && found < 0; i++) {
    g_autofree char *after = dup_lesson(draft, i);
    if (g_strcmp0(after, before->pdata[i]) != 0)
      found = (int)i;
  }
  return found;
}

/* A new one */

/* Never one that was there before: what was answered in a lesson that was removed is not an answer
 * to a new one. */
static char *dup_new_id(void)
{
  g_autofree char *unique = g_uuid_string_random();
  return g_strdup_printf(COURSE_ID "-%.13s", unique);
}

/* The lesson as it stands in one of the files of a folder, or NULL. */
static JsonNode *find_lesson(const char *folder, const char *course, const char *lesson)
{
  g_autoptr(GPtrArray) names = ol_folder_list(folder, ".json", NULL);
  for (guint i = 0; names != NULL && i < names->len; i++) {
    g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
    g_autoptr(OlCourseDraft) file = ol_course_draft_open(path, NULL);
    if (file == NULL || !g_str_equal(get_string(ol_course_draft_get(file, "id")), course))
      continue;
    for (guint k = 0; k < ol_own_lessons_count(file); k++) {
      g_autofree char *place = g_strdup_printf("lessons[%u]", k);
      if (g_str_equal(ol_own_lessons_get_text(file, k, "id"), lesson))
        return json_node_copy(ol_course_draft_get(file, place));
    }
  }
  return NULL;
}

int ol_own_lessons_add(OlCourseDraft *draft, const OlCourse *course, const OlLesson *lesson,
                       const char *data_folder, GError **error)
{
  g_autofree char *ours = g_build_filename(data_folder, "courses", NULL);
  g_autofree char *own = ol_own_courses_dup_folder();
  JsonNode *found = find_lesson(ours, course->id, lesson->id);
  if (found == NULL)
    found = find_lesson(own, course->id, lesson->id);
  if (found == NULL) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("lesson “%s” of course “%s” is in no file of %s or %s any more"), lesson->id,
                course->id, ours, own);
    return -1;
  }
  /* json_node_copy() shares the object: what is changed here must not change that. */
  g_autofree char *text = json_to_string(found, FALSE);
  json_node_unref(found);
  JsonNode *copy = json_from_string(text, NULL);
  g_autofree char *id = dup_new_id();
  g_autofree char *title = g_strdup_printf(_("Mine: %s"), lesson->title);
  json_object_set_string_member(json_node_get_object(copy), "id", id);
  json_object_set_string_member(json_node_get_object(copy), "title", title);
  ol_course_draft_append(draft, "lessons", copy);
  return (int)ol_own_lessons_count(draft) - 1;
}

/* Its question */

static char *dup_options_path(guint lesson)
{
  return g_strdup_printf("lessons[%u].question.options", lesson);
}

static JsonObject *get_option(JsonArray *options, guint i)
{
  JsonNode *node = json_array_get_element(options, i);
  return JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static gboolean is_right(JsonObject *option)
{
  JsonNode *right = json_object_get_member(option, "right");
  return right != NULL && JSON_NODE_HOLDS_VALUE(right) &&
         json_node_get_value_type(right) == G_TYPE_BOOLEAN && json_node_get_boolean(right);
}

OlOption *ol_own_lessons_dup_options(const OlCourseDraft *draft, guint lesson, guint *n_options)
{
  g_autofree char *path = dup_options_path(lesson);
  JsonArray *all = get_array(draft, path);
  guint n = all != NULL ? json_array_get_length(all) : 0;
  OlOption *options = g_new0(OlOption, n + 1);
  *n_options = 0;
  for (guint i = 0; i < n; i++) {
    JsonObject *option = get_option(all, i);
    if (option != NULL)
      options[(*n_options)++] = (OlOption){.text = (char *)get_member(option, "text"),
                                           .why = (char *)get_member(option, "why"),
                                           .right = is_right(option)};
  }
  return options;
}

/* A copy of the old option that this one was, to keep what it has besides; or a new one. */
static JsonObject *dup_old(JsonArray *old, const OlOption *option)
{
  for (guint i = 0; old != NULL && i < json_array_get_length(old); i++) {
    JsonObject *candidate = get_option(old, i);
    if (candidate == NULL || (g_strcmp0(get_member(candidate, "text"), option->text) != 0 &&
                              g_strcmp0(get_member(candidate, "why"), option->why) != 0))
      continue;
    g_autofree char *text = json_to_string(json_array_get_element(old, i), FALSE);
    g_autoptr(JsonNode) copy = json_from_string(text, NULL);
    return json_node_dup_object(copy);
  }
  return json_object_new();
}

void ol_own_lessons_set_options(OlCourseDraft *draft, guint lesson, const OlOption *options,
                                guint n_options)
{
  g_autofree char *path = dup_options_path(lesson);
  JsonArray *old = get_array(draft, path), *new = json_array_new();
  for (guint i = 0; i < n_options; i++) {
    JsonObject *option = dup_old(old, &options[i]);
    json_object_set_string_member(option, "text", options[i].text);
    json_object_set_string_member(option, "why", options[i].why != NULL ? options[i].why : "");
    if (options[i].right)
      json_object_set_boolean_member(option, "right", TRUE);
    else
      json_object_remove_member(option, "right");
    json_array_add_object_element(new, option);
  }
  JsonNode *value = json_node_new(JSON_NODE_ARRAY);
  json_node_take_array(value, new);
  ol_course_draft_set(draft, path, value);
}

char *ol_own_lessons_dup_evidence(const OlCourseDraft *draft, guint lesson)
{
  g_autofree char *path = g_strdup_printf("lessons[%u].evidence", lesson);
  JsonArray *claims = get_array(draft, path);
  GString *lines = g_string_new(NULL);
  for (guint i = 0; claims != NULL && i < json_array_get_length(claims); i++) {
    JsonNode *node = json_array_get_element(claims, i);
    JsonObject *claim = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
    if (claim == NULL)
      continue;
    JsonNode *value = json_object_get_member(claim, "value");
    g_autofree char *than = value != NULL ? json_to_string(value, FALSE) : g_strdup("");
    g_string_append_printf(lines, "%s%s · %s · %s %s", lines->len > 0 ? "\n" : "",
                           get_member(claim, "run"), get_member(claim, "metric"),
                           get_member(claim, "is"), than);
  }
  return g_string_free(lines, FALSE);
}
