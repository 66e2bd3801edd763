/* Lessons of the user's own: made from the lab's, edited, saved, and shown beside them. */
#pragma once

#include "app/window/lab-pages.h"

G_BEGIN_DECLS

#define OL_TYPE_OWN_PAGE (ol_own_page_get_type())
G_DECLARE_FINAL_TYPE(OlOwnPage, ol_own_page, OL, OWN_PAGE, GtkBox)

GtkWidget *ol_own_page_new(const OlLabPageNeeds *needs);
void ol_own_page_open(GtkWidget *page);

/* Whether something was changed and not saved since; and that this does not matter. */
gboolean ol_own_page_is_changed(GtkWidget *page);
void ol_own_page_forget(GtkWidget *page);

G_END_DECLS
