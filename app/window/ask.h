/* A question above the window with two answers, and a message with none. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* What was asked for is to be done. */
typedef void (*OlAskWent)(gpointer owner);

/* `stay` leaves everything as it is, and is what Escape says; `go` may be ADW_RESPONSE_DESTRUCTIVE.
 * `went` is called when `go` was said and the dialog is gone, so that it may end the window, too.
 * `owner` is a GObject. Gives the dialog, which is in sight, so that it can be added to. */
AdwMessageDialog *ol_ask(GtkWindow *window, const char *heading, const char *body, const char *stay,
                         const char *go, AdwResponseAppearance look, OlAskWent went,
                         gpointer owner);

AdwMessageDialog *ol_ask_nothing(GtkWindow *window, const char *heading, const char *body);

/* Lines below the words of a dialog, which scroll when they are many. */
void ol_ask_list(AdwMessageDialog *dialog, const char *lines);

G_END_DECLS
