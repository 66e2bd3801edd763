/* The hand on the run under way: hold, next, speed. Until the engine has started, what it will be
 * told is remembered. */
#include "app/window/lesson-runs-private.h"

static const struct {
  double share;
  const char *command;
} speeds[] = {{1, "speed 1"},     {0.5, "speed 0.5"},   {0.2, "speed 0.2"},
              {0.1, "speed 0.1"}, {0.05, "speed 0.05"}, {0.02, "speed 0.02"}};

char *ol_lesson_runs_dup_first_commands(OlLessonRuns *self)
{
  return g_strconcat(self->held ? "pause\n" : "",
                     self->speed > 0 ? speeds[self->speed].command : "",
                     self->speed > 0 ? "\n" : "", NULL);
}

void ol_lesson_runs_cut_held_time(OlLessonRuns *self)
{
  OlTrace *trace = ol_run_entry(self, (guint)self->busy)->trace;

  if (trace)
    ol_held_time_cut(&self->held_time, trace, self->held);
}

static void tell(OlLessonRuns *self, const char *command)
{
  if (self->process)
    ol_engine_process_tell(self->process, command);
}

/* Also when only words change: who shows them looks again. */
static void touch(OlLessonRuns *self, gboolean touched)
{
  OlRunEntry *entry = ol_run_entry(self, (guint)self->busy);

  entry->touched = entry->touched || touched;
  g_signal_emit_by_name(self, "changed");
}

void ol_lesson_runs_start_held(OlLessonRuns *self, guint run)
{
  if (!ol_lesson_runs_is_free(self))
    return;
  self->begins_held = TRUE;
  ol_lesson_runs_start(self, run);
}

void ol_lesson_runs_hold(OlLessonRuns *self, gboolean held)
{
  if (self->busy < 0 || self->held == held)
    return;
  self->held = held;
  tell(self, held ? "pause" : "resume");
  touch(self, held);
}

void ol_lesson_runs_next(OlLessonRuns *self)
{
  if (self->busy < 0 || !self->process)
    return;
  self->held = TRUE;
  tell(self, "next");
  touch(self, TRUE);
}

gboolean ol_lesson_runs_is_paused(OlLessonRuns *self)
{
  return self->busy >= 0 && self->held;
}

guint ol_lesson_runs_count_speeds(void)
{
  return G_N_ELEMENTS(speeds);
}

double ol_lesson_runs_speed_share(guint speed)
{
  return speeds[speed].share;
}

guint ol_lesson_runs_get_speed(OlLessonRuns *self)
{
  return self->speed;
}

void ol_lesson_runs_set_speed(OlLessonRuns *self, guint speed)
{
  if (self->busy < 0 || speed >= G_N_ELEMENTS(speeds) || speed == self->speed)
    return;
  self->speed = speed;
  tell(self, speeds[speed].command);
  touch(self, TRUE);
}

void ol_lesson_runs_to_the_end(OlLessonRuns *self)
{
  ol_lesson_runs_set_speed(self, 0);
  ol_lesson_runs_hold(self, FALSE);
}

gboolean ol_lesson_runs_is_touched(OlLessonRuns *self, guint run)
{
  return ol_run_entry(self, run)->touched;
}
