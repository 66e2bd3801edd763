/* The pinned run's chart beside the shown one's: below it, on the same time axis. There while a run
 * is pinned and not laid behind the shown one. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_PINNED_AREA (ol_pinned_area_get_type())
G_DECLARE_FINAL_TYPE(OlPinnedArea, ol_pinned_area, OL, PINNED_AREA, GtkBox)

GtkWidget *ol_pinned_area_new(OlChart chart, OlLabSession *session);

G_END_DECLS
