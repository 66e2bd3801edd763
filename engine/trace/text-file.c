#include "engine/trace/text-file-private.h"

#include "engine/base/whole-file.h"

struct OlTextFile {
  OlWholeFile *whole;
  const OlWatch *watch;
  GString *text;
  gboolean failed;
};

OlTextFile *ol_text_file_open(const char *path, const OlWatch *watch, GError **error)
{
  OlWholeFile *whole = ol_whole_file_open(path, error);
  if (!whole)
    return NULL;
  OlTextFile *file = g_new0(OlTextFile, 1);
  file->whole = whole;
  file->watch = watch;
  file->text = g_string_new(NULL);
  return file;
}

GString *ol_text_file_get_text(OlTextFile *file)
{
  return file->text;
}

static gboolean write_out(OlTextFile *file, double share, GError **error)
{
  file->failed = !ol_whole_file_write(file->whole, file->text->str, file->text->len, error) ||
                 !ol_watch_tell(file->watch, share, error);
  g_string_truncate(file->text, 0);
  return !file->failed;
}

gboolean ol_text_file_flush(OlTextFile *file, double share, GError **error)
{
  return file->text->len < OL_TEXT_FILE_ENOUGH || file->failed || write_out(file, share, error);
}

gboolean ol_text_file_close(OlTextFile *file, GError **error)
{
  gboolean fine = !file->failed && write_out(file, 1, error);
  if (fine)
    fine = ol_whole_file_keep(file->whole, error);
  else
    ol_whole_file_drop(file->whole);
  g_string_free(file->text, TRUE);
  g_free(file);
  return fine;
}
