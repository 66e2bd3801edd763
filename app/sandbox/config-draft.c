#include "app/sandbox/config-draft.h"

#include "app/sandbox/field-words.h"
#include "engine/base/intl.h"
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#define ONE_CHANGE_US 1000000 /* changes of a key within this time of each other are one */
#define MOST_UNDONE   200
#define MOST_IN_TITLE 3
#define NO_KEY        G_MAXUINT

/* The values of all keys, each as JSON or as whatever was typed in its place. */
typedef char **Values;

struct OlConfigDraft {
  OlRunConfig *defaults;
  const OlField *fields;
  guint n;
  Values values;
  GPtrArray *undo, *redo; /* Values */
  guint last_key;         /* that was set last, or NO_KEY */
  gint64 last_us;
};

static void free_values(gpointer values)
{
  g_strfreev(values);
}

static char *dup_value(const OlField *field, const OlRunConfig *config)
{
  GString *json = g_string_new(NULL);

  ol_field_write(field, config, json);
  return g_string_free(json, FALSE);
}

static Values values_of(const OlConfigDraft *draft, const OlRunConfig *config)
{
  Values values = g_new0(char *, draft->n + 1);

  for (guint i = 0; i < draft->n; i++)
    values[i] = dup_value(&draft->fields[i], config);
  return values;
}

OlConfigDraft *ol_config_draft_new(const OlRunConfig *defaults)
{
  OlConfigDraft *draft = g_new0(OlConfigDraft, 1);

  draft->fields = ol_fields_get(&draft->n);
  draft->defaults = ol_run_config_copy(defaults);
  draft->values = values_of(draft, defaults);
  draft->undo = g_ptr_array_new_with_free_func(free_values);
  draft->redo = g_ptr_array_new_with_free_func(free_values);
  draft->last_key = NO_KEY;
  return draft;
}

void ol_config_draft_free(OlConfigDraft *draft)
{
  if (!draft)
    return;
  ol_run_config_free(draft->defaults);
  g_strfreev(draft->values);
  g_ptr_array_unref(draft->undo);
  g_ptr_array_unref(draft->redo);
  g_free(draft);
}

/* A text that stands in quotes, without them. */
static char *dup_unquoted(const char *value)
{
  g_autoptr(JsonNode) node = *value == '"' ? json_from_string(value, NULL) : NULL;
  gboolean is_text =
      node && JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING;

  return is_text ? json_node_dup_string(node) : g_strdup(value);
}

static char *dup_quoted(const char *typed)
{
  g_autoptr(JsonNode) node = json_node_init_string(json_node_alloc(), typed);

  return json_to_string(node, FALSE);
}

char *ol_config_draft_dup_typed(const OlConfigDraft *draft, guint key)
{
  const char *value = draft->values[key];

  return strcmp(value, "null") == 0 ? g_strdup("") : dup_unquoted(value);
}

double ol_config_draft_get_number(const OlConfigDraft *draft, guint key)
{
  const OlField *field = &draft->fields[key];
  g_autofree char *typed = ol_config_draft_dup_typed(draft, key);
  char *end = NULL;
  double number;

  if (field->kind == OL_FIELD_FLAG)
    return strcmp(typed, "true") == 0;
  for (guint i = 0; i < field->n_nicks; i++)
    if (strcmp(field->nicks[i], *typed ? typed : "null") == 0)
      return i;
  number = g_ascii_strtod(typed, &end);
  return *typed && !*end && field->n_nicks == 0 ? number : NAN;
}

gboolean ol_config_draft_is_default(const OlConfigDraft *draft, guint key)
{
  g_autofree char *value = dup_value(&draft->fields[key], draft->defaults);

  return strcmp(value, draft->values[key]) == 0;
}

/* Undo */

static void remember(OlConfigDraft *draft)
{
  g_ptr_array_add(draft->undo, g_strdupv(draft->values));
  if (draft->undo->len > MOST_UNDONE)
    g_ptr_array_remove_index(draft->undo, 0);
  g_ptr_array_set_size(draft->redo, 0);
}

static gboolean go_back(OlConfigDraft *draft, GPtrArray *from, GPtrArray *to)
{
  if (from->len == 0)
    return FALSE;
  g_ptr_array_add(to, draft->values);
  draft->values = g_ptr_array_steal_index(from, from->len - 1);
  draft->last_key = NO_KEY;
  return TRUE;
}

gboolean ol_config_draft_can_undo(const OlConfigDraft *draft)
{
  return draft->undo->len > 0;
}

gboolean ol_config_draft_can_redo(const OlConfigDraft *draft)
{
  return draft->redo->len > 0;
}

gboolean ol_config_draft_undo(OlConfigDraft *draft)
{
  return go_back(draft, draft->undo, draft->redo);
}

gboolean ol_config_draft_redo(OlConfigDraft *draft)
{
  return go_back(draft, draft->redo, draft->undo);
}

/* Changes */

static char *dup_value_of_typed(const OlField *field, const char *typed)
{
  if (!*typed && field->nullable)
    return g_strdup("null");
  return ol_field_is_text(field) || field->kind == OL_FIELD_CHOICE ? dup_quoted(typed)
                                                                   : g_strdup(typed);
}

gboolean ol_config_draft_set(OlConfigDraft *draft, guint key, const char *typed, gint64 now_us)
{
  g_autofree char *stripped = g_strstrip(g_strdup(typed));
  g_autofree char *value = dup_value_of_typed(&draft->fields[key], stripped);
  gboolean goes_on = draft->last_key == key && now_us - draft->last_us < ONE_CHANGE_US;

  if (strcmp(value, draft->values[key]) == 0)
    return FALSE;
  if (!goes_on)
    remember(draft);
  g_free(draft->values[key]);
  draft->values[key] = g_steal_pointer(&value);
  draft->last_key = key;
  draft->last_us = now_us;
  return TRUE;
}

void ol_config_draft_set_many(OlConfigDraft *draft, const guint *keys, char **typed, guint n)
{
  remember(draft);
  draft->last_key = NO_KEY;
  for (guint i = 0; i < n; i++) {
    g_free(draft->values[keys[i]]);
    draft->values[keys[i]] = dup_value_of_typed(&draft->fields[keys[i]], typed[i]);
  }
}

void ol_config_draft_take(OlConfigDraft *draft, const OlRunConfig *config)
{
  Values values = values_of(draft, config);

  if (g_strv_equal((const char *const *)values, (const char *const *)draft->values)) {
    g_strfreev(values);
    return;
  }
  remember(draft);
  g_strfreev(draft->values);
  draft->values = values;
  draft->last_key = NO_KEY;
}

void ol_config_draft_reset(OlConfigDraft *draft)
{
  ol_config_draft_take(draft, draft->defaults);
}

OlRunConfig *ol_config_draft_try(const OlConfigDraft *draft, GPtrArray **faults)
{
  g_autoptr(GPtrArray) set = g_ptr_array_new_with_free_func(g_free);

  for (guint i = 0; i < draft->n; i++)
    g_ptr_array_add(set, g_strdup_printf("%s=%s", draft->fields[i].path, draft->values[i]));
  g_ptr_array_add(set, NULL);
  return ol_run_config_try_assignments(draft->defaults, (const char *const *)set->pdata, faults);
}

static void append_difference(GString *title, const OlField *field, const char *value)
{
  const OlFieldWords *words = ol_field_words_find(field->path);
  g_autofree char *typed = strcmp(value, "null") == 0 ? g_strdup("null") : dup_unquoted(value);
  g_autofree char *said = ol_field_words_dup_value(field, typed);

  g_string_append_printf(title, "%s%s: %s", title->len > 0 ? " · " : "",
                         words ? _(words->title) : field->path, said);
}

char *ol_config_draft_dup_title(const OlConfigDraft *draft, const OlRunConfig *before)
{
  GString *title = g_string_new(NULL);
  guint n_differences = 0;

  for (guint i = 0; i < draft->n; i++) {
    g_autofree char *old = dup_value(&draft->fields[i], before ? before : draft->defaults);
    if (strcmp(draft->fields[i].path, "name") == 0) {
      g_autofree char *name = ol_config_draft_dup_typed(draft, i);
      if (*name) {
        g_string_append(title, name);
        return g_string_free(title, FALSE);
      }
    } else if (strcmp(old, draft->values[i]) != 0 && n_differences++ < MOST_IN_TITLE) {
      append_difference(title, &draft->fields[i], draft->values[i]);
    }
  }
  if (n_differences > MOST_IN_TITLE)
    g_string_append(title, " · …");
  if (n_differences == 0)
    g_string_append(title, before ? _("As before") : _("The defaults"));
  return g_string_free(title, FALSE);
}
