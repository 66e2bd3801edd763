#include "app/window/run-list.h"

#include "app/window/run-row.h"
#include "engine/base/intl.h"

struct _OlRunList {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE(OlRunList, ol_run_list, GTK_TYPE_BOX)

static void on_lesson_changed(OlRunList *self)
{
  OlLessonRuns *runs = ol_lesson_work_get_runs(ol_lab_session_get_work(self->session));
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child(GTK_WIDGET(self->list))))
    gtk_list_box_remove(self->list, row);
  for (guint i = 0; i < ol_lesson_runs_count(runs); i++)
    gtk_list_box_append(self->list, ol_run_row_new(ol_lab_session_get_work(self->session), i));
}

static void refresh(OlRunList *self)
{
  for (GtkWidget *row = gtk_widget_get_first_child(GTK_WIDGET(self->list)); row;
       row = gtk_widget_get_next_sibling(row))
    ol_run_row_refresh(OL_RUN_ROW(row), ol_lab_session_get_view(self->session)->there);
}

/* A frame's worth of events: words at most, and those seldom. */
static void on_grown(OlRunList *self)
{
  for (GtkWidget *row = gtk_widget_get_first_child(GTK_WIDGET(self->list)); row;
       row = gtk_widget_get_next_sibling(row))
    ol_run_row_refresh_state(OL_RUN_ROW(row), ol_lab_session_get_view(self->session)->there);
}

gboolean ol_run_list_grab(OlRunList *self)
{
  int next = ol_lesson_work_get_next_run(ol_lab_session_get_work(self->session));

  if (next >= 0)
    ol_run_row_grab(OL_RUN_ROW(gtk_list_box_get_row_at_index(self->list, next)));
  return next >= 0;
}

/* A run that has been made goes on the bench. */
static void on_row_activated(OlRunList *self, GtkListBoxRow *row)
{
  ol_lab_session_show_run(self->session, gtk_list_box_row_get_index(row));
}

static void dispose(GObject *object)
{
  OlRunList *self = OL_RUN_LIST(object);

  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_run_list_parent_class)->dispose(object);
}

static void ol_run_list_class_init(OlRunListClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
}

static void ol_run_list_init(OlRunList *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "move-view");
  self->list = GTK_LIST_BOX(gtk_list_box_new());
  gtk_list_box_set_selection_mode(self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class(GTK_WIDGET(self->list), "boxed-list");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Runs of this lesson"), -1);
  g_signal_connect_swapped(self->list, "row-activated", G_CALLBACK(on_row_activated), self);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->list));
}

GtkWidget *ol_run_list_new(OlLabSession *session)
{
  OlRunList *self = g_object_new(OL_TYPE_RUN_LIST, NULL);

  self->session = g_object_ref(session);
  g_signal_connect_object(session, "lesson-changed", G_CALLBACK(on_lesson_changed), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "updated", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "grown", G_CALLBACK(on_grown), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
