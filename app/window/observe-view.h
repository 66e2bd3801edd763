/* Move 3: what to look at, each with a button that goes there on the bench. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_OBSERVE_VIEW (ol_observe_view_get_type())
G_DECLARE_FINAL_TYPE(OlObserveView, ol_observe_view, OL, OBSERVE_VIEW, GtkBox)

/* Signal "shown": the bench now points at something. */
GtkWidget *ol_observe_view_new(OlLabSession *session);

G_END_DECLS
