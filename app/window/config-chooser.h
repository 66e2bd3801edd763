/* Asks where a config is, or is to be. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* `path` is borrowed; not called when the learner thinks better of it. */
typedef void (*OlConfigChosen)(const char *path, gpointer data);

/* `chosen` is not called after `owner` (which gives its window) is gone. */
void ol_config_choose(GtkWidget *owner, gboolean to_save, OlConfigChosen chosen);

/* The path of the first of the files that were dropped, or NULL when it lies nowhere on this
 * machine. Caller frees. */
char *ol_config_dropped_dup_path(const GValue *dropped);

G_END_DECLS
