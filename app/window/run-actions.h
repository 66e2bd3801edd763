/* What the window does about runs: begin the next one, hold and step the one under way, stop it. */
#pragma once

#include "app/window/lab-session.h"

G_BEGIN_DECLS

/* The lesson whose run is under way, or NULL: one run at a time, since two would slow each other.
 * works: OlLessonWork of every lesson. Borrowed. */
OlLessonWork *ol_run_actions_find_busy(GPtrArray *works);

/* Begins the next run that is not made yet, else the one on the bench once more; `held`: before its
 * first node. FALSE, and told, when a prediction is still to be made. */
gboolean ol_run_actions_begin(OlLabSession *session, gboolean held);
/* The next node of the run under way. FALSE: there is none. */
gboolean ol_run_actions_next(GPtrArray *works);
/* Holds it, or lets it go on. */
void ol_run_actions_hold(GPtrArray *works);
/* FALSE: there is none. */
gboolean ol_run_actions_stop(GPtrArray *works);

G_END_DECLS
