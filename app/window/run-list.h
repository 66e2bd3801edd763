/* Move 2: the runs of the experiment, what became of each, and a button to make it. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_RUN_LIST (ol_run_list_get_type())
G_DECLARE_FINAL_TYPE(OlRunList, ol_run_list, OL, RUN_LIST, GtkBox)

GtkWidget *ol_run_list_new(OlLabSession *session);
/* Puts the focus on the button of the next run. FALSE when all have been made. */
gboolean ol_run_list_grab(OlRunList *list);

G_END_DECLS
