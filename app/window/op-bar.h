/* One op at a time: while a run is under way hold it, let one node through, slow it down or let it
 * go on to its end; and, while it is held, which node comes next and what it waits for. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_OP_BAR (ol_op_bar_get_type())
G_DECLARE_FINAL_TYPE(OlOpBar, ol_op_bar, OL, OP_BAR, GtkBox)

GtkWidget *ol_op_bar_new(OlLabSession *session);
/* One row at any text size: buttons by their signs alone, named by their tooltips. */
void ol_op_bar_set_short(OlOpBar *bar, gboolean is_short);

G_END_DECLS
