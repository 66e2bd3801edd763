/* Scrolls what a widget lies in, up or down, until all of it is in sight, or its top. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ol_into_sight(GtkWidget *widget);

G_END_DECLS
