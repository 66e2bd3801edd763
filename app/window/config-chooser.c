#include "app/window/config-chooser.h"

#include "engine/base/intl.h"

void ol_config_choose(GtkWidget *owner, gboolean to_save, OlFileChosen chosen)
{
  static const char *const patterns[] = {"*.json", NULL};
  OlFileQuestion question = {to_save ? _("Save the config") : _("Open a config"),
                             to_save ? "config.json" : NULL, _("Configs (JSON)"), patterns};

  ol_file_ask(GTK_WINDOW(gtk_widget_get_root(owner)), &question, chosen, owner);
}

char *ol_config_dropped_dup_path(const GValue *dropped)
{
  GFile *file = NULL;

  if (G_VALUE_HOLDS(dropped, GDK_TYPE_FILE_LIST)) {
    GSList *files = g_value_get_boxed(dropped);
    file = files ? files->data : NULL;
  } else if (G_VALUE_HOLDS(dropped, G_TYPE_FILE)) {
    file = g_value_get_object(dropped);
  }
  return file ? g_file_get_path(file) : NULL;
}
