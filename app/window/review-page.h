/* Questions that are due again, one at a time; and what comes back when. */
#pragma once

#include "app/window/lab-pages.h"

G_BEGIN_DECLS

#define OL_TYPE_REVIEW_PAGE (ol_review_page_get_type())
G_DECLARE_FINAL_TYPE(OlReviewPage, ol_review_page, OL, REVIEW_PAGE, GtkBox)

GtkWidget *ol_review_page_new(const OlLabPageNeeds *needs);
void ol_review_page_open(GtkWidget *page);
char *ol_review_page_dup_news(const OlLabPageNeeds *needs); /* "2 due" */

G_END_DECLS
