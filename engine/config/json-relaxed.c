#include "engine/base/error.h"

#include "engine/base/intl.h"
#include "engine/config/json-relaxed-private.h"

#include <string.h>

typedef struct {
  const char *at, *end;
  GString *strict;
  char last;    /* the last byte that is neither space nor comment; '\0' at the start */
  gssize comma; /* in `strict`: a comma after a value with nothing behind it yet; else -1 */
} OlRelaxed;

static gboolean is_continuation(char c)
{
  return (c & 0xc0) == 0x80; /* of a UTF-8 character, so that columns count characters */
}

/* Blank for one byte of a comment. A NUL stays, for the guard to refuse the text. */
static void blank(OlRelaxed *relaxed)
{
  char c = *relaxed->at++;
  if (c == '\n' || c == '\0')
    g_string_append_c(relaxed->strict, c);
  else if (!is_continuation(c))
    g_string_append_c(relaxed->strict, ' ');
}

static gboolean begins_with(const OlRelaxed *relaxed, const char *mark)
{
  gsize length = strlen(mark);
  return (gsize)(relaxed->end - relaxed->at) >= length && memcmp(relaxed->at, mark, length) == 0;
}

static void skip_line_comment(OlRelaxed *relaxed)
{
  while (relaxed->at < relaxed->end && *relaxed->at != '\n')
    blank(relaxed);
}

/* FALSE when it is never closed. */
static gboolean skip_block_comment(OlRelaxed *relaxed)
{
  for (int i = 0; i < 2; i++)
    blank(relaxed);
  while (relaxed->at < relaxed->end && !begins_with(relaxed, "*/"))
    blank(relaxed);
  if (relaxed->at == relaxed->end)
    return FALSE;
  for (int i = 0; i < 2; i++)
    blank(relaxed);
  return TRUE;
}

/* From the opening quote to the closing one, or to the end when there is none. */
static void copy_string(OlRelaxed *relaxed)
{
  const char *first = relaxed->at++;
  while (relaxed->at < relaxed->end && *relaxed->at != '"')
    relaxed->at += *relaxed->at == '\\' && relaxed->end - relaxed->at > 1 ? 2 : 1;
  if (relaxed->at < relaxed->end)
    relaxed->at++;
  g_string_append_len(relaxed->strict, first, relaxed->at - first);
}

/* Anything but a comment: copied, and a comma taken back when a bracket closes behind it. */
static void copy_token(OlRelaxed *relaxed)
{
  char c = *relaxed->at;
  if (c == '"') {
    copy_string(relaxed);
  } else {
    g_string_append_c(relaxed->strict, c);
    relaxed->at++;
  }
  if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
    return;
  if ((c == '}' || c == ']') && relaxed->comma >= 0)
    relaxed->strict->str[relaxed->comma] = ' ';
  /* "[,]" and "[1,,]" are no lists with a comma too many, but faults for the guard. */
  gboolean after_value = relaxed->last && !strchr("{[,:", relaxed->last);
  relaxed->comma = c == ',' && after_value ? (gssize)relaxed->strict->len - 1 : -1;
  relaxed->last = c;
}

static guint line_of(const char *text, const char *at)
{
  guint line = 1;
  for (const char *c = text; c < at; c++)
    line += *c == '\n';
  return line;
}

char *ol_json_dup_strict(const char *text, gsize length, const char *where, gsize *strict_length,
                         GError **error)
{
  OlRelaxed relaxed = {.at = text, .end = text + length, .comma = -1};
  relaxed.strict = g_string_sized_new(length);
  while (relaxed.at < relaxed.end) {
    const char *opening = relaxed.at;
    if (*opening == '#' || begins_with(&relaxed, "//")) {
      skip_line_comment(&relaxed);
    } else if (!begins_with(&relaxed, "/*")) {
      copy_token(&relaxed);
    } else if (!skip_block_comment(&relaxed)) {
      g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                  _("%s:%u: the comment that begins on this line is never closed by */"), where,
                  line_of(text, opening));
      g_string_free(relaxed.strict, TRUE);
      return NULL;
    }
  }
  *strict_length = relaxed.strict->len;
  return g_string_free(relaxed.strict, FALSE);
}
