#include "app/window/progress-page.h"

#include "app/window/calibration-card.h"
#include "app/window/course-results.h"
#include "app/window/figure-tiles.h"
#include "app/window/learners-part.h"
#include "app/window/lesson-rows.h"
#include "app/window/page-frame.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "lessons/lesson-words.h"
#include "lessons/next-lesson.h"

struct _OlProgressPage {
  GtkBox parent_instance;
  OlLabPageNeeds needs;
  const OlLesson *next;
  GtkLabel *learner;
  OlFigureTiles *tiles;
  GtkWidget *to_next, *to_review;
  OlCalibrationCard *calibration;
  GtkWidget *missed_heading, *missed;
  GtkBox *courses;
  OlLearnersPart *learners;
};

G_DEFINE_FINAL_TYPE(OlProgressPage, ol_progress_page, GTK_TYPE_BOX)

static void show_tiles(OlProgressPage *self, const OlSummary *summary)
{
  g_autofree char *answered =
      g_strdup_printf(_("%u of %u"), summary->answered, summary->lessons->len);
  g_autofree char *right = g_strdup_printf(_("%u of %u"), summary->first_right, summary->answered);
  g_autofree char *time = ol_summary_dup_time(summary->seconds);
  g_autofree char *waiting = g_strdup_printf("%u", summary->due);

  ol_figure_tiles_set(self->tiles, 0, answered, _("lessons answered"));
  ol_figure_tiles_set(self->tiles, 1, summary->answered > 0 ? right : "–",
                      _("right the first time"));
  ol_figure_tiles_set(self->tiles, 2, time, _("spent, breaks left out"));
  ol_figure_tiles_set(self->tiles, 3, waiting, _("due for review"));
}

static void show_ways(OlProgressPage *self, guint due)
{
  self->next = ol_courses_find_next(self->needs.courses, self->needs.progress, NULL, NULL);
  if (self->next) {
    g_autofree char *words = g_strdup_printf(_("Next: %s"), self->next->title);
    gtk_button_set_label(GTK_BUTTON(self->to_next), words);
  }
  if (due > 0) {
    g_autofree char *words =
        g_strdup_printf(ol_ngettext("Review %u question", "Review %u questions", due), due);
    gtk_button_set_label(GTK_BUTTON(self->to_review), words);
  }
  gtk_widget_set_visible(self->to_next, self->next != NULL);
  gtk_widget_set_visible(self->to_review, due > 0);
}

static void show_missed(OlProgressPage *self, const OlSummary *summary, gint64 now)
{
  g_autoptr(GPtrArray) missed = ol_summary_list_missed(summary);

  ol_lesson_rows_clear(self->missed);
  for (guint i = 0; i < missed->len; i++) {
    const OlLessonSummary *of = g_ptr_array_index(missed, i);
    g_autofree char *when = ol_review_dup_when(of->review.due, now);
    g_autofree char *aside = g_strdup_printf(_("review %s"), when);
    ol_lesson_rows_add(self->missed, of->lesson, OL_ROW_WRONG, ol_lesson_summary_get_missed(of),
                       aside);
  }
  gtk_widget_set_visible(self->missed_heading, missed->len > 0);
  gtk_widget_set_visible(self->missed, missed->len > 0);
}

void ol_progress_page_open(GtkWidget *page)
{
  OlProgressPage *self = OL_PROGRESS_PAGE(page);
  gint64 now = g_get_real_time() / G_USEC_PER_SEC;
  g_autoptr(OlSummary) summary = ol_summary_new(self->needs.courses, self->needs.progress, now);
  GtkWidget *child;

  gtk_label_set_text(self->learner, ol_progress_get_learner(self->needs.progress));
  show_tiles(self, summary);
  show_ways(self, summary->due);
  ol_calibration_card_show(self->calibration, summary);
  show_missed(self, summary, now);
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->courses))))
    gtk_box_remove(self->courses, child);
  for (guint i = 0; i < self->needs.courses->len; i++)
    gtk_box_append(self->courses,
                   ol_course_results_new(g_ptr_array_index(self->needs.courses, i), summary, now));
  ol_learners_part_show(self->learners, self->needs.progress);
  if (self->next)
    gtk_widget_grab_focus(self->to_next);
}

static void on_next(OlProgressPage *self)
{
  gtk_widget_activate_action(GTK_WIDGET(self), "win.open-lesson", "s", self->next->id);
}

static void on_review(OlProgressPage *self)
{
  gtk_widget_activate_action(GTK_WIDGET(self), "win.open-page", "s", "review");
}

static void ol_progress_page_class_init(OlProgressPageClass *class)
{
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "lab-page");
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_REGION);
}

/* A button whose words may be long: they wrap. */
static GtkWidget *make_way(OlProgressPage *self, void (*go)(OlProgressPage *))
{
  GtkWidget *button = gtk_button_new_with_label("");
  GtkLabel *words = GTK_LABEL(gtk_button_get_child(GTK_BUTTON(button)));

  gtk_label_set_wrap(words, TRUE);
  gtk_label_set_justify(words, GTK_JUSTIFY_CENTER);
  g_signal_connect_swapped(button, "clicked", G_CALLBACK(go), self);
  return button;
}

static GtkWidget *make_ways(OlProgressPage *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->to_next = make_way(self, on_next);
  self->to_review = make_way(self, on_review);
  gtk_widget_add_css_class(self->to_next, "suggested-action");
  gtk_widget_add_css_class(box, "page-buttons");
  gtk_box_append(GTK_BOX(box), self->to_next);
  gtk_box_append(GTK_BOX(box), self->to_review);
  return box;
}

static void ol_progress_page_init(OlProgressPage *self)
{
  GtkBox *column = ol_page_frame_fill(GTK_WIDGET(self), _("Progress"));

  self->learner = ol_words_label_new(NULL, "dim-label");
  self->tiles = OL_FIGURE_TILES(ol_figure_tiles_new());
  self->calibration = OL_CALIBRATION_CARD(ol_calibration_card_new());
  self->missed_heading = GTK_WIDGET(ol_words_label_new(_("To look at again"), "page-heading"));
  self->missed = ol_lesson_rows_new(_("To look at again"));
  self->courses = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
  gtk_box_append(column, GTK_WIDGET(self->learner));
  gtk_box_append(column, GTK_WIDGET(self->tiles));
  gtk_box_append(column, make_ways(self));
  gtk_box_append(column, GTK_WIDGET(ol_words_label_new(_("How sure, how right"), "page-heading")));
  gtk_box_append(column, GTK_WIDGET(self->calibration));
  gtk_box_append(column, self->missed_heading);
  gtk_box_append(column, self->missed);
  gtk_box_append(column, GTK_WIDGET(self->courses));
  self->learners = OL_LEARNERS_PART(ol_learners_part_new());
  gtk_box_append(column, GTK_WIDGET(self->learners));
}

GtkWidget *ol_progress_page_new(const OlLabPageNeeds *needs)
{
  OlProgressPage *self = g_object_new(OL_TYPE_PROGRESS_PAGE, NULL);

  self->needs = *needs;
  return GTK_WIDGET(self);
}
