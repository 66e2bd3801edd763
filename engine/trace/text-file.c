#include "engine/trace/text-file-private.h"

#include "engine/base/error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

struct OlTextFile {
  FILE *stream;
  char *path;
  GString *text;
  gboolean failed;
};

static gboolean fail(const char *path, int number, GError **error)
{
  g_autofree char *name = g_filename_display_name(path);
  g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, "cannot write %s: %s", name, g_strerror(number));
  return FALSE;
}

OlTextFile *ol_text_file_open(const char *path, GError **error)
{
  FILE *stream = g_fopen(path, "we");
  if (!stream) {
    fail(path, errno, error);
    return NULL;
  }
  OlTextFile *file = g_new0(OlTextFile, 1);
  file->stream = stream;
  file->path = g_strdup(path);
  file->text = g_string_new(NULL);
  return file;
}

GString *ol_text_file_get_text(OlTextFile *file)
{
  return file->text;
}

static gboolean write_out(OlTextFile *file, GError **error)
{
  gsize written = fwrite(file->text->str, 1, file->text->len, file->stream);
  gboolean complete = written == file->text->len;
  g_string_truncate(file->text, 0);
  if (complete)
    return TRUE;
  file->failed = TRUE;
  return fail(file->path, errno, error);
}

gboolean ol_text_file_flush(OlTextFile *file, GError **error)
{
  return file->text->len < OL_TEXT_FILE_ENOUGH || file->failed || write_out(file, error);
}

static void remove_regular(const char *path)
{
  if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
    g_unlink(path);
}

gboolean ol_text_file_close(OlTextFile *file, GError **error)
{
  gboolean fine = !file->failed && write_out(file, error);
  if (fclose(file->stream) != 0 && fine)
    fine = fail(file->path, errno, error);
  if (!fine)
    remove_regular(file->path);
  g_string_free(file->text, TRUE);
  g_free(file->path);
  g_free(file);
  return fine;
}
