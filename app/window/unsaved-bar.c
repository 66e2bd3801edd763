#include "app/window/unsaved-bar.h"

#include "app/window/fold-row.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"

struct _OlUnsavedBar {
  GtkBox parent_instance;
  OlProgressKeeper *keeper;
  GtkLabel *why, *what;
};

G_DEFINE_FINAL_TYPE(OlUnsavedBar, ol_unsaved_bar, GTK_TYPE_BOX)

static void refresh(OlUnsavedBar *self)
{
  const char *why = ol_progress_keeper_get_why(self->keeper);
  const char *learner = ol_progress_get_learner(ol_progress_keeper_get(self->keeper));

  gtk_widget_set_visible(GTK_WIDGET(self), why != NULL);
  if (why) {
    g_autofree char *told = g_strdup_printf(_("Not saved yet: %s."), why);
    g_autofree char *what = g_strdup_printf(
        _("What %s does is kept in memory, and saving is tried again every few seconds. Make room "
          "or give access there, or save a copy elsewhere."),
        learner);
    gtk_label_set_text(self->why, told);
    gtk_label_set_text(self->what, what);
  }
}

static void on_again(OlUnsavedBar *self)
{
  if (!ol_progress_keeper_save(self->keeper))
    gtk_widget_error_bell(GTK_WIDGET(self));
}

static void dispose(GObject *object)
{
  g_clear_object(&OL_UNSAVED_BAR(object)->keeper);
  G_OBJECT_CLASS(ol_unsaved_bar_parent_class)->dispose(object);
}

static void ol_unsaved_bar_class_init(OlUnsavedBarClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *make_texts(OlUnsavedBar *self)
{
  GtkWidget *texts = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  self->why = ol_words_label_new(NULL, "heading");
  self->what = ol_words_label_new(NULL, NULL);
  gtk_widget_set_hexpand(texts, TRUE);
  gtk_box_append(GTK_BOX(texts), GTK_WIDGET(self->why));
  gtk_box_append(GTK_BOX(texts), GTK_WIDGET(self->what));
  return texts;
}

static void ol_unsaved_bar_init(OlUnsavedBar *self)
{
  GtkWidget *icon =
      g_object_new(GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, "icon-name",
                   "dialog-warning-symbolic", "valign", GTK_ALIGN_START, NULL);
  GtkWidget *again = gtk_button_new_with_label(_("Try now"));
  GtkWidget *copy = gtk_button_new_with_label(_("Save a copy…"));
  GtkWidget *buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), *row;

  gtk_widget_add_css_class(GTK_WIDGET(self), "unsaved-bar");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Progress that is not saved"), -1);
  g_signal_connect_swapped(again, "clicked", G_CALLBACK(on_again), self);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(copy), "win.progress-export");
  gtk_box_append(GTK_BOX(buttons), again);
  gtk_box_append(GTK_BOX(buttons), copy);
  gtk_box_append(GTK_BOX(self), icon);
  row = ol_fold_row_new(make_texts(self), buttons);
  gtk_widget_set_hexpand(row, TRUE);
  gtk_box_append(GTK_BOX(self), row);
}

GtkWidget *ol_unsaved_bar_new(OlProgressKeeper *keeper)
{
  OlUnsavedBar *self = g_object_new(OL_TYPE_UNSAVED_BAR, NULL);

  self->keeper = g_object_ref(keeper);
  g_signal_connect_object(keeper, "changed", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  refresh(self);
  return GTK_WIDGET(self);
}
