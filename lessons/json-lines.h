/* Where in a JSON text a key stands. json-glib forgets lines once it has parsed, and a fault in a
 * course file of a thousand lines is hard to find by key path alone. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The line (from 1) of the value that `path` names ("lessons[0].evidence[2].metric"): the line of
 * its key, or of an array's element. A path that leads nowhere stops at its deepest part that is
 * there, so a missing key is told at the line of its object. `text` has parsed before: it is not
 * checked here, and whatever it holds, nothing outside of `length` bytes is read. */
guint ol_json_line_of(const char *text, gsize length, const char *path);

G_END_DECLS
