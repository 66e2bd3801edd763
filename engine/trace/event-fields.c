#include "engine/trace/event-fields-private.h"

#include "engine/base/intl.h"

/* The field with this key; lines mostly come in the order of their table, so `expected` is tried
 * first. -1: unknown. */
static int find_field(const OlField *fields, guint n, guint expected, OlJsonSlice key)
{
  for (guint i = 0; i < n; i++) {
    guint at = expected + i < n ? expected + i : expected + i - n;
    if (ol_json_slice_is(key, fields[at].key, strlen(fields[at].key)))
      return at;
  }
  return -1;
}

static gboolean read_word(OlJsonCursor *cursor, const OlField *field, int *value)
{
  OlJsonSlice word;
  if (!ol_json_word(cursor, &word))
    return FALSE;
  *value = field->from_nick(word.text, word.length);
  return *value >= 0 || ol_json_fail(cursor, _("an unknown word"));
}

static gboolean read_field(OlJsonCursor *cursor, const OlField *field, gpointer record)
{
  gpointer place = (char *)record + field->offset;
  switch (field->kind) {
  case OL_FIELD_INTEGER:
    return ol_json_integer(cursor, field->low, field->high, place);
  case OL_FIELD_DOUBLE:
    return ol_json_double(cursor, place);
  case OL_FIELD_BOOLEAN:
    return ol_json_boolean(cursor, place);
  case OL_FIELD_WORD:
    return read_word(cursor, field, place);
  case OL_FIELD_TEXT:
    return ol_json_text(cursor, *(GString **)place);
  case OL_FIELD_RAW:
    return ol_json_skip(cursor, place);
  }
  return FALSE;
}

static gboolean check_required(OlJsonCursor *cursor, const OlField *fields, guint n, guint32 seen,
                               const char **wrong)
{
  for (guint i = 0; i < n; i++)
    if (fields[i].required && !(seen & 1u << i)) {
      *wrong = fields[i].key;
      return ol_json_fail(cursor, _("is missing"));
    }
  return TRUE;
}

gboolean ol_event_fields_read(OlJsonCursor *cursor, const OlField *fields, guint n_fields,
                              gpointer record, const char **wrong)
{
  gboolean first = FALSE; /* `type` came before */
  guint32 seen = 0;
  guint expected = 0;
  OlJsonSlice key;
  while (ol_json_more(cursor, '}', &first) && ol_json_key(cursor, &key)) {
    int at = find_field(fields, n_fields, expected, key);
    if (at < 0) {
      ol_json_skip(cursor, NULL);
      continue;
    }
    expected = at + 1;
    if (ol_json_null(cursor))
      continue;
    if (seen & 1u << at)
      ol_json_fail(cursor, _("is there twice"));
    else if (read_field(cursor, &fields[at], record))
      seen |= 1u << at;
    if (cursor->problem) {
      *wrong = fields[at].key;
      return FALSE;
    }
  }
  return ol_json_ended(cursor) && check_required(cursor, fields, n_fields, seen, wrong);
}
