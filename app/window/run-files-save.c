/* Saving: where to, what of, and what became of it. */
#include "app/window/run-files-private.h"

#include "app/window/chart-look.h"
#include "engine/base/error.h"
#include "engine/base/intl.h"
#include <string.h>

/* The job and where its file goes: what a word about it needs. */
typedef struct {
  OlSaving *saving;
  char *path, *name;
} Order;

static void free_order(gpointer data)
{
  Order *order = data;

  ol_saving_free(order->saving);
  g_free(order->path);
  g_free(order->name);
  g_free(order);
}

static gboolean write_order(gpointer data, const OlWatch *watch, GError **error)
{
  return ol_saving_write(((Order *)data)->saving, watch, error);
}

static void ask_where(OlRunFiles *self);

static void on_failure_answered(OlRunFiles *self, const char *response)
{
  if (g_str_equal(response, "again"))
    ask_where(self);
}

/* A full disk or a folder that may not be written: the learner can name another place. */
static void explain_failure(OlRunFiles *self, const char *name, const char *message)
{
  g_autofree char *heading = g_strdup_printf(_("“%s” was not saved"), name);
  g_autofree char *body = g_strdup_printf(
      _("%s.\n\nNothing was lost: an older file of that name is as it was, and the run is still on "
        "the bench. Make room there, or choose another place."),
      message);
  GtkWidget *dialog = adw_message_dialog_new(GTK_WINDOW(self->window), heading, body);

  adw_message_dialog_add_responses(ADW_MESSAGE_DIALOG(dialog), "close", _("Close"), "again",
                                   _("Another place…"), NULL);
  adw_message_dialog_set_response_appearance(ADW_MESSAGE_DIALOG(dialog), "again",
                                             ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response(ADW_MESSAGE_DIALOG(dialog), "again");
  adw_message_dialog_set_close_response(ADW_MESSAGE_DIALOG(dialog), "close");
  g_signal_connect_object(dialog, "response", G_CALLBACK(on_failure_answered), self,
                          G_CONNECT_SWAPPED);
  gtk_window_present(GTK_WINDOW(dialog));
}

static void on_saved(OlRunFiles *self, const GError *error, OlJob *job)
{
  Order *order = ol_job_get_data(job);
  g_autofree char *folder = g_path_get_dirname(order->path);
  g_autofree char *shown = g_filename_display_name(folder);

  if (g_error_matches(error, OL_ERROR, OL_ERROR_STOPPED))
    ol_run_files_tell(self, _("Stopped: %s was not saved"), order->name);
  else if (error)
    explain_failure(self, order->name, error->message);
  else
    ol_run_files_tell(self, _("Saved: %s, in %s"), order->name, shown);
}

static void save_to(OlRunFiles *self, const char *path)
{
  const OlChartView *view = ol_lab_session_get_view(self->session);
  OlChartStyle *style = ol_chart_look_dup_style(GTK_WIDGET(self->bench));
  Order *order = g_new0(Order, 1);
  g_autofree char *words = NULL;
  g_autoptr(OlJob) job = NULL;
  g_autoptr(GError) error = NULL;

  order->path = g_strdup(path);
  order->name = g_filename_display_basename(path);
  words = g_strdup_printf(_("Saving %s"), order->name);
  job = ol_job_new(words, write_order, order, free_order);
  if (view->trace)
    order->saving = ol_saving_new(self->save, self->table, path, view, style,
                                  ol_bench_get_charts_width(self->bench), &error);
  ol_chart_style_free(style);
  if (order->saving)
    ol_run_files_start(self, job, G_CALLBACK(on_saved));
  else
    ol_run_files_explain(self, _("Nothing was saved"),
                         error ? error->message : _("The run has left the bench meanwhile."));
}

/* A name that only got its suffix from us: the chooser has not asked about that one. */

static void on_replace_answered(OlRunFiles *self, const char *response, GtkWidget *dialog)
{
  if (g_str_equal(response, "replace"))
    save_to(self, g_object_get_data(G_OBJECT(dialog), "path"));
  else
    ask_where(self);
}

static void ask_to_replace(OlRunFiles *self, const char *path)
{
  g_autofree char *name = g_filename_display_basename(path);
  g_autofree char *heading = g_strdup_printf(_("“%s” is there already"), name);
  GtkWidget *dialog =
      adw_message_dialog_new(GTK_WINDOW(self->window), heading,
                             _("Replacing it puts the new file in the place of the old."));

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

/* The suffix whose filter is chosen, else the usual one. */
static const OlSaveSuffix *chosen_suffix(OlRunFiles *self)
{
  GtkFileFilter *filter = gtk_file_chooser_get_filter(GTK_FILE_CHOOSER(self->chooser));
  guint n;
  const OlSaveSuffix *suffixes = ol_save_suffixes(self->save, &n);

  for (guint i = 0; filter && i < n; i++)
    if (g_strcmp0(gtk_file_filter_get_name(filter), suffixes[i].words) == 0)
      return &suffixes[i];
  return suffixes;
}

/* The proposed name, left as it was, follows the kind that was chosen. Takes `path`, or NULL. */
static char *follow_kind(OlRunFiles *self, char *path)
{
  g_autofree char *base = path ? g_path_get_basename(path) : NULL;

  if (base && g_str_equal(base, self->proposal))
    *strrchr(path, '.') = '\0';
  return path;
}

static void on_place_chosen(OlRunFiles *self, int response)
{
  const OlSaveSuffix *suffix = chosen_suffix(self);
  g_autoptr(GFile) file = ol_run_files_take_chosen(self, response);
  g_autofree char *named = file ? g_file_get_path(file) : NULL;
  g_autofree char *path = follow_kind(self, g_strdup(named));
  g_autofree char *uri = file ? g_file_get_uri(file) : NULL;
  g_autofree char *whole = path ? ol_save_dup_name(self->save, path, suffix) : NULL;

  if (file && !path)
    ol_run_files_explain(self, _("Files can only be saved on this computer"), uri);
  else if (whole && !g_str_equal(whole, named) && g_file_test(whole, G_FILE_TEST_EXISTS))
    ask_to_replace(self, whole);
  else if (whole)
    save_to(self, whole);
}

/* "Why offload at all - Adam on the host", as a file may be called. Caller frees. */
static char *dup_bench_name(OlRunFiles *self)
{
  const OlReplay *replay = ol_lab_session_get_replay(self->session);
  OlLessonWork *work = ol_lab_session_get_work(self->session);
  int run = ol_lab_session_get_run(self->session);
  const char *title = ol_lesson_work_get_lesson(work)->title;
  char *name, *dot;

  if (ol_lab_session_is_on_replay(self->session)) {
    name = g_strdup(ol_replay_get_name(replay));
    dot = strrchr(name, '.');
    if (dot && dot > name)
      *dot = '\0';
  } else {
    name =
        run < 0
            ? g_strdup(title)
            : g_strdup_printf("%s - %s", title,
                              ol_lesson_runs_get(ol_lesson_work_get_runs(work), (guint)run)->title);
  }
  return g_strdelimit(name, "/\\:*?\"<>|\n", '-');
}

static char *dup_proposal(OlRunFiles *self)
{
  guint n;
  const OlSaveSuffix *suffixes = ol_save_suffixes(self->save, &n);
  g_autofree char *bench = dup_bench_name(self);

  if (self->save == OL_SAVE_TABLE)
    return g_strdup_printf("%s - %s.%s", bench, ol_table_nick(self->table), suffixes->suffix);
  return g_strdup_printf("%s.%s", bench, suffixes->suffix);
}

static void add_filters(OlRunFiles *self, GtkFileChooser *chooser)
{
  guint n;
  const OlSaveSuffix *suffixes = ol_save_suffixes(self->save, &n);

  for (guint i = 0; i < n; i++) {
    g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();
    g_autofree char *pattern = g_strconcat("*.", suffixes[i].suffix, NULL);
    gtk_file_filter_set_name(filter, suffixes[i].words);
    gtk_file_filter_add_pattern(filter, pattern);
    gtk_file_chooser_add_filter(chooser, filter);
  }
}

static void ask_where(OlRunFiles *self)
{
  g_autofree char *title =
      self->save == OL_SAVE_TABLE
          ? g_strdup_printf(_("Save the table “%s”"), ol_table_title(self->table))
          : g_strdup(ol_save_title(self->save));
  g_autoptr(GtkFileChooserNative) chooser = gtk_file_chooser_native_new(
      title, GTK_WINDOW(self->window), GTK_FILE_CHOOSER_ACTION_SAVE, "_Save", "_Cancel");

  g_free(self->proposal);
  self->proposal = dup_proposal(self);
  add_filters(self, GTK_FILE_CHOOSER(chooser));
  gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(chooser), self->proposal);
  ol_run_files_show_chooser(self, chooser, G_CALLBACK(on_place_chosen));
}

static void begin(OlRunFiles *self, OlSave save)
{
  self->save = save;
  ask_where(self);
}

void ol_run_files_on_save_picture(GSimpleAction *action, GVariant *parameter, gpointer files)
{
  begin(files, OL_SAVE_PICTURE);
}

void ol_run_files_on_save_table(GSimpleAction *action, GVariant *table, gpointer files)
{
  OlRunFiles *self = files;

  if (ol_table_from_nick(g_variant_get_string(table, NULL), &self->table))
    begin(self, OL_SAVE_TABLE);
}

void ol_run_files_on_save_run(GSimpleAction *action, GVariant *parameter, gpointer files)
{
  begin(files, OL_SAVE_RUN);
}

void ol_run_files_on_save_trace(GSimpleAction *action, GVariant *parameter, gpointer files)
{
  begin(files, OL_SAVE_TRACE);
}
