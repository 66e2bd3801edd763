#include "lessons/experiment.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/config/json-guard.h"
#include "engine/run/run.h"
#include "engine/run/slowdown.h"
#include "lessons/grading.h"
#include "lessons/lateness.h"
#include "lessons/quote.h"

#include <math.h>

#define MOST_SLOW_DOWNS 3

/* What is known of one run of the lesson. */
typedef struct {
  OlTrace *trace;
  OlMetrics *metrics;
  JsonParser *parser; /* keeps config; NULL when that is unreadable */
  JsonObject *config; /* that the trace was made with */
} Made;

struct OlExperiment {
  const OlLesson *lesson;
  double slowdown;  /* 0: not chosen yet */
  guint slow_downs; /* how often it was raised since */
  guint first;      /* of the runs that share this slow-down: those before had another */
  guint n;          /* runs */
  Made *made;       /* [n] */
};

OlExperiment *ol_experiment_new(const OlLesson *lesson)
{
  OlExperiment *experiment = g_new0(OlExperiment, 1);
  experiment->lesson = lesson;
  experiment->n = lesson->n_runs;
  experiment->made = g_new0(Made, lesson->n_runs);
  return experiment;
}

static void forget(Made *made)
{
  g_clear_pointer(&made->metrics, ol_metrics_free);
  g_clear_pointer(&made->trace, ol_trace_unref);
  g_clear_object(&made->parser);
}

void ol_experiment_free(OlExperiment *experiment)
{
  if (experiment == NULL)
    return;
  for (guint i = 0; i < experiment->n; i++)
    forget(&experiment->made[i]);
  g_free(experiment->made);
  g_free(experiment);
}

void ol_experiment_grow(OlExperiment *experiment)
{
  guint n = experiment->lesson->n_runs;
  experiment->made = g_renew(Made, experiment->made, n);
  for (guint i = experiment->n; i < n; i++)
    experiment->made[i] = (Made){0};
  experiment->first = experiment->n;
  experiment->n = n;
  experiment->slowdown = 0;
  experiment->slow_downs = 0;
}

const OlLesson *ol_experiment_get_lesson(const OlExperiment *experiment)
{
  return experiment->lesson;
}

double ol_experiment_get_slowdown(const OlExperiment *experiment)
{
  return experiment->slowdown;
}

gboolean ol_experiment_prepare(OlExperiment *experiment, const char *data_folder,
                               double seconds_a_step, GError **error)
{
  if (experiment->slowdown > 0)
    return TRUE;
  const OlLesson *lesson = experiment->lesson;
  guint n = experiment->n - experiment->first;
  g_autofree const OlRunConfig **configs = g_new(const OlRunConfig *, n);
  for (guint i = 0; i < n; i++)
    configs[i] = lesson->runs[experiment->first + i].config;
  double slowdown = 0;
  if (!ol_slowdown_choose(configs, n, data_folder, seconds_a_step, &slowdown, error)) {
    g_prefix_error(error, _("lesson %s: "), lesson->id);
    return FALSE;
  }
  experiment->slowdown = slowdown;
  return TRUE;
}

OlRunConfig *ol_experiment_dup_config(const OlExperiment *experiment, const char *run,
                                      JsonObject *changes, GError **error)
{
  const OlLessonRun *lesson_run = ol_lesson_find_run(experiment->lesson, run);
  if (lesson_run == NULL) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("the lesson %s has no run “%s”"),
                experiment->lesson->id, run);
    return NULL;
  }
  OlRunConfig *config = changes != NULL
                            ? ol_run_config_with(lesson_run->config, changes, "changes", error)
                            : ol_run_config_copy(lesson_run->config);
  /* On the machine's clock there is no slow-down, and none was chosen. */
  if (config != NULL && config->hardware.slowdown == 0 && isfinite(experiment->slowdown))
    config->hardware.slowdown = experiment->slowdown;
  return config;
}

static Made *find_made(const OlExperiment *experiment, const char *run)
{
  const OlLessonRun *lesson_run = ol_lesson_find_run(experiment->lesson, run);
  return lesson_run != NULL ? &experiment->made[lesson_run - experiment->lesson->runs] : NULL;
}

void ol_experiment_take_trace(OlExperiment *experiment, const char *run, OlTrace *trace)
{
  ol_experiment_take_measured(experiment, run, trace, ol_metrics_new(trace));
}

void ol_experiment_forget(OlExperiment *experiment, const char *run)
{
  Made *made = find_made(experiment, run);
  g_return_if_fail(made != NULL);
  forget(made);
}

void ol_experiment_take_measured(OlExperiment *experiment, const char *run, OlTrace *trace,
                                 OlMetrics *metrics)
{
  Made *made = find_made(experiment, run);
  g_return_if_fail(made != NULL && trace->ended);
  ol_trace_ref(trace);
  forget(made);
  made->trace = trace;
  made->metrics = metrics;
  if (trace->header.config != NULL)
    made->parser =
        ol_json_parse_object(trace->header.config, -1, _("the run's config"), &made->config, NULL);
}

OlTrace *ol_experiment_get_trace(const OlExperiment *experiment, const char *run)
{
  const Made *made = find_made(experiment, run);
  return made != NULL ? made->trace : NULL;
}

const OlMetrics *ol_experiment_get_metrics(const OlExperiment *experiment, const char *run)
{
  const Made *made = find_made(experiment, run);
  return made != NULL ? made->metrics : NULL;
}

/* The run when it counts: real, and to its end; a run out of memory has ended. */
static const Made *find_counted(const OlExperiment *experiment, const char *run)
{
  const Made *made = find_made(experiment, run);
  if (made == NULL || made->trace == NULL || made->trace->source != OL_SOURCE_MEASURED)
    return NULL;
  OlOutcome outcome = made->trace->outcome;
  return outcome == OL_OUTCOME_DONE || outcome == OL_OUTCOME_OUT_OF_MEMORY ? made : NULL;
}

gboolean ol_experiment_was_made(const OlExperiment *experiment, const char *run)
{
  return find_counted(experiment, run) != NULL;
}

/* The scalar of the run's own config that "config.…" names, or NULL. */
static JsonNode *find_setting(const Made *made, const char *metric)
{
  const char *key_path = ol_quote_setting(metric);
  if (key_path == NULL || made->parser == NULL)
    return NULL;
  JsonNode *node = ol_setting_find(made->config, key_path);
  return node != NULL && JSON_NODE_HOLDS_VALUE(node) ? node : NULL;
}

gboolean ol_experiment_get_number(const OlExperiment *experiment, const char *run,
                                  const char *metric, double *value)
{
  const Made *made = find_counted(experiment, run);
  if (made == NULL)
    return FALSE;
  if (ol_quote_setting(metric) == NULL)
    return ol_metrics_get_number(made->metrics, metric, value);
  JsonNode *node = find_setting(made, metric);
  GType type = node != NULL ? json_node_get_value_type(node) : G_TYPE_NONE;
  if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return FALSE;
  *value = json_node_get_double(node);
  return TRUE;
}

char *ol_experiment_dup_text(const OlExperiment *experiment, const char *run, const char *metric)
{
  const Made *made = find_counted(experiment, run);
  if (made == NULL)
    return NULL;
  if (ol_quote_setting(metric) == NULL)
    return g_strdup(ol_metrics_get_text(made->metrics, metric));
  JsonNode *node = find_setting(made, metric);
  return node != NULL && json_node_get_value_type(node) == G_TYPE_STRING
             ? json_node_dup_string(node)
             : NULL;
}

char *ol_experiment_dup_bare_words(const OlExperiment *experiment, const char *run,
                                   const char *metric)
{
  const Made *made = find_counted(experiment, run);
  if (made == NULL)
    return NULL;
  if (ol_quote_setting(metric) == NULL)
    return ol_metrics_dup_words(made->metrics, metric);
  double number;
  if (ol_experiment_get_number(experiment, run, metric, &number))
    return g_strdup_printf("%g", number);
  return ol_experiment_dup_text(experiment, run, metric);
}

char *ol_experiment_dup_words(const OlExperiment *experiment, const char *run, const char *metric)
{
  char *words = ol_experiment_dup_bare_words(experiment, run, metric);
  if (words == NULL || !ol_experiment_is_spoilt(experiment, run, metric))
    return words;
  g_autofree char *bare = words;
  return g_strconcat(bare, _(" (late: does not count)"), NULL);
}

/* Runs one and keeps its trace. FALSE when the machine, not the model, ended it. */
static gboolean make_run(OlExperiment *experiment, const OlLessonRun *lesson_run,
                         const char *data_folder, GError **error)
{
  g_autoptr(OlRunConfig) config =
      ol_experiment_dup_config(experiment, lesson_run->name, NULL, error);
  OlRunOptions options = {.data_folder = data_folder};
  g_autoptr(OlRun) run = config != NULL ? ol_run_new(config, &options, error) : NULL;
  if (run == NULL) {
    g_prefix_error(error, _("lesson %s, run %s: "), experiment->lesson->id, lesson_run->name);
    return FALSE;
  }
  ol_run_execute(run);
  OlTrace *trace = ol_run_get_trace(run);
  if (trace->outcome == OL_OUTCOME_FAILED || trace->outcome == OL_OUTCOME_STOPPED) {
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE, _("lesson %s, run %s: %s"),
                experiment->lesson->id, lesson_run->name,
                trace->message != NULL ? trace->message : ol_outcome_nick(trace->outcome));
    return FALSE;
  }
  ol_experiment_take_trace(experiment, lesson_run->name, trace);
  return TRUE;
}

gboolean ol_experiment_is_late(const OlExperiment *experiment, const char *run)
{
  const OlMetrics *metrics = ol_experiment_get_metrics(experiment, run);
  double late;
  return metrics != NULL && ol_metrics_get_number(metrics, "late", &late) &&
         late > OL_EXPERIMENT_LATE;
}

gboolean ol_experiment_is_spoilt(const OlExperiment *experiment, const char *run,
                                 const char *metric)
{
  return ol_metric_is_time(metric) && ol_experiment_is_late(experiment, run);
}

gboolean ol_experiment_may_slow_down(const OlExperiment *experiment)
{
  return experiment->slow_downs < MOST_SLOW_DOWNS && experiment->slowdown > 0 &&
         isfinite(experiment->slowdown) && experiment->n > experiment->first &&
         experiment->lesson->runs[experiment->first].config->hardware.slowdown == 0;
}

gboolean ol_experiment_slow_down(OlExperiment *experiment)
{
  if (!ol_experiment_may_slow_down(experiment))
    return FALSE;
  experiment->slowdown = ol_slowdown_round_up(experiment->slowdown * 2);
  experiment->slow_downs++;
  for (guint i = experiment->first; i < experiment->n; i++)
    forget(&experiment->made[i]);
  return TRUE;
}

/* How all runs are made. */
typedef struct {
  const char *data_folder;
  gboolean times_matter;
  OlExperimentTold told;
  gpointer data;
} Making;

/* On a clock that the lesson sets, which nothing may slow down, a late run is made again as it is:
 * a moment in which this machine was busy is past then. */
static guint count_tries(const OlExperiment *experiment, const Making *making)
{
  gboolean is_set = experiment->lesson->runs[0].config->hardware.slowdown != 0;
  return making->times_matter && is_set ? 1 + MOST_SLOW_DOWNS : 1;
}

static gboolean make_in_time(OlExperiment *experiment, const OlLessonRun *run, guint attempt,
                             const Making *making, GError **error)
{
  guint tries = count_tries(experiment, making);
  for (guint i = 0; i < tries && (i == 0 || ol_experiment_is_late(experiment, run->name)); i++) {
    if (making->told != NULL)
      making->told(run, attempt, making->data);
    if (!make_run(experiment, run, making->data_folder, error))
      return FALSE;
  }
  return TRUE;
}

/* Makes the runs that are missing. *late: one was late; then, unless this is the last attempt, the
 * rest is left, since all of it is to be repeated. */
static gboolean attempt(OlExperiment *experiment, guint number, gboolean last, gboolean *late,
                        const Making *making, GError **error)
{
  *late = FALSE;
  for (guint i = 0; i < experiment->lesson->n_runs && (last || !*late); i++) {
    const OlLessonRun *run = &experiment->lesson->runs[i];
    if (experiment->made[i].trace == NULL && !make_in_time(experiment, run, number, making, error))
      return FALSE;
    *late = *late || ol_experiment_is_late(experiment, run->name);
  }
  return TRUE;
}

gboolean ol_experiment_run_all(OlExperiment *experiment, const char *data_folder,
                               gboolean times_matter, OlExperimentTold told, gpointer data,
                               GError **error)
{
  Making making = {data_folder, times_matter, told, data};
  if (!ol_experiment_prepare(experiment, data_folder, 0, error))
    return FALSE;
  for (guint number = 0;; number++) {
    gboolean late, last = !times_matter || !ol_experiment_may_slow_down(experiment);
    if (!attempt(experiment, number, last, &late, &making, error))
      return FALSE;
    if (!late || last || !ol_experiment_slow_down(experiment))
      return TRUE;
  }
}

double ol_experiment_get_predicted(const OlExperiment *experiment, const char *run)
{
  const OlPrediction *asked = experiment->lesson->prediction;
  double value;
  if (asked == NULL || asked->kind != OL_PREDICTION_NUMBER || !g_str_equal(asked->run, run) ||
      ol_experiment_is_spoilt(experiment, run, asked->metric) ||
      !ol_experiment_get_number(experiment, run, asked->metric, &value))
    return NAN;
  return value / ol_grading_unit_size(asked->unit);
}
