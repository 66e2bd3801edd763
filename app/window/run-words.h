/* What became of a run, in a few words. */
#pragma once

#include "app/window/lesson-runs.h"

G_BEGIN_DECLS

/* "Running · step 3 of 6", "Done · 0.71 s a step"; in units of there "Done · 1.21 s a step there".
 * Caller frees. */
char *ol_run_words_dup_state(OlLessonRuns *runs, guint run, gboolean there);

/* "7 % late": by how much of a modelled step a run was late. Caller frees. */
char *ol_run_words_dup_lateness(OlLessonRuns *runs, guint run);

/* "0.71 s a step", "loss 0.12": the numbers of such words. Caller frees. */
char *ol_run_words_dup_step(const char *seconds, gboolean there);
char *ol_run_words_dup_loss(double loss);

/* Whether a part of such words is one of these. */
gboolean ol_run_words_tell_step(const char *part);
gboolean ol_run_words_tell_loss(const char *part);

G_END_DECLS
