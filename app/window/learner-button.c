#include "app/window/learner-button.h"

#include "engine/base/intl.h"
#include "lessons/learners.h"

#define MOST_IN_MENU 8 /* learners; the page of progress lists all */
#define NAME_LETTERS 12

struct _OlLearnerButton {
  GtkBox parent_instance;
  OlProgress *progress;
  GtkMenuButton *button;
  GtkLabel *initial, *name;
};

G_DEFINE_FINAL_TYPE(OlLearnerButton, ol_learner_button, GTK_TYPE_BOX)

/* An underscore is a letter here, and marks no key. */
static void append_learner(GMenu *menu, const char *name)
{
  g_autoptr(GMenuItem) item = NULL;
  g_autoptr(GString) label = g_string_new(name);

  g_string_replace(label, "_", "__", 0);
  item = g_menu_item_new(label->str, NULL);
  g_menu_item_set_action_and_target(item, "app.learner", "s", name);
  g_menu_append_item(menu, item);
}

static GMenuModel *make_learners(const char *now)
{
  GMenu *menu = g_menu_new();
  g_autoptr(GPtrArray) learners = ol_learners_list();
  guint shown = 1;

  append_learner(menu, now);
  for (guint i = 0; i < learners->len; i++) {
    const char *name = ((const OlLearner *)g_ptr_array_index(learners, i))->name;
    if (name && g_strcmp0(name, now) != 0 && shown++ < MOST_IN_MENU)
      append_learner(menu, name);
  }
  if (shown > MOST_IN_MENU)
    g_menu_append(menu, _("All learners of this computer"), "win.open-page::progress");
  g_menu_append(menu, _("Somebody else…"), "app.add-learner");
  return G_MENU_MODEL(menu);
}

static GMenuModel *make_resets(const OlProgress *progress)
{
  GMenu *menu = g_menu_new();
  guint n = ol_progress_count_undo(progress);

  g_menu_append(menu, _("Begin this lesson anew"), "win.reset-lesson::");
  g_menu_append(menu, _("Begin all lessons anew…"), "win.reset-all");
  if (n > 0) {
    g_autofree char *words = g_strdup_printf(
        ol_ngettext("Undo: bring %u lesson back", "Undo: bring %u lessons back", n), n);
    g_menu_append(menu, words, "win.undo-reset");
  }
  return G_MENU_MODEL(menu);
}

static GMenuModel *make_menu(const OlProgress *progress)
{
  GMenu *menu = g_menu_new();
  g_autoptr(GMenuModel) learners = make_learners(ol_progress_get_learner(progress));
  g_autoptr(GMenuModel) resets = make_resets(progress);
  g_autoptr(GMenu) files = g_menu_new();

  g_menu_append(files, _("Show progress"), "win.open-page::progress");
  g_menu_append(files, _("Save a copy of the progress…"), "win.progress-export");
  g_menu_append(files, _("Add progress from a file…"), "win.progress-import");
  g_menu_append(files, _("Save the results as a table…"), "win.results-save");
  g_menu_append_section(menu, _("Who learns"), learners);
  g_menu_append_section(menu, _("Progress"), G_MENU_MODEL(files));
  g_menu_append_section(menu, NULL, resets);
  return G_MENU_MODEL(menu);
}

/* Somebody may have come since it was last open. */
static void on_popup(GtkMenuButton *button, gpointer data)
{
  g_autoptr(GMenuModel) menu = make_menu(OL_LEARNER_BUTTON(data)->progress);

  gtk_menu_button_set_menu_model(button, menu);
}

void ol_learner_button_set_narrow(OlLearnerButton *self, gboolean narrow)
{
  gtk_widget_set_visible(GTK_WIDGET(self->name), !narrow);
}

static void ol_learner_button_class_init(OlLearnerButtonClass *class)
{
}

static void ol_learner_button_init(OlLearnerButton *self)
{
  GtkWidget *content = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->initial = GTK_LABEL(gtk_label_new(NULL));
  self->name = GTK_LABEL(gtk_label_new(NULL));
  self->button = GTK_MENU_BUTTON(gtk_menu_button_new());
  gtk_widget_add_css_class(GTK_WIDGET(self), "learner-button");
  gtk_widget_add_css_class(GTK_WIDGET(self->initial), "initial");
  gtk_widget_set_valign(GTK_WIDGET(self->initial), GTK_ALIGN_CENTER);
  gtk_label_set_ellipsize(self->name, PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars(self->name, NAME_LETTERS);
  gtk_box_append(GTK_BOX(content), GTK_WIDGET(self->initial));
  gtk_box_append(GTK_BOX(content), GTK_WIDGET(self->name));
  gtk_menu_button_set_child(self->button, content);
  gtk_widget_set_valign(GTK_WIDGET(self->button), GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->button));
}

static void show_name(OlLearnerButton *self, const char *name)
{
  g_autofree char *words = g_strdup_printf(_("%s learns: progress, and other learners"), name);
  g_autofree char *first = g_utf8_substring(name, 0, 1);
  g_autofree char *initial = g_utf8_strup(first, -1);

  gtk_label_set_text(self->initial, initial);
  gtk_label_set_text(self->name, name);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->button), words);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, words,
                                 -1);
}

GtkWidget *ol_learner_button_new(OlProgress *progress)
{
  OlLearnerButton *self = g_object_new(OL_TYPE_LEARNER_BUTTON, NULL);

  self->progress = progress;
  show_name(self, ol_progress_get_learner(progress));
  gtk_menu_button_set_create_popup_func(self->button, on_popup, self, NULL);
  return GTK_WIDGET(self);
}
