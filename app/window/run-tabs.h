/* Which of the lesson's runs is on the bench: a numbered button each, its title, and how it goes.
 */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_RUN_TABS (ol_run_tabs_get_type())
G_DECLARE_FINAL_TYPE(OlRunTabs, ol_run_tabs, OL, RUN_TABS, GtkBox)

GtkWidget *ol_run_tabs_new(OlLabSession *session);

G_END_DECLS
