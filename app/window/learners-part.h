/* The page of progress, below what was learned: the learners of this computer, and what can be done
 * with the progress of the one who learns. */
#pragma once

#include "lessons/progress.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_LEARNERS_PART (ol_learners_part_get_type())
G_DECLARE_FINAL_TYPE(OlLearnersPart, ol_learners_part, OL, LEARNERS_PART, GtkBox)

GtkWidget *ol_learners_part_new(void);
/* Looks again who has a file here. `progress`: of who learns. */
void ol_learners_part_show(OlLearnersPart *part, const OlProgress *progress);

G_END_DECLS
