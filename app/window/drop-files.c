#include "app/window/drop-files.h"

/* The first of several: the bench holds one. */
static gboolean on_drop(OlRunFiles *files, const GValue *value)
{
  GSList *list = G_VALUE_HOLDS(value, GDK_TYPE_FILE_LIST) ? g_value_get_boxed(value) : NULL;

  if (!list)
    return FALSE;
  ol_run_files_open(files, list->data);
  return TRUE;
}

void ol_drop_files_attach(GtkWidget *widget, OlRunFiles *files)
{
  GtkDropTarget *target = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect_swapped(target, "drop", G_CALLBACK(on_drop), files);
  gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(target));
}
