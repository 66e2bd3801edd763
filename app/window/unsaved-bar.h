/* A bar below the header for as long as the disk does not have all of a learner's progress: why,
 * what becomes of it, and what can be done. */
#pragma once

#include "app/window/progress-keeper.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_UNSAVED_BAR (ol_unsaved_bar_get_type())
G_DECLARE_FINAL_TYPE(OlUnsavedBar, ol_unsaved_bar, OL, UNSAVED_BAR, GtkBox)

GtkWidget *ol_unsaved_bar_new(OlProgressKeeper *keeper);

G_END_DECLS
