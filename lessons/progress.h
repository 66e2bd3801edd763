/* What a learner has predicted and answered: one file a learner in the user's data folder, saved
 * whole and atomically after every change. Schema version 1. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct OlProgress OlProgress;

/* `learner` NULL: who is logged in; `path` NULL: <user data>/offload-lab/progress-<learner>.json.
 * So whoever passes NULL twice, the terminal or the window, shares one file. A damaged file is kept
 * aside as <path>.damaged-<time> and told as an error; progress then starts empty (never NULL). A
 * file of a newer schema is left as it is: nothing is saved over it. */
OlProgress *ol_progress_load(const char *path, const char *learner, GError **error);
void ol_progress_free(OlProgress *progress);
const char *ol_progress_get_learner(const OlProgress *progress);
const char *ol_progress_get_path(const OlProgress *progress);

/* Each saves at once, and takes in what another program has saved meanwhile; FALSE with
 * OL_ERROR_STORAGE when the disk refuses: it is kept in memory, and the next save tries again. */
gboolean ol_progress_predict(OlProgress *progress, const char *lesson, double value,
                             GError **error);
/* The first answer is what counts; later ones are kept beside it. `option` is the place in the
 * lesson's question, not the one shown. */
gboolean ol_progress_answer(OlProgress *progress, const char *lesson, guint option, gboolean right,
                            GError **error);
/* A run of the lesson was made to its end. */
gboolean ol_progress_ran(OlProgress *progress, const char *lesson, const char *run, GError **error);
gboolean ol_progress_save(OlProgress *progress, GError **error);
gboolean ol_progress_is_saved(const OlProgress *progress);

/* The latest. */
gboolean ol_progress_get_prediction(const OlProgress *progress, const char *lesson, double *value);
gboolean ol_progress_has_run(const OlProgress *progress, const char *lesson, const char *run);
/* FALSE when never answered. option: of the latest answer. */
gboolean ol_progress_get_answer(const OlProgress *progress, const char *lesson, guint *option,
                                gboolean *latest_right, gboolean *first_right);
gboolean ol_progress_is_done(const OlProgress *progress, const char *lesson); /* ever right */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlProgress, ol_progress_free)

G_END_DECLS
