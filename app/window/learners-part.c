#include "app/window/learners-part.h"

#include "app/window/doing-rows.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "lessons/learners.h"

struct _OlLearnersPart {
  GtkBox parent_instance;
  GtkBox *learners, *doings;
};

G_DEFINE_FINAL_TYPE(OlLearnersPart, ol_learners_part, GTK_TYPE_BOX)

static void add_learner(GtkBox *card, const char *name)
{
  g_autofree char *whole = g_strdup_printf(_("Let %s learn"), name);
  GtkWidget *button = gtk_button_new_with_label(_("Learn as this one"));

  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "app.learner");
  gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "s", name);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, whole, -1);
  ol_doing_rows_add(card, name, NULL, button);
}

static void add_unusable(GtkBox *card, const char *path)
{
  g_autofree char *shown = g_filename_display_name(path);
  GtkWidget *nothing = gtk_label_new(NULL);

  ol_doing_rows_add(
      card, shown,
      _("This file cannot be used: it is damaged, a newer lab's, or under another learner's "
        "name."),
      nothing);
}

static void show_learners(OlLearnersPart *self, const char *now)
{
  g_autoptr(GPtrArray) learners = ol_learners_list();
  GtkWidget *mark = gtk_label_new(_("learns now"));

  ol_doing_rows_clear(self->learners);
  gtk_widget_add_css_class(mark, "row-aside");
  ol_doing_rows_add(self->learners, now, NULL, mark);
  for (guint i = 0; i < learners->len; i++) {
    const OlLearner *learner = g_ptr_array_index(learners, i);
    if (!learner->name)
      add_unusable(self->learners, learner->path);
    else if (g_strcmp0(learner->name, now) != 0)
      add_learner(self->learners, learner->name);
  }
  ol_doing_rows_add(self->learners, _("Somebody else"),
                    _("Each learner has progress of their own."),
                    ol_doing_button_new(_("Add…"), _("Add a learner"), "app.add-learner"));
}

static void show_doings(OlLearnersPart *self, const OlProgress *progress)
{
  guint n = ol_progress_count_undo(progress);

  ol_doing_rows_clear(self->doings);
  ol_doing_rows_add(
      self->doings, _("A copy for another computer"),
      _("Everything as one file, which a lab elsewhere can add to what it has."),
      ol_doing_button_new(_("Save…"), _("Save a copy of the progress"), "win.progress-export"));
  ol_doing_rows_add(
      self->doings, _("Add progress from such a file"),
      _("Nothing is lost, and nothing is there twice. The file can be dropped on the window "
        "as well."),
      ol_doing_button_new(_("Open…"), _("Add progress from a file"), "win.progress-import"));
  ol_doing_rows_add(
      self->doings, _("Results as a table"), _("A row for each lesson, for a spreadsheet (CSV)."),
      ol_doing_button_new(_("Save…"), _("Save the results as a table"), "win.results-save"));
  ol_doing_rows_add(
      self->doings, _("Begin all lessons anew"),
      _("Puts aside what was predicted, run and answered. It can be brought back."),
      ol_doing_button_new(_("Begin anew…"), _("Begin all lessons anew"), "win.reset-all"));
  if (n > 0) {
    g_autofree char *words = g_strdup_printf(ol_ngettext("%u lesson was put aside last time.",
                                                         "%u lessons were put aside last time.", n),
                                             n);
    ol_doing_rows_add(self->doings, _("Undo that"), words,
                      ol_doing_button_new(_("Undo"), _("Bring lessons back"), "win.undo-reset"));
  }
}

void ol_learners_part_show(OlLearnersPart *self, const OlProgress *progress)
{
  show_learners(self, ol_progress_get_learner(progress));
  show_doings(self, progress);
}

static void ol_learners_part_class_init(OlLearnersPartClass *class)
{
}

static void ol_learners_part_init(OlLearnersPart *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "learners-part");
  self->learners = GTK_BOX(ol_doing_rows_new());
  self->doings = GTK_BOX(ol_doing_rows_new());
  gtk_box_append(GTK_BOX(self),
                 GTK_WIDGET(ol_words_label_new(_("Learners of this computer"), "page-heading")));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->learners));
  gtk_box_append(GTK_BOX(self),
                 GTK_WIDGET(ol_words_label_new(_("Keep and begin anew"), "page-heading")));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->doings));
}

GtkWidget *ol_learners_part_new(void)
{
  return g_object_new(OL_TYPE_LEARNERS_PART, NULL);
}
