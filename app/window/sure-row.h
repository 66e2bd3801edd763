/* How sure one is of a prediction: three words to choose from, or none. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_SURE_ROW (ol_sure_row_get_type())
G_DECLARE_FINAL_TYPE(OlSureRow, ol_sure_row, OL, SURE_ROW, GtkBox)

GtkWidget *ol_sure_row_new(OlLabSession *session);

G_END_DECLS
