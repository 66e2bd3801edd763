/* A class: full screen, in large type, one thing at a time. It has a bench, runs and a progress of
 * its own, which is forgotten with it: the learner's is neither shown nor changed. */
#pragma once

#include "app/window/engine-slot.h"
#include "lessons/class-session.h"
#include <adwaita.h>

G_BEGIN_DECLS

#define OL_TYPE_CLASSROOM_WINDOW (ol_classroom_window_get_type())
G_DECLARE_FINAL_TYPE(OlClassroomWindow, ol_classroom_window, OL, CLASSROOM_WINDOW,
                     AdwApplicationWindow)

/* Takes the session. Signal "left": it is out of sight, and may be opened again as it was. */
OlClassroomWindow *ol_classroom_window_new(GtkApplication *application, OlClassSession *session,
                                           const char *data_folder, OlEngineSlot *engine);
void ol_classroom_window_open(OlClassroomWindow *window);
const OlClassSession *ol_classroom_window_get_session(OlClassroomWindow *window);
/* Its results are kept on this computer, or there are none yet; tries once more. */
gboolean ol_classroom_window_keep(OlClassroomWindow *window, GError **error);

G_END_DECLS
