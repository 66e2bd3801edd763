#include "lessons/course-draft.h"

#include "engine/base/whole-file.h"
#include "engine/config/json-guard.h"
#include "lessons/course.h"

#include <string.h>

/* What faults about a draft begin with; a file's name could hold a colon. */
#define WHERE "draft"

struct OlCourseDraft {
  JsonNode *root;
  /* Whole texts: a course is some tens of kilobytes, and no step back can miss a detail. */
  GPtrArray *before, *after;
  char *saved; /* text of the file; NULL when there is none */
};

static char *dup_text(const OlCourseDraft *draft)
{
  return json_to_string(draft->root, TRUE);
}

static OlCourseDraft *draft_of(JsonNode *root)
{
  OlCourseDraft *draft = g_new0(OlCourseDraft, 1);
  draft->root = root;
  draft->before = g_ptr_array_new_with_free_func(g_free);
  draft->after = g_ptr_array_new_with_free_func(g_free);
  return draft;
}

OlCourseDraft *ol_course_draft_new(const char *id, const char *title)
{
  JsonObject *object = json_object_new();
  json_object_set_int_member(object, "format", 1);
  json_object_set_string_member(object, "id", id);
  json_object_set_string_member(object, "title", title);
  json_object_set_array_member(object, "lessons", json_array_new());
  JsonNode *root = json_node_new(JSON_NODE_OBJECT);
  json_node_take_object(root, object);
  return draft_of(root);
}

OlCourseDraft *ol_course_draft_open(const char *path, GError **error)
{
  gsize length;
  g_autofree char *text = ol_json_read_file(path, &length, error);
  JsonObject *object = NULL;
  g_autoptr(JsonParser) parser =
      text != NULL ? ol_json_parse_object(text, length, path, &object, error) : NULL;
  if (parser == NULL)
    return NULL;
  OlCourseDraft *draft = draft_of(json_parser_steal_root(parser));
  draft->saved = dup_text(draft);
  return draft;
}

void ol_course_draft_free(OlCourseDraft *draft)
{
  if (draft == NULL)
    return;
  json_node_unref(draft->root);
  g_ptr_array_unref(draft->before);
  g_ptr_array_unref(draft->after);
  g_free(draft->saved);
  g_free(draft);
}

gboolean ol_course_draft_save(OlCourseDraft *draft, const char *path, GError **error)
{
  g_autofree char *text = dup_text(draft);
  g_autofree char *lines = g_strconcat(text, "\n", NULL);
  if (!ol_whole_file_replace(path, lines, strlen(lines), error))
    return FALSE;
  g_free(draft->saved);
  draft->saved = g_steal_pointer(&text);
  return TRUE;
}

gboolean ol_course_draft_is_changed(const OlCourseDraft *draft)
{
  g_autofree char *text = dup_text(draft);
  return g_strcmp0(text, draft->saved) != 0;
}

/* One part of a key path: a member's name, or a place in a list. */
typedef struct {
  char *name; /* NULL: a place */
  guint64 place;
} Step;

static void clear_step(gpointer data)
{
  g_free(((Step *)data)->name);
}

/* Reads "[12]" at `text`: what follows it, or NULL. */
static const char *read_place(const char *text, Step *step)
{
  char *end;
  if (!g_ascii_isdigit(text[1]))
    return NULL;
  step->place = g_ascii_strtoull(text + 1, &end, 10);
  return *end == ']' ? end + 1 : NULL;
}

/* NULL for what is no key path. */
static GArray *split_path(const char *key_path)
{
  g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(Step));
  g_array_set_clear_func(steps, clear_step);
  gboolean in_set = FALSE;
  for (const char *at = key_path; *at != '\0';) {
    Step step = {0};
    if (*at == '[') {
      at = read_place(at, &step);
    } else {
      at += *at == '.' && steps->len > 0;
      gsize length = in_set ? strlen(at) : strcspn(at, ".[");
      step.name = length > 0 ? g_strndup(at, length) : NULL;
      at = length > 0 ? at + length : NULL;
    }
    if (at == NULL)
      return NULL;
    in_set = g_strcmp0(step.name, "set") == 0;
    g_array_append_val(steps, step);
  }
  return g_steal_pointer(&steps);
}

static JsonNode *take_step(JsonNode *node, const Step *step)
{
  if (step->name != NULL)
    return JSON_NODE_HOLDS_OBJECT(node)
               ? json_object_get_member(json_node_get_object(node), step->name)
               : NULL;
  if (!JSON_NODE_HOLDS_ARRAY(node))
    return NULL;
  JsonArray *list = json_node_get_array(node);
  return step->place < json_array_get_length(list)
             ? json_array_get_element(list, (guint)step->place)
             : NULL;
}

/* Walks all steps but the last `left`. NULL where nothing is. */
static JsonNode *walk(const OlCourseDraft *draft, const GArray *steps, guint left)
{
  if (steps == NULL || steps->len < left)
    return NULL;
  JsonNode *node = draft->root;
  for (guint i = 0; node != NULL && i < steps->len - left; i++)
    node = take_step(node, &g_array_index(steps, Step, i));
  return node;
}

JsonNode *ol_course_draft_get(const OlCourseDraft *draft, const char *key_path)
{
  g_autoptr(GArray) steps = split_path(key_path);
  return walk(draft, steps, 0);
}

/* Called with the text from before a change that has taken place. */
static void note_change(OlCourseDraft *draft, char *before)
{
  g_ptr_array_add(draft->before, before);
  g_ptr_array_set_size(draft->after, 0);
}

static JsonArray *find_list(const OlCourseDraft *draft, const char *list_path)
{
  JsonNode *node = ol_course_draft_get(draft, list_path);
  return node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

/* json-glib cannot put an element into the middle: the later ones are taken off and added again. */
static void insert_element(JsonArray *list, guint place, JsonNode *value)
{
  g_autoptr(GPtrArray) later = g_ptr_array_new();
  while (json_array_get_length(list) > place) {
    g_ptr_array_add(later, json_array_dup_element(list, place));
    json_array_remove_element(list, place);
  }
  json_array_add_element(list, value);
  for (guint i = 0; i < later->len; i++)
    json_array_add_element(list, g_ptr_array_index(later, i));
}

static gboolean put(JsonNode *parent, const Step *step, JsonNode *value)
{
  if (step->name != NULL && JSON_NODE_HOLDS_OBJECT(parent)) {
    json_object_set_member(json_node_get_object(parent), step->name, value);
    return TRUE;
  }
  if (step->name != NULL || take_step(parent, step) == NULL)
    return FALSE;
  JsonArray *list = json_node_get_array(parent);
  json_array_remove_element(list, (guint)step->place);
  insert_element(list, (guint)step->place, value);
  return TRUE;
}

gboolean ol_course_draft_set(OlCourseDraft *draft, const char *key_path, JsonNode *value)
{
  g_autoptr(GArray) steps = split_path(key_path);
  JsonNode *parent = steps != NULL && steps->len > 0 ? walk(draft, steps, 1) : NULL;
  g_autofree char *before = dup_text(draft);
  if (parent == NULL || !put(parent, &g_array_index(steps, Step, steps->len - 1), value)) {
    json_node_unref(value);
    return FALSE;
  }
  note_change(draft, g_steal_pointer(&before));
  return TRUE;
}

gboolean ol_course_draft_remove(OlCourseDraft *draft, const char *key_path)
{
  g_autoptr(GArray) steps = split_path(key_path);
  JsonNode *parent = steps != NULL && steps->len > 0 ? walk(draft, steps, 1) : NULL;
  const Step *last = parent != NULL ? &g_array_index(steps, Step, steps->len - 1) : NULL;
  if (last == NULL || take_step(parent, last) == NULL)
    return FALSE;
  char *before = dup_text(draft);
  if (last->name != NULL)
    json_object_remove_member(json_node_get_object(parent), last->name);
  else
    json_array_remove_element(json_node_get_array(parent), (guint)last->place);
  note_change(draft, before);
  return TRUE;
}

gboolean ol_course_draft_append(OlCourseDraft *draft, const char *list_path, JsonNode *value)
{
  JsonArray *list = find_list(draft, list_path);
  if (list == NULL) {
    json_node_unref(value);
    return FALSE;
  }
  char *before = dup_text(draft);
  json_array_add_element(list, value);
  note_change(draft, before);
  return TRUE;
}

gboolean ol_course_draft_move(OlCourseDraft *draft, const char *list_path, guint from, guint to)
{
  JsonArray *list = find_list(draft, list_path);
  guint n = list != NULL ? json_array_get_length(list) : 0;
  if (from >= n || to >= n)
    return FALSE;
  char *before = dup_text(draft);
  JsonNode *element = json_array_dup_element(list, from);
  json_array_remove_element(list, from);
  insert_element(list, to, element);
  note_change(draft, before);
  return TRUE;
}

gboolean ol_course_draft_can_undo(const OlCourseDraft *draft)
{
  return draft->before->len > 0;
}

gboolean ol_course_draft_can_redo(const OlCourseDraft *draft)
{
  return draft->after->len > 0;
}

static void go(OlCourseDraft *draft, GPtrArray *from, GPtrArray *to)
{
  if (from->len == 0)
    return;
  g_autofree char *text = g_ptr_array_steal_index(from, from->len - 1);
  g_ptr_array_add(to, dup_text(draft));
  json_node_unref(draft->root);
  draft->root = json_from_string(text, NULL); /* written by us: cannot fail */
}

void ol_course_draft_undo(OlCourseDraft *draft)
{
  go(draft, draft->before, draft->after);
}

void ol_course_draft_redo(OlCourseDraft *draft)
{
  go(draft, draft->after, draft->before);
}

static void free_fault(gpointer data)
{
  OlDraftFault *fault = data;
  g_free(fault->key);
  g_free(fault->message);
  g_free(fault);
}

/* "draft:12: lessons[0].title: is missing"; the line means nothing to who edits in a form. */
static OlDraftFault *read_fault(const char *line)
{
  OlDraftFault *fault = g_new0(OlDraftFault, 1);
  if (g_str_has_prefix(line, WHERE ":")) {
    line += strlen(WHERE ":");
    line += strspn(line, "0123456789:");
    line += strspn(line, " ");
  }
  const char *colon = strstr(line, ": ");
  gboolean has_key = colon != NULL && memchr(line, ' ', (gsize)(colon - line)) == NULL;
  fault->key = has_key ? g_strndup(line, (gsize)(colon - line)) : g_strdup("");
  fault->message = g_strdup(has_key ? colon + 2 : line);
  return fault;
}

GPtrArray *ol_course_draft_dup_faults(const OlCourseDraft *draft)
{
  GPtrArray *faults = g_ptr_array_new_with_free_func(free_fault);
  g_autofree char *text = dup_text(draft);
  g_autoptr(GError) error = NULL;
  g_autoptr(OlCourse) course = ol_course_parse(text, -1, WHERE, &error);
  if (course != NULL)
    return faults;
  g_auto(GStrv) lines = g_strsplit(error->message, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    g_ptr_array_add(faults, read_fault(lines[i]));
  return faults;
}
