/* The sidebar: the courses' lessons, with a tick on those that are done and a word on the one to
 * take next, and below them the lab's other places. */
#pragma once

#include "lessons/course.h"
#include "lessons/progress.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_LESSON_LIST (ol_lesson_list_get_type())
G_DECLARE_FINAL_TYPE(OlLessonList, ol_lesson_list, OL, LESSON_LIST, GtkBox)

/* A place without lessons. */
typedef struct {
  const char *title, *icon;
} OlLabPlace;

/* courses: of OlCourse, which outlive the list. Signal "chosen": (guint position) among all
 * lessons, the places after them, by the learner. */
GtkWidget *ol_lesson_list_new(GPtrArray *courses);
/* After all others. The place outlives the list. */
void ol_lesson_list_add_place(OlLessonList *list, const OlLabPlace *place);
/* What there is to do at a place, beside its title; NULL: nothing. */
void ol_lesson_list_set_news(OlLessonList *list, guint position, const char *news);
void ol_lesson_list_refresh(OlLessonList *list, OlProgress *progress, guint current);

G_END_DECLS
