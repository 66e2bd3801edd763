/* What pages of the lab have in common: one column, no wider than can be read, that scrolls. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A scrolled window around a column that is no wider than can be read. */
GtkWidget *ol_page_frame_scroll(GtkWidget *column);

/* The column, a vertical box below the page's title, in `page`, an empty box. `title` is the page's
 * name for assistive technology, too. Borrowed. */
GtkBox *ol_page_frame_fill(GtkWidget *page, const char *title);

G_END_DECLS
