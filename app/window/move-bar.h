/* The lesson's four moves as a bar of steps: 1 Predict, 2 Run, 3 Observe, 4 Answer. */
#pragma once

#include "app/window/lesson-work.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_MOVE_BAR (ol_move_bar_get_type())
G_DECLARE_FINAL_TYPE(OlMoveBar, ol_move_bar, OL, MOVE_BAR, GtkBox)

/* Signal "opened": (guint move), by the learner. */
GtkWidget *ol_move_bar_new(void);
/* Shows which moves are finished, which is open, and which can be opened. */
void ol_move_bar_refresh(OlMoveBar *bar, OlLessonWork *work, OlMove open);

G_END_DECLS
