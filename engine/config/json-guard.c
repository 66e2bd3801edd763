#include "engine/config/json-guard.h"

#include "engine/base/intl.h"
#include "engine/config/faults-private.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* An object or a list that is open at the point of the scan. */
typedef struct {
  char kind;        /* '{' or '[' */
  GHashTable *keys; /* of an object: those seen */
  const char *key;  /* of an object: the current one, owned by `keys` */
  guint index;      /* of a list: the current element */
} OlLevel;

typedef struct {
  const char *start, *at, *end;
  const char *where;
  OlLevel levels[OL_JSON_MAX_DEPTH];
  guint depth;
  GString *text; /* the string read last, unescaped */
  GError **error;
} OlScan;

/* "hardware.slowdown: ", "lessons[2].title: ", or nothing at the root. */
static char *dup_path(const OlScan *scan)
{
  GString *path = g_string_new(NULL);
  for (guint i = 0; i < scan->depth; i++) {
    const OlLevel *level = &scan->levels[i];
    if (level->kind == '[')
      g_string_append_printf(path, "[%u]", level->index);
    else if (level->key) {
      g_autofree char *quoted = ol_faults_dup_quoted(level->key);
      g_string_append_printf(path, "%s%.*s", path->len > 0 ? "." : "", (int)strlen(quoted) - 2,
                             quoted + 1);
    }
  }
  if (path->len > 0)
    g_string_append(path, ": ");
  return g_string_free(path, FALSE);
}

static gboolean fail(OlScan *scan, const char *at, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Sets the error for the point `at`; always FALSE. */
static gboolean fail(OlScan *scan, const char *at, const char *format, ...)
{
  guint line = 1, column = 1;
  for (const char *c = scan->start; c < at; c++) {
    if (*c == '\n') {
      line++;
      column = 1;
    } else if ((*c & 0xc0) != 0x80) { /* not a continuation byte: columns count characters */
      column++;
    }
  }
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *what = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  g_autofree char *path = dup_path(scan);
  g_set_error(scan->error, OL_ERROR, OL_ERROR_BAD_INPUT, "%s:%u:%u: %s%s", scan->where, line,
              column, path, what);
  return FALSE;
}

static void skip_space(OlScan *scan)
{
  while (scan->at < scan->end && *scan->at && strchr(" \t\r\n", *scan->at))
    scan->at++;
}

/* "expected …, found …" */
static gboolean fail_expected(OlScan *scan, const char *expected)
{
  if (scan->at == scan->end)
    return fail(scan, scan->at, _("the text ends too early: expected %s"), expected);
  g_autofree char *rest = g_strndup(scan->at, MIN(scan->end - scan->at, 6));
  *g_utf8_find_next_char(rest, NULL) = '\0';
  g_autofree char *found = ol_faults_dup_quoted(rest);
  return fail(scan, scan->at, _("expected %s, found %s"), expected, found);
}

/* Four hexadecimal digits at `at`, or -1. */
static int hex4(const OlScan *scan, const char *at)
{
  int value = 0;
  for (int i = 0; i < 4; i++) {
    if (at + i >= scan->end || !g_ascii_isxdigit(at[i]))
      return -1;
    value = value * 16 + g_ascii_xdigit_value(at[i]);
  }
  return value;
}

/* At the 'u' of \uXXXX. A pair of surrogates is one character, and half a pair none. */
static gboolean read_unicode_escape(OlScan *scan)
{
  int code = hex4(scan, scan->at + 1);
  if (code < 0)
    return fail(scan, scan->at, _("\\u needs four hexadecimal digits"));
  if (code == 0)
    return fail(scan, scan->at, _("a text must not hold \\u0000"));
  scan->at += 5;
  if (code >= 0xd800 && code < 0xe000) {
    gboolean escaped = scan->end - scan->at >= 6 && scan->at[0] == '\\' && scan->at[1] == 'u';
    int low = escaped ? hex4(scan, scan->at + 2) : -1;
    if (code >= 0xdc00 || low < 0xdc00 || low >= 0xe000)
      return fail(scan, scan->at - 6, _("\\u%04x is half a character"), code);
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    scan->at += 6;
  }
  g_string_append_unichar(scan->text, code);
  return TRUE;
}

static gboolean read_escape(OlScan *scan)
{
  static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  scan->at++;
  if (scan->at < scan->end && *scan->at == 'u')
    return read_unicode_escape(scan);
  const char *letter = scan->at < scan->end ? strchr(letters, *scan->at) : NULL;
  if (!letter)
    return fail_expected(scan, _("an escape (one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u)"));
  g_string_append_c(scan->text, values[letter - letters]);
  scan->at++;
  return TRUE;
}

/* At the opening quote; leaves the string in scan->text. */
static gboolean read_string(OlScan *scan)
{
  const char *opening = scan->at++;
  g_string_truncate(scan->text, 0);
  while (scan->at < scan->end && *scan->at != '"') {
    if (*scan->at == '\\') {
      if (!read_escape(scan))
        return FALSE;
    } else if ((guchar)*scan->at < 0x20) {
      return fail(scan, scan->at,
                  _("a line break or control character in a text: write it as \\n "
                    "or \\u00XX, or close the quote"));
    } else {
      g_string_append_c(scan->text, *scan->at++);
    }
  }
  if (scan->at == scan->end)
    return fail(scan, opening, _("the text ends before this quote is closed"));
  scan->at++;
  return TRUE;
}

static gboolean skip_digits(OlScan *scan)
{
  const char *first = scan->at;
  while (scan->at < scan->end && g_ascii_isdigit(*scan->at))
    scan->at++;
  return scan->at > first;
}

/* -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)? */
static gboolean skip_number(OlScan *scan, gboolean *whole)
{
  *whole = TRUE;
  if (*scan->at == '-')
    scan->at++;
  if (scan->at < scan->end && *scan->at == '0')
    scan->at++;
  else if (!skip_digits(scan))
    return fail_expected(scan, _("a digit"));
  if (scan->at < scan->end && *scan->at == '.') {
    *whole = FALSE;
    scan->at++;
    if (!skip_digits(scan))
      return fail_expected(scan, _("a digit"));
  }
  if (scan->at < scan->end && (*scan->at == 'e' || *scan->at == 'E')) {
    *whole = FALSE;
    scan->at++;
    if (scan->at < scan->end && (*scan->at == '+' || *scan->at == '-'))
      scan->at++;
    if (!skip_digits(scan))
      return fail_expected(scan, _("a digit"));
  }
  return TRUE;
}

static gboolean read_number(OlScan *scan)
{
  const char *first = scan->at;
  gboolean whole;
  if (!skip_number(scan, &whole))
    return FALSE;
  g_autofree char *digits = g_strndup(first, scan->at - first);
  errno = 0;
  if (whole)
    g_ascii_strtoll(digits, NULL, 10);
  gboolean too_large = whole ? errno == ERANGE : isinf(g_ascii_strtod(digits, NULL));
  if (too_large) {
    g_autofree char *quoted = ol_faults_dup_quoted(digits);
    return fail(scan, first, _("the number %s is out of range"), quoted);
  }
  return TRUE;
}

static gboolean open_level(OlScan *scan)
{
  if (scan->depth == OL_JSON_MAX_DEPTH) {
    scan->depth = 0; /* a path of 64 words would help nobody */
    return fail(scan, scan->at, _("nested deeper than %d levels"), OL_JSON_MAX_DEPTH);
  }
  OlLevel *level = &scan->levels[scan->depth++];
  level->kind = *scan->at++;
  level->key = NULL;
  level->index = 0;
  if (level->kind == '{' && !level->keys)
    level->keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  return TRUE;
}

static void close_level(OlScan *scan)
{
  OlLevel *level = &scan->levels[--scan->depth];
  level->key = NULL;
  if (level->keys)
    g_hash_table_remove_all(level->keys);
  scan->at++;
}

/* `"key":` of the object on top. */
static gboolean read_key(OlScan *scan)
{
  OlLevel *level = &scan->levels[scan->depth - 1];
  level->key = NULL;
  skip_space(scan);
  const char *first = scan->at;
  if (first == scan->end || *first != '"')
    return fail_expected(scan, _("a key in double quotes"));
  if (!read_string(scan))
    return FALSE;
  char *key = g_strdup(scan->text->str);
  gboolean added = g_hash_table_add(level->keys, key); /* takes it; frees it when it is there */
  level->key = added ? key : g_hash_table_lookup(level->keys, scan->text->str);
  if (!added)
    return fail(scan, first, _("given twice in one object"));
  skip_space(scan);
  if (scan->at == scan->end || *scan->at != ':')
    return fail_expected(scan, "':'");
  scan->at++;
  return TRUE;
}

static gboolean skip_word(OlScan *scan)
{
  static const char *const words[] = {"true", "false", "null"};
  for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
    gsize length = strlen(words[i]);
    if ((gsize)(scan->end - scan->at) >= length && memcmp(scan->at, words[i], length) == 0) {
      scan->at += length;
      return TRUE;
    }
  }
  return fail_expected(scan, _("a value"));
}

/* After a value: closes what ends here and goes to the next value. `done` when all is closed. */
static gboolean read_joint(OlScan *scan, gboolean *done)
{
  while (scan->depth > 0) {
    OlLevel *level = &scan->levels[scan->depth - 1];
    gboolean object = level->kind == '{';
    skip_space(scan);
    char c = scan->at < scan->end ? *scan->at : '\0';
    if (c == (object ? '}' : ']')) {
      close_level(scan);
      continue;
    }
    if (c != ',')
      return fail_expected(scan, object ? _("',' or '}'") : _("',' or ']'"));
    scan->at++;
    level->index++;
    return object ? read_key(scan) : TRUE;
  }
  *done = TRUE;
  return TRUE;
}

/* After an opening bracket: an empty one is a whole value, else the first value is next. */
static gboolean enter_level(OlScan *scan, gboolean *is_value)
{
  if (!open_level(scan))
    return FALSE;
  gboolean object = scan->levels[scan->depth - 1].kind == '{';
  skip_space(scan);
  *is_value = scan->at < scan->end && *scan->at == (object ? '}' : ']');
  if (*is_value) {
    close_level(scan);
    return TRUE;
  }
  return object ? read_key(scan) : TRUE;
}

static gboolean scan_all(OlScan *scan)
{
  gboolean done = FALSE;
  while (!done) {
    skip_space(scan);
    char c = scan->at < scan->end ? *scan->at : '\0';
    gboolean is_value = TRUE, ok;
    if (c == '{' || c == '[')
      ok = enter_level(scan, &is_value);
    else if (c == '"')
      ok = read_string(scan);
    else if (c == '-' || g_ascii_isdigit(c))
      ok = read_number(scan);
    else
      ok = skip_word(scan);
    if (!ok || (is_value && !read_joint(scan, &done)))
      return FALSE;
  }
  skip_space(scan);
  return scan->at == scan->end ? TRUE : fail_expected(scan, _("the end of the text"));
}

static gboolean is_clean_text(OlScan *scan)
{
  gsize length = scan->end - scan->start;
  const char *bad;
  if (length > OL_JSON_MAX_BYTES)
    return fail(scan, scan->start, _("larger than the %u MiB that are read"),
                OL_JSON_MAX_BYTES >> 20);
  const char *nul = memchr(scan->start, '\0', length);
  if (nul)
    return fail(scan, nul, _("holds a NUL byte, so it is no text"));
  if (!g_utf8_validate_len(scan->start, length, &bad))
    return fail(scan, bad, _("byte 0x%02x is not UTF-8"), (guchar)*bad);
  if (length >= 3 && memcmp(scan->start, "\xef\xbb\xbf", 3) == 0)
    return fail(scan, scan->start,
                _("begins with a byte order mark: save it as UTF-8 without one"));
  skip_space(scan);
  if (scan->at == scan->end)
    return fail(scan, scan->start, _("is empty"));
  return TRUE;
}

gboolean ol_json_guard(const char *text, gsize length, const char *where, GError **error)
{
  OlScan scan = {.start = text, .at = text, .end = text + length, .where = where, .error = error};
  scan.text = g_string_new(NULL);
  gboolean ok = is_clean_text(&scan) && scan_all(&scan);
  for (guint i = 0; i < OL_JSON_MAX_DEPTH; i++)
    g_clear_pointer(&scan.levels[i].keys, g_hash_table_unref);
  g_string_free(scan.text, TRUE);
  return ok;
}
