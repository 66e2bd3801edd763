/* The DeepSpeed recipe that a run is read from, as it stands in its file, and what in it changes
 * nothing in the lab; folded away until asked for. */
#pragma once

#include "lessons/course.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* `title` is what to press: "The recipe". `run` must have one. */
GtkWidget *ol_recipe_view_new(const char *title, const OlLessonRun *run);

G_END_DECLS
