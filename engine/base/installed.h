/* Where this program was installed, and by that where what came with it lies. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* `folder` is relative to the prefix: <prefix>/<folder> when this program lies in the prefix's
 * folder of programs, wherever the prefix is now; NULL when it runs from a build tree. Caller
 * frees. */
char *ol_installed_dup_folder(const char *folder);

G_END_DECLS
