/* The left column of the sandbox and of the planner: what the config will take, the button to run
 * it, and the form. */
#pragma once

#include "app/window/lab-session.h"
#include "app/window/sandbox-work.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_SANDBOX_PAGE (ol_sandbox_page_get_type())
G_DECLARE_FINAL_TYPE(OlSandboxPage, ol_sandbox_page, OL, SANDBOX_PAGE, GtkBox)

/* `data_folder` must outlive it. */
GtkWidget *ol_sandbox_page_new(OlLabSession *session, OlSandboxWork *sandbox,
                               const char *data_folder);
void ol_sandbox_page_grab(OlSandboxPage *page);
/* No height to spare: what can be found elsewhere does not stay in sight. */
void ol_sandbox_page_set_short(OlSandboxPage *page, gboolean is_short);
/* busy: a run of any lesson is under way. */
void ol_sandbox_page_refresh(OlSandboxPage *page, gboolean busy);

G_END_DECLS
