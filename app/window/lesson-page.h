/* The lesson in its column: the four moves, the goal, the locked prediction and the open move. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_LESSON_PAGE (ol_lesson_page_get_type())
G_DECLARE_FINAL_TYPE(OlLessonPage, ol_lesson_page, OL, LESSON_PAGE, GtkBox)

/* Signals: "opened" (another move is open), "shown" (the bench now points at something),
 * "next-lesson". */
GtkWidget *ol_lesson_page_new(OlLabSession *session);
OlMove ol_lesson_page_get_move(OlLessonPage *page);
/* The course of the lesson to go on with after this one, or NULL when there is none. */
void ol_lesson_page_set_next(OlLessonPage *page, const OlCourse *course);
/* Opens a move when the learner has reached it. */
void ol_lesson_page_open(OlLessonPage *page, OlMove move);
/* Puts the keyboard's focus where the next thing is to be done. */
void ol_lesson_page_grab(OlLessonPage *page);

G_END_DECLS
