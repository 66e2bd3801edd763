#include "app/window/fold.h"

struct _OlFold {
  GtkBox parent_instance;
  GtkToggleButton *button;
  GtkImage *arrow;
  GtkWidget *child;
};

G_DEFINE_FINAL_TYPE(OlFold, ol_fold, GTK_TYPE_BOX)

static void on_toggled(OlFold *self)
{
  gboolean open = gtk_toggle_button_get_active(self->button);

  gtk_image_set_from_icon_name(self->arrow, open ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_widget_set_visible(self->child, open);
  gtk_accessible_update_state(GTK_ACCESSIBLE(self->button), GTK_ACCESSIBLE_STATE_EXPANDED, open,
                              -1);
}

void ol_fold_set_open(OlFold *self, gboolean open)
{
  gtk_toggle_button_set_active(self->button, open);
}

static void ol_fold_class_init(OlFoldClass *class)
{
}

static void ol_fold_init(OlFold *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  self->arrow = GTK_IMAGE(
      g_object_new(GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL));
  self->button = GTK_TOGGLE_BUTTON(gtk_toggle_button_new());
  gtk_widget_add_css_class(GTK_WIDGET(self->button), "flat");
  gtk_widget_add_css_class(GTK_WIDGET(self->button), "fold");
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->button));
}

GtkWidget *ol_fold_new(const char *title, GtkWidget *child)
{
  OlFold *self = g_object_new(OL_TYPE_FOLD, NULL);
  GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), *label = gtk_label_new(title);

  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_box_append(GTK_BOX(line), GTK_WIDGET(self->arrow));
  gtk_box_append(GTK_BOX(line), label);
  gtk_button_set_child(GTK_BUTTON(self->button), line);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                 -1);
  self->child = child;
  gtk_box_append(GTK_BOX(self), child);
  g_signal_connect_swapped(self->button, "toggled", G_CALLBACK(on_toggled), self);
  on_toggled(self);
  return GTK_WIDGET(self);
}
