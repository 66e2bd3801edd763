#include "app/window/run-actions.h"

OlLessonWork *ol_run_actions_find_busy(GPtrArray *works)
{
  for (guint i = 0; i < works->len; i++) {
    OlLessonWork *work = g_ptr_array_index(works, i);
    if (ol_lesson_runs_get_busy(ol_lesson_work_get_runs(work)) >= 0)
      return work;
  }
  return NULL;
}

static OlLessonRuns *find_busy_runs(GPtrArray *works)
{
  OlLessonWork *work = ol_run_actions_find_busy(works);

  return work ? ol_lesson_work_get_runs(work) : NULL;
}

gboolean ol_run_actions_begin(OlLabSession *session, gboolean held)
{
  OlLessonWork *work = ol_lab_session_get_work(session);
  int run = ol_lesson_work_get_next_run(work);

  if (run < 0)
    run = ol_lab_session_get_run(session);
  if (run < 0)
    return TRUE;
  return held ? ol_lesson_work_start_held(work, (guint)run)
              : ol_lesson_work_start(work, (guint)run);
}

gboolean ol_run_actions_next(GPtrArray *works)
{
  OlLessonRuns *runs = find_busy_runs(works);

  if (runs)
    ol_lesson_runs_next(runs);
  return runs != NULL;
}

void ol_run_actions_hold(GPtrArray *works)
{
  OlLessonRuns *runs = find_busy_runs(works);

  if (runs)
    ol_lesson_runs_hold(runs, !ol_lesson_runs_is_paused(runs));
}

gboolean ol_run_actions_stop(GPtrArray *works)
{
  OlLessonRuns *runs = find_busy_runs(works);

  if (runs)
    ol_lesson_runs_stop(runs);
  return runs != NULL;
}
