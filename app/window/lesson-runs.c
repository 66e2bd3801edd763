#include "app/window/lesson-runs-private.h"

/* Of the quickest run: slow enough for the eye (design section 4). */
#define SECONDS_A_STEP 0.5

G_DEFINE_FINAL_TYPE(OlLessonRuns, ol_lesson_runs, G_TYPE_OBJECT)

enum { CHANGED, STARTED, GROWN, RUN_ENDED, N_SIGNALS };
static guint signals[N_SIGNALS];

void ol_run_entry_clear(gpointer data)
{
  OlRunEntry *entry = data;

  g_clear_pointer(&entry->trace, ol_trace_unref);
  g_clear_pointer(&entry->message, g_free);
  g_clear_pointer(&entry->complaints, g_free);
  entry->touched = FALSE;
}

static gboolean is_made(const OlRunEntry *entry)
{
  return entry->state == OL_RUN_ENDED && entry->trace->outcome != OL_OUTCOME_STOPPED &&
         !entry->touched;
}

static void ol_lesson_runs_init(OlLessonRuns *self)
{
  self->busy = -1;
  self->entries = g_array_new(FALSE, TRUE, sizeof(OlRunEntry));
  g_array_set_clear_func(self->entries, ol_run_entry_clear);
}

static void finalize(GObject *object)
{
  OlLessonRuns *self = OL_LESSON_RUNS(object);

  if (self->process)
    g_signal_handlers_disconnect_by_data(self->process, self);
  g_clear_object(&self->process);
  ol_engine_slot_leave(self->engine, self);
  g_rc_box_release(self->engine);
  ol_held_time_clear(&self->held_time);
  g_array_unref(self->entries);
  ol_experiment_free(self->experiment);
  G_OBJECT_CLASS(ol_lesson_runs_parent_class)->finalize(object);
}

static void ol_lesson_runs_class_init(OlLessonRunsClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[CHANGED] =
      g_signal_new("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[STARTED] = g_signal_new("started", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[GROWN] =
      g_signal_new("grown", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[RUN_ENDED] = g_signal_new("ended", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_UINT);
}

OlLessonRuns *ol_lesson_runs_new(const OlLesson *lesson, const char *data_folder,
                                 OlEngineSlot *engine)
{
  OlLessonRuns *self = g_object_new(OL_TYPE_LESSON_RUNS, NULL);

  self->experiment = ol_experiment_new(lesson);
  self->data_folder = data_folder;
  self->engine = g_rc_box_acquire(engine);
  for (guint i = 0; i < lesson->n_runs; i++) {
    OlRunEntry entry = {.run = &lesson->runs[i]};
    if (!lesson->runs[i].hidden)
      g_array_append_val(self->entries, entry);
  }
  return self;
}

const OlExperiment *ol_lesson_runs_get_experiment(OlLessonRuns *self)
{
  return self->experiment;
}

const char *ol_lesson_runs_get_data_folder(OlLessonRuns *self)
{
  return self->data_folder;
}

double ol_lesson_runs_get_slowdown(OlLessonRuns *self)
{
  return self->prepared ? ol_experiment_get_slowdown(self->experiment) : 0;
}

guint ol_lesson_runs_count(OlLessonRuns *self)
{
  return self->entries->len;
}

const OlLessonRun *ol_lesson_runs_get(OlLessonRuns *self, guint run)
{
  return ol_run_entry(self, run)->run;
}

OlRunState ol_lesson_runs_get_state(OlLessonRuns *self, guint run)
{
  return ol_run_entry(self, run)->state;
}

OlTrace *ol_lesson_runs_get_trace(OlLessonRuns *self, guint run)
{
  return ol_run_entry(self, run)->trace;
}

int ol_lesson_runs_find(OlLessonRuns *self, const char *name)
{
  for (guint i = 0; i < self->entries->len; i++)
    if (g_strcmp0(ol_run_entry(self, i)->run->name, name) == 0)
      return (int)i;
  return -1;
}

int ol_lesson_runs_get_busy(OlLessonRuns *self)
{
  return self->busy;
}

gboolean ol_lesson_runs_is_free(OlLessonRuns *self)
{
  return !self->engine->user;
}

const char *ol_lesson_runs_get_message(OlLessonRuns *self, guint run)
{
  return ol_run_entry(self, run)->message;
}

const char *ol_lesson_runs_get_complaints(OlLessonRuns *self, guint run)
{
  return ol_run_entry(self, run)->complaints;
}

gboolean ol_lesson_runs_is_stopping(OlLessonRuns *self)
{
  return self->busy >= 0 && self->given_up;
}

gboolean ol_lesson_runs_is_queued(OlLessonRuns *self, guint run)
{
  return ol_run_entry(self, run)->queued;
}

gboolean ol_lesson_runs_is_late(OlLessonRuns *self, guint run)
{
  const OlRunEntry *entry = ol_run_entry(self, run);

  return entry->state == OL_RUN_ENDED && entry->trace->outcome == OL_OUTCOME_DONE &&
         !entry->touched && ol_experiment_is_late(self->experiment, entry->run->name);
}

/* Takes what the child has made so far into the entry. */
static void take_over(OlLessonRuns *self)
{
  OlRunEntry *entry = ol_run_entry(self, (guint)self->busy);
  OlTrace *trace = ol_engine_process_get_trace(self->process);

  if (trace && !entry->trace)
    entry->trace = ol_trace_ref(trace);
  ol_lesson_runs_cut_held_time(self);
}

static void lose(OlLessonRuns *self, const char *message, const char *complaints)
{
  OlRunEntry *entry = ol_run_entry(self, (guint)self->busy);

  entry->state = OL_RUN_LOST;
  g_free(entry->message);
  entry->message = g_strdup(message);
  g_free(entry->complaints);
  entry->complaints = g_strdup(complaints);
}

static gboolean begin(OlLessonRuns *self, guint run);

static void forget_queue(OlLessonRuns *self)
{
  for (guint i = 0; i < self->entries->len; i++)
    ol_run_entry(self, i)->queued = FALSE;
}

static gboolean begin_queued(OlLessonRuns *self)
{
  for (guint i = 0; i < self->entries->len; i++)
    if (ol_run_entry(self, i)->queued)
      return begin(self, i);
  return FALSE;
}

/* After one that was late again the others wait for the learner's word. */
static gboolean goes_on_after(OlLessonRuns *self, guint ended)
{
  return !ol_lesson_runs_is_late(self, ended) || !ol_lesson_runs_may_slow_down(self);
}

static void end_run(OlLessonRuns *self)
{
  guint run = (guint)self->busy;

  self->busy = -1;
  self->held = FALSE;
  ol_engine_slot_leave(self->engine, self);
  g_clear_object(&self->process);
  if (!is_made(ol_run_entry(self, run)))
    forget_queue(self);
  g_signal_emit(self, signals[RUN_ENDED], 0, run);
  if (!goes_on_after(self, run) || !begin_queued(self))
    g_signal_emit(self, signals[CHANGED], 0);
}

static void on_process_ended(OlEngineProcess *process, OlLessonRuns *self)
{
  OlRunEntry *entry = ol_run_entry(self, (guint)self->busy);
  g_autofree char *fate = ol_engine_process_dup_fate(process);

  take_over(self);
  if (fate) {
    /* The charts freeze where the engine was lost; this trace is no evidence of anything. */
    if (entry->trace && !entry->trace->ended)
      ol_trace_end(entry->trace, OL_OUTCOME_FAILED, fate, NULL);
    lose(self, fate, ol_engine_process_get_complaints(process));
  } else {
    entry->state = OL_RUN_ENDED;
    if (is_made(entry))
      ol_experiment_take_trace(self->experiment, entry->run->name, entry->trace);
  }
  end_run(self);
}

static void launch(OlLessonRuns *self)
{
  OlRunEntry *entry = ol_run_entry(self, (guint)self->busy);
  g_autoptr(GError) error = NULL;
  g_autoptr(OlRunConfig) config =
      ol_experiment_dup_config(self->experiment, entry->run->name, NULL, &error);
  g_autofree char *text = config ? ol_run_config_dup_text(config, FALSE) : NULL;

  self->process = ol_engine_process_new();
  g_signal_connect(self->process, "ended", G_CALLBACK(on_process_ended), self);
  g_autofree char *commands = ol_lesson_runs_dup_first_commands(self);

  if (!text || !ol_engine_process_start(self->process, text, commands, &error)) {
    lose(self, error->message, NULL);
    end_run(self);
    return;
  }
  entry->state = OL_RUN_RUNNING;
  g_signal_emit(self, signals[CHANGED], 0);
}

static void prepare_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  OlLessonRuns *self = source;
  GError *error = NULL;

  if (ol_experiment_prepare(self->experiment, self->data_folder, SECONDS_A_STEP, &error))
    g_task_return_boolean(task, TRUE);
  else
    g_task_return_error(task, error);
}

static void on_prepared(GObject *source, GAsyncResult *result, gpointer data)
{
  OlLessonRuns *self = OL_LESSON_RUNS(source);
  g_autoptr(GError) error = NULL;

  g_application_release(g_application_get_default());
  self->prepared = g_task_propagate_boolean(G_TASK(result), &error);
  if (self->given_up) {
    ol_run_entry(self, (guint)self->busy)->state = OL_RUN_NOT_YET;
    end_run(self);
  } else if (!self->prepared) {
    lose(self, error->message, NULL);
    end_run(self);
  } else {
    launch(self);
  }
}

static void prepare(OlLessonRuns *self)
{
  /* It may measure this machine for up to three seconds: off the window's thread. Nothing else
   * writes to the experiment meanwhile, since only runs do and busy bars them. The program stays
   * until it is done: the lesson that it reads would go otherwise. */
  g_application_hold(g_application_get_default());
  g_autoptr(GTask) task = g_task_new(self, NULL, on_prepared, NULL);
  g_task_run_in_thread(task, prepare_thread);
}

static gboolean begin(OlLessonRuns *self, guint run)
{
  OlRunEntry *entry = ol_run_entry(self, run);

  if (!ol_engine_slot_take(self->engine, self))
    return FALSE;
  ol_run_entry_clear(entry);
  entry->queued = FALSE;
  self->busy = (int)run;
  self->given_up = FALSE;
  self->held = self->begins_held;
  self->begins_held = FALSE;
  self->speed = 0;
  ol_held_time_clear(&self->held_time);
  ol_held_time_init(&self->held_time);
  entry->touched = self->held;
  entry->state = OL_RUN_PREPARING;
  g_signal_emit(self, signals[STARTED], 0, run);
  g_signal_emit(self, signals[CHANGED], 0);
  if (self->prepared)
    launch(self);
  else
    prepare(self);
  return TRUE;
}

void ol_lesson_runs_start(OlLessonRuns *self, guint run)
{
  if (!ol_lesson_runs_is_free(self))
    return;
  forget_queue(self);
  begin(self, run);
}

void ol_lesson_runs_stop(OlLessonRuns *self)
{
  if (self->busy < 0)
    return;
  if (self->process)
    ol_engine_process_stop(self->process);
  else
    self->given_up = TRUE;
  g_signal_emit(self, signals[CHANGED], 0);
}

void ol_lesson_runs_drain(OlLessonRuns *self)
{
  if (!self->process || !ol_engine_process_drain(self->process))
    return;
  take_over(self);
  g_signal_emit(self, signals[GROWN], 0);
}

/* A slower clock for all */

gboolean ol_lesson_runs_may_slow_down(OlLessonRuns *self)
{
  return ol_experiment_may_slow_down(self->experiment);
}

/* It is of the clock that is slowed down: runs that were added since have another. */
static gboolean is_of_clock(OlLessonRuns *self, guint run)
{
  return run >= self->first_of_clock && is_made(ol_run_entry(self, run));
}

guint ol_lesson_runs_count_made(OlLessonRuns *self)
{
  guint n = 0;

  for (guint i = 0; i < self->entries->len; i++)
    n += is_of_clock(self, i) || ol_run_entry(self, i)->queued;
  return n;
}

void ol_lesson_runs_slow_down(OlLessonRuns *self)
{
  if (!ol_lesson_runs_is_free(self) || !ol_experiment_slow_down(self->experiment))
    return;
  for (guint i = 0; i < self->entries->len; i++) {
    OlRunEntry *entry = ol_run_entry(self, i);
    if (!is_of_clock(self, i))
      continue;
    ol_run_entry_clear(entry);
    entry->state = OL_RUN_NOT_YET;
    entry->queued = TRUE;
  }
  begin_queued(self);
}
