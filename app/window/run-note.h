/* A quiet line above the charts: what the system would not do for the run on the bench, what that
 * means and what helps. Hidden when there is nothing of the kind. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_RUN_NOTE (ol_run_note_get_type())
G_DECLARE_FINAL_TYPE(OlRunNote, ol_run_note, OL, RUN_NOTE, GtkBox)

GtkWidget *ol_run_note_new(OlLabSession *session);

G_END_DECLS
