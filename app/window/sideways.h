/* A scrolled window within another: what is wide scrolls sideways, and the wheel goes on to the
 * outer one where this one has nothing left to give it. (GTK's own keeps the wheel to itself.) */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* `tall`: its content scrolls down in it, too; else it is as high as that. */
GtkWidget *ol_sideways_new(GtkWidget *child, gboolean tall);

G_END_DECLS
