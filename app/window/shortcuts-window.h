/* The keyboard shortcuts: two columns beside one another or, for large letters in a small window,
 * one below the other; as large as they need and no larger than the lab's window. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Opens it above `parent`. */
void ol_shortcuts_window_show(GtkWindow *parent);

G_END_DECLS
