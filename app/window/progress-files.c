#include "app/window/progress-files.h"

#include "app/window/ask.h"
#include "app/window/file-ask.h"
#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "lessons/results.h"

struct _OlProgressFiles {
  GObject parent_instance;
  GtkWindow *window;
  OlProgress *progress;
  GPtrArray *courses;
  OlTextSaver *saver;
  char *offered; /* the file that is asked about */
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

/* Saving */

static void on_saved(OlProgressFiles *self, const char *name, const char *folder)
{
  tell(self, _("Saved: %s, in %s"), name, folder);
}

/* The learner's name as a part of a file's. Caller frees. */
static char *dup_safe_name(const OlProgress *progress)
{
  return g_strdelimit(g_strdup(ol_progress_get_learner(progress)), "/\\:*?\"<>|", '-');
}

void ol_progress_files_ask_copy(OlTextSaver *saver, const OlProgress *progress)
{
  g_autofree char *learner = dup_safe_name(progress);
  g_autofree char *name = g_strdup_printf(_("progress of %s.json"), learner);
  g_autofree char *title =
      g_strdup_printf(_("Save a copy of the progress of %s"), ol_progress_get_learner(progress));
  g_autofree char *text = ol_progress_dup_json(progress);

  ol_text_saver_ask(saver, title, name, "json", text);
}

void ol_progress_files_export(OlProgressFiles *self)
{
  ol_progress_files_ask_copy(self->saver, self->progress);
}

void ol_progress_files_save_results(OlProgressFiles *self)
{
  g_autofree char *learner = dup_safe_name(self->progress);
  g_autofree char *name = g_strdup_printf(_("results of %s.csv"), learner);
  g_autofree char *text = ol_results_dup_csv(self->courses, self->progress);

  ol_text_saver_ask(self->saver, _("Save the results as a table"), name, "csv", text);
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

static void on_import_chosen(const char *path, gpointer owner)
{
  ol_progress_files_offer(owner, path);
}

void ol_progress_files_import(OlProgressFiles *self)
{
  static const char *const patterns[] = {"*.json", NULL};
  OlFileQuestion question = {_("Add progress from a file"), NULL, _("Progress (JSON)"), patterns};

  ol_file_ask(self->window, &question, on_import_chosen, self);
}

static void dispose(GObject *object)
{
  OlProgressFiles *self = OL_PROGRESS_FILES(object);

  g_clear_object(&self->saver);
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
  self->saver = ol_text_saver_new(window);
  g_signal_connect_object(self->saver, "saved", G_CALLBACK(on_saved), self, G_CONNECT_SWAPPED);
  self->progress = progress;
  self->courses = courses;
  return self;
}
