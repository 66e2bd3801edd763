/* Why an option is right or wrong, in the figures of the learner's runs, and Show me. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_REASON_VIEW (ol_reason_view_get_type())
G_DECLARE_FINAL_TYPE(OlReasonView, ol_reason_view, OL, REASON_VIEW, GtkBox)

/* Signal "shown": the bench shows what it speaks of. */
GtkWidget *ol_reason_view_new(OlLabSession *session);
/* `head` stands above it, and may be NULL; `name` is what the button is called: "Show me: why not
 * that". FALSE when figures are missing. */
gboolean ol_reason_view_set(OlReasonView *view, const OlOption *option, const char *head,
                            const char *name);

G_END_DECLS
