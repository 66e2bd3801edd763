/* What the files of progress share. Private to lessons/. */
#pragma once

#include "lessons/progress.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

struct OlProgress {
  char *learner, *path; /* path NULL: is never saved */
  JsonObject *root;     /* the whole file, keys that this lab does not know included */
  gboolean saved;
  gboolean in_the_way; /* a file that cannot be used still lies at path: move it before saving */
  char *barred;        /* why nothing may be saved, or NULL */
  OlProgressWatch watch;
  gpointer watch_data;
};

/* The root of a progress file, to be changed, when this lab can use it; else NULL with
 * OL_ERROR_BAD_INPUT, which names file and key. *newer: it is a newer lab's. Caller unrefs. */
JsonObject *ol_progress_read(const char *path, gboolean *newer, GError **error);

/* Changes progress as it is on the disk by now, and saves it, while no other program may. The
 * change says whether there was anything to change: else, with all saved, the disk is left alone.
 */
typedef gboolean (*OlProgressChange)(OlProgress *progress, gpointer data);
gboolean ol_progress_change(OlProgress *progress, OlProgressChange change, gpointer data,
                            GError **error);

/* The lesson's member; a list of it. NULL when there is none. Borrowed. */
JsonObject *ol_progress_find_lesson(const OlProgress *progress, const char *lesson);
JsonArray *ol_progress_find_list(const OlProgress *progress, const char *lesson, const char *list);

G_END_DECLS
