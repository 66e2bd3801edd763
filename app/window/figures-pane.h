/* All figures of the run on the bench; with a run pinned also its figures, which of them differ and
 * how, and the config keys that do. A figure leads to where it comes from. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_FIGURES_PANE (ol_figures_pane_get_type())
G_DECLARE_FINAL_TYPE(OlFiguresPane, ol_figures_pane, OL, FIGURES_PANE, GtkBox)

/* There while the session says that figures are open. */
GtkWidget *ol_figures_pane_new(OlLabSession *session);

G_END_DECLS
