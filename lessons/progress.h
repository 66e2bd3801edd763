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
/* Is never saved, and forgotten when it is freed: what a class does is nobody's own. */
OlProgress *ol_progress_new_unsaved(const char *learner);
void ol_progress_free(OlProgress *progress);
const char *ol_progress_get_learner(const OlProgress *progress);
const char *ol_progress_get_path(const OlProgress *progress); /* NULL: it is never saved */

/* Each saves at once, and takes in what another program has saved meanwhile; FALSE with
 * OL_ERROR_STORAGE when the disk refuses: it is kept in memory, and the next save tries again. */
gboolean ol_progress_predict(OlProgress *progress, const char *lesson, double value,
                             GError **error);
/* `sure`: how sure the learner is of it, as a share from 0 to 1; NAN: was not asked. */
gboolean ol_progress_predict_sure(OlProgress *progress, const char *lesson, double value,
                                  double sure, GError **error);
/* The first answer is what counts; later ones are kept beside it. `option` is the place in the
 * lesson's question, not the one shown. */
gboolean ol_progress_answer(OlProgress *progress, const char *lesson, guint option, gboolean right,
                            GError **error);
/* A run of the lesson was made to its end. */
gboolean ol_progress_ran(OlProgress *progress, const char *lesson, const char *run, GError **error);
/* The same, with what the lesson's prediction is about, in its unit; NAN: nothing of that. */
gboolean ol_progress_ran_measured(OlProgress *progress, const char *lesson, const char *run,
                                  double measured, GError **error);
/* The lesson's question was answered again in a review. No answer of the lesson, first or latest,
 * is changed by that. */
gboolean ol_progress_review(OlProgress *progress, const char *lesson, guint option, gboolean right,
                            GError **error);
gboolean ol_progress_save(OlProgress *progress, GError **error);
gboolean ol_progress_is_saved(const OlProgress *progress);
/* Told after each attempt to save: `why` is NULL when everything is on the disk, else why not. One
 * watcher; NULL: none any more. */
typedef void (*OlProgressWatch)(gpointer data, const char *why);
void ol_progress_set_watch(OlProgress *progress, OlProgressWatch watch, gpointer data);

/* The latest. */
gboolean ol_progress_get_prediction(const OlProgress *progress, const char *lesson, double *value);
/* FALSE when there is no prediction, or the learner was not asked. */
gboolean ol_progress_get_sure(const OlProgress *progress, const char *lesson, double *sure);
gboolean ol_progress_has_run(const OlProgress *progress, const char *lesson, const char *run);
/* FALSE when never answered. option: of the latest answer. */
gboolean ol_progress_get_answer(const OlProgress *progress, const char *lesson, guint *option,
                                gboolean *latest_right, gboolean *first_right);
/* Of all answers to a lesson; the times are UTC as ISO 8601, borrowed until the next change. */
typedef struct {
  guint n;
  guint first_option, latest_option;
  gboolean first_right, latest_right;
  const char *first_time, *latest_time;
} OlAnswers;
/* FALSE, and n is 0, when never answered. */
gboolean ol_progress_get_answers(const OlProgress *progress, const char *lesson,
                                 OlAnswers *answers);
gboolean ol_progress_is_done(const OlProgress *progress, const char *lesson); /* ever right */

typedef enum { OL_ENTRY_PREDICTION, OL_ENTRY_RUN, OL_ENTRY_ANSWER, OL_ENTRY_REVIEW } OlEntryKind;

/* One thing that was done in a lesson. */
typedef struct {
  OlEntryKind kind;
  gint64 time;     /* UTC, in seconds since 1970; 0 when nobody knows */
  double value;    /* of a prediction; of a run what it measured for that, or NAN */
  double sure;     /* of a prediction, or NAN */
  guint option;    /* of an answer and a review */
  gboolean right;  /* of these */
  const char *run; /* of a run; borrowed until the next change */
} OlProgressEntry;
/* All of one kind, in the order of time: OlProgressEntry. Caller unrefs. */
GArray *ol_progress_list_entries(const OlProgress *progress, const char *lesson, OlEntryKind kind);

/* Forgets all about these lessons (NULL-terminated; NULL: all that there is anything about), here
 * and in what another program may still save of them; answers made later count again as first ones.
 * Saves as above. How many lessons there was anything about; *saved may be NULL. */
guint ol_progress_reset(OlProgress *progress, const char *const *lessons, gboolean *saved,
                        GError **error);
/* Takes the last reset back, also one of an earlier day; what was answered since stays, behind what
 * comes back. How many lessons came back: 0 when there is no reset to take back. */
guint ol_progress_undo_reset(OlProgress *progress, gboolean *saved, GError **error);
/* How many lessons an undo would bring back. */
guint ol_progress_count_undo(const OlProgress *progress);

/* All of it, as the file has it. Caller frees. */
char *ol_progress_dup_json(const OlProgress *progress);

/* What an import has brought that was not there. */
typedef struct {
  guint lessons; /* that anything came for */
  guint predictions, answers, runs, reviews;
} OlProgressTaken;
/* Adds what the file has and this progress has not, in the order of time: nothing is lost, and what
 * was reset here comes back if the file has it. OL_ERROR_BAD_INPUT, which names file and key, when
 * it cannot be used, or is a newer lab's: then nothing is changed. Else as the changes above. */
gboolean ol_progress_import(OlProgress *progress, const char *path, OlProgressTaken *taken,
                            GError **error);
/* Whether the file looks like one of progress, of any schema, rather than something else. */
gboolean ol_progress_file_is_likely(const char *path);
/* What an import would be about: the learner whom the file names, or NULL, and the lessons that it
 * has anything of. FALSE with OL_ERROR_BAD_INPUT as an import has it. The caller frees the name. */
gboolean ol_progress_file_describe(const char *path, char **learner, guint *n_lessons,
                                   GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlProgress, ol_progress_free)

G_END_DECLS
