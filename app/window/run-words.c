#include "app/window/run-words.h"

#include "app/charts/next-node.h"
#include "app/charts/view.h"
#include "engine/base/intl.h"
#include "engine/base/measure.h"

char *ol_run_words_dup_lateness(OlLessonRuns *runs, guint run)
{
  const OlTrace *trace = ol_lesson_runs_get_trace(runs, run);
  double late = 0;

  if (trace)
    ol_trace_get_number(trace, "late", &late);
  return g_strdup_printf(late < 0.1 ? _("%.1f %% late") : _("%.0f %% late"), late * 100);
}

static void add_simulated(GArray *parts, const OlMetrics *metrics)
{
  double seconds;

  ol_run_parts_add(parts, OL_NUMBER_NONE, _("Simulated at full size"));
  if (!metrics || !ol_metrics_get_number(metrics, "step.seconds", &seconds))
    return;
  g_autofree char *each = ol_measure_dup_seconds(seconds);
  ol_run_parts_add(parts, OL_NUMBER_SPEED, _("%s a step"), each);
}

static void add_done(GArray *parts, OlLessonRuns *runs, guint run, gboolean there)
{
  const OlMetrics *metrics = ol_experiment_get_metrics(ol_lesson_runs_get_experiment(runs),
                                                       ol_lesson_runs_get(runs, run)->name);
  OlChartView view = {.trace = ol_lesson_runs_get_trace(runs, run), .there = there};
  double seconds;

  if (view.trace->source == OL_SOURCE_SIMULATED) {
    add_simulated(parts, metrics);
    return;
  }
  ol_run_parts_add(parts, OL_NUMBER_NONE, _("Done"));
  if (ol_lesson_runs_is_late(runs, run)) {
    g_autofree char *late = ol_run_words_dup_lateness(runs, run);
    ol_run_parts_add(parts, OL_NUMBER_NONE, _("%s: times do not count"), late);
  } else if (metrics && ol_metrics_get_number(metrics, "step.seconds", &seconds)) {
    ol_run_parts_add_step(parts, &view, seconds);
  }
}

static void add_stopped(GArray *parts, const OlTrace *trace, guint of)
{
  if (trace->steps->len > 0)
    ol_run_parts_add(parts, OL_NUMBER_NONE, _("Stopped after step %u of %u"), trace->steps->len,
                     of);
  else if (ol_next_node_is_filled(trace))
    ol_run_parts_add(parts, OL_NUMBER_NONE, _("Stopped in step 1 of %u"), of);
  else
    ol_run_parts_add(parts, OL_NUMBER_NONE, _("Stopped before the first step"));
}

static void add_running(GArray *parts, const OlTrace *trace, gboolean held, guint of)
{
  g_autofree char *progress = trace ? ol_next_node_dup_progress(trace, of) : NULL;

  if (!trace && !held) {
    ol_run_parts_add(parts, OL_NUMBER_NONE, _("Starting"));
    return;
  }
  ol_run_parts_add(parts, OL_NUMBER_NONE, held ? _("Held") : _("Running"));
  ol_run_parts_add(parts, OL_NUMBER_NONE, "%s", progress ? progress : _("getting ready"));
}

static void add_ended(GArray *parts, OlLessonRuns *runs, guint run, gboolean there)
{
  const OlTrace *trace = ol_lesson_runs_get_trace(runs, run);

  switch (trace->outcome) {
  case OL_OUTCOME_DONE:
    if (!ol_lesson_runs_is_touched(runs, run)) {
      add_done(parts, runs, run, there);
      return;
    }
    ol_run_parts_add(parts, OL_NUMBER_NONE, _("Looked at op by op"));
    ol_run_parts_add(parts, OL_NUMBER_NONE, _("run it again to measure"));
    return;
  case OL_OUTCOME_OUT_OF_MEMORY:
    if (trace->source == OL_SOURCE_SIMULATED)
      ol_run_parts_add(parts, OL_NUMBER_NONE, _("Simulated at full size"));
    ol_run_parts_add(parts, OL_NUMBER_NONE, "%s",
                     trace->source == OL_SOURCE_SIMULATED ? _("out of memory")
                                                          : _("Out of memory"));
    return;
  case OL_OUTCOME_STOPPED:
    add_stopped(parts, trace, ol_lesson_runs_get(runs, run)->config->steps);
    return;
  default:
    ol_run_parts_add(parts, OL_NUMBER_NONE, _("Failed"));
  }
}

static void add_state(GArray *parts, OlLessonRuns *runs, guint run, gboolean there)
{
  const OlTrace *trace = ol_lesson_runs_get_trace(runs, run);

  switch (ol_lesson_runs_get_state(runs, run)) {
  case OL_RUN_PREPARING:
    ol_run_parts_add(parts, OL_NUMBER_NONE, "%s",
                     ol_lesson_runs_is_stopping(runs) ? _("Stopping")
                                                      : _("Getting ready: timing this machine"));
    return;
  case OL_RUN_RUNNING:
    add_running(parts, trace, ol_lesson_runs_is_paused(runs),
                ol_lesson_runs_get(runs, run)->config->steps);
    return;
  case OL_RUN_LOST:
    ol_run_parts_add(parts, OL_NUMBER_NONE, _("The engine was lost"));
    return;
  case OL_RUN_ENDED:
    add_ended(parts, runs, run, there);
    return;
  default:
    ol_run_parts_add(parts, OL_NUMBER_NONE, "%s",
                     ol_lesson_runs_is_queued(runs, run) ? _("To be made again, slower")
                                                         : _("Not run yet"));
  }
}

GArray *ol_run_words_new_state(OlLessonRuns *runs, guint run, gboolean there)
{
  GArray *parts = ol_run_parts_new();

  add_state(parts, runs, run, there);
  return parts;
}

char *ol_run_words_dup_state(OlLessonRuns *runs, guint run, gboolean there)
{
  g_autoptr(GArray) parts = ol_run_words_new_state(runs, run, there);

  return ol_run_parts_dup_words(parts);
}
