/* A row that is too wide for its place puts its last part below the rest, and so clips neither: a
 * title and a legend, a name and its figures. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_FOLD_ROW (ol_fold_row_get_type())
G_DECLARE_FINAL_TYPE(OlFoldRow, ol_fold_row, OL, FOLD_ROW, GtkWidget)

/* `first` takes what room is left in a line; `last` is as wide as it wants to be, at the right
 * edge, or below has the whole line. */
GtkWidget *ol_fold_row_new(GtkWidget *first, GtkWidget *last);
/* What stays at the right edge of the first line, wherever `last` is. */
void ol_fold_row_set_end(OlFoldRow *row, GtkWidget *end);

G_END_DECLS
