/* What the window remembers from one start to the next, of all that is nobody's progress: the look,
 * and who learns. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* NULL when it is not kept. Caller frees. */
char *ol_window_settings_dup(const char *key);
/* One that cannot be kept is asked for again: nothing worth a message. */
void ol_window_settings_set(const char *key, const char *value);

G_END_DECLS
