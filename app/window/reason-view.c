#include "app/window/reason-view.h"

#include "app/window/words-label.h"
#include "engine/base/intl.h"

struct _OlReasonView {
  GtkBox parent_instance;
  OlLabSession *session;
  const OlOption *option; /* of the lesson under way, or NULL */
  GtkLabel *head, *reason;
  GtkWidget *show;
};

G_DEFINE_FINAL_TYPE(OlReasonView, ol_reason_view, GTK_TYPE_BOX)

enum { SHOWN, N_SIGNALS };
static guint signals[N_SIGNALS];

static void on_show(OlReasonView *self)
{
  if (!self->option || !self->option->run)
    return;
  ol_lab_session_show(self->session, self->option->run, self->option->show, self->option->target);
  g_signal_emit(self, signals[SHOWN], 0);
}

gboolean ol_reason_view_set(OlReasonView *self, const OlOption *option, const char *head,
                            const char *name)
{
  OlLessonWork *work = ol_lab_session_get_work(self->session);
  gboolean complete;
  g_autofree char *text = ol_experiment_fill(
      ol_lesson_runs_get_experiment(ol_lesson_work_get_runs(work)), option->why, &complete);

  self->option = option;
  gtk_label_set_text(self->head, head ? head : "");
  gtk_widget_set_visible(GTK_WIDGET(self->head), head != NULL);
  gtk_label_set_text(self->reason, text);
  gtk_widget_set_visible(self->show, option->run != NULL);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->show), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                 -1);
  return complete;
}

static void dispose(GObject *object)
{
  OlReasonView *self = OL_REASON_VIEW(object);

  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_reason_view_parent_class)->dispose(object);
}

static void ol_reason_view_class_init(OlReasonViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
  signals[SHOWN] = g_signal_new("shown", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
}

static void ol_reason_view_init(OlReasonView *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "reason");
  self->head = ol_words_label_new(NULL, "heading");
  self->reason = ol_words_label_new(NULL, NULL);
  self->show = gtk_button_new_with_label(_("Show me"));
  gtk_widget_set_halign(self->show, GTK_ALIGN_START);
  g_signal_connect_swapped(self->show, "clicked", G_CALLBACK(on_show), self);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->head));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->reason));
  gtk_box_append(GTK_BOX(self), self->show);
}

GtkWidget *ol_reason_view_new(OlLabSession *session)
{
  OlReasonView *self = g_object_new(OL_TYPE_REASON_VIEW, NULL);

  self->session = g_object_ref(session);
  return GTK_WIDGET(self);
}
