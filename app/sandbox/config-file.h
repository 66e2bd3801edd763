/* A config from a file and into one. */
#pragma once

#include "engine/config/run-config.h"

G_BEGIN_DECLS

/* A look at the first bytes of a file: it begins as an object does, and as no line of a saved run.
 */
gboolean ol_config_file_is_likely(const char *path);

/* Refuses what is no ordinary file, too large, or no config: OL_ERROR_BAD_INPUT with the file's
 * name, and key path and reason of each fault. */
OlRunConfig *ol_config_file_load(const char *path, GError **error);

/* Writes it whole or not at all. OL_ERROR_STORAGE says which file, why, and that what stood there
 * is still there. */
gboolean ol_config_file_save(const OlRunConfig *config, const char *path, GError **error);

G_END_DECLS
