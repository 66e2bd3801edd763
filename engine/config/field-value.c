/* One value of a config: read from JSON, described, written as JSON. */
#include "engine/config/fields-private.h"

#include "engine/base/intl.h"

#include <math.h>
#include <string.h>

gboolean ol_field_is_text(const OlField *field)
{
  return field->kind == OL_FIELD_TEXT || field->kind == OL_FIELD_NAME;
}

char **ol_field_text(const OlField *field, gpointer record)
{
  return G_STRUCT_MEMBER_P(record, field->offset);
}

double ol_field_get_number(const OlField *field, const OlRunConfig *config)
{
  const void *at = G_STRUCT_MEMBER_P(config, field->offset);
  switch (field->kind) {
  case OL_FIELD_SEED:
    return *(const guint64 *)at;
  case OL_FIELD_NUMBER:
    return *(const double *)at;
  case OL_FIELD_FLAG:
    return *(const gboolean *)at;
  default:
    return *(const guint *)at; /* enums with no negative value are unsigned ints */
  }
}

static void set_number(const OlField *field, gpointer record, double number)
{
  void *at = G_STRUCT_MEMBER_P(record, field->offset);
  switch (field->kind) {
  case OL_FIELD_SEED:
    *(guint64 *)at = number;
    break;
  case OL_FIELD_NUMBER:
    *(double *)at = number;
    break;
  case OL_FIELD_FLAG:
    *(gboolean *)at = number != 0;
    break;
  default:
    *(guint *)at = number;
  }
}

char *ol_field_dup_spelling(const OlField *field, double number)
{
  if (field->kind == OL_FIELD_FLAG)
    return g_strdup(number != 0 ? "true" : "false");
  if (field->kind == OL_FIELD_CHOICE)
    return g_strdup(field->nicks[(guint)number]);
  return ol_faults_dup_number(number);
}

/* `null, "scale" or "machine"` */
static void append_choices(const OlField *field, GString *allowed)
{
  for (guint i = 0; i < field->n_nicks; i++) {
    const char *joint = i == 0 ? "" : i + 1 == field->n_nicks ? _(" or ") : ", ";
    const char *quote = i == 0 && field->nullable ? "" : "\"";
    g_string_append_printf(allowed, "%s%s%s%s", joint, quote, field->nicks[i], quote);
  }
}

static char *dup_allowed(const OlField *field)
{
  GString *allowed = g_string_new(NULL);
  if (field->nullable && field->kind != OL_FIELD_CHOICE)
    g_string_append(allowed, _("null or "));
  g_autofree char *least = ol_faults_dup_number(field->least);
  g_autofree char *most = ol_faults_dup_number(field->most);
  switch (field->kind) {
  case OL_FIELD_TEXT:
    if (field->least > 0)
      g_string_append_printf(allowed, _("a text of %s to %s bytes"), least, most);
    else
      g_string_append_printf(allowed, _("a text of at most %s bytes"), most);
    break;
  case OL_FIELD_NAME:
    g_string_append(allowed, _("a name of letters, digits, '-', '_' and '.'"));
    break;
  case OL_FIELD_CHOICE:
    append_choices(field, allowed);
    break;
  case OL_FIELD_FLAG:
    g_string_append(allowed, _("true or false"));
    break;
  case OL_FIELD_NUMBER:
    g_string_append_printf(allowed, _("a number from %s to %s"), least, most);
    break;
  default:
    g_string_append_printf(allowed, _("a whole number from %s to %s"), least, most);
  }
  return g_string_free(allowed, FALSE);
}

static char *dup_found(JsonNode *value)
{
  if (JSON_NODE_HOLDS_OBJECT(value))
    return g_strdup(_("an object"));
  if (JSON_NODE_HOLDS_ARRAY(value))
    return g_strdup(_("a list"));
  if (JSON_NODE_HOLDS_NULL(value))
    return g_strdup("null");
  GType type = json_node_get_value_type(value);
  if (type == G_TYPE_STRING)
    return ol_faults_dup_quoted(json_node_get_string(value));
  if (type == G_TYPE_BOOLEAN)
    return g_strdup(json_node_get_boolean(value) ? "true" : "false");
  if (type == G_TYPE_INT64)
    return g_strdup_printf("%" G_GINT64_FORMAT, json_node_get_int(value));
  return ol_faults_dup_number(json_node_get_double(value));
}

static gboolean read_text(const OlField *field, const char *text, gpointer record)
{
  gsize length = strlen(text);
  if (length < field->least || length > field->most || !g_utf8_validate(text, length, NULL))
    return FALSE;
  if (field->kind == OL_FIELD_NAME &&
      (text[0] == '.' || strspn(text, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-_.") != length))
    return FALSE;
  char **at = ol_field_text(field, record);
  g_free(*at);
  *at = g_strdup(text);
  return TRUE;
}

static gboolean read_choice(const OlField *field, const char *nick, gpointer record)
{
  for (guint i = field->nullable ? 1 : 0; i < field->n_nicks; i++)
    if (strcmp(field->nicks[i], nick) == 0) {
      set_number(field, record, i);
      return TRUE;
    }
  return FALSE;
}

static gboolean read_number(const OlField *field, double number, gpointer record)
{
  gboolean whole = field->kind != OL_FIELD_NUMBER;
  /* NaN fails the first comparison. */
  if (!(number >= field->least && number <= field->most) || (whole && number != floor(number)))
    return FALSE;
  set_number(field, record, number);
  return TRUE;
}

static gboolean read_null(const OlField *field, gpointer record)
{
  if (!field->nullable)
    return FALSE;
  if (ol_field_is_text(field))
    g_clear_pointer(ol_field_text(field, record), g_free);
  else
    set_number(field, record, 0);
  return TRUE;
}

static gboolean read_value(const OlField *field, JsonNode *value, gpointer record)
{
  if (JSON_NODE_HOLDS_NULL(value))
    return read_null(field, record);
  if (!JSON_NODE_HOLDS_VALUE(value))
    return FALSE;
  GType type = json_node_get_value_type(value);
  gboolean is_number = type == G_TYPE_INT64 || type == G_TYPE_DOUBLE;
  switch (field->kind) {
  case OL_FIELD_TEXT:
  case OL_FIELD_NAME:
    return type == G_TYPE_STRING && read_text(field, json_node_get_string(value), record);
  case OL_FIELD_CHOICE:
    return type == G_TYPE_STRING && read_choice(field, json_node_get_string(value), record);
  case OL_FIELD_FLAG:
    if (type != G_TYPE_BOOLEAN)
      return FALSE;
    set_number(field, record, json_node_get_boolean(value));
    return TRUE;
  default:
    return is_number && read_number(field, json_node_get_double(value), record);
  }
}

void ol_field_read(const OlField *field, JsonNode *value, gpointer record, OlFaults *faults)
{
  if (read_value(field, value, record))
    return;
  g_autofree char *allowed = dup_allowed(field);
  g_autofree char *found = dup_found(value);
  ol_faults_add(faults, field->path, _("must be %s; it is %s"), allowed, found);
}

static void write_string(const char *text, GString *json)
{
  g_autoptr(JsonNode) node = json_node_init_string(json_node_alloc(), text);
  g_autofree char *quoted = json_to_string(node, FALSE);
  g_string_append(json, quoted);
}

void ol_field_write(const OlField *field, const OlRunConfig *config, GString *json)
{
  if (ol_field_is_text(field)) {
    const char *text = *(char *const *)G_STRUCT_MEMBER_P(config, field->offset);
    if (text)
      write_string(text, json);
    else
      g_string_append(json, "null");
    return;
  }
  double number = ol_field_get_number(field, config);
  g_autofree char *spelling = ol_field_dup_spelling(field, number);
  if (field->nullable && number == 0)
    g_string_append(json, "null");
  else if (field->kind == OL_FIELD_CHOICE)
    g_string_append_printf(json, "\"%s\"", spelling);
  else
    g_string_append(json, spelling);
}
