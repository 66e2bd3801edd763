/* What reading or writing a quiz skipped or changed, as lines for people. */
#pragma once

#include "lessons/quiz.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* "" when there is none. */
char *ol_quiz_notes_dup_words(const GPtrArray *notes);

/* A line that says how many there are, and opens to tell them; out of sight while there are none.
 */
GtkWidget *ol_quiz_notes_fold_new(void);
void ol_quiz_notes_fold_show(GtkWidget *fold, const GPtrArray *notes);

G_END_DECLS
