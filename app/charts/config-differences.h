/* Which keys of two runs' configs differ. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *key;            /* "overlap.prefetch" */
  char *shown, *pinned; /* the values, as the config has them; "not set" for null and for none */
} OlConfigDifference;

/* Of two configs as JSON text (NULL or not JSON: without keys): OlConfigDifference in order of key.
 * A run's name is no part of what was run. Caller unrefs. */
GPtrArray *ol_config_differences_new(const char *shown, const char *pinned);

G_END_DECLS
