#include "app/cli/input.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

#define CHUNK 65536

/* read() that goes on after a signal. */
static gssize read_some(int fd, char *target, gsize bytes)
{
  gssize got;
  do
    got = read(fd, target, bytes);
  while (got < 0 && errno == EINTR);
  return got;
}

char *ol_input_read(int fd, gsize most, const char *where, gsize *length, GError **error)
{
  g_autoptr(GString) text = g_string_new(NULL);
  char chunk[CHUNK];
  gssize got;

  while (text->len <= most && (got = read_some(fd, chunk, sizeof chunk)) != 0) {
    if (got < 0) {
      g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("%s cannot be read: %s"), where,
                  g_strerror(errno));
      return NULL;
    }
    g_string_append_len(text, chunk, got);
  }
  *length = text->len;
  return g_string_free(g_steal_pointer(&text), FALSE);
}

void ol_lines_init(OlLines *lines, int fd)
{
  *lines = (OlLines){.fd = fd, .pending = g_string_new(NULL)};
}

void ol_lines_clear(OlLines *lines)
{
  g_string_free(lines->pending, TRUE);
  lines->pending = NULL;
}

void ol_lines_read(OlLines *lines)
{
  char chunk[CHUNK];
  gssize got = read_some(lines->fd, chunk, sizeof chunk);
  if (got <= 0)
    lines->at_end = TRUE;
  else
    g_string_append_len(lines->pending, chunk, got);
}

char *ol_lines_next(OlLines *lines, gsize *length)
{
  GString *pending = lines->pending;
  const char *end = memchr(pending->str, '\n', pending->len);
  if (!end && !(lines->at_end && pending->len > 0))
    return NULL;

  gsize bytes = end ? (gsize)(end - pending->str) : pending->len;
  char *line = g_malloc(bytes + 1); /* it may hold NULs: whoever parses it says so */
  memcpy(line, pending->str, bytes);
  line[bytes] = '\0';
  g_string_erase(pending, 0, (gssize)(end ? bytes + 1 : bytes));
  if (length)
    *length = bytes;
  return line;
}

char *ol_lines_wait(OlLines *lines, gsize most, gsize *length)
{
  char *line;
  while (!(line = ol_lines_next(lines, length)) && !lines->at_end) {
    ol_lines_read(lines);
    if (lines->pending->len > most)
      lines->at_end = TRUE; /* what is there is the line: too long a one */
  }
  return line;
}
