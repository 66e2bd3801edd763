#include "engine/base/csv.h"

#include <math.h>
#include <string.h>

#define DIGITS "%.15g" /* all that a double keeps of a decimal */

static void put_quoted(GString *text, const char *cell)
{
  g_string_append_c(text, '"');
  for (const char *at = cell; *at != '\0'; at++) {
    if (*at == '"')
      g_string_append_c(text, '"');
    g_string_append_c(text, *at);
  }
  g_string_append_c(text, '"');
}

/* Spaces at an edge are quoted as well: many readers would trim them. */
static gboolean needs_quotes(const char *cell)
{
  gsize length = strlen(cell);
  return strpbrk(cell, ",\"\r\n") != NULL ||
         (length > 0 && (cell[0] == ' ' || cell[length - 1] == ' '));
}

void ol_csv_put_text(GString *text, gboolean first, const char *cell)
{
  if (!first)
    g_string_append_c(text, ',');
  if (cell != NULL && needs_quotes(cell))
    put_quoted(text, cell);
  else if (cell != NULL)
    g_string_append(text, cell);
}

void ol_csv_put_words(GString *text, gboolean first, const char *words)
{
  gboolean risky = words != NULL && *words != '\0' && strchr("=+-@\t\r\n", *words) != NULL;
  g_autofree char *safe = g_strconcat(risky ? "'" : "", words, NULL);
  ol_csv_put_text(text, first, safe);
}

void ol_csv_put_number(GString *text, gboolean first, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  ol_csv_put_text(text, first,
                  isfinite(value) ? g_ascii_formatd(digits, sizeof digits, DIGITS, value) : NULL);
}

void ol_csv_end_line(GString *text)
{
  g_string_append(text, "\r\n");
}
