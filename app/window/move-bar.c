#include "app/window/move-bar.h"

#include "engine/base/intl.h"

struct _OlMoveBar {
  GtkBox parent_instance;
  GtkWidget *buttons[OL_N_MOVES];
};

G_DEFINE_FINAL_TYPE(OlMoveBar, ol_move_bar, GTK_TYPE_BOX)

enum { OPENED, N_SIGNALS };
static guint signals[N_SIGNALS];

static const char *const names[OL_N_MOVES] = {N_("1 Predict"), N_("2 Run"), N_("3 Observe"),
                                              N_("4 Answer")};

static void on_clicked(OlMoveBar *self, GtkWidget *button)
{
  for (guint i = 0; i < OL_N_MOVES; i++)
    if (self->buttons[i] == button)
      g_signal_emit(self, signals[OPENED], 0, i);
}

static void set_css_class(GtkWidget *widget, const char *name, gboolean on)
{
  if (on)
    gtk_widget_add_css_class(widget, name);
  else
    gtk_widget_remove_css_class(widget, name);
}

void ol_move_bar_refresh(OlMoveBar *self, OlLessonWork *work, OlMove open)
{
  for (guint i = 0; i < OL_N_MOVES; i++) {
    gboolean finished = ol_lesson_work_is_finished(work, (OlMove)i);
    g_autofree char *words = g_strdup_printf("%s%s%s", _(names[i]), finished ? _(", done") : "",
                                             i == open ? _(", open") : "");

    set_css_class(self->buttons[i], "open", i == open);
    set_css_class(self->buttons[i], "finished", finished);
    gtk_widget_set_sensitive(self->buttons[i], i <= ol_lesson_work_get_reach(work));
    gtk_accessible_update_property(GTK_ACCESSIBLE(self->buttons[i]), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   words, -1);
  }
}

static void ol_move_bar_class_init(OlMoveBarClass *class)
{
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
  signals[OPENED] = g_signal_new("opened", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void ol_move_bar_init(OlMoveBar *self)
{
  gtk_widget_add_css_class(GTK_WIDGET(self), "move-bar");
  gtk_box_set_homogeneous(GTK_BOX(self), TRUE);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("The four moves of the lesson"), -1);
  for (guint i = 0; i < OL_N_MOVES; i++) {
    GtkWidget *label = gtk_label_new(_(names[i]));
    gtk_label_set_wrap(GTK_LABEL(label), TRUE); /* large text: the number above the word */
    gtk_label_set_justify(GTK_LABEL(label), GTK_JUSTIFY_CENTER);
    self->buttons[i] = gtk_button_new();
    gtk_button_set_child(GTK_BUTTON(self->buttons[i]), label);
    gtk_widget_add_css_class(self->buttons[i], "move");
    gtk_widget_set_tooltip_text(self->buttons[i], _(names[i]));
    g_signal_connect_swapped(self->buttons[i], "clicked", G_CALLBACK(on_clicked), self);
    gtk_box_append(GTK_BOX(self), self->buttons[i]);
  }
}

GtkWidget *ol_move_bar_new(void)
{
  return g_object_new(OL_TYPE_MOVE_BAR, NULL);
}
