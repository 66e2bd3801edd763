#include "engine/base/folder.h"

#include "engine/base/intl.h"
#include "engine/config/faults-private.h"
#include "engine/config/figures-private.h"
#include "engine/config/hardware.h"
#include "engine/config/json-guard.h"

#include <math.h>
#include <string.h>

char **ol_figures_list(const OlFigureFile *file, const char *folder)
{
  g_autofree char *path = g_build_filename(folder ? folder : ol_data_folder(), file->folder, NULL);
  g_autoptr(GPtrArray) files = ol_folder_list(path, ".json", NULL);
  GPtrArray *names = g_ptr_array_new();
  for (guint i = 0; files && i < files->len; i++) {
    const char *name = g_ptr_array_index(files, i);
    g_ptr_array_add(names, g_strndup(name, strlen(name) - strlen(".json")));
  }
  g_ptr_array_add(names, NULL);
  return (char **)g_ptr_array_free(names, FALSE);
}

static const char *get_text(JsonObject *object, const char *key)
{
  JsonNode *node = json_object_get_member(object, key);
  gboolean is_text =
      node && JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING;
  return is_text ? json_node_get_string(node) : NULL;
}

static gboolean get_number(JsonObject *object, const char *key, double *number)
{
  JsonNode *node = json_object_get_member(object, key);
  if (!node || !JSON_NODE_HOLDS_VALUE(node))
    return FALSE;
  GType type = json_node_get_value_type(node);
  if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return FALSE;
  *number = json_node_get_double(node);
  return TRUE;
}

static void read_figure(const OlFigure *figure, JsonObject *root, gpointer record, OlFaults *faults)
{
  JsonNode *node = json_object_get_member(root, figure->key);
  if (!node || !JSON_NODE_HOLDS_OBJECT(node)) {
    ol_faults_add(faults, figure->key,
                  _("must be {\"value\": …, \"unit\": \"%s\", \"source\": \"…\"}"), figure->unit);
    return;
  }
  JsonObject *object = json_node_get_object(node);
  const char *source = get_text(object, "source");
  double value = 0;
  gboolean known = get_number(object, "value", &value);
  if (!known || value < figure->least || value > figure->most ||
      (figure->is_count && value != floor(value)))
    ol_faults_add(faults, figure->key, _("value must be a%s number from %g to %g %s"),
                  figure->is_count ? _(" whole") : "", figure->least, figure->most, figure->unit);
  if (g_strcmp0(get_text(object, "unit"), figure->unit) != 0)
    ol_faults_add(faults, figure->key, _("unit must be \"%s\""), figure->unit);
  if (!source || !*source)
    ol_faults_add(faults, figure->key, _("source must say where the value comes from"));
  if (json_object_get_size(object) != 3)
    ol_faults_add(faults, figure->key, _("must have value, unit and source, and nothing else"));
  if (ol_faults_has(faults, figure->key))
    return;
  if (figure->is_count)
    G_STRUCT_MEMBER(guint, record, figure->offset) = value;
  else
    G_STRUCT_MEMBER(double, record, figure->offset) = value;
}

static void refuse_unknown(const OlFigureFile *file, JsonObject *root, OlFaults *faults)
{
  JsonObjectIter iter;
  const char *key;
  json_object_iter_init(&iter, root);
  while (json_object_iter_next(&iter, &key, NULL)) {
    gboolean known = strcmp(key, "title") == 0;
    for (guint i = 0; i < file->n_figures; i++)
      known |= strcmp(key, file->figures[i].key) == 0;
    g_autofree char *quoted = ol_faults_dup_quoted(key);
    if (!known)
      ol_faults_add(faults, quoted, _("unknown key"));
  }
}

static void set_unknown_name(const OlFigureFile *file, const char *folder, const char *name,
                             GError **error)
{
  g_auto(GStrv) names = ol_figures_list(file, folder);
  g_autofree char *known = g_strjoinv(", ", names);
  g_autofree char *quoted = ol_faults_dup_quoted(name);
  if (*known)
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("%s: must be one of %s; it is %s"),
                file->config_key, known, quoted);
  else
    g_set_error(
        error, OL_ERROR, OL_ERROR_BAD_INPUT,
        _("%s: cannot find %s: there are no such files in %s/%s; set OFFLOAD_LAB_DATA to the "
          "lab's data folder"),
        file->config_key, quoted, folder, file->folder);
}

char *ol_figures_load(const OlFigureFile *file, const char *folder, const char *name,
                      gpointer record, GError **error)
{
  folder = folder ? folder : ol_data_folder();
  g_auto(GStrv) names = ol_figures_list(file, folder);
  if (!g_strv_contains((const char *const *)names, name)) {
    set_unknown_name(file, folder, name, error);
    return NULL;
  }
  g_autofree char *path = g_strdup_printf("%s/%s/%s.json", folder, file->folder, name);
  gsize length;
  g_autofree char *text = ol_json_read_file(path, &length, error);
  JsonObject *root;
  g_autoptr(JsonParser) parser =
      text ? ol_json_parse_object(text, length, path, &root, error) : NULL;
  if (!parser)
    return NULL;
  g_autofree char *prefix = g_strconcat(path, ": ", NULL);
  g_autoptr(OlFaults) faults = ol_faults_new(prefix);
  const char *title = get_text(root, "title");
  if (!title)
    ol_faults_add(faults, "title", _("must be a text"));
  for (guint i = 0; i < file->n_figures; i++)
    read_figure(&file->figures[i], root, record, faults);
  refuse_unknown(file, root, faults);
  return ol_faults_none(faults, OL_ERROR_BAD_INPUT, error) ? g_strdup(title) : NULL;
}
