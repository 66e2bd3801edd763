#include "app/window/text-saver.h"

#include "app/window/ask.h"
#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/base/whole-file.h"
#include "lessons/learners.h"
#include <string.h>

struct _OlTextSaver {
  GObject parent_instance;
  GtkWindow *parent;
  GtkFileChooserNative *chooser; /* while it is open */
  GFile *folder;                 /* where the last file was, or NULL */
  char *title, *name, *suffix, *text;
};

G_DEFINE_FINAL_TYPE(OlTextSaver, ol_text_saver, G_TYPE_OBJECT)

enum { SAVED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void ask_where(OlTextSaver *self);

static void on_again(gpointer owner)
{
  ask_where(owner);
}

static void explain(OlTextSaver *self, const char *heading, const char *body)
{
  ol_ask(self->parent, heading, body, _("Close"), _("Another place…"), ADW_RESPONSE_SUGGESTED,
         on_again, self);
}

static gboolean write_to(const char *path, const char *text, GError **error)
{
  OlWholeFile *file;

  if (ol_learner_owns_path(path)) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("%s: the lab keeps progress of a learner there, which stays as it is"), path);
    return FALSE;
  }
  file = ol_whole_file_open(path, error);
  if (!file)
    return FALSE;
  if (ol_whole_file_write(file, text, strlen(text), error))
    return ol_whole_file_keep(file, error);
  ol_whole_file_drop(file);
  return FALSE;
}

static void save_to(OlTextSaver *self, const char *path)
{
  g_autofree char *name = g_filename_display_basename(path);
  g_autofree char *folder = g_path_get_dirname(path), *shown = g_filename_display_name(folder);
  g_autoptr(GError) error = NULL;
  g_autofree char *heading = NULL, *body = NULL;

  if (write_to(path, self->text, &error)) {
    g_signal_emit(self, signals[SAVED], 0, name, shown);
    return;
  }
  heading = g_strdup_printf(_("“%s” was not saved"), name);
  body = g_strdup_printf(_("%s.\n\nNothing was lost: an older file of that name is as it was. Make "
                           "room there, or choose another place."),
                         error->message);
  explain(self, heading, body);
}

/* A name that only got its suffix from us: the chooser has not asked about that one. */

static void on_replace_answered(OlTextSaver *self, const char *response, GtkWidget *dialog)
{
  if (g_str_equal(response, "replace"))
    save_to(self, g_object_get_data(G_OBJECT(dialog), "path"));
  else
    ask_where(self);
}

static void ask_to_replace(OlTextSaver *self, const char *path)
{
  g_autofree char *name = g_filename_display_basename(path);
  g_autofree char *heading = g_strdup_printf(_("“%s” is there already"), name);
  GtkWidget *dialog = adw_message_dialog_new(
      self->parent, heading, _("Replacing it puts the new file in the place of the old."));

  adw_message_dialog_add_responses(ADW_MESSAGE_DIALOG(dialog), "again", _("Another name…"),
                                   "replace", _("Replace"), NULL);
  adw_message_dialog_set_response_appearance(ADW_MESSAGE_DIALOG(dialog), "replace",
                                             ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_close_response(ADW_MESSAGE_DIALOG(dialog), "again");
  g_object_set_data_full(G_OBJECT(dialog), "path", g_strdup(path), g_free);
  g_signal_connect_object(dialog, "response", G_CALLBACK(on_replace_answered), self,
                          G_CONNECT_SWAPPED);
  gtk_window_present(GTK_WINDOW(dialog));
}

static void on_place_chosen(OlTextSaver *self, int response)
{
  g_autoptr(GtkFileChooserNative) chooser = g_steal_pointer(&self->chooser);
  g_autoptr(GFile) file =
      response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(chooser)) : NULL;
  g_autofree char *path = file ? g_file_get_path(file) : NULL;
  g_autofree char *uri = file ? g_file_get_uri(file) : NULL;
  g_autofree char *end = g_strconcat(".", self->suffix, NULL), *whole = NULL;

  if (!path) {
    if (file)
      explain(self, _("Files can only be saved on this computer"), uri);
    return;
  }
  g_clear_object(&self->folder);
  self->folder = g_file_get_parent(file);
  whole = g_str_has_suffix(path, end) ? g_strdup(path) : g_strconcat(path, end, NULL);
  if (!g_str_equal(whole, path) && g_file_test(whole, G_FILE_TEST_EXISTS))
    ask_to_replace(self, whole);
  else
    save_to(self, whole);
}

static void ask_where(OlTextSaver *self)
{
  g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();
  g_autofree char *pattern = g_strconcat("*.", self->suffix, NULL);

  if (self->chooser)
    return;
  self->chooser = gtk_file_chooser_native_new(
      self->title, self->parent, GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));
  gtk_file_filter_set_name(filter, pattern);
  gtk_file_filter_add_pattern(filter, pattern);
  gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(self->chooser), filter);
  gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(self->chooser), self->name);
  if (self->folder)
    gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(self->chooser), self->folder, NULL);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(self->chooser), TRUE);
  g_signal_connect_object(self->chooser, "response", G_CALLBACK(on_place_chosen), self,
                          G_CONNECT_SWAPPED);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(self->chooser));
}

static void replace_text(char **text, const char *by)
{
  g_free(*text);
  *text = g_strdup(by);
}

void ol_text_saver_ask(OlTextSaver *self, const char *title, const char *name, const char *suffix,
                       const char *text)
{
  replace_text(&self->title, title);
  replace_text(&self->name, name);
  replace_text(&self->suffix, suffix);
  replace_text(&self->text, text);
  ask_where(self);
}

static void finalize(GObject *object)
{
  OlTextSaver *self = OL_TEXT_SAVER(object);

  g_clear_object(&self->chooser);
  g_clear_object(&self->folder);
  g_free(self->title);
  g_free(self->name);
  g_free(self->suffix);
  g_free(self->text);
  G_OBJECT_CLASS(ol_text_saver_parent_class)->finalize(object);
}

static void ol_text_saver_class_init(OlTextSaverClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[SAVED] = g_signal_new("saved", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void ol_text_saver_init(OlTextSaver *self)
{
}

OlTextSaver *ol_text_saver_new(GtkWindow *parent)
{
  OlTextSaver *self = g_object_new(OL_TYPE_TEXT_SAVER, NULL);

  self->parent = parent;
  return self;
}
