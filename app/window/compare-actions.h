/* What can be done to compare runs, as actions of the window: win.pin, win.unpin,
 * win.compare-as ("overlay" or "beside"), win.compare-other-way, win.figures. */
#pragma once

#include "app/window/lab-session.h"

G_BEGIN_DECLS

/* The session must outlive the map. */
void ol_compare_actions_add(GActionMap *map, OlLabSession *session);

G_END_DECLS
