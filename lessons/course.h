/* A course: lessons with their experiments, claims and questions, read from one JSON file
 * (contracts.md "A course file"). Read-only once loaded. */
#pragma once

#include "engine/config/run-config.h"

G_BEGIN_DECLS

typedef struct {
  char *name;          /* "overlap": unique in the lesson */
  char *title;         /* "Optimizer on the host" */
  OlRunConfig *config; /* base with the recipe's keys set, then the run's */
  gboolean hidden;     /* only for evidence: not offered to the learner */
  /* The DeepSpeed JSON that the run is read from, as it stands in its file, and what in it changes
   * nothing in the lab: "aio.single_submit: the lab …", NULL-terminated. NULL without one. */
  char *recipe_text;
  char **recipe_unused;
} OlLessonRun;

typedef enum { OL_PREDICTION_NUMBER, OL_PREDICTION_CHOICE } OlPredictionKind;

typedef struct {
  char *ask;
  OlPredictionKind kind;
  char *run, *metric; /* number: what it is compared with, see ol_experiment_get_number() */
  char *unit;         /* number: as shown: "s", "MiB", "%", "layers" */
  double from, to;    /* number */
  double step;        /* number: 0 for any value */
  char **choices;     /* choice: NULL-terminated */
  int right_choice;   /* choice: index; else -1 */
} OlPrediction;

typedef enum {
  OL_SHOW_NOTHING,
  OL_SHOW_LANE,
  OL_SHOW_PAYLOAD,
  OL_SHOW_TIER,
  OL_SHOW_UNIT
} OlShowKind;

typedef struct {
  char *text; /* may quote {run:metric} */
  char *run;
  OlShowKind show;
  int target; /* OlLane, OlPayload, OlTier or unit */
} OlObservation;

typedef enum {
  OL_IS_AT_LEAST,
  OL_IS_AT_MOST,
  OL_IS_EXACTLY,
  OL_IS_LESS_THAN,
  OL_IS_MORE_THAN
} OlComparison;

typedef struct {
  char *run, *metric;
  OlComparison is;
  double value;     /* used when value_text and than_run are NULL */
  char *value_text; /* for text metrics ("done") */
  char *than_run, *than_metric;
  double than_times;
  char *fails_on; /* the run that takes the place of `run` and makes the claim false */
} OlClaim;

typedef struct {
  char *text;
  char *why; /* may quote {run:metric} */
  gboolean right;
  /* Where that can be seen: as the file says, else what `why` quotes first. NULL: nowhere. */
  char *run;
  OlShowKind show;
  int target;
} OlOption;

/* The right one of n; of several the first; the last when none is. */
const OlOption *ol_options_find_right(const OlOption *options, guint n);

typedef struct {
  char *text;
  OlOption *options;
  guint n_options; /* always 4 */
} OlQuestion;

typedef struct {
  char *id, *title, *goal;
  OlLessonRun *runs;
  guint n_runs;
  char **controls;          /* key paths that the learner may change; NULL-terminated */
  OlPrediction *prediction; /* or NULL */
  OlObservation *observations;
  guint n_observations;
  OlClaim *claims;
  guint n_claims;
  OlQuestion question;
} OlLesson;

typedef struct {
  char *id, *title;
  OlLesson *lessons;
  guint n_lessons;
} OlCourse;

/* Recipes that a run names are read from ol_data_folder()/recipes.
 *
 * OL_ERROR_BAD_INPUT with file, line where known, key path and what is allowed. Loading checks that
 * names resolve, metric paths are known, configs are valid and can run, of four options one is
 * right, and that every claim has a counter-run. Every fault found, one a line. NULL on error. */
OlCourse *ol_course_load(const char *path, GError **error);
OlCourse *ol_course_parse(const char *text, gssize length, const char *where, GError **error);
void ol_course_free(OlCourse *course);

/* All courses of <data folder>/courses/, in file-name order, ids unique over all; recipes are those
 * of the same data folder. */
GPtrArray *ol_courses_load(const char *data_folder, GError **error);
/* Adds one more, a file of a folder, whose ids must be new among them. FALSE on error: then nothing
 * is added. Where left_out is not NULL lessons at fault do not stand in the way of the others: it
 * gets what is wrong with them, a line each, or NULL; caller frees. */
gboolean ol_courses_add(GPtrArray *courses, const char *folder, const char *name,
                        const char *data_folder, char **left_out, GError **error);
const OlLesson *ol_courses_find(GPtrArray *courses, const char *lesson_id, const OlCourse **course);

const OlLessonRun *ol_lesson_find_run(const OlLesson *lesson, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlCourse, ol_course_free)

G_END_DECLS
