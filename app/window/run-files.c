#include "app/window/run-files.h"

#include "app/window/chart-look.h"
#include "app/window/run-files-private.h"
#include "engine/base/error.h"
#include "engine/base/intl.h"

G_DEFINE_FINAL_TYPE(OlRunFiles, ol_run_files, G_TYPE_OBJECT)

enum { OPENED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void dispose(GObject *object)
{
  OlRunFiles *self = OL_RUN_FILES(object);

  g_clear_object(&self->chooser);
  g_clear_object(&self->folder);
  g_clear_object(&self->session);
  g_clear_pointer(&self->proposal, g_free);
  G_OBJECT_CLASS(ol_run_files_parent_class)->dispose(object);
}

static void ol_run_files_class_init(OlRunFilesClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  signals[OPENED] =
      g_signal_new("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void ol_run_files_init(OlRunFiles *self)
{
}

void ol_run_files_tell(OlRunFiles *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start(arguments, format);
  text = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  g_signal_emit_by_name(self->session, "told", text);
}

void ol_run_files_explain(OlRunFiles *self, const char *heading, const char *body)
{
  GtkWidget *dialog = adw_message_dialog_new(GTK_WINDOW(self->window), heading, body);

  adw_message_dialog_add_response(ADW_MESSAGE_DIALOG(dialog), "close", _("Close"));
  adw_message_dialog_set_default_response(ADW_MESSAGE_DIALOG(dialog), "close");
  gtk_window_present(GTK_WINDOW(dialog));
}

gboolean ol_run_files_start(OlRunFiles *self, OlJob *job, GCallback done)
{
  if (ol_job_bar_get_words(self->bar)) {
    ol_run_files_tell(self, _("One thing at a time: %s. Wait for it, or stop it below the charts."),
                      ol_job_bar_get_words(self->bar));
    return FALSE;
  }
  g_signal_connect_object(job, "done", done, self, G_CONNECT_SWAPPED);
  return ol_job_bar_start(self->bar, job);
}

void ol_run_files_show_chooser(OlRunFiles *self, GtkFileChooserNative *chooser, GCallback chosen)
{
  g_set_object(&self->chooser, chooser);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(chooser), TRUE);
  if (self->folder)
    gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(chooser), self->folder, NULL);
  g_signal_connect_object(chooser, "response", chosen, self, G_CONNECT_SWAPPED);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(chooser));
}

GFile *ol_run_files_take_chosen(OlRunFiles *self, int response)
{
  GFile *file = response == GTK_RESPONSE_ACCEPT
                    ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(self->chooser))
                    : NULL;
  g_autoptr(GFile) folder = file ? g_file_get_parent(file) : NULL;

  if (folder)
    g_set_object(&self->folder, folder);
  g_clear_object(&self->chooser);
  return file;
}

/* Opening */

/* The error, or NULL, of the job that opened the file. */
static void on_loaded(OlRunFiles *self, const GError *error, OlJob *job)
{
  OlReplay **replay = ol_job_get_data(job);
  g_autofree char *heading =
      g_strdup_printf(_("“%s” could not be opened"), ol_replay_get_name(*replay));

  if (g_error_matches(error, OL_ERROR, OL_ERROR_STOPPED)) {
    ol_run_files_tell(self, _("Not opened: %s"), ol_replay_get_name(*replay));
  } else if (error) {
    g_autofree char *body = g_strdup_printf(
        _("%s.\n\nThe lab opens runs that it has saved itself (events, one JSON object a line), "
          "configs (one JSON object), copies of progress, and quizzes (.gift, .aiken, .txt)."),
        error->message);
    ol_run_files_explain(self, heading, body);
  } else {
    ol_lab_session_open_replay(self->session, g_steal_pointer(replay));
    g_signal_emit(self, signals[OPENED], 0);
  }
}

static gboolean load(gpointer data, const OlWatch *watch, GError **error)
{
  return ol_replay_load(*(OlReplay **)data, watch, error);
}

static void free_box(gpointer data)
{
  ol_replay_free(*(OlReplay **)data);
  g_free(data);
}

void ol_run_files_open(OlRunFiles *self, GFile *file)
{
  g_autofree char *path = g_file_get_path(file), *uri = g_file_get_uri(file), *words = NULL;
  OlReplay **box;
  g_autoptr(OlJob) job = NULL;

  if (!path) {
    ol_run_files_explain(self, _("Only files of this computer can be opened"), uri);
    return;
  }
  box = g_new(OlReplay *, 1);
  *box = ol_replay_new(path);
  words = g_strdup_printf(_("Opening %s"), ol_replay_get_name(*box));
  job = ol_job_new(words, load, box, free_box);
  ol_run_files_start(self, job, G_CALLBACK(on_loaded));
}

static void on_open_chosen(OlRunFiles *self, int response)
{
  g_autoptr(GFile) file = ol_run_files_take_chosen(self, response);

  if (file)
    ol_run_files_open(self, file);
}

static void on_open(GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OlRunFiles *self = data;
  g_autoptr(GtkFileChooserNative) chooser =
      gtk_file_chooser_native_new(_("Open a saved run"), GTK_WINDOW(self->window),
                                  GTK_FILE_CHOOSER_ACTION_OPEN, "_Open", "_Cancel");
  g_autoptr(GtkFileFilter) runs = gtk_file_filter_new(), all = gtk_file_filter_new();

  gtk_file_filter_set_name(runs, _("Events of a run (JSON lines)"));
  gtk_file_filter_add_pattern(runs, "*.jsonl");
  gtk_file_filter_set_name(all, _("All files"));
  gtk_file_filter_add_pattern(all, "*");
  gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(chooser), runs);
  gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(chooser), all);
  ol_run_files_show_chooser(self, chooser, G_CALLBACK(on_open_chosen));
}

static void on_close(GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ol_lab_session_close_replay(OL_RUN_FILES(data)->session);
}

/* Actions */

static void set_enabled(OlRunFiles *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->window), name);

  g_simple_action_set_enabled(G_SIMPLE_ACTION(action), enabled);
}

/* There is something to save once a run has begun. */
static void refresh(OlRunFiles *self)
{
  static const char *const saves[] = {"save-picture", "save-table", "save-run", "save-trace"};
  gboolean has_trace = ol_lab_session_get_view(self->session)->trace != NULL;

  for (guint i = 0; i < G_N_ELEMENTS(saves); i++)
    set_enabled(self, saves[i], has_trace);
  set_enabled(self, "close-run", ol_lab_session_get_replay(self->session) != NULL);
}

OlRunFiles *ol_run_files_new(AdwApplicationWindow *window, OlLabSession *session, OlBench *bench,
                             OlJobBar *bar)
{
  static const GActionEntry entries[] = {
      {.name = "open-run", .activate = on_open},
      {.name = "close-run", .activate = on_close},
      {.name = "save-picture", .activate = ol_run_files_on_save_picture},
      {.name = "save-table", .activate = ol_run_files_on_save_table, .parameter_type = "s"},
      {.name = "save-run", .activate = ol_run_files_on_save_run},
      {.name = "save-trace", .activate = ol_run_files_on_save_trace},
  };
  OlRunFiles *self = g_object_new(OL_TYPE_RUN_FILES, NULL);

  self->window = window;
  self->session = g_object_ref(session);
  self->bench = bench;
  self->bar = bar;
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect_object(session, "run-shown", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "updated", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  refresh(self);
  return self;
}
