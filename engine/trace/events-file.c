/* The event stream as a whole file. */
#include "engine/base/intl.h"
#include "engine/trace/events-private.h"
#include "engine/trace/text-file-private.h"

#include "engine/base/error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/stat.h>

#define PIECE (256u << 10)

static void fail(const char *path, OlErrorCode code, int number, GError **error)
{
  g_autofree char *name = g_filename_display_name(path);
  g_set_error(error, OL_ERROR, code, _("cannot read %s: %s"), name, g_strerror(number));
}

/* Bytes; 0 when it cannot be told, as of a pipe. */
static double size_of(FILE *stream)
{
  struct stat status;
  return fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode) ? (double)status.st_size
                                                                        : 0;
}

/* FALSE when the file cannot be read or understood further. */
static gboolean feed_file(OlEventsReader *reader, FILE *stream, const char *path,
                          const OlWatch *watch, GError **error)
{
  g_autofree char *piece = g_malloc(PIECE);
  double size = size_of(stream), done = 0;
  for (;;) {
    gsize length = fread(piece, 1, PIECE, stream);
    int number = errno;
    done += (double)length;
    if (!ol_events_reader_feed(reader, piece, length, error) ||
        !ol_watch_tell(watch, size > 0 ? done / size : 0, error))
      return FALSE;
    if (length == PIECE)
      continue;
    if (!ferror(stream))
      return TRUE;
    fail(path, OL_ERROR_STORAGE, number, error);
    return FALSE;
  }
}

OlTrace *ol_events_read_file(const char *path, GError **error)
{
  return ol_events_read_file_watched(path, NULL, error);
}

OlTrace *ol_events_read_file_watched(const char *path, const OlWatch *watch, GError **error)
{
  FILE *stream = g_fopen(path, "re");
  if (!stream) {
    fail(path, OL_ERROR_BAD_INPUT, errno, error);
    return NULL;
  }
  g_autoptr(OlEventsReader) reader = ol_events_reader_new(TRUE);
  g_autoptr(GError) damage = NULL;
  gboolean fed = feed_file(reader, stream, path, watch, &damage);
  fclose(stream);
  if (g_error_matches(damage, OL_ERROR, OL_ERROR_STOPPED)) {
    g_propagate_error(error, g_steal_pointer(&damage));
    return NULL;
  }
  ol_events_reader_finish(reader, fed ? &damage : NULL);
  if (damage) {
    g_autofree char *name = g_filename_display_name(path);
    if (damage->code == OL_ERROR_BAD_INPUT)
      g_prefix_error(&damage, "%s: ", name);
    g_propagate_error(error, g_steal_pointer(&damage));
  }
  OlTrace *trace = ol_events_reader_get_trace(reader);
  return trace ? ol_trace_ref(trace) : NULL;
}

gboolean ol_events_write_file(const OlTrace *trace, const char *path, GError **error)
{
  return ol_events_write_file_watched(trace, path, NULL, error);
}

gboolean ol_events_write_file_watched(const OlTrace *trace, const char *path, const OlWatch *watch,
                                      GError **error)
{
  OlTextFile *file = ol_text_file_open(path, watch, error);
  if (!file)
    return FALSE;
  g_autoptr(OlEventsWriter) writer = ol_events_writer_new(trace);
  gboolean more = TRUE, fine = TRUE;
  while (more && fine) {
    more = ol_events_writer_pull_some(writer, ol_text_file_get_text(file), OL_TEXT_FILE_ENOUGH);
    fine = ol_text_file_flush(file, ol_events_writer_get_share(writer), error);
  }
  return ol_text_file_close(file, fine ? error : NULL) && fine;
}
