#include "app/sandbox/forecaster.h"

struct _OlForecaster {
  GObject parent_instance;
  char *data_folder;
  gboolean with_clock;
  OlRunConfig *asked;      /* and not begun, or NULL */
  GCancellable *under_way; /* NULL: idle */
  gboolean only_clock;     /* ... and it is told already, but for this machine's speed */
};

G_DEFINE_FINAL_TYPE(OlForecaster, ol_forecaster, G_TYPE_OBJECT)

enum { TOLD, N_SIGNALS };
static guint signals[N_SIGNALS];

/* All that the thread reads and writes: its own. */
typedef struct {
  OlRunConfig *config;
  char *data_folder;
  OlForecast *forecast; /* NULL: still to be made; else the clock is to be added */
} Question;

static void free_question(gpointer data)
{
  Question *question = data;

  ol_run_config_free(question->config);
  g_free(question->data_folder);
  ol_forecast_free(question->forecast);
  g_free(question);
}

static void ol_forecaster_init(OlForecaster *self)
{
}

static void dispose(GObject *object)
{
  OlForecaster *self = OL_FORECASTER(object);

  g_clear_pointer(&self->asked, ol_run_config_free);
  if (self->under_way)
    g_cancellable_cancel(self->under_way);
  G_OBJECT_CLASS(ol_forecaster_parent_class)->dispose(object);
}

static void finalize(GObject *object)
{
  OlForecaster *self = OL_FORECASTER(object);

  g_clear_object(&self->under_way);
  g_free(self->data_folder);
  G_OBJECT_CLASS(ol_forecaster_parent_class)->finalize(object);
}

static void ol_forecaster_class_init(OlForecasterClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);

  object_class->dispose = dispose;
  object_class->finalize = finalize;
  signals[TOLD] = g_signal_new("told", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_STRING);
}

OlForecaster *ol_forecaster_new(const char *data_folder, gboolean with_clock)
{
  OlForecaster *self = g_object_new(OL_TYPE_FORECASTER, NULL);

  self->data_folder = g_strdup(data_folder);
  self->with_clock = with_clock;
  return self;
}

static void answer_in_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Question *question = data;
  GError *error = NULL;

  if (question->forecast)
    ol_forecast_add_clock(question->forecast, question->config, question->data_folder);
  else
    question->forecast =
        ol_forecast_new(question->config, question->data_folder, cancellable, &error);
  if (error)
    g_task_return_error(task, error);
  else
    g_task_return_boolean(task, TRUE);
}

static void begin(OlForecaster *self, OlRunConfig *config, OlForecast *forecast);

static void on_answered(GObject *source, GAsyncResult *result, gpointer data)
{
  OlForecaster *self = OL_FORECASTER(source);
  Question *question = g_task_get_task_data(G_TASK(result));
  gboolean was_clock = GPOINTER_TO_INT(data);
  g_autoptr(GError) error = NULL;
  gboolean made = g_task_propagate_boolean(G_TASK(result), &error);
  gboolean cancelled = g_cancellable_is_cancelled(self->under_way);

  g_clear_object(&self->under_way);
  if (self->asked)
    begin(self, g_steal_pointer(&self->asked), NULL);
  else if (made && !cancelled && self->with_clock && !was_clock && !question->forecast->refusal)
    begin(self, ol_run_config_copy(question->config), ol_forecast_copy(question->forecast));
  if (!cancelled)
    g_signal_emit(self, signals[TOLD], 0, made ? question->forecast : NULL,
                  error ? error->message : NULL);
}

/* Takes both. */
static void begin(OlForecaster *self, OlRunConfig *config, OlForecast *forecast)
{
  Question *question = g_new0(Question, 1);

  *question = (Question){config, g_strdup(self->data_folder), forecast};
  self->only_clock = forecast != NULL;
  self->under_way = g_cancellable_new();
  g_autoptr(GTask) task =
      g_task_new(self, self->under_way, on_answered, GINT_TO_POINTER(forecast != NULL));
  g_task_set_check_cancellable(task, FALSE);
  g_task_set_task_data(task, question, free_question);
  g_task_run_in_thread(task, answer_in_thread);
}

void ol_forecaster_ask(OlForecaster *self, const OlRunConfig *config)
{
  if (!config)
    return;
  g_clear_pointer(&self->asked, ol_run_config_free);
  if (self->under_way)
    self->asked = ol_run_config_copy(config);
  else
    begin(self, ol_run_config_copy(config), NULL);
}

gboolean ol_forecaster_is_busy(OlForecaster *self)
{
  return self->under_way != NULL;
}

gboolean ol_forecaster_is_behind(OlForecaster *self)
{
  return self->asked || (self->under_way && !self->only_clock);
}
