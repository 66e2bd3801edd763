/* Lessons one below the other, with what there is to say about each; a lesson that is chosen is
 * opened (win.open-lesson). */
#pragma once

#include "lessons/course.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum { OL_ROW_OPEN, OL_ROW_RIGHT, OL_ROW_WRONG } OlRowMark;

/* name: what the rows are, for assistive technology. */
GtkWidget *ol_lesson_rows_new(const char *name);
void ol_lesson_rows_clear(GtkWidget *rows);
/* words: a sentence under the title; aside: at the end of the row. Both may be NULL. */
void ol_lesson_rows_add(GtkWidget *rows, const OlLesson *lesson, OlRowMark mark, const char *words,
                        const char *aside);

G_END_DECLS
