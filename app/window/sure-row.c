#include "app/window/sure-row.h"

#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "lessons/sureness.h"
#include <math.h>

struct _OlSureRow {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkWidget *choices, *buttons[OL_N_SURENESSES];
  gboolean setting; /* by us, not by the learner */
};

G_DEFINE_FINAL_TYPE(OlSureRow, ol_sure_row, GTK_TYPE_BOX)

static OlLessonWork *get_work(OlSureRow *self)
{
  return ol_lab_session_get_work(self->session);
}

/* One at most is on; what is on can be taken back. */
static void on_toggled(OlSureRow *self, GtkToggleButton *button)
{
  double sure = NAN;

  if (self->setting)
    return;
  for (int i = 0; i < OL_N_SURENESSES; i++)
    if (GTK_TOGGLE_BUTTON(self->buttons[i]) == button && gtk_toggle_button_get_active(button))
      sure = ol_sureness_get_share((OlSureness)i);
  ol_lesson_work_set_sure(get_work(self), sure);
}

static void refresh(OlSureRow *self)
{
  OlLessonWork *work = get_work(self);
  const OlPrediction *prediction = ol_lesson_work_get_lesson(work)->prediction;
  double sure = ol_lesson_work_get_sure(work);

  gtk_widget_set_visible(GTK_WIDGET(self), prediction != NULL);
  gtk_widget_set_sensitive(GTK_WIDGET(self), !ol_lesson_work_is_finished(work, OL_MOVE_PREDICT));
  self->setting = TRUE;
  for (int i = 0; i < OL_N_SURENESSES; i++)
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(self->buttons[i]),
                                 !isnan(sure) && ol_sureness_of(sure) == (OlSureness)i);
  self->setting = FALSE;
}

static void dispose(GObject *object)
{
  OlSureRow *self = OL_SURE_ROW(object);

  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_sure_row_parent_class)->dispose(object);
}

static void ol_sure_row_class_init(OlSureRowClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
}

/* Words that do not fit beside each other break; no button gets wider than another. */
static GtkWidget *make_button(OlSureRow *self, OlSureness sureness)
{
  GtkWidget *button = gtk_toggle_button_new(), *words;

  words = gtk_label_new(ol_sureness_get_words(sureness));
  gtk_label_set_wrap(GTK_LABEL(words), TRUE);
  gtk_label_set_justify(GTK_LABEL(words), GTK_JUSTIFY_CENTER);
  gtk_button_set_child(GTK_BUTTON(button), words);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 ol_sureness_get_words(sureness), -1);
  g_signal_connect_swapped(button, "toggled", G_CALLBACK(on_toggled), self);
  return button;
}

static void ol_sure_row_init(OlSureRow *self)
{
  GtkLabel *ask = ol_words_label_new(_("How sure are you?"), "sure-ask");

  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  self->choices = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_set_homogeneous(GTK_BOX(self->choices), TRUE);
  gtk_widget_add_css_class(self->choices, "linked");
  gtk_widget_add_css_class(self->choices, "sure-choices");
  for (int i = 0; i < OL_N_SURENESSES; i++) {
    self->buttons[i] = make_button(self, (OlSureness)i);
    gtk_box_append(GTK_BOX(self->choices), self->buttons[i]);
  }
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("How sure are you?"), -1);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(ask));
  gtk_box_append(GTK_BOX(self), self->choices);
}

GtkWidget *ol_sure_row_new(OlLabSession *session)
{
  OlSureRow *self = g_object_new(OL_TYPE_SURE_ROW, NULL);

  self->session = g_object_ref(session);
  g_signal_connect_object(session, "updated", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
