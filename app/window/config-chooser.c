#include "app/window/config-chooser.h"

#include "engine/base/intl.h"

typedef struct {
  GtkWidget *owner; /* a weak pointer */
  OlConfigChosen chosen;
} Question;

static void on_response(GtkNativeDialog *dialog, int response, Question *question)
{
  g_autoptr(GFile) file = NULL;
  g_autofree char *path = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
  path = file ? g_file_get_path(file) : NULL;
  if (path && question->owner)
    question->chosen(path, question->owner);
  g_clear_weak_pointer(&question->owner);
  g_free(question);
  g_object_unref(dialog);
}

static void add_filter(GtkFileChooser *chooser, const char *name, const char *pattern)
{
  g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();

  gtk_file_filter_set_name(filter, name);
  gtk_file_filter_add_pattern(filter, pattern);
  gtk_file_chooser_add_filter(chooser, filter);
}

void ol_config_choose(GtkWidget *owner, gboolean to_save, OlConfigChosen chosen)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
      to_save ? _("Save the config") : _("Open a config"), GTK_WINDOW(gtk_widget_get_root(owner)),
      to_save ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_OPEN,
      to_save ? "_Save" : "_Open", "_Cancel");
  Question *question = g_new0(Question, 1);

  question->chosen = chosen;
  g_set_weak_pointer(&question->owner, owner);
  if (to_save)
    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), "config.json");
  add_filter(GTK_FILE_CHOOSER(dialog), _("Configs (JSON)"), "*.json");
  add_filter(GTK_FILE_CHOOSER(dialog), _("All files"), "*");
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
  g_signal_connect(dialog, "response", G_CALLBACK(on_response), question);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
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
