#include "app/cli/event-stream.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define PULL_MS 15 /* about a frame of the window that may be reading */

struct OlEventStream {
  char *where;
  int fd;
  int over; /* eventfd: written once the trace has ended */
  pthread_t thread;
  gboolean running;
  OlRecorder *recorder;
  OlEventsWriter *writer;
  OlEventStreamBroken broken;
  gpointer data;
  int failure; /* errno of the first write that failed; 0: none */
};

OlEventStream *ol_event_stream_open(const char *path, GError **error)
{
  gboolean standard = strcmp(path, "-") == 0;
  int fd = standard ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
                    : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) {
    g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, _("%s cannot be written: %s"),
                standard ? _("standard output") : path, g_strerror(errno));
    return NULL;
  }
  OlEventStream *stream = g_new0(OlEventStream, 1);
  stream->where = g_strdup(standard ? _("standard output") : path);
  stream->fd = fd;
  stream->over = eventfd(0, EFD_CLOEXEC);
  return stream;
}

static gboolean write_all(int fd, const char *bytes, gsize length)
{
  while (length > 0) {
    gssize written = write(fd, bytes, length);
    if (written < 0 && errno != EINTR)
      return FALSE;
    bytes += MAX(written, 0);
    length -= (gsize)MAX(written, 0);
  }
  return TRUE;
}

/* FALSE once the target takes no more. */
static gboolean write_news(OlEventStream *stream, GString *text)
{
  g_string_truncate(text, 0);
  ol_recorder_pull(stream->recorder, stream->writer, text);
  if (write_all(stream->fd, text->str, text->len))
    return TRUE;
  stream->failure = errno;
  stream->broken(stream->data);
  return FALSE;
}

static void *write_while_running(void *data)
{
  OlEventStream *stream = data;
  struct pollfd over = {.fd = stream->over, .events = POLLIN};
  GString *text = g_string_new(NULL);
  gboolean last;

  do
    last = poll(&over, 1, PULL_MS) > 0; /* what comes after this pull is nothing */
  while (write_news(stream, text) && !last);
  g_string_free(text, TRUE);
  return NULL;
}

void ol_event_stream_start(OlEventStream *stream, OlRecorder *recorder, const OlTrace *trace,
                           OlEventStreamBroken broken, gpointer data)
{
  stream->recorder = recorder;
  stream->writer = ol_events_writer_new(trace);
  stream->broken = broken;
  stream->data = data;
  stream->running = pthread_create(&stream->thread, NULL, write_while_running, stream) == 0;
}

gboolean ol_event_stream_finish(OlEventStream *stream, gboolean *reader_gone, GError **error)
{
  if (stream->running) {
    eventfd_write(stream->over, 1);
    pthread_join(stream->thread, NULL);
    stream->running = FALSE;
  } else {
    stream->failure = EAGAIN; /* the system gave no thread */
  }
  if (close(stream->fd) != 0 && stream->failure == 0)
    stream->failure = errno;
  stream->fd = -1;

  *reader_gone = stream->failure == EPIPE;
  if (stream->failure == 0)
    return TRUE;
  if (*reader_gone)
    g_set_error(error, OL_ERROR, OL_ERROR_STORAGE,
                _("the reader of the event stream has closed it: the run is stopped"));
  else
    g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, _("events cannot be written to %s: %s"),
                stream->where, g_strerror(stream->failure));
  return FALSE;
}

void ol_event_stream_free(OlEventStream *stream)
{
  if (!stream)
    return;
  if (stream->fd >= 0)
    close(stream->fd);
  close(stream->over);
  g_clear_pointer(&stream->writer, ol_events_writer_free);
  g_free(stream->where);
  g_free(stream);
}
