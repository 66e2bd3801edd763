/* Where a class begins: which lessons it goes through, the one under way, and the results that were
 * kept. */
#pragma once

#include "app/window/lab-pages.h"

G_BEGIN_DECLS

#define OL_TYPE_CLASS_PAGE (ol_class_page_get_type())
G_DECLARE_FINAL_TYPE(OlClassPage, ol_class_page, OL, CLASS_PAGE, GtkBox)

GtkWidget *ol_class_page_new(const OlLabPageNeeds *needs);
void ol_class_page_open(GtkWidget *page);
/* Votes are in memory alone; and that this does not matter. */
gboolean ol_class_page_is_changed(GtkWidget *page);
void ol_class_page_forget(GtkWidget *page);
/* A class was begun and not ended. It ends with the page. */
gboolean ol_class_page_is_under_way(GtkWidget *page);

G_END_DECLS
