/* Help: a page for each view, beside a list of all pages. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Says which page is about this widget and what is in it ("memory"); `id` is a literal. */
void ol_help_set_page(GtkWidget *widget, const char *id);
/* The page about a widget: its own, or that of what it lies in; NULL when none is. */
const char *ol_help_find_page(GtkWidget *widget);

/* Opens help above `parent`, at a page (NULL: the first). FALSE with an error when there is none to
 * read. */
gboolean ol_help_window_show(GtkWindow *parent, const char *data_folder, const char *page,
                             GError **error);

G_END_DECLS
