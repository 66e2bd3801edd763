#include "engine/config/faults-private.h"

#include "engine/base/intl.h"

#include <string.h>

#define MOST_LINES  40 /* a hostile file must not make a hostile message */
#define MOST_QUOTED 60 /* characters */

static void free_fault(gpointer data)
{
  OlConfigFault *fault = data;
  g_free(fault->path);
  g_free(fault->reason);
  g_free(fault);
}

OlFaults *ol_faults_new(const char *prefix)
{
  OlFaults *faults = g_new0(OlFaults, 1);
  faults->prefix = g_strdup(prefix ? prefix : "");
  faults->lines = g_string_new(NULL);
  faults->paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  faults->each = g_ptr_array_new_with_free_func(free_fault);
  return faults;
}

void ol_faults_free(OlFaults *faults)
{
  if (!faults)
    return;
  g_free(faults->prefix);
  g_string_free(faults->lines, TRUE);
  g_hash_table_unref(faults->paths);
  g_ptr_array_unref(faults->each);
  g_free(faults);
}

void ol_faults_add(OlFaults *faults, const char *path, const char *format, ...)
{
  faults->n++;
  if (faults->n > MOST_LINES)
    return;
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *fault = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  g_string_append_printf(faults->lines, "%s%s%s: %s", faults->n > 1 ? "\n" : "", faults->prefix,
                         path, fault);
  g_hash_table_add(faults->paths, g_strdup(path));
  OlConfigFault *kept = g_new(OlConfigFault, 1);
  *kept = (OlConfigFault){g_strdup(path), g_steal_pointer(&fault)};
  g_ptr_array_add(faults->each, kept);
}

gboolean ol_faults_has(const OlFaults *faults, const char *path)
{
  return g_hash_table_contains(faults->paths, path);
}

gboolean ol_faults_none(const OlFaults *faults, OlErrorCode code, GError **error)
{
  if (faults->n == 0)
    return TRUE;
  if (faults->n > MOST_LINES)
    g_set_error(error, OL_ERROR, code, _("%s\n… and %u more faults"), faults->lines->str,
                faults->n - MOST_LINES);
  else
    g_set_error_literal(error, OL_ERROR, code, faults->lines->str);
  return FALSE;
}

char *ol_faults_dup_quoted(const char *text)
{
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  GString *quoted = g_string_new("\"");
  const char *at = valid;
  for (guint i = 0; *at && i < MOST_QUOTED; i++, at = g_utf8_next_char(at)) {
    gunichar c = g_utf8_get_char(at);
    if (g_unichar_isprint(c))
      g_string_append_unichar(quoted, c);
    else
      g_string_append_printf(quoted, "\\u%04x", c);
  }
  g_string_append(quoted, *at ? "…\"" : "\"");
  return g_string_free(quoted, FALSE);
}

char *ol_faults_dup_number(double value)
{
  static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
    g_ascii_formatd(text, sizeof text, formats[i], value);
    if (g_ascii_strtod(text, NULL) == value)
      break;
  }
  return g_strdup(text);
}
