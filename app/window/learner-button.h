/* In the header: who learns, and as a menu who else could, and what can be done with the learner's
 * progress. */
#pragma once

#include "lessons/progress.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_LEARNER_BUTTON (ol_learner_button_get_type())
G_DECLARE_FINAL_TYPE(OlLearnerButton, ol_learner_button, OL, LEARNER_BUTTON, GtkBox)

/* `progress` must outlive it. */
GtkWidget *ol_learner_button_new(OlProgress *progress);
/* In a narrow window the name's first letter has to do. */
void ol_learner_button_set_narrow(OlLearnerButton *button, gboolean narrow);

G_END_DECLS
