#include "lessons/reader.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "lessons/json-lines.h"

#include <math.h>
#include <string.h>

#define MOST_FAULTS_TOLD 20
#define MOST_ITEMS                                                                                 \
  1000 /* of a list: far beyond any course, and a bound on what a bad file costs                   \
        */

void ol_reader_init(OlReader *reader, const char *where, const char *text, gsize length)
{
  *reader = (OlReader){
      .where = where,
      .text = text,
      .length = length,
      .path = g_string_new(NULL),
      .faults = g_string_new(NULL),
  };
}

gboolean ol_reader_end(OlReader *reader, GError **error)
{
  gboolean good = reader->n_faults == 0;
  if (reader->n_faults > MOST_FAULTS_TOLD)
    g_string_append_printf(reader->faults, _("\n%s: and %u more"), reader->where,
                           reader->n_faults - MOST_FAULTS_TOLD);
  if (!good)
    g_set_error_literal(error, OL_ERROR, OL_ERROR_BAD_INPUT, reader->faults->str);
  g_string_free(reader->path, TRUE);
  g_string_free(reader->faults, TRUE);
  return good;
}

char *ol_reader_dup_path(const OlReader *reader, const char *key)
{
  if (key == NULL)
    return g_strdup(reader->path->str);
  return g_strconcat(reader->path->str, reader->path->len > 0 ? "." : "", key, NULL);
}

static void note(OlReader *reader, const char *path, const char *message)
{
  if (reader->n_faults++ >= MOST_FAULTS_TOLD)
    return;
  if (reader->faults->len > 0)
    g_string_append_c(reader->faults, '\n');
  g_string_append_printf(reader->faults, "%s:%u: %s%s%s", reader->where,
                         ol_json_line_of(reader->text, reader->length, path), path,
                         *path != '\0' ? ": " : "", message);
}

void ol_reader_fault(OlReader *reader, const char *key, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  g_autofree char *path = ol_reader_dup_path(reader, key);
  note(reader, path, message);
}

void ol_reader_take_error(OlReader *reader, const char *key, GError *error)
{
  g_autofree char *own = ol_reader_dup_path(reader, key);
  g_auto(GStrv) lines = g_strsplit(error->message, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    const char *colon = g_str_has_prefix(*line, own) ? strstr(*line, ": ") : NULL;
    if (colon == NULL) {
      note(reader, own, *line);
      continue;
    }
    g_autofree char *path = g_strndup(*line, (gsize)(colon - *line));
    note(reader, path, colon + 2);
  }
  g_error_free(error);
}

gsize ol_reader_enter(OlReader *reader, const char *key)
{
  gsize mark = reader->path->len;
  if (mark > 0)
    g_string_append_c(reader->path, '.');
  g_string_append(reader->path, key);
  return mark;
}

void ol_reader_leave(OlReader *reader, gsize mark)
{
  g_string_truncate(reader->path, mark);
}

void ol_reader_refuse_unknown(OlReader *reader, JsonObject *object, const char *const *known)
{
  g_autoptr(GList) members = json_object_get_members(object);
  for (GList *member = members; member != NULL; member = member->next) {
    if (g_strv_contains(known, member->data))
      continue;
    g_autofree char *all = g_strjoinv(", ", (char **)known);
    g_autofree char *key =
        g_utf8_substring(member->data, 0, MIN(60, g_utf8_strlen(member->data, -1)));
    ol_reader_fault(reader, key, _("unknown key; known here: %s"), all);
  }
}

/* The value of `key`, or NULL when it is absent (a fault when required) or null. */
static JsonNode *get(OlReader *reader, JsonObject *object, const char *key, OlNeed need,
                     const char *wanted)
{
  JsonNode *node = json_object_get_member(object, key);
  if (node != NULL && !JSON_NODE_HOLDS_NULL(node))
    return node;
  if (need == OL_REQUIRED)
    ol_reader_fault(reader, key, _("missing; %s is wanted"), wanted);
  return NULL;
}

static gboolean is_text(JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING;
}

char *ol_reader_dup_text(OlReader *reader, JsonObject *object, const char *key, OlNeed need)
{
  JsonNode *node = get(reader, object, key, need, _("a text"));
  if (node == NULL)
    return NULL;
  if (!is_text(node) || *json_node_get_string(node) == '\0') {
    ol_reader_fault(reader, key, _("must be a text that is not empty"));
    return NULL;
  }
  return json_node_dup_string(node);
}

char *ol_reader_dup_words(OlReader *reader, JsonObject *object, const char *key, OlNeed need)
{
  g_autofree char *text = ol_reader_dup_text(reader, object, key, need);
  return text != NULL ? g_strdup(_(text)) : NULL;
}

char *ol_reader_dup_id(OlReader *reader, JsonObject *object, const char *key)
{
  char *id = ol_reader_dup_text(reader, object, key, OL_REQUIRED);
  if (id != NULL && strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(id))
    ol_reader_fault(reader, key, _("must be made of lower-case letters, digits and hyphens"));
  return id;
}

gboolean ol_reader_number(OlReader *reader, JsonObject *object, const char *key, OlNeed need,
                          double *value)
{
  JsonNode *node = get(reader, object, key, need, _("a number"));
  if (node == NULL)
    return FALSE;
  GType type = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_value_type(node) : G_TYPE_NONE;
  if ((type != G_TYPE_INT64 && type != G_TYPE_DOUBLE) || !isfinite(json_node_get_double(node))) {
    ol_reader_fault(reader, key, _("must be a number"));
    return FALSE;
  }
  *value = json_node_get_double(node);
  return TRUE;
}

gboolean ol_reader_boolean(OlReader *reader, JsonObject *object, const char *key, gboolean unset)
{
  JsonNode *node = get(reader, object, key, OL_OPTIONAL, _("true or false"));
  if (node == NULL)
    return unset;
  if (!JSON_NODE_HOLDS_VALUE(node) || json_node_get_value_type(node) != G_TYPE_BOOLEAN) {
    ol_reader_fault(reader, key, _("must be true or false"));
    return unset;
  }
  return json_node_get_boolean(node);
}

JsonObject *ol_reader_object(OlReader *reader, JsonObject *object, const char *key, OlNeed need)
{
  JsonNode *node = get(reader, object, key, need, _("an object"));
  if (node == NULL)
    return NULL;
  if (JSON_NODE_HOLDS_OBJECT(node))
    return json_node_get_object(node);
  ol_reader_fault(reader, key, _("must be an object {…}"));
  return NULL;
}

int ol_reader_word(OlReader *reader, JsonObject *object, const char *key, const char *const *words)
{
  g_autofree char *all = g_strjoinv(", ", (char **)words);
  JsonNode *node = get(reader, object, key, OL_REQUIRED, all);
  if (node == NULL)
    return -1;
  for (int i = 0; is_text(node) && words[i] != NULL; i++)
    if (g_str_equal(words[i], json_node_get_string(node)))
      return i;
  ol_reader_fault(reader, key, _("must be one of: %s"), all);
  return -1;
}

/* The list at `key`, of at most MOST_ITEMS, or NULL. */
static JsonArray *get_list(OlReader *reader, JsonObject *object, const char *key, OlNeed need)
{
  JsonNode *node = get(reader, object, key, need, _("a list"));
  if (node == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_ARRAY(node)) {
    ol_reader_fault(reader, key, _("must be a list […]"));
    return NULL;
  }
  JsonArray *array = json_node_get_array(node);
  guint n = json_array_get_length(array);
  if (n > MOST_ITEMS)
    ol_reader_fault(reader, key, _("holds %u items; at most %d are allowed"), n, MOST_ITEMS);
  else if (n == 0 && need == OL_REQUIRED)
    ol_reader_fault(reader, key, _("must not be empty"));
  return n <= MOST_ITEMS ? array : NULL;
}

char **ol_reader_dup_texts(OlReader *reader, JsonObject *object, const char *key, OlNeed need)
{
  JsonArray *array = get_list(reader, object, key, need);
  guint n = array != NULL ? json_array_get_length(array) : 0;
  GPtrArray *texts = g_ptr_array_new();
  for (guint i = 0; i < n; i++) {
    JsonNode *node = json_array_get_element(array, i);
    g_autofree char *item = g_strdup_printf("%s[%u]", key, i);
    if (is_text(node) && *json_node_get_string(node) != '\0')
      g_ptr_array_add(texts, json_node_dup_string(node));
    else
      ol_reader_fault(reader, item, _("must be a text that is not empty"));
  }
  g_ptr_array_add(texts, NULL);
  return (char **)g_ptr_array_free(texts, FALSE);
}

gpointer ol_reader_list(OlReader *reader, JsonObject *object, const char *key, OlNeed need,
                        gsize size, OlReadItem read, gpointer data, guint *n)
{
  JsonArray *array = get_list(reader, object, key, need);
  *n = array != NULL ? json_array_get_length(array) : 0;
  char *elements = g_malloc0_n(MAX(*n, 1), size);
  for (guint i = 0; i < *n; i++) {
    JsonNode *node = json_array_get_element(array, i);
    g_autofree char *item = g_strdup_printf("%s[%u]", key, i);
    gsize mark = ol_reader_enter(reader, item);
    if (JSON_NODE_HOLDS_OBJECT(node))
      read(reader, json_node_get_object(node), elements + i * size, data);
    else
      ol_reader_fault(reader, NULL, _("must be an object {…}"));
    ol_reader_leave(reader, mark);
  }
  return elements;
}
