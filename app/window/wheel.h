/* The wheel scrolls the page: over a slider or a number it must not change a value unseen. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ol_wheel_ignore(GtkWidget *widget);

G_END_DECLS
