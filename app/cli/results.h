/* What is left when a run or a simulation has ended: files, metrics, and words for people. */
#pragma once

#include "app/cli/run-arguments.h"
#include "engine/run/run.h"
#include "engine/trace/metrics.h"

G_BEGIN_DECLS

/* Tells on standard error why a trace is not "done", or that it was late. */
void ol_results_tell_outcome(const OlTrace *trace);

/* Writes --trace, --picture and --table, then --summary or `words` to standard output (neither when
 * that is the event stream). Gives the status: the outcome's, or that of the first thing that could
 * not be written. */
OlExit ol_results_write(const OlRunArguments *arguments, const OlTrace *trace, const char *words);

/* A few lines on a trace: outcome, step time, loss, peaks and, where the machine (or NULL) is
 * known, scale. Caller frees. */
char *ol_results_dup_words(const OlTrace *trace, const OlMachine *machine);

/* "Scale model: GPT 2 B on an A100, PCIe 4 · 1 MiB is 1.7 GiB · 1 s is 1.7 s there"; NULL when the
 * config stands for nothing. Caller frees. */
char *ol_results_dup_scale(const OlTrace *trace, const OlMachine *machine);

G_END_DECLS
