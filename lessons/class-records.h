/* Results of classes, kept on this computer: a CSV file each in <user data>/offload-lab/classes/,
 * so that a class that is left, or a computer that fails, loses nothing. */
#pragma once

#include "lessons/class-session.h"

G_BEGIN_DECLS

typedef struct {
  char *path;
  GDateTime *begin; /* of the class, local time */
} OlClassRecord;

/* What is kept of a session so far, replaced whole; OL_ERROR_STORAGE names the path and says why,
 * and what was kept before is as it was. */
gboolean ol_class_record_keep(const OlClassSession *session, GError **error);

/* OlClassRecord of all that is kept, the newest first. Caller unrefs. */
GPtrArray *ol_class_records_list(void);

G_END_DECLS
