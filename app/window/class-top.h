/* The line above what a class looks at: which question of how many, and what the tally shows. */
#pragma once

#include "lessons/class-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_CLASS_TOP (ol_class_top_get_type())
G_DECLARE_FINAL_TYPE(OlClassTop, ol_class_top, OL, CLASS_TOP, GtkBox)

GtkWidget *ol_class_top_new(void);
void ol_class_top_refresh(OlClassTop *top, const OlClassSession *session);

G_END_DECLS
