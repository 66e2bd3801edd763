#include "app/window/progress-page.h"

#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "lessons/results.h"

#define WIDEST 900 /* logical pixels: where lines get too long to read */

struct _OlProgressPage {
  GtkBox parent_instance;
  OlLabPageNeeds needs;
  GtkLabel *learner;
  GtkBox *scores;
};

G_DEFINE_FINAL_TYPE(OlProgressPage, ol_progress_page, GTK_TYPE_BOX)

static GtkWidget *make_score(const OlCourse *course, const OlProgress *progress)
{
  GtkWidget *card = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  OlScore score = ol_results_score(course, progress);
  g_autofree char *answered = g_strdup_printf(
      ol_ngettext("%u of %u lesson answered", "%u of %u lessons answered", course->n_lessons),
      score.answered, course->n_lessons);
  g_autofree char *right = g_strdup_printf(_("%u right the first time"), score.first_right);

  gtk_widget_add_css_class(card, "card");
  gtk_widget_add_css_class(card, "padded");
  gtk_box_append(GTK_BOX(card), GTK_WIDGET(ol_words_label_new(course->title, "heading")));
  gtk_box_append(GTK_BOX(card), GTK_WIDGET(ol_words_label_new(answered, NULL)));
  gtk_box_append(GTK_BOX(card), GTK_WIDGET(ol_words_label_new(right, "dim-label")));
  return card;
}

void ol_progress_page_open(GtkWidget *page)
{
  OlProgressPage *self = OL_PROGRESS_PAGE(page);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->scores))))
    gtk_box_remove(self->scores, child);
  for (guint i = 0; i < self->needs.courses->len; i++)
    gtk_box_append(self->scores,
                   make_score(g_ptr_array_index(self->needs.courses, i), self->needs.progress));
  gtk_label_set_text(self->learner, ol_progress_get_learner(self->needs.progress));
}

static void ol_progress_page_class_init(OlProgressPageClass *class)
{
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "lab-page");
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_REGION);
}

static void ol_progress_page_init(OlProgressPage *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new(), *clamp = adw_clamp_new();
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Progress"),
                                 -1);
  gtk_widget_add_css_class(column, "page-column");
  self->learner = ol_words_label_new(NULL, "dim-label");
  self->scores = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
  gtk_widget_add_css_class(GTK_WIDGET(self->scores), "page-cards");
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(ol_words_label_new(_("Progress"), "title-2")));
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->learner));
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->scores));
  adw_clamp_set_maximum_size(ADW_CLAMP(clamp), WIDEST);
  adw_clamp_set_child(ADW_CLAMP(clamp), column);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), clamp);
  gtk_widget_set_hexpand(scroller, TRUE);
  gtk_box_append(GTK_BOX(self), scroller);
}

GtkWidget *ol_progress_page_new(const OlLabPageNeeds *needs)
{
  OlProgressPage *self = g_object_new(OL_TYPE_PROGRESS_PAGE, NULL);

  self->needs = *needs;
  return GTK_WIDGET(self);
}
