/* What became of a run, in a few words. */
#pragma once

#include "app/window/lesson-runs.h"
#include "app/window/run-parts.h"

G_BEGIN_DECLS

/* "Running · step 3 of 6", "Done · 0.71 s a step"; in units of there "Done · 1.21 s a step there".
 * Caller unrefs or frees. */
GArray *ol_run_words_new_state(OlLessonRuns *runs, guint run, gboolean there); /* OlRunPart */
char *ol_run_words_dup_state(OlLessonRuns *runs, guint run, gboolean there);

/* "7 % late": by how much of a modelled step a run was late. Caller frees. */
char *ol_run_words_dup_lateness(OlLessonRuns *runs, guint run);

G_END_DECLS
