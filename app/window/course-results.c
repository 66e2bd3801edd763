#include "app/window/course-results.h"

#include "app/window/lesson-rows.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "lessons/lesson-words.h"

static char *dup_score(const OlCourse *course, const OlSummary *summary)
{
  guint answered = 0, right = 0;

  for (guint i = 0; i < summary->lessons->len; i++) {
    const OlLessonSummary *of = &g_array_index(summary->lessons, OlLessonSummary, i);
    if (of->course != course || of->answers.n == 0)
      continue;
    answered++;
    right += of->answers.first_right;
  }
  g_autofree char *lessons = g_strdup_printf(
      ol_ngettext("%u of %u lesson answered", "%u of %u lessons answered", course->n_lessons),
      answered, course->n_lessons);
  return answered > 0 ? g_strdup_printf(_("%s, %u right the first time"), lessons, right)
                      : g_steal_pointer(&lessons);
}

static void add_lesson(GtkWidget *rows, const OlLessonSummary *of, gint64 now)
{
  OlRowMark mark = of->answers.n == 0        ? OL_ROW_OPEN
                   : of->answers.first_right ? OL_ROW_RIGHT
                                             : OL_ROW_WRONG;
  g_autofree char *words = ol_lesson_summary_dup_words(of, now);
  g_autofree char *time = of->seconds > 0 ? ol_summary_dup_time(of->seconds) : NULL;

  ol_lesson_rows_add(rows, of->lesson, mark, words, time);
}

GtkWidget *ol_course_results_new(const OlCourse *course, const OlSummary *summary, gint64 now)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *rows = ol_lesson_rows_new(course->title);
  g_autofree char *score = dup_score(course, summary);

  gtk_widget_add_css_class(box, "course-results");
  for (guint i = 0; i < summary->lessons->len; i++) {
    const OlLessonSummary *of = &g_array_index(summary->lessons, OlLessonSummary, i);
    if (of->course == course)
      add_lesson(rows, of, now);
  }
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(ol_words_label_new(course->title, "page-heading")));
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(ol_words_label_new(score, "dim-label")));
  gtk_box_append(GTK_BOX(box), rows);
  return box;
}
