#include "app/window/job-bar.h"

#include "engine/base/intl.h"

#define SHOWN_AFTER_MS 300
#define LOOK_EVERY_MS  100

struct _OlJobBar {
  GtkBox parent_instance;
  GtkLabel *words;
  GtkProgressBar *progress;
  GtkWidget *stop;
  OlJob *job;
  guint source;
};

G_DEFINE_FINAL_TYPE(OlJobBar, ol_job_bar, GTK_TYPE_BOX)

static gboolean look(gpointer data)
{
  OlJobBar *self = data;

  gtk_progress_bar_set_fraction(self->progress, ol_job_get_share(self->job));
  return G_SOURCE_CONTINUE;
}

static gboolean show(gpointer data)
{
  OlJobBar *self = data;

  gtk_label_set_text(self->words, ol_job_get_words(self->job));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->progress), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 ol_job_get_words(self->job), -1);
  gtk_widget_set_sensitive(self->stop, TRUE);
  gtk_widget_set_visible(GTK_WIDGET(self), TRUE);
  look(self);
  self->source = g_timeout_add(LOOK_EVERY_MS, look, self);
  return G_SOURCE_REMOVE;
}

static void on_done(OlJobBar *self)
{
  g_clear_handle_id(&self->source, g_source_remove);
  g_clear_object(&self->job);
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
}

static void on_stop(OlJobBar *self)
{
  ol_job_stop(self->job);
  gtk_widget_set_sensitive(self->stop, FALSE);
}

gboolean ol_job_bar_start(OlJobBar *self, OlJob *job)
{
  if (self->job)
    return FALSE;
  self->job = g_object_ref(job);
  self->source = g_timeout_add(SHOWN_AFTER_MS, show, self);
  g_signal_connect_object(job, "done", G_CALLBACK(on_done), self, G_CONNECT_SWAPPED);
  ol_job_start(job);
  return TRUE;
}

const char *ol_job_bar_get_words(OlJobBar *self)
{
  return self->job ? ol_job_get_words(self->job) : NULL;
}

static void dispose(GObject *object)
{
  OlJobBar *self = OL_JOB_BAR(object);

  g_clear_handle_id(&self->source, g_source_remove);
  g_clear_object(&self->job);
  G_OBJECT_CLASS(ol_job_bar_parent_class)->dispose(object);
}

static void ol_job_bar_class_init(OlJobBarClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void ol_job_bar_init(OlJobBar *self)
{
  gtk_widget_add_css_class(GTK_WIDGET(self), "job-bar");
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Work under way"), -1);
  self->words = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_ellipsize(self->words, PANGO_ELLIPSIZE_MIDDLE);
  self->progress = GTK_PROGRESS_BAR(gtk_progress_bar_new());
  gtk_widget_set_hexpand(GTK_WIDGET(self->progress), TRUE);
  gtk_widget_set_valign(GTK_WIDGET(self->progress), GTK_ALIGN_CENTER);
  self->stop = gtk_button_new_with_label(_("Stop"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->stop), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Stop this work"), -1);
  g_signal_connect_swapped(self->stop, "clicked", G_CALLBACK(on_stop), self);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->words));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->progress));
  gtk_box_append(GTK_BOX(self), self->stop);
}

GtkWidget *ol_job_bar_new(void)
{
  return g_object_new(OL_TYPE_JOB_BAR, NULL);
}
