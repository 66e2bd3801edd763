/* Bytes from outside: a whole config, bounded, or a stream line by line. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* All of an open file, but never more than `most` bytes and one: whoever judges the size sees that
 * it is too large. `where` names it in the error (OL_ERROR_BAD_INPUT). */
char *ol_input_read(int fd, gsize most, const char *where, gsize *length, GError **error);

/* Lines of a descriptor that may be polled: reads only when told to. */
typedef struct {
  int fd;
  GString *pending;
  gboolean at_end;
} OlLines;

void ol_lines_init(OlLines *lines, int fd);
void ol_lines_clear(OlLines *lines);

/* One read(), which may block; sets at_end at the end of input or on an error. */
void ol_lines_read(OlLines *lines);

/* The next whole line without its newline; at the end, what is left. NULL when there is none yet,
 * or no more. `length` (may be NULL): its bytes, which may hold NULs. Caller frees. */
char *ol_lines_next(OlLines *lines, gsize *length);

/* Reads until there is a line; NULL at the end of input. A line of more than `most` bytes is cut
 * there and ends the input. */
char *ol_lines_wait(OlLines *lines, gsize most, gsize *length);

G_END_DECLS
