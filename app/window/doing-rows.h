/* What can be done, one below the other in a card: what it is, a word about it, and at the end of
 * its row a button or what stands in its place. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ol_doing_rows_new(void); /* a GtkBox */
void ol_doing_rows_clear(GtkBox *rows);
/* words: may be NULL. */
void ol_doing_rows_add(GtkBox *rows, const char *title, const char *words, GtkWidget *end);
/* whole: what the button says to those who do not see the row that it is in. action: detailed, or
 * NULL. */
GtkWidget *ol_doing_button_new(const char *words, const char *whole, const char *action);

G_END_DECLS
