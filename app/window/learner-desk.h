/* Who learns at this computer, for the whole program: one learner at a time, with the progress of
 * everybody who was here since it began, so that what is not saved of one is not lost when another
 * takes over.
 *
 * Adds to the application the actions "learner" (s, its state: who learns) and "add-learner". */
#pragma once

#include "app/window/progress-keeper.h"
#include <adwaita.h>

G_BEGIN_DECLS

#define OL_TYPE_LEARNER_DESK (ol_learner_desk_get_type())
G_DECLARE_FINAL_TYPE(OlLearnerDesk, ol_learner_desk, OL, LEARNER_DESK, GObject)

/* Begins with who learned last. Signal "switched": somebody else learns now, and needs a window.
 * `application` must outlive it. */
OlLearnerDesk *ol_learner_desk_new(GtkApplication *application);
OlProgressKeeper *ol_learner_desk_get_keeper(OlLearnerDesk *desk); /* of who learns now */

/* What is to be told about whoever has just begun: what is wrong with the file, or NULL. */
char *ol_learner_desk_take_fault(OlLearnerDesk *desk);
/* Whether several people learn here: each should then see at the start whose turn it is. */
gboolean ol_learner_desk_is_shared(OlLearnerDesk *desk);

/* FALSE: somebody's progress is not saved, and a question about it is above the window, which
 * closes it in the end or not. */
gboolean ol_learner_desk_may_close(OlLearnerDesk *desk, GtkWindow *window);

G_END_DECLS
