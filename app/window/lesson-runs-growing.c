/* Runs that come one by one, as the sandbox's do, and runs that are all forgotten. */
#include "app/window/lesson-runs-private.h"

/* A trace takes memory, and its tab takes room. */
#define MOST_KEPT 9

guint ol_lesson_runs_get_first(OlLessonRuns *self)
{
  return ol_experiment_get_lesson(self->experiment)->question.n_options == 0 &&
                 self->entries->len > MOST_KEPT
             ? self->entries->len - MOST_KEPT
             : 0;
}

void ol_lesson_runs_add(OlLessonRuns *self)
{
  const OlLesson *lesson = ol_experiment_get_lesson(self->experiment);
  OlRunEntry entry = {.run = &lesson->runs[lesson->n_runs - 1]};

  g_return_if_fail(self->busy < 0);
  ol_experiment_grow(self->experiment);
  self->prepared = FALSE;
  self->first_of_clock = self->entries->len;
  g_array_append_val(self->entries, entry);
  for (guint i = 0; i < ol_lesson_runs_get_first(self); i++) {
    ol_run_entry_clear(ol_run_entry(self, i));
    ol_run_entry(self, i)->state = OL_RUN_NOT_YET;
    ol_experiment_forget(self->experiment, ol_run_entry(self, i)->run->name);
  }
}

void ol_lesson_runs_take(OlLessonRuns *self, guint run, OlTrace *trace, OlMetrics *metrics)
{
  OlRunEntry *entry = ol_run_entry(self, run);

  ol_run_entry_clear(entry);
  entry->trace = ol_trace_ref(trace);
  entry->state = OL_RUN_ENDED;
  ol_experiment_take_measured(self->experiment, entry->run->name, trace, metrics);
  g_signal_emit_by_name(self, "changed");
}

void ol_lesson_runs_forget(OlLessonRuns *self)
{
  g_return_if_fail(self->busy < 0);
  for (guint i = 0; i < self->entries->len; i++) {
    OlRunEntry *entry = ol_run_entry(self, i);
    ol_run_entry_clear(entry);
    entry->state = OL_RUN_NOT_YET;
    entry->queued = FALSE;
    ol_experiment_forget(self->experiment, entry->run->name);
  }
  g_signal_emit_by_name(self, "changed");
}
