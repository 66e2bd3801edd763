/* The mini course's first experiment, for each test, and runs of it made by hand. */
#pragma once

#include "lessons/experiment.h"
#include "tests/lessons/mini-course.h"

static OlCourse *course;
static OlExperiment *experiment;

static inline void set_up(void)
{
  g_autofree char *path = suite_path("mini-course.json");
  GError *error = NULL;
  course = ol_course_load(path, &error);
  ck_assert_msg(course != NULL, "%s", error != NULL ? error->message : "");
  experiment = ol_experiment_new(&course->lessons[0]);
}

static inline void tear_down(void)
{
  ol_experiment_free(experiment);
  ol_course_free(course);
}

/* What a hand-made trace tells. */
typedef struct {
  OlSource source;
  OlOutcome outcome;
  double seconds_a_step; /* 0: no steps, so no such metric */
  const char *hash;
  double late;
  guint layers; /* in the config it was made with */
} Made;

static inline OlTrace *make_trace(const Made *made)
{
  g_autofree char *config = g_strdup_printf("{\"model\": {\"layers\": %u}}", made->layers);
  g_autoptr(GArray) capacities = g_array_new(FALSE, TRUE, sizeof(guint64));
  g_array_set_size(capacities, OL_N_TIERS);
  OlTraceHeader header = {
      .config = config, .mu = 1, .kappa = 1, .slowdown = 1000, .capacities = capacities};
  g_autoptr(OlGraph) graph = ol_graph_new(1);
  OlTrace *trace = ol_trace_new(made->source, &header, graph);
  gint64 length = (gint64)(made->seconds_a_step * 1e9);
  for (guint i = 0; i < 3 && length > 0; i++) {
    OlStep step = {i, i * length, (i + 1) * length, 4.0 - i, 1.0};
    g_array_append_val(trace->steps, step);
  }
  if (made->hash != NULL)
    ol_trace_set_text(trace, "weights.hash", made->hash);
  ol_trace_set_number(trace, "late", made->late);
  ol_trace_end(trace, made->outcome, NULL, NULL);
  return trace;
}

static inline void take(const char *run, const Made *made)
{
  g_autoptr(OlTrace) trace = make_trace(made);
  ol_experiment_take_trace(experiment, run, trace);
}

static const Made slow = {OL_SOURCE_MEASURED, OL_OUTCOME_DONE, 1.0, "aaaaaaaaaaaaaaaa", 0, 5};
static const Made quick = {OL_SOURCE_MEASURED, OL_OUTCOME_DONE, 0.5, "aaaaaaaaaaaaaaaa", 0, 2};
static const Made other = {OL_SOURCE_MEASURED, OL_OUTCOME_DONE, 0.5, "bbbbbbbbbbbbbbbb", 0, 2};
