/* Windows above the lab's own go away by Escape. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ol_escape_closes(GtkWidget *window);

G_END_DECLS
