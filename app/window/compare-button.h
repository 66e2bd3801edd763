/* The menu that pins a run and says how it is shown: "Compare", then "With run 1". */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_COMPARE_BUTTON (ol_compare_button_get_type())
G_DECLARE_FINAL_TYPE(OlCompareButton, ol_compare_button, OL, COMPARE_BUTTON, GtkBox)

GtkWidget *ol_compare_button_new(OlLabSession *session);

G_END_DECLS
