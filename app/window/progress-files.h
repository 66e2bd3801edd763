/* A learner's progress goes into files and comes from files: a copy of it as JSON, which another
 * computer can add to what it has, and the results as a table for a teacher. With dialogs, and
 * words about what cannot be. */
#pragma once

#include "app/window/text-saver.h"
#include "lessons/progress.h"
#include <adwaita.h>

G_BEGIN_DECLS

#define OL_TYPE_PROGRESS_FILES (ol_progress_files_get_type())
G_DECLARE_FINAL_TYPE(OlProgressFiles, ol_progress_files, OL, PROGRESS_FILES, GObject)

/* Signals: "told" (char *: something for a toast), "imported" (progress is not what it was). What
 * it is given must outlive it. courses: OlCourse. */
OlProgressFiles *ol_progress_files_new(GtkWindow *window, OlProgress *progress, GPtrArray *courses);

/* Asks where a copy of somebody's progress goes. */
void ol_progress_files_ask_copy(OlTextSaver *saver, const OlProgress *progress);

/* Each asks where, at first. */
void ol_progress_files_export(OlProgressFiles *files);
void ol_progress_files_save_results(OlProgressFiles *files);
void ol_progress_files_import(OlProgressFiles *files);
/* A file of progress was dropped, or named: asks whether to add it. */
void ol_progress_files_offer(OlProgressFiles *files, const char *path);

G_END_DECLS
