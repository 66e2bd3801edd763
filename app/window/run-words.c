#include "app/window/run-words.h"

#include "app/charts/next-node.h"
#include "app/charts/view.h"
#include "engine/base/intl.h"
#include "engine/base/measure.h"
#include <string.h>

char *ol_run_words_dup_lateness(OlLessonRuns *runs, guint run)
{
  const OlTrace *trace = ol_lesson_runs_get_trace(runs, run);
  double late = 0;

  if (trace)
    ol_trace_get_number(trace, "late", &late);
  return g_strdup_printf(late < 0.1 ? _("%.1f %% late") : _("%.0f %% late"), late * 100);
}

#define STEP_HERE  N_("%s a step")
#define STEP_THERE N_("%s a step there")
#define LOSS       N_("loss %.3g")

char *ol_run_words_dup_step(const char *seconds, gboolean there)
{
  return g_strdup_printf(there ? _(STEP_THERE) : _(STEP_HERE), seconds);
}

char *ol_run_words_dup_loss(double loss)
{
  return g_strdup_printf(_(LOSS), loss);
}

/* Whether the text is `form` with something in its one place. */
static gboolean is_of(const char *text, const char *form)
{
  const char *place = strchr(form, '%');
  g_autofree char *before = g_strndup(form, (gsize)(place - form));
  const char *after = place + strcspn(place, "sg") + 1;

  return g_str_has_prefix(text, before) && g_str_has_suffix(text, after);
}

gboolean ol_run_words_tell_loss(const char *part)
{
  return is_of(part, _(LOSS));
}

gboolean ol_run_words_tell_step(const char *part)
{
  return is_of(part, _(STEP_HERE)) || is_of(part, _(STEP_THERE));
}

static char *dup_simulated_words(const OlMetrics *metrics)
{
  double seconds;

  if (!metrics || !ol_metrics_get_number(metrics, "step.seconds", &seconds))
    return g_strdup(_("Simulated at full size"));
  g_autofree char *each = ol_measure_dup_seconds(seconds);
  g_autofree char *step = ol_run_words_dup_step(each, FALSE);
  return g_strdup_printf(_("Simulated at full size · %s"), step);
}

static char *dup_done_words(OlLessonRuns *runs, guint run, gboolean there)
{
  const OlMetrics *metrics = ol_experiment_get_metrics(ol_lesson_runs_get_experiment(runs),
                                                       ol_lesson_runs_get(runs, run)->name);
  OlChartView view = {.trace = ol_lesson_runs_get_trace(runs, run), .there = there};
  g_autofree char *each = NULL;
  double seconds;

  if (view.trace->source == OL_SOURCE_SIMULATED)
    return dup_simulated_words(metrics);
  if (ol_lesson_runs_is_late(runs, run)) {
    g_autofree char *late = ol_run_words_dup_lateness(runs, run);
    return g_strdup_printf(_("Done · %s: times do not count"), late);
  }
  if (!metrics || !ol_metrics_get_number(metrics, "step.seconds", &seconds))
    return g_strdup(_("Done"));
  each = ol_chart_view_dup_seconds(&view, seconds);
  g_autofree char *step = ol_run_words_dup_step(each, there);
  return g_strdup_printf(_("Done · %s"), step);
}

static char *dup_stopped_words(const OlTrace *trace, guint of)
{
  if (trace->steps->len > 0)
    return g_strdup_printf(_("Stopped after step %u of %u"), trace->steps->len, of);
  return ol_next_node_is_filled(trace) ? g_strdup_printf(_("Stopped in step 1 of %u"), of)
                                       : g_strdup(_("Stopped before the first step"));
}

static char *dup_running_words(const OlTrace *trace, gboolean held, guint of)
{
  g_autofree char *progress = NULL;

  if (!trace)
    return g_strdup(held ? _("Held · getting ready") : _("Starting"));
  progress = ol_next_node_dup_progress(trace, of);
  return g_strconcat(held ? _("Held · ") : _("Running · "), progress, NULL);
}

static char *dup_ended_words(OlLessonRuns *runs, guint run, gboolean there)
{
  const OlTrace *trace = ol_lesson_runs_get_trace(runs, run);

  switch (trace->outcome) {
  case OL_OUTCOME_DONE:
    if (ol_lesson_runs_is_touched(runs, run))
      return g_strdup(_("Looked at op by op · run it again to measure"));
    return dup_done_words(runs, run, there);
  case OL_OUTCOME_OUT_OF_MEMORY:
    return g_strdup(trace->source == OL_SOURCE_SIMULATED
                        ? _("Simulated at full size · out of memory")
                        : _("Out of memory"));
  case OL_OUTCOME_STOPPED:
    return dup_stopped_words(trace, ol_lesson_runs_get(runs, run)->config->steps);
  default:
    return g_strdup(_("Failed"));
  }
}

char *ol_run_words_dup_state(OlLessonRuns *runs, guint run, gboolean there)
{
  const OlTrace *trace = ol_lesson_runs_get_trace(runs, run);
  guint of = ol_lesson_runs_get(runs, run)->config->steps;

  switch (ol_lesson_runs_get_state(runs, run)) {
  case OL_RUN_PREPARING:
    return g_strdup(ol_lesson_runs_is_stopping(runs) ? _("Stopping")
                                                     : _("Getting ready: timing this machine"));
  case OL_RUN_RUNNING:
    return dup_running_words(trace, ol_lesson_runs_is_paused(runs), of);
  case OL_RUN_LOST:
    return g_strdup(_("The engine was lost"));
  case OL_RUN_ENDED:
    return dup_ended_words(runs, run, there);
  default:
    return g_strdup(ol_lesson_runs_is_queued(runs, run) ? _("To be made again, slower")
                                                        : _("Not run yet"));
  }
}
