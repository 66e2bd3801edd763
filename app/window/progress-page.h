/* What the learner has done so far: how right, how sure, how long, what to look at again, and every
 * lesson of the courses. */
#pragma once

#include "app/window/lab-pages.h"

G_BEGIN_DECLS

#define OL_TYPE_PROGRESS_PAGE (ol_progress_page_get_type())
G_DECLARE_FINAL_TYPE(OlProgressPage, ol_progress_page, OL, PROGRESS_PAGE, GtkBox)

GtkWidget *ol_progress_page_new(const OlLabPageNeeds *needs);
void ol_progress_page_open(GtkWidget *page);

G_END_DECLS
