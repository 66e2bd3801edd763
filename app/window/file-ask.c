#include "app/window/file-ask.h"

#include "engine/base/intl.h"

typedef struct {
  gpointer owner; /* a weak pointer */
  OlFileChosen chosen;
} Asked;

static void on_response(GtkNativeDialog *dialog, int response, Asked *asked)
{
  g_autoptr(GFile) file = NULL;
  g_autofree char *path = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
  path = file ? g_file_get_path(file) : NULL;
  if (path && asked->owner)
    asked->chosen(path, asked->owner);
  g_clear_weak_pointer(&asked->owner);
  g_free(asked);
  g_object_unref(dialog);
}

static void add_filter(GtkFileChooser *chooser, const char *name, const char *const *patterns)
{
  g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();

  gtk_file_filter_set_name(filter, name);
  for (; *patterns; patterns++)
    gtk_file_filter_add_pattern(filter, *patterns);
  gtk_file_chooser_add_filter(chooser, filter);
}

void ol_file_ask(GtkWindow *window, const OlFileQuestion *question, OlFileChosen chosen,
                 gpointer owner)
{
  static const char *const all[] = {"*", NULL};
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
      question->title, window,
      question->name ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_OPEN,
      question->name ? _("_Save") : _("_Open"), _("_Cancel"));
  Asked *asked = g_new0(Asked, 1);

  asked->chosen = chosen;
  g_set_weak_pointer(&asked->owner, owner);
  if (question->name)
    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), question->name);
  add_filter(GTK_FILE_CHOOSER(dialog), question->kind, question->patterns);
  add_filter(GTK_FILE_CHOOSER(dialog), _("All files"), all);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
  g_signal_connect(dialog, "response", G_CALLBACK(on_response), asked);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}
