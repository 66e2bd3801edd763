/* A line to press, and below it what it unfolds. (GtkExpander of GTK 4.8 complains whenever an
 * arrow key leaves it, and has no name for assistive technology.) */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_FOLD (ol_fold_get_type())
G_DECLARE_FINAL_TYPE(OlFold, ol_fold, OL, FOLD, GtkBox)

/* Folded at first. */
GtkWidget *ol_fold_new(const char *title, GtkWidget *child);
void ol_fold_set_open(OlFold *fold, gboolean open);

G_END_DECLS
