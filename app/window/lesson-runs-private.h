/* The runs' files: lesson-runs.c makes them, lesson-runs-control.c is the hand on the one under
 * way, lesson-runs-growing.c adds more. */
#pragma once

#include "app/charts/held-time.h"
#include "app/window/engine-process.h"
#include "app/window/lesson-runs.h"

G_BEGIN_DECLS

typedef struct {
  const OlLessonRun *run;
  OlRunState state;
  OlTrace *trace;
  char *message, *complaints;
  gboolean touched; /* held or slowed down */
  gboolean queued;  /* dropped for a slower clock: its turn to be made again comes */
} OlRunEntry;

struct _OlLessonRuns {
  GObject parent_instance;
  OlExperiment *experiment;
  const char *data_folder;
  OlEngineSlot *engine;
  GArray *entries;      /* OlRunEntry */
  guint first_of_clock; /* of the runs that share the present slow-down */
  int busy;             /* index in entries, or -1 */
  gboolean prepared, given_up;
  gboolean held, begins_held; /* the run under way; the one about to be started */
  guint speed;
  OlHeldTime held_time; /* of the run under way */
  OlEngineProcess *process;
};

static inline OlRunEntry *ol_run_entry(OlLessonRuns *runs, guint run)
{
  return &g_array_index(runs->entries, OlRunEntry, run);
}

/* Nothing came of it any more. (A GDestroyNotify.) */
void ol_run_entry_clear(gpointer entry);
/* Takes held time out of what has come of the run under way. */
void ol_lesson_runs_cut_held_time(OlLessonRuns *runs);
/* What the engine is told together with the config. Caller frees. */
char *ol_lesson_runs_dup_first_commands(OlLessonRuns *runs);

G_END_DECLS
