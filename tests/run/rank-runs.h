/* Whole runs of many ranks, and whether they did what was planned. */
#pragma once

#include "engine/run/run.h"

G_BEGIN_DECLS

/* Runs the config; one whose lanes wait for each other for ever is stopped. `options` may be NULL;
 * its control is replaced. */
OlRun *rank_run(const OlRunConfig *config, const OlRunOptions *options);

/* What is wrong with the bytes of a run that ended well, NULL when nothing is: every figure about
 * bytes of every rank is the simulator's, homes are the closed form's, every node ran as often and
 * moved as many bytes as planned. Caller frees. */
char *rank_run_dup_fault(OlRun *run);

/* Threads of this process; and that they are no more again than they were. */
guint rank_run_count_threads(void);
void rank_run_expect_threads(guint n);

G_END_DECLS
