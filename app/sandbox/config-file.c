#include "app/sandbox/config-file.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/base/whole-file.h"
#include "engine/config/json-guard.h"
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

static gboolean refuse(GError **error, const char *path, const char *reason)
{
  g_autofree char *name = g_path_get_basename(path);

  g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("%s cannot be opened: %s"), name, reason);
  return FALSE;
}

/* A device or a pipe could be read for ever. */
static gboolean check_file(const char *path, GError **error)
{
  GStatBuf about;

  if (g_stat(path, &about) != 0)
    return refuse(error, path, g_strerror(errno));
  if (S_ISDIR(about.st_mode))
    return refuse(error, path, _("it is a folder; drop or choose a config's JSON file"));
  if (!S_ISREG(about.st_mode))
    return refuse(error, path, _("it is no ordinary file"));
  if ((guint64)about.st_size > OL_JSON_MAX_BYTES)
    return refuse(error, path, _("it is far too large for a config"));
  return TRUE;
}

static const char *skip_space(const char *at)
{
  while (g_ascii_isspace(*at))
    at++;
  return at;
}

gboolean ol_config_file_is_likely(const char *path)
{
  static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8; some editors begin files with it */
  char bytes[256] = "";
  FILE *stream = g_str_has_suffix(path, ".jsonl") ? NULL : g_fopen(path, "re");
  const char *at = bytes;

  if (!stream)
    return FALSE;
  bytes[fread(bytes, 1, sizeof bytes - 1, stream)] = '\0';
  fclose(stream);
  at = skip_space(g_str_has_prefix(at, mark) ? at + strlen(mark) : at);
  return *at == '{' && !g_str_has_prefix(skip_space(at + 1), "\"type\"");
}

OlRunConfig *ol_config_file_load(const char *path, GError **error)
{
  g_autofree char *text = NULL, *name = g_path_get_basename(path);
  g_autoptr(GError) cause = NULL;
  gsize length;

  if (!check_file(path, error))
    return NULL;
  if (!g_file_get_contents(path, &text, &length, &cause)) {
    refuse(error, path, cause->message);
    return NULL;
  }
  return ol_run_config_parse(text, (gssize)length, name, error);
}

gboolean ol_config_file_save(const OlRunConfig *config, const char *path, GError **error)
{
  g_autofree char *json = ol_run_config_dup_text(config, TRUE);
  g_autofree char *text = g_strconcat(json, "\n", NULL);
  g_autoptr(GError) cause = NULL;

  if (ol_whole_file_replace(path, text, strlen(text), &cause))
    return TRUE;
  g_set_error(error, OL_ERROR, OL_ERROR_STORAGE,
              _("%s. What was there before is untouched; save it in another folder."),
              cause->message);
  return FALSE;
}
