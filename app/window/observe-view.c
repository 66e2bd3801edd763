#include "app/window/observe-view.h"

#include "engine/base/intl.h"

struct _OlObserveView {
  GtkBox parent_instance;
  OlLabSession *session;
  GPtrArray *texts, *buttons; /* one an observation; borrowed: they are children */
  GtkListBox *list;
  GtkLabel *note;
};

G_DEFINE_FINAL_TYPE(OlObserveView, ol_observe_view, GTK_TYPE_BOX)

enum { SHOWN, N_SIGNALS };
static guint signals[N_SIGNALS];

static void on_show_me(OlObserveView *self, GtkWidget *button)
{
  OlLessonWork *work = ol_lab_session_get_work(self->session);
  const OlObservation *point;
  guint i;

  if (!g_ptr_array_find(self->buttons, button, &i))
    return;
  point = &ol_lesson_work_get_lesson(work)->observations[i];
  ol_lab_session_show(self->session, point->run, point->show, point->target);
  ol_lesson_work_see(work, i);
  g_signal_emit(self, signals[SHOWN], 0);
}

static GtkWidget *make_row(OlObserveView *self, guint position)
{
  GtkWidget *row = gtk_list_box_row_new(), *text = gtk_label_new(NULL);
  GtkWidget *content = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *button = gtk_button_new_with_label(_("Show me"));
  g_autofree char *name = g_strdup_printf(_("Show me: observation %u"), position + 1);

  gtk_widget_add_css_class(row, "observation");
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), FALSE);
  gtk_widget_set_focusable(row, FALSE);
  gtk_label_set_wrap(GTK_LABEL(text), TRUE);
  gtk_label_set_xalign(GTK_LABEL(text), 0);
  gtk_widget_set_hexpand(text, TRUE);
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_swapped(button, "clicked", G_CALLBACK(on_show_me), self);
  gtk_box_append(GTK_BOX(content), text);
  gtk_box_append(GTK_BOX(content), button);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), content);
  g_ptr_array_add(self->texts, text);
  g_ptr_array_add(self->buttons, button);
  return row;
}

static void on_lesson_changed(OlObserveView *self)
{
  const OlLesson *lesson = ol_lesson_work_get_lesson(ol_lab_session_get_work(self->session));
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child(GTK_WIDGET(self->list))))
    gtk_list_box_remove(self->list, row);
  g_ptr_array_set_size(self->texts, 0);
  g_ptr_array_set_size(self->buttons, 0);
  for (guint i = 0; i < lesson->n_observations; i++)
    gtk_list_box_append(self->list, make_row(self, i));
}

static void refresh(OlObserveView *self)
{
  OlLessonWork *work = ol_lab_session_get_work(self->session);
  const OlLesson *lesson = ol_lesson_work_get_lesson(work);
  const OlExperiment *experiment = ol_lesson_runs_get_experiment(ol_lesson_work_get_runs(work));
  gboolean suggest = ol_lesson_work_get_next(work) == OL_NEXT_OBSERVE, all = TRUE;
  g_autofree char *note = NULL;

  for (guint i = 0; i < self->texts->len; i++) {
    gboolean complete, seen = ol_lesson_work_has_seen(work, i);
    g_autofree char *text = ol_experiment_fill(experiment, lesson->observations[i].text, &complete);
    gtk_label_set_text(g_ptr_array_index(self->texts, i), text);
    all = all && complete;
    if (suggest && !seen)
      gtk_widget_add_css_class(g_ptr_array_index(self->buttons, i), "suggested-action");
    else
      gtk_widget_remove_css_class(g_ptr_array_index(self->buttons, i), "suggested-action");
    suggest = suggest && seen;
  }
  note = ol_lesson_work_dup_note(work, all, ol_lab_session_get_view(self->session)->there);
  gtk_label_set_text(self->note, note ? note : "");
  gtk_widget_set_visible(GTK_WIDGET(self->note), note != NULL);
}

static void finalize(GObject *object)
{
  OlObserveView *self = OL_OBSERVE_VIEW(object);

  g_ptr_array_unref(self->texts);
  g_ptr_array_unref(self->buttons);
  G_OBJECT_CLASS(ol_observe_view_parent_class)->finalize(object);
}

static void dispose(GObject *object)
{
  OlObserveView *self = OL_OBSERVE_VIEW(object);

  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_observe_view_parent_class)->dispose(object);
}

static void ol_observe_view_class_init(OlObserveViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[SHOWN] = g_signal_new("shown", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
}

static void ol_observe_view_init(OlObserveView *self)
{
  self->texts = g_ptr_array_new();
  self->buttons = g_ptr_array_new();
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "move-view");
  self->list = GTK_LIST_BOX(gtk_list_box_new());
  gtk_list_box_set_selection_mode(self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class(GTK_WIDGET(self->list), "boxed-list");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("What to look at"), -1);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->list));
  self->note = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_wrap(self->note, TRUE);
  gtk_label_set_xalign(self->note, 0);
  gtk_widget_add_css_class(GTK_WIDGET(self->note), "dim-label");
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->note));
}

GtkWidget *ol_observe_view_new(OlLabSession *session)
{
  OlObserveView *self = g_object_new(OL_TYPE_OBSERVE_VIEW, NULL);

  self->session = g_object_ref(session);
  g_signal_connect_object(session, "lesson-changed", G_CALLBACK(on_lesson_changed), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "updated", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
