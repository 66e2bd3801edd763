#include "engine/trace/json-line-private.h"

#include "engine/base/intl.h"

#include <errno.h>
#include <math.h>

/* The longest number that anybody means: 17 digits, sign, point and exponent, with much to
 * spare. */
#define MAX_NUMBER 400

gboolean ol_json_fail(OlJsonCursor *cursor, const char *problem)
{
  if (!cursor->problem)
    cursor->problem = problem;
  return FALSE;
}

static inline void skip_space(OlJsonCursor *cursor)
{
  const char *at = cursor->at, *end = cursor->end;
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
    at++;
  cursor->at = at;
}

/* The next character after white space, or 0 at the end; a NUL never gets here. */
static inline char peek(OlJsonCursor *cursor)
{
  skip_space(cursor);
  return cursor->at < cursor->end ? *cursor->at : 0;
}

gboolean ol_json_open(OlJsonCursor *cursor, char bracket)
{
  if (cursor->problem)
    return FALSE;
  if (peek(cursor) != bracket)
    return ol_json_fail(cursor,
                        bracket == '{' ? _("an object is expected") : _("a list is expected"));
  cursor->at++;
  return TRUE;
}

gboolean ol_json_more(OlJsonCursor *cursor, char closing, gboolean *first)
{
  if (cursor->problem)
    return FALSE;
  char next = peek(cursor);
  gboolean was_first = *first;
  *first = FALSE;
  if (next == closing) {
    cursor->at++;
    return FALSE;
  }
  if (was_first && next != 0)
    return TRUE;
  if (next != ',')
    return ol_json_fail(cursor, next == 0 ? _("the line ends too early") : _("a comma is missing"));
  cursor->at++;
  return TRUE;
}

/* From the opening quote to past the closing one; `escaped` tells whether any \ lies between. */
static gboolean scan_string(OlJsonCursor *cursor, OlJsonSlice *inside, gboolean *escaped)
{
  if (cursor->problem)
    return FALSE;
  if (peek(cursor) != '"')
    return ol_json_fail(cursor, _("a text in quotes is expected"));
  const char *at = cursor->at + 1, *end = cursor->end;
  inside->text = at;
  *escaped = FALSE;
  while (at < end && *at != '"') {
    if ((guchar)*at < 0x20)
      return ol_json_fail(cursor, _("a text holds a control character"));
    if (*at == '\\') {
      *escaped = TRUE;
      if (++at == end)
        break;
    }
    at++;
  }
  if (at == end)
    return ol_json_fail(cursor, _("a text has no closing quote"));
  inside->length = at - inside->text;
  cursor->at = at + 1;
  return TRUE;
}

static gboolean take_colon(OlJsonCursor *cursor)
{
  if (peek(cursor) != ':')
    return ol_json_fail(cursor, _("a colon is missing"));
  cursor->at++;
  return TRUE;
}

gboolean ol_json_key(OlJsonCursor *cursor, OlJsonSlice *key)
{
  gboolean escaped;
  return scan_string(cursor, key, &escaped) && take_colon(cursor);
}

gboolean ol_json_key_text(OlJsonCursor *cursor, GString *key)
{
  g_string_truncate(key, 0);
  return ol_json_text(cursor, key) && take_colon(cursor);
}

static gboolean take_word(OlJsonCursor *cursor, const char *word)
{
  gsize length = strlen(word);
  skip_space(cursor);
  if ((gsize)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0)
    return FALSE;
  cursor->at += length;
  return TRUE;
}

gboolean ol_json_null(OlJsonCursor *cursor)
{
  return !cursor->problem && take_word(cursor, "null");
}

gboolean ol_json_boolean(OlJsonCursor *cursor, gboolean *value)
{
  if (cursor->problem)
    return FALSE;
  *value = take_word(cursor, "true");
  if (*value || take_word(cursor, "false"))
    return TRUE;
  return ol_json_fail(cursor, _("true or false is expected"));
}

/* A number taken apart: (-)digits · 10^exponent, exact while `exact`. */
typedef struct {
  const char *text;
  gsize length;
  gboolean negative, whole, exact;
  guint64 digits;
  int exponent;
} Number;

static inline gboolean is_digit(const OlJsonCursor *cursor)
{
  return cursor->at < cursor->end && (guint)(*cursor->at - '0') < 10;
}

static void take_digits(OlJsonCursor *cursor, Number *number, int exponent_each)
{
  for (; is_digit(cursor); cursor->at++) {
    guint digit = *cursor->at - '0';
    if (number->digits > (G_MAXUINT64 - digit) / 10) {
      number->exact = FALSE;
      continue;
    }
    number->digits = number->digits * 10 + digit;
    number->exponent += exponent_each;
  }
}

static gboolean take_exponent(OlJsonCursor *cursor, Number *number)
{
  gboolean negative = FALSE;
  int exponent = 0;
  cursor->at++;
  if (cursor->at < cursor->end && (*cursor->at == '-' || *cursor->at == '+'))
    negative = *cursor->at++ == '-';
  if (!is_digit(cursor))
    return ol_json_fail(cursor, _("a number has no digits in its exponent"));
  for (; is_digit(cursor); cursor->at++)
    exponent = MIN(exponent * 10 + (*cursor->at - '0'), 100000);
  number->exponent += negative ? -exponent : exponent;
  return TRUE;
}

/* JSON's grammar of a number. */
static gboolean scan_number(OlJsonCursor *cursor, Number *number)
{
  if (cursor->problem)
    return FALSE;
  skip_space(cursor);
  *number = (Number){.text = cursor->at, .whole = TRUE, .exact = TRUE};
  if (cursor->at < cursor->end && *cursor->at == '-') {
    number->negative = TRUE;
    cursor->at++;
  }
  if (!is_digit(cursor))
    return ol_json_fail(cursor, _("a number is expected"));
  gboolean zero = *cursor->at == '0';
  const char *digits = cursor->at;
  take_digits(cursor, number, 0);
  if (zero && cursor->at - digits > 1)
    return ol_json_fail(cursor, _("a number begins with a needless 0"));
  if (cursor->at < cursor->end && *cursor->at == '.') {
    number->whole = FALSE;
    cursor->at++;
    if (!is_digit(cursor))
      return ol_json_fail(cursor, _("a number has no digits after its point"));
    take_digits(cursor, number, -1);
  }
  if (cursor->at < cursor->end && (*cursor->at == 'e' || *cursor->at == 'E')) {
    number->whole = FALSE;
    if (!take_exponent(cursor, number))
      return FALSE;
  }
  number->length = cursor->at - number->text;
  if (number->length > MAX_NUMBER)
    return ol_json_fail(cursor, _("a number has too many digits"));
  return TRUE;
}

gboolean ol_json_integer(OlJsonCursor *cursor, gint64 low, gint64 high, gint64 *value)
{
  Number number;
  if (!scan_number(cursor, &number))
    return FALSE;
  if (!number.whole)
    return ol_json_fail(cursor, _("a whole number is expected"));
  if (!number.exact || number.digits > G_MAXINT64)
    return ol_json_fail(cursor, _("a number is out of range"));
  *value = number.negative ? -(gint64)number.digits : (gint64)number.digits;
  if (*value < low || *value > high)
    return ol_json_fail(cursor, _("a number is out of range"));
  return TRUE;
}

gboolean ol_json_double(OlJsonCursor *cursor, double *value)
{
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  Number number;
  if (!scan_number(cursor, &number))
    return FALSE;
  int size = ABS(number.exponent);
  /* Both factors are exact doubles, so one rounding gives the nearest (Clinger 1990). */
  if (number.exact && number.digits <= G_GUINT64_CONSTANT(1) << 53 && size <= 22) {
    double result = number.digits;
    result = number.exponent < 0 ? result / powers[size] : result * powers[size];
    *value = number.negative ? -result : result;
    return TRUE;
  }
  char text[MAX_NUMBER + 1];
  memcpy(text, number.text, number.length);
  text[number.length] = 0;
  *value = g_ascii_strtod(text, NULL);
  if (!isfinite(*value))
    return ol_json_fail(cursor, _("a number is out of range"));
  return TRUE;
}

static gboolean hex4(const char *at, const char *end, guint *code)
{
  *code = 0;
  if (end - at < 4)
    return FALSE;
  for (int i = 0; i < 4; i++) {
    int digit = g_ascii_xdigit_value(at[i]);
    if (digit < 0)
      return FALSE;
    *code = *code * 16 + digit;
  }
  return TRUE;
}

/* After "\u": one character of four hex digits, or of two such escapes that form a pair. */
static const char *append_unicode(OlJsonCursor *cursor, const char *at, const char *end,
                                  GString *text)
{
  guint code, low;
  if (!hex4(at, end, &code) || code == 0 || (code >= 0xdc00 && code < 0xe000)) {
    ol_json_fail(cursor, _("a text has a bad \\u escape"));
    return end;
  }
  at += 4;
  if (code >= 0xd800 && code < 0xdc00) {
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u' || !hex4(at + 2, end, &low) || low < 0xdc00 ||
        low >= 0xe000) {
      ol_json_fail(cursor, _("a text has half a \\u pair"));
      return end;
    }
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    at += 6;
  }
  g_string_append_unichar(text, code);
  return at;
}

gboolean ol_json_text(OlJsonCursor *cursor, GString *text)
{
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  OlJsonSlice inside;
  gboolean escaped;
  if (!scan_string(cursor, &inside, &escaped))
    return FALSE;
  const char *at = inside.text, *end = at + inside.length;
  while (at < end && !cursor->problem) {
    const char *slash = memchr(at, '\\', end - at);
    g_string_append_len(text, at, (slash ? slash : end) - at);
    if (!slash)
      return TRUE;
    const char *letter = strchr(letters, slash[1]);
    at = slash + 2;
    if (slash[1] == 'u')
      at = append_unicode(cursor, at, end, text);
    else if (letter)
      g_string_append_c(text, meanings[letter - letters]);
    else
      return ol_json_fail(cursor, _("a text has an unknown escape"));
  }
  return !cursor->problem;
}

gboolean ol_json_word(OlJsonCursor *cursor, OlJsonSlice *word)
{
  gboolean escaped;
  return scan_string(cursor, word, &escaped);
}

/* A string, number, true, false or null. */
static gboolean skip_scalar(OlJsonCursor *cursor)
{
  OlJsonSlice slice;
  Number number;
  gboolean escaped;
  switch (peek(cursor)) {
  case '"':
    return scan_string(cursor, &slice, &escaped);
  case 't':
  case 'f':
    return ol_json_boolean(cursor, &escaped);
  case 'n':
    return ol_json_null(cursor) || ol_json_fail(cursor, _("an unknown word"));
  default:
    return scan_number(cursor, &number);
  }
}

/* Walks into lists and objects with a stack of its own: `closing` and `first` of each level. */
gboolean ol_json_skip(OlJsonCursor *cursor, OlJsonSlice *slice)
{
  char closing[OL_JSON_LINE_MAX_DEPTH];
  gboolean first[OL_JSON_LINE_MAX_DEPTH];
  OlJsonSlice key;
  int depth = 0;
  if (cursor->problem)
    return FALSE;
  skip_space(cursor);
  const char *begin = cursor->at;
  do {
    char next = peek(cursor);
    if (next == '{' || next == '[') {
      if (depth == OL_JSON_LINE_MAX_DEPTH)
        return ol_json_fail(cursor, _("nested too deep"));
      cursor->at++;
      closing[depth] = next == '{' ? '}' : ']';
      first[depth++] = TRUE;
    } else if (!skip_scalar(cursor)) {
      return FALSE;
    }
    while (depth > 0 && !ol_json_more(cursor, closing[depth - 1], &first[depth - 1])) {
      if (cursor->problem)
        return FALSE;
      depth--;
    }
    if (depth > 0 && closing[depth - 1] == '}' && !ol_json_key(cursor, &key))
      return FALSE;
  } while (depth > 0);
  if (slice)
    *slice = (OlJsonSlice){begin, cursor->at - begin};
  return TRUE;
}

gboolean ol_json_ended(OlJsonCursor *cursor)
{
  if (cursor->problem)
    return FALSE;
  if (peek(cursor) != 0 || cursor->at < cursor->end)
    return ol_json_fail(cursor, _("something follows the object"));
  return TRUE;
}
