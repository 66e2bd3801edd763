/* Asks where a config is, or is to be. */
#pragma once

#include "app/window/file-ask.h"

G_BEGIN_DECLS

/* As ol_file_ask(). */
void ol_config_choose(GtkWidget *owner, gboolean to_save, OlFileChosen chosen);

/* The path of the first of the files that were dropped, or NULL when it lies nowhere on this
 * machine. Caller frees. */
char *ol_config_dropped_dup_path(const GValue *dropped);

G_END_DECLS
