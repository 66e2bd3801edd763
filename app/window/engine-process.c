#include "app/window/engine-process.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include <string.h>

/* Bytes. */
#define CHUNK          (256 * 1024)
#define MOST_PENDING   (8 * 1024 * 1024) /* kept for the next frame, when frames do not come */
#define MOST_COMPLAINT (64 * 1024)       /* of standard error, that are worth keeping */

#define PATIENCE_S 4 /* between the stop command and force */

struct _OlEngineProcess {
  GObject parent_instance;
  GSubprocess *child;
  OlEventsReader *reader;
  GByteArray *pending;
  GString *complaints;
  GError *read_error;
  guint open_ends; /* standard output, standard error and the child itself */
  guint force_source;
  gboolean forced;
};

G_DEFINE_FINAL_TYPE(OlEngineProcess, ol_engine_process, G_TYPE_OBJECT)

enum { ENDED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void ol_engine_process_init(OlEngineProcess *self)
{
  self->reader = ol_events_reader_new(FALSE);
  self->pending = g_byte_array_new();
  self->complaints = g_string_new(NULL);
}

static void finalize(GObject *object)
{
  OlEngineProcess *self = OL_ENGINE_PROCESS(object);

  g_clear_handle_id(&self->force_source, g_source_remove);
  g_clear_object(&self->child);
  ol_events_reader_free(self->reader);
  g_byte_array_unref(self->pending);
  g_string_free(self->complaints, TRUE);
  g_clear_error(&self->read_error);
  G_OBJECT_CLASS(ol_engine_process_parent_class)->finalize(object);
}

static void ol_engine_process_class_init(OlEngineProcessClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[ENDED] = g_signal_new("ended", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
}

OlEngineProcess *ol_engine_process_new(void)
{
  return g_object_new(OL_TYPE_ENGINE_PROCESS, NULL);
}

char *ol_engine_process_dup_program(void)
{
  const char *set = g_getenv("OFFLOAD_LAB_CLI");
  g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
  g_autofree char *folder = self ? g_path_get_dirname(self) : NULL;
  g_autofree char *built = NULL;

  if (set && *set)
    return g_strdup(set);
  if (!folder)
    return g_strdup("offload-lab-cli");
  built = g_build_filename(folder, "..", "cli", "offload-lab-cli", NULL);
  if (g_file_test(built, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer(&built);
  return g_build_filename(folder, "offload-lab-cli", NULL);
}

gboolean ol_engine_process_drain(OlEngineProcess *self)
{
  if (self->pending->len == 0)
    return FALSE;
  /* After a line that cannot be understood the rest is let go: the trace stays as it was. */
  if (!self->read_error)
    ol_events_reader_feed(self->reader, (const char *)self->pending->data, self->pending->len,
                          &self->read_error);
  g_byte_array_set_size(self->pending, 0);
  return TRUE;
}

static void close_end(OlEngineProcess *self)
{
  if (--self->open_ends > 0)
    return;
  g_clear_handle_id(&self->force_source, g_source_remove);
  ol_engine_process_drain(self);
  if (!self->read_error)
    ol_events_reader_finish(self->reader, &self->read_error);
  g_signal_emit(self, signals[ENDED], 0);
}

static void on_output(GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr(OlEngineProcess) self = data;
  g_autoptr(GBytes) bytes = g_input_stream_read_bytes_finish(G_INPUT_STREAM(source), result, NULL);

  if (!bytes || g_bytes_get_size(bytes) == 0) {
    close_end(self);
    return;
  }
  g_byte_array_append(self->pending, g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
  if (self->pending->len > MOST_PENDING)
    ol_engine_process_drain(self);
  g_input_stream_read_bytes_async(G_INPUT_STREAM(source), CHUNK, G_PRIORITY_DEFAULT, NULL,
                                  on_output, g_object_ref(self));
}

static void on_complaint(GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr(OlEngineProcess) self = data;
  g_autoptr(GBytes) bytes = g_input_stream_read_bytes_finish(G_INPUT_STREAM(source), result, NULL);

  if (!bytes || g_bytes_get_size(bytes) == 0) {
    close_end(self);
    return;
  }
  if (self->complaints->len < MOST_COMPLAINT) {
    g_autofree char *text =
        g_utf8_make_valid(g_bytes_get_data(bytes, NULL), (gssize)g_bytes_get_size(bytes));
    g_string_append(self->complaints, text);
  }
  g_input_stream_read_bytes_async(G_INPUT_STREAM(source), CHUNK, G_PRIORITY_DEFAULT, NULL,
                                  on_complaint, g_object_ref(self));
}

static void on_gone(GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr(OlEngineProcess) self = data;

  g_subprocess_wait_finish(G_SUBPROCESS(source), result, NULL);
  close_end(self);
}

static gboolean tell(OlEngineProcess *self, const char *line, GError **error)
{
  GOutputStream *input = g_subprocess_get_stdin_pipe(self->child);

  return g_output_stream_write_all(input, line, strlen(line), NULL, NULL, error) &&
         g_output_stream_write_all(input, "\n", 1, NULL, NULL, error);
}

gboolean ol_engine_process_start(OlEngineProcess *self, const char *config, const char *commands,
                                 GError **error)
{
  g_autofree char *lines = g_strconcat(config, "\n", commands, NULL);
  g_autofree char *program = ol_engine_process_dup_program();
  const char *arguments[] = {program, "run", "-", "--events", "-", "--control", NULL};
  g_autoptr(GError) cause = NULL;

  g_return_val_if_fail(!self->child, FALSE);
  self->child = g_subprocess_newv(arguments,
                                  G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                      G_SUBPROCESS_FLAGS_STDERR_PIPE,
                                  &cause);
  if (!self->child) {
    g_set_error(
        error, OL_ERROR, OL_ERROR_DEVICE,
        _("The engine %s could not be started: %s. Build the lab again, or name the program "
          "in OFFLOAD_LAB_CLI."),
        program, cause->message);
    return FALSE;
  }
  self->open_ends = 3;
  g_input_stream_read_bytes_async(g_subprocess_get_stdout_pipe(self->child), CHUNK,
                                  G_PRIORITY_DEFAULT, NULL, on_output, g_object_ref(self));
  g_input_stream_read_bytes_async(g_subprocess_get_stderr_pipe(self->child), CHUNK,
                                  G_PRIORITY_DEFAULT, NULL, on_complaint, g_object_ref(self));
  g_subprocess_wait_async(self->child, NULL, on_gone, g_object_ref(self));
  /* A child that is gone before it has read its config shows so by its exit status. */
  tell(self, lines, NULL);
  return TRUE;
}

void ol_engine_process_tell(OlEngineProcess *self, const char *command)
{
  if (self->child && self->open_ends > 0)
    tell(self, command, NULL);
}

static gboolean on_patience_lost(gpointer data)
{
  OlEngineProcess *self = data;

  self->force_source = 0;
  self->forced = TRUE;
  g_subprocess_force_exit(self->child);
  return G_SOURCE_REMOVE;
}

void ol_engine_process_stop(OlEngineProcess *self)
{
  if (!self->child || self->open_ends == 0 || self->force_source)
    return;
  tell(self, "stop", NULL);
  self->force_source = g_timeout_add_seconds(PATIENCE_S, on_patience_lost, self);
}

OlTrace *ol_engine_process_get_trace(OlEngineProcess *self)
{
  return ol_events_reader_get_trace(self->reader);
}

const char *ol_engine_process_get_complaints(OlEngineProcess *self)
{
  return self->complaints->str;
}

char *ol_engine_process_dup_fate(OlEngineProcess *self)
{
  const OlTrace *trace = ol_engine_process_get_trace(self);

  if (self->forced)
    return g_strdup_printf(_("The engine did not stop within %d s and was ended by force."),
                           PATIENCE_S);
  if (g_subprocess_get_if_signaled(self->child)) {
    int number = g_subprocess_get_term_sig(self->child);
    return g_strdup_printf(_("The engine was ended by signal %d (%s)."), number,
                           g_strsignal(number));
  }
  if (self->read_error)
    return g_strdup_printf(
        _("The engine ended with exit status %d in the middle of its report: %s"),
        g_subprocess_get_exit_status(self->child), self->read_error->message);
  if (!trace || !trace->ended)
    return g_strdup_printf(_("The engine ended with exit status %d before it ran anything."),
                           g_subprocess_get_exit_status(self->child));
  return NULL;
}
