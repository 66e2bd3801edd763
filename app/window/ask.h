/* A question above the window with two answers, and a message with none. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* `stay` leaves everything as it is, and is what Escape says; `go` may be ADW_RESPONSE_DESTRUCTIVE.
 * `went` (void (*)(gpointer owner)) is called when `go` is said, unless `owner` is gone by then.
 * Gives the dialog, which is in sight, so that it can be added to. */
AdwMessageDialog *ol_ask(GtkWindow *window, const char *heading, const char *body, const char *stay,
                         const char *go, AdwResponseAppearance look, GCallback went,
                         gpointer owner);

void ol_ask_nothing(GtkWindow *window, const char *heading, const char *body);

G_END_DECLS
