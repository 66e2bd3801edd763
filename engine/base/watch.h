/* Who looks on while long work goes on: it is told how far that has come, and may end it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* share: 0 … 1. FALSE: the work is to stop. Called on the thread that works. */
typedef gboolean (*OlWatchTell)(double share, gpointer data);

typedef struct {
  OlWatchTell tell;
  gpointer data;
} OlWatch;

/* FALSE with OL_ERROR_STOPPED when the work is to stop. Nobody looks on: `watch` is NULL. */
gboolean ol_watch_tell(const OlWatch *watch, double share, GError **error);

G_END_DECLS
