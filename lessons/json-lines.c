#include "lessons/json-lines.h"

#include <string.h>

/* A reading position; `at` never passes `end`. */
typedef struct {
  const char *at, *end;
} Cursor;

static void skip_string(Cursor *c)
{
  c->at++; /* the opening quote */
  while (c->at < c->end && *c->at != '"')
    c->at += *c->at == '\\' && c->at + 1 < c->end ? 2 : 1;
  if (c->at < c->end)
    c->at++;
}

static void skip_space(Cursor *c)
{
  while (c->at < c->end && g_ascii_isspace(*c->at))
    c->at++;
}

/* To the comma or bracket that ends the value at the cursor. */
static void skip_value(Cursor *c)
{
  guint depth = 0;
  while (c->at < c->end) {
    char ch = *c->at;
    if (ch == '"') {
      skip_string(c);
      continue;
    }
    if (ch == '{' || ch == '[') {
      depth++;
    } else if (ch == '}' || ch == ']') {
      if (depth == 0)
        return;
      depth--;
    } else if (ch == ',' && depth == 0) {
      return;
    }
    c->at++;
  }
}

/* To the next element of the object or array, past its comma. FALSE at the closing bracket. */
static gboolean next_element(Cursor *c)
{
  skip_space(c);
  if (c->at < c->end && *c->at == ',') {
    c->at++;
    skip_space(c);
  }
  return c->at < c->end && *c->at != '}' && *c->at != ']';
}

/* Whether `path` begins with this key; keys may hold dots themselves ("overlap.prefetch"). */
static gboolean begins_with_key(const char *path, const char *key, gsize n)
{
  return strncmp(path, key, n) == 0 && (path[n] == '\0' || path[n] == '.' || path[n] == '[');
}

/* Enters the member that `path` begins with: the cursor moves to its value, *path behind its key,
 * *found to the key. */
static gboolean enter_member(Cursor *c, const char **path, const char **found)
{
  c->at++; /* the opening brace */
  while (next_element(c)) {
    if (*c->at != '"')
      return FALSE;
    const char *key = c->at + 1;
    skip_string(c);
    gsize n = c->at > key ? (gsize)(c->at - 1 - key) : 0;
    skip_space(c);
    if (c->at == c->end || *c->at != ':')
      return FALSE;
    c->at++;
    skip_space(c);
    if (n > 0 && begins_with_key(*path, key, n)) {
      *path += n;
      *found = key;
      return TRUE;
    }
    skip_value(c);
  }
  return FALSE;
}

/* The same for "[3]". */
static gboolean enter_element(Cursor *c, const char **path, const char **found)
{
  char *rest = NULL;
  guint64 index = g_ascii_strtoull(*path + 1, &rest, 10);
  if (*rest != ']')
    return FALSE;
  c->at++; /* the opening bracket */
  while (next_element(c)) {
    if (index == 0) {
      *path = rest + 1;
      *found = c->at;
      return TRUE;
    }
    index--;
    skip_value(c);
  }
  return FALSE;
}

guint ol_json_line_of(const char *text, gsize length, const char *path)
{
  Cursor c = {text, text + length};
  skip_space(&c);
  const char *found = c.at;
  while (*path != '\0' && c.at < c.end) {
    if (*path == '.')
      path++;
    gboolean inside = *path == '[' ? *c.at == '[' && enter_element(&c, &path, &found)
                                   : *c.at == '{' && enter_member(&c, &path, &found);
    if (!inside)
      break;
  }
  guint line = 1;
  for (const char *p = text; p < found; p++)
    line += *p == '\n';
  return line;
}
