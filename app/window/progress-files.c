#include "app/window/progress-files.h"

#include "app/window/ask.h"
#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/base/whole-file.h"
#include "lessons/learners.h"
#include "lessons/results.h"

#include <string.h>

struct _OlProgressFiles {
  GObject parent_instance;
  GtkWindow *window;
  OlProgress *progress;
  GPtrArray *courses;
  GtkFileChooserNative *chooser;        /* while it is open */
  void (*again)(OlProgressFiles *self); /* what failed, to be tried in another place */
  char *offered;                        /* the file that is asked about */
};

G_DEFINE_FINAL_TYPE(OlProgressFiles, ol_progress_files, G_TYPE_OBJECT)

enum { TOLD, IMPORTED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_GNUC_PRINTF(2, 3) static void tell(OlProgressFiles *self, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *text = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  g_signal_emit(self, signals[TOLD], 0, text);
}

/* Where */

static void add_filter(GtkFileChooser *chooser, const char *name, const char *pattern)
{
  g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();

  gtk_file_filter_set_name(filter, name);
  gtk_file_filter_add_pattern(filter, pattern);
  gtk_file_chooser_add_filter(chooser, filter);
}

/* `name`: what to propose; NULL: a file to open. */
static void choose(OlProgressFiles *self, const char *title, const char *name, const char *kind,
                   const char *pattern, GCallback chosen)
{
  g_autoptr(GtkFileChooserNative) chooser = gtk_file_chooser_native_new(
      title, self->window, name ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_OPEN,
      name ? _("_Save") : _("_Open"), _("_Cancel"));

  g_set_object(&self->chooser, chooser);
  if (name)
    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(chooser), name);
  add_filter(GTK_FILE_CHOOSER(chooser), kind, pattern);
  add_filter(GTK_FILE_CHOOSER(chooser), _("All files"), "*");
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(chooser), TRUE);
  g_signal_connect_object(chooser, "response", chosen, self, G_CONNECT_SWAPPED);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(chooser));
}

/* NULL when the learner thought better of it, or was told that it cannot be. Caller frees. */
static char *take_path(OlProgressFiles *self, int response)
{
  g_autoptr(GFile) file = response == GTK_RESPONSE_ACCEPT
                              ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(self->chooser))
                              : NULL;
  char *path = file ? g_file_get_path(file) : NULL;
  g_autofree char *uri = file ? g_file_get_uri(file) : NULL;

  g_clear_object(&self->chooser);
  if (file && !path)
    ol_ask_nothing(self->window, _("Only files of this computer can be used"), uri);
  return path;
}

/* The learner's name as a part of a file's. Caller frees. */
static char *dup_safe_name(OlProgressFiles *self)
{
  return g_strdelimit(g_strdup(ol_progress_get_learner(self->progress)), "/\\:*?\"<>|", '-');
}

/* Saving */

static void on_another_place(gpointer data)
{
  OlProgressFiles *self = data;

  self->again(self);
}

static void explain_failure(OlProgressFiles *self, const char *path, const char *why)
{
  g_autofree char *name = g_filename_display_basename(path);
  g_autofree char *heading = g_strdup_printf(_("“%s” was not saved"), name);
  g_autofree char *body =
      g_strdup_printf(_("%s.\n\nNothing was lost: an older file of that name is as it was. Make "
                        "room there, or choose another place."),
                      why);

  ol_ask(self->window, heading, body, _("Close"), _("Another place…"), ADW_RESPONSE_SUGGESTED,
         on_another_place, self);
}

static gboolean write_whole(const char *path, const char *text, GError **error)
{
  OlWholeFile *file = NULL;

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

static void save(OlProgressFiles *self, const char *path, const char *text)
{
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *shown = g_filename_display_name(folder);
  g_autofree char *name = g_filename_display_basename(path);
  g_autoptr(GError) error = NULL;

  if (write_whole(path, text, &error))
    tell(self, _("Saved: %s, in %s"), name, shown);
  else
    explain_failure(self, path, error->message);
}

static void on_export_chosen(OlProgressFiles *self, int response)
{
  g_autofree char *path = take_path(self, response);
  g_autofree char *text = path ? ol_progress_dup_json(self->progress) : NULL;

  if (text)
    save(self, path, text);
}

void ol_progress_files_export(OlProgressFiles *self)
{
  g_autofree char *learner = dup_safe_name(self);
  g_autofree char *name = g_strdup_printf(_("progress of %s.json"), learner);

  self->again = ol_progress_files_export;
  choose(self, _("Save a copy of the progress"), name, _("Progress (JSON)"), "*.json",
         G_CALLBACK(on_export_chosen));
}

static void on_results_chosen(OlProgressFiles *self, int response)
{
  g_autofree char *path = take_path(self, response);
  g_autofree char *text = path ? ol_results_dup_csv(self->courses, self->progress) : NULL;

  if (text)
    save(self, path, text);
}

void ol_progress_files_save_results(OlProgressFiles *self)
{
  g_autofree char *learner = dup_safe_name(self);
  g_autofree char *name = g_strdup_printf(_("results of %s.csv"), learner);

  self->again = ol_progress_files_save_results;
  choose(self, _("Save the results as a table"), name, _("Table (CSV)"), "*.csv",
         G_CALLBACK(on_results_chosen));
}

/* Adding what a file has */

static char *dup_taken(const OlProgressTaken *taken)
{
  guint n = taken->predictions + taken->runs + taken->answers + taken->reviews;
  g_autofree char *entries = g_strdup_printf(ol_ngettext("%u entry", "%u entries", n), n);

  return g_strdup_printf(
      ol_ngettext("Added: %2$s in %1$u lesson", "Added: %2$s in %1$u lessons", taken->lessons),
      taken->lessons, entries);
}

/* Not saved, all the same, is told by who watches the progress. */
static void on_add(gpointer data)
{
  OlProgressFiles *self = data;
  OlProgressTaken taken;
  g_autoptr(GError) error = NULL;
  g_autofree char *path = g_steal_pointer(&self->offered);

  if (!path)
    return;
  if (!ol_progress_import(self->progress, path, &taken, &error) &&
      !g_error_matches(error, OL_ERROR, OL_ERROR_STORAGE)) {
    ol_ask_nothing(self->window, _("Nothing was added"), error->message);
    return;
  }
  g_autofree char *words = taken.lessons > 0
                               ? dup_taken(&taken)
                               : g_strdup_printf(_("%s has all of that already"),
                                                 ol_progress_get_learner(self->progress));
  tell(self, "%s", words);
  g_signal_emit(self, signals[IMPORTED], 0);
}

static char *dup_offer(OlProgressFiles *self, const char *path, const char *from, guint n_lessons)
{
  const char *to = ol_progress_get_learner(self->progress);
  g_autofree char *name = g_filename_display_basename(path);
  g_autofree char *what =
      from ? g_strdup_printf(ol_ngettext("“%2$s” has progress of %3$s in %1$u lesson.",
                                         "“%2$s” has progress of %3$s in %1$u lessons.", n_lessons),
                             n_lessons, name, from)
           : g_strdup_printf(ol_ngettext("“%2$s” has progress in %1$u lesson.",
                                         "“%2$s” has progress in %1$u lessons.", n_lessons),
                             n_lessons, name);
  gboolean other = from && g_strcmp0(from, to) != 0;
  g_autofree char *how = g_strdup_printf(
      other ? _("It is added to that of %s, who is somebody else by name: nothing of either is "
                "lost, and they cannot be told apart afterwards.")
            : _("It is added to that of %s: nothing is lost, and what is there already is not "
                "added twice."),
      to);

  return g_strdup_printf("%s\n\n%s", what, how);
}

void ol_progress_files_offer(OlProgressFiles *self, const char *path)
{
  guint n_lessons;
  g_autofree char *from = NULL;
  g_autoptr(GError) error = NULL;

  if (!ol_progress_file_describe(path, &from, &n_lessons, &error)) {
    g_autofree char *body = g_strdup_printf(
        _("%s.\n\nNothing was changed. The lab adds files that it has saved itself as a copy of "
          "progress."),
        error->message);
    ol_ask_nothing(self->window, _("This progress cannot be added"), body);
    return;
  }
  g_autofree char *body = dup_offer(self, path, from, n_lessons);
  g_free(self->offered);
  self->offered = g_strdup(path);
  ol_ask(self->window, _("Add this progress?"), body, _("Cancel"), _("Add"), ADW_RESPONSE_SUGGESTED,
         on_add, self);
}

static void on_import_chosen(OlProgressFiles *self, int response)
{
  g_autofree char *path = take_path(self, response);

  if (path)
    ol_progress_files_offer(self, path);
}

void ol_progress_files_import(OlProgressFiles *self)
{
  choose(self, _("Add progress from a file"), NULL, _("Progress (JSON)"), "*.json",
         G_CALLBACK(on_import_chosen));
}

static void dispose(GObject *object)
{
  OlProgressFiles *self = OL_PROGRESS_FILES(object);

  g_clear_object(&self->chooser);
  g_clear_pointer(&self->offered, g_free);
  G_OBJECT_CLASS(ol_progress_files_parent_class)->dispose(object);
}

static void ol_progress_files_class_init(OlProgressFilesClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  signals[TOLD] = g_signal_new("told", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                               G_TYPE_STRING);
  signals[IMPORTED] =
      g_signal_new("imported", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void ol_progress_files_init(OlProgressFiles *self)
{
}

OlProgressFiles *ol_progress_files_new(GtkWindow *window, OlProgress *progress, GPtrArray *courses)
{
  OlProgressFiles *self = g_object_new(OL_TYPE_PROGRESS_FILES, NULL);

  self->window = window;
  self->progress = progress;
  self->courses = courses;
  return self;
}
