/* Runs come from files and go into files: the window's actions to open a saved run and to save
 * picture, table, run and trace, with their dialogs, and words about
 * what cannot be. Long work goes on beside the window (job-bar.h). */
#pragma once

#include "app/window/bench.h"
#include "app/window/job-bar.h"
#include <adwaita.h>

G_BEGIN_DECLS

#define OL_TYPE_RUN_FILES (ol_run_files_get_type())
G_DECLARE_FINAL_TYPE(OlRunFiles, ol_run_files, OL, RUN_FILES, GObject)

/* Adds to the window the actions "open-run", "close-run", "save-picture",
 * "save-table" (s: a table's nick), "save-run" and "save-trace". Signal "opened": a run from a file
 * is on the bench. What is to be told goes through the session. It must not outlive the window. */
OlRunFiles *ol_run_files_new(AdwApplicationWindow *window, OlLabSession *session, OlBench *bench,
                             OlJobBar *bar);
/* Opens an events file and puts it on the bench, or says why not. */
void ol_run_files_open(OlRunFiles *files, GFile *file);

G_END_DECLS
