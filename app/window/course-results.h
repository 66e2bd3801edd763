/* What a learner has done in one course: its score, and every lesson. */
#pragma once

#include "lessons/summary.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ol_course_results_new(const OlCourse *course, const OlSummary *summary, gint64 now);

G_END_DECLS
