#include "engine/trace/json-line-private.h"

#include <math.h>

void ol_json_put_integer(GString *line, gint64 value)
{
  char digits[24];
  int at = sizeof digits;
  guint64 left = value < 0 ? -(guint64)value : (guint64)value;
  do {
    digits[--at] = '0' + left % 10;
    left /= 10;
  } while (left > 0);
  if (value < 0)
    digits[--at] = '-';
  g_string_append_len(line, digits + at, sizeof digits - at);
}

void ol_json_put_double(GString *line, double value)
{
  static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  if (value == floor(value) && fabs(value) < 1e15 && !(value == 0 && signbit(value))) {
    ol_json_put_integer(line, (gint64)value);
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
    g_ascii_formatd(text, sizeof text, formats[i], value);
    if (g_ascii_strtod(text, NULL) == value)
      break;
  }
  g_string_append(line, text);
}

static void put_escaped(GString *line, guchar letter)
{
  switch (letter) {
  case '\n':
    g_string_append(line, "\\n");
    break;
  case '\t':
    g_string_append(line, "\\t");
    break;
  case '"':
  case '\\':
    g_string_append_c(line, '\\');
    g_string_append_c(line, letter);
    break;
  default:
    g_string_append_printf(line, "\\u%04x", letter);
  }
}

void ol_json_put_text(GString *line, const char *text)
{
  g_autofree char *valid = NULL;
  if (!g_utf8_validate(text, -1, NULL))
    text = valid = g_utf8_make_valid(text, -1);
  g_string_append_c(line, '"');
  for (; *text; text++) {
    guchar letter = *text;
    if (letter < 0x20 || letter == '"' || letter == '\\')
      put_escaped(line, letter);
    else
      g_string_append_c(line, letter);
  }
  g_string_append_c(line, '"');
}

/* White space inside of texts stays. */
static void put_minified(GString *line, OlJsonSlice json)
{
  gboolean in_text = FALSE;
  for (gsize i = 0; i < json.length; i++) {
    char letter = json.text[i];
    if (!in_text && strchr(" \t\r\n", letter))
      continue;
    g_string_append_c(line, letter);
    if (letter == '"')
      in_text = !in_text;
    else if (in_text && letter == '\\')
      g_string_append_c(line, json.text[++i]);
  }
}

void ol_json_put_json(GString *line, const char *json)
{
  OlJsonCursor cursor = {json, json + strlen(json), NULL};
  OlJsonSlice slice;
  if (g_utf8_validate(json, -1, NULL) && ol_json_skip(&cursor, &slice) && ol_json_ended(&cursor))
    put_minified(line, slice);
  else
    ol_json_put_text(line, json);
}
