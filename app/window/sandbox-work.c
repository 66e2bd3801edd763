#include "app/window/sandbox-work.h"

#include "app/sandbox/big-model.h"
#include "app/sandbox/config-file.h"
#include "app/sandbox/forecaster.h"
#include "app/sandbox/full-size.h"
#include "engine/base/intl.h"

#define MOST_RUNS  1000u /* of one session; the list that the bench reads does not move */
#define WATCHED_MS 120   /* between two looks at how far a simulation is */

struct _OlSandboxWork {
  GObject parent_instance;
  OlFormKind kind;
  const char *data_folder;
  OlConfigDraft *draft;
  OlRunConfig *config; /* of the draft, or NULL */
  GPtrArray *faults;   /* OlConfigFault, or NULL */
  OlForecaster *forecaster;
  OlLesson lesson;
  OlCourse course;
  OlLessonWork *work;
  GCancellable *simulation; /* NULL: none is under way */
  char *simulated_title;
  gint part; /* OlFullSizePart */
  guint watch;
};

G_DEFINE_FINAL_TYPE(OlSandboxWork, ol_sandbox_work, G_TYPE_OBJECT)

enum { EDITED, FORECAST, SIMULATING, MADE, REFUSED, TOLD, N_SIGNALS };
static guint signals[N_SIGNALS];

static void ol_sandbox_work_init(OlSandboxWork *self)
{
}

static void dispose(GObject *object)
{
  OlSandboxWork *self = OL_SANDBOX_WORK(object);

  g_clear_handle_id(&self->watch, g_source_remove);
  if (self->simulation)
    g_cancellable_cancel(self->simulation);
  g_clear_object(&self->forecaster);
  G_OBJECT_CLASS(ol_sandbox_work_parent_class)->dispose(object);
}

static void free_runs(OlLesson *lesson)
{
  for (guint i = 0; i < lesson->n_runs; i++) {
    g_free(lesson->runs[i].name);
    g_free(lesson->runs[i].title);
    ol_run_config_free(lesson->runs[i].config);
  }
  g_free(lesson->runs);
}

static void finalize(GObject *object)
{
  OlSandboxWork *self = OL_SANDBOX_WORK(object);

  g_clear_object(&self->simulation);
  g_clear_object(&self->work); /* before what it reads */
  free_runs(&self->lesson);
  g_free(self->lesson.controls);
  g_free(self->simulated_title);
  g_clear_pointer(&self->faults, g_ptr_array_unref);
  ol_run_config_free(self->config);
  ol_config_draft_free(self->draft);
  G_OBJECT_CLASS(ol_sandbox_work_parent_class)->finalize(object);
}

static void ol_sandbox_work_class_init(OlSandboxWorkClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[EDITED] =
      g_signal_new("edited", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FORECAST] = g_signal_new("forecast", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_STRING);
  signals[SIMULATING] =
      g_signal_new("simulating", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[MADE] = g_signal_new("made", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                               G_TYPE_UINT);
  signals[REFUSED] = g_signal_new("refused", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[TOLD] = g_signal_new("told", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                               G_TYPE_STRING);
}

OlFormKind ol_sandbox_work_get_kind(OlSandboxWork *self)
{
  return self->kind;
}

OlLessonWork *ol_sandbox_work_get_work(OlSandboxWork *self)
{
  return self->work;
}

const OlConfigDraft *ol_sandbox_work_get_draft(OlSandboxWork *self)
{
  return self->draft;
}

GPtrArray *ol_sandbox_work_get_faults(OlSandboxWork *self)
{
  return self->faults;
}

static void tell(OlSandboxWork *self, const char *text)
{
  g_signal_emit(self, signals[TOLD], 0, text);
}

gboolean ol_sandbox_work_is_forecasting(OlSandboxWork *self)
{
  return ol_forecaster_is_busy(self->forecaster);
}

gboolean ol_sandbox_work_is_behind(OlSandboxWork *self)
{
  return ol_forecaster_is_behind(self->forecaster);
}

/* Editing */

void ol_sandbox_work_ask(OlSandboxWork *self)
{
  ol_forecaster_ask(self->forecaster, self->config);
}

static void take_draft(OlSandboxWork *self)
{
  g_clear_pointer(&self->faults, g_ptr_array_unref);
  ol_run_config_free(self->config);
  self->config = ol_config_draft_try(self->draft, &self->faults);
  g_signal_emit(self, signals[EDITED], 0);
  ol_sandbox_work_ask(self);
}

void ol_sandbox_work_edit(OlSandboxWork *self, guint key, const char *typed)
{
  if (ol_config_draft_set(self->draft, key, typed, g_get_monotonic_time()))
    take_draft(self);
}

void ol_sandbox_work_pick_model(OlSandboxWork *self, const char *name)
{
  g_autoptr(GError) error = NULL;

  if (!ol_big_model_set(self->draft, name, self->data_folder, &error))
    tell(self, error->message);
  take_draft(self);
}

void ol_sandbox_work_undo(OlSandboxWork *self)
{
  if (ol_config_draft_undo(self->draft))
    take_draft(self);
}

void ol_sandbox_work_redo(OlSandboxWork *self)
{
  if (ol_config_draft_redo(self->draft))
    take_draft(self);
}

void ol_sandbox_work_reset(OlSandboxWork *self)
{
  ol_config_draft_reset(self->draft);
  take_draft(self);
}

/* Files */

gboolean ol_sandbox_work_open(OlSandboxWork *self, const char *path)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(OlRunConfig) config = ol_config_file_load(path, &error);
  g_autoptr(OlRunConfig) full = NULL;

  if (config && self->kind == OL_FORM_SCALE_UP)
    full = ol_full_size_dup_config(config, self->data_folder, &error);
  if (error) {
    g_signal_emit(self, signals[REFUSED], 0, error->message);
    return FALSE;
  }
  ol_config_draft_take(self->draft, full ? full : config);
  take_draft(self);
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *words = g_strdup_printf(_("%s is open. Ctrl+Z goes back."), name);
  tell(self, words);
  return TRUE;
}

gboolean ol_sandbox_work_save(OlSandboxWork *self, const char *path)
{
  g_autoptr(GError) error = NULL;

  if (!self->config) {
    tell(self, _("Mend the marked keys first: what cannot be run is not saved."));
    return FALSE;
  }
  if (!ol_config_file_save(self->config, path, &error)) {
    g_signal_emit(self, signals[REFUSED], 0, error->message);
    return FALSE;
  }
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *words = g_strdup_printf(_("Saved as %s"), name);
  tell(self, words);
  return TRUE;
}

/* Runs */

/* Its number among the lesson's runs. */
static guint add_run(OlSandboxWork *self, char *title, const OlRunConfig *config)
{
  guint run = self->lesson.n_runs++;

  self->lesson.runs[run] = (OlLessonRun){.name = g_strdup_printf("run-%u", run + 1),
                                         .title = title,
                                         .config = ol_run_config_copy(config)};
  ol_lesson_runs_add(ol_lesson_work_get_runs(self->work));
  return run;
}

static char *dup_title(OlSandboxWork *self)
{
  const OlLesson *lesson = &self->lesson;

  if (self->kind == OL_FORM_SCALE_UP)
    return ol_big_model_dup_title(self->config, self->data_folder);
  return ol_config_draft_dup_title(
      self->draft, lesson->n_runs > 0 ? lesson->runs[lesson->n_runs - 1].config : NULL);
}

static gboolean may_run(OlSandboxWork *self, gboolean held)
{
  OlLessonRuns *runs = ol_lesson_work_get_runs(self->work);
  const char *why = NULL;

  if (!self->config)
    why = _("Mend the marked keys first: this config cannot be run.");
  else if (self->lesson.n_runs == MOST_RUNS)
    why = _("That were many runs. Save the config and start the lab again.");
  else if (held && self->kind == OL_FORM_SCALE_UP)
    why = _("A simulation cannot be stepped: step a run of the sandbox.");
  else if (self->simulation)
    why = _("A simulation is under way: cancel it first.");
  else if (self->kind == OL_FORM_SANDBOX && !ol_lesson_runs_is_free(runs))
    why = _("A run is under way: stop it first.");
  if (why)
    tell(self, why);
  return !why;
}

static void end_simulation(OlSandboxWork *self)
{
  g_clear_handle_id(&self->watch, g_source_remove);
  g_clear_object(&self->simulation);
  g_signal_emit(self, signals[SIMULATING], 0);
}

static void on_simulated(GObject *source, GAsyncResult *result, gpointer data)
{
  OlSandboxWork *self = OL_SANDBOX_WORK(source);
  g_autoptr(GError) error = NULL;
  g_autoptr(OlFullSize) made = ol_full_size_finish(result, &error);

  /* Cancelled: another may be under way by now. */
  if (self->simulation != g_task_get_cancellable(G_TASK(result)))
    return;
  end_simulation(self);
  if (!made) {
    tell(self, error->message);
    return;
  }
  guint run =
      add_run(self, g_steal_pointer(&self->simulated_title), ol_full_size_get_asked(result));
  ol_lesson_runs_take(ol_lesson_work_get_runs(self->work), run, made->trace,
                      g_steal_pointer(&made->metrics));
  g_signal_emit(self, signals[MADE], 0, run);
}

static gboolean on_watch(gpointer data)
{
  g_signal_emit(data, signals[SIMULATING], 0);
  return G_SOURCE_CONTINUE;
}

static void simulate(OlSandboxWork *self)
{
  g_free(self->simulated_title);
  self->simulated_title = dup_title(self);
  g_atomic_int_set(&self->part, OL_FULL_SIZE_PLANNING);
  self->simulation = g_cancellable_new();
  ol_full_size_start(G_OBJECT(self), self->config, self->data_folder, &self->part, self->simulation,
                     on_simulated);
  self->watch = g_timeout_add(WATCHED_MS, on_watch, self);
  g_signal_emit(self, signals[SIMULATING], 0);
}

gboolean ol_sandbox_work_run(OlSandboxWork *self, gboolean held)
{
  OlLessonRuns *runs = ol_lesson_work_get_runs(self->work);

  if (!may_run(self, held))
    return FALSE;
  if (self->kind == OL_FORM_SCALE_UP)
    simulate(self);
  else if (held)
    ol_lesson_runs_start_held(runs, add_run(self, dup_title(self), self->config));
  else
    ol_lesson_runs_start(runs, add_run(self, dup_title(self), self->config));
  return TRUE;
}

gboolean ol_sandbox_work_is_simulating(OlSandboxWork *self)
{
  return self->simulation != NULL;
}

void ol_sandbox_work_cancel(OlSandboxWork *self)
{
  if (!self->simulation)
    return;
  g_cancellable_cancel(self->simulation);
  end_simulation(self);
}

const char *ol_sandbox_work_get_part(OlSandboxWork *self)
{
  static const char *const parts[OL_N_FULL_SIZE_PARTS] = {N_("Planning …"), N_("Simulating …"),
                                                          N_("Measuring …")};

  return _(parts[CLAMP(g_atomic_int_get(&self->part), 0, OL_N_FULL_SIZE_PARTS - 1)]);
}

/* What each begins with */

static OlConfigDraft *new_draft(OlFormKind kind, const char *data_folder)
{
  g_autoptr(OlRunConfig) first =
      kind == OL_FORM_SCALE_UP ? ol_big_model_new_config(data_folder) : ol_run_config_new_default();

  return ol_config_draft_new(first);
}

static void on_forecast(OlSandboxWork *self, gpointer forecast, const char *why)
{
  g_signal_emit(self, signals[FORECAST], 0, forecast, why);
}

OlSandboxWork *ol_sandbox_work_new(OlFormKind kind, OlProgress *progress, const char *data_folder,
                                   OlEngineSlot *engine)
{
  OlSandboxWork *self = g_object_new(OL_TYPE_SANDBOX_WORK, NULL);
  gboolean plans = kind == OL_FORM_SCALE_UP;

  self->kind = kind;
  self->data_folder = data_folder;
  self->draft = new_draft(kind, data_folder);
  self->config = ol_config_draft_try(self->draft, &self->faults);
  self->lesson = (OlLesson){.id = (char *)(plans ? "lab-scale-up" : "lab-sandbox"),
                            .title = (char *)(plans ? _("Scale up") : _("Sandbox")),
                            .goal = (char *)"",
                            .runs = g_new0(OlLessonRun, MOST_RUNS),
                            .controls = g_new0(char *, 1),
                            .question = {.text = (char *)""}};
  self->course =
      (OlCourse){.id = (char *)"lab", .title = (char *)_("Lab"), .lessons = &self->lesson, 1};
  self->work = ol_lesson_work_new(&self->course, 0, progress, data_folder, engine);
  self->forecaster = ol_forecaster_new(data_folder, !plans);
  g_signal_connect_object(self->forecaster, "told", G_CALLBACK(on_forecast), self,
                          G_CONNECT_SWAPPED);
  return self;
}
