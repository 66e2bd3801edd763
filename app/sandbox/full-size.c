#include "app/sandbox/full-size.h"

#include "app/sandbox/forecast.h"
#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/plan/plan.h"
#include "engine/run/simulator.h"
#include <inttypes.h>

OlRunConfig *ol_full_size_dup_config(const OlRunConfig *config, const char *data_folder,
                                     GError **error)
{
  g_autoptr(OlMachine) machine = ol_machine_new(config, data_folder, error);
  OlRunConfig *full;

  if (!machine)
    return NULL;
  full = ol_machine_dup_full_size(machine, config);
  full->hardware.device = OL_DEVICE_VIRTUAL;
  full->hardware.clock = OL_CLOCK_SCALE;
  full->hardware.slowdown = 1;
  return full;
}

static gboolean enter(OlFullSizePart next, gint *part, GCancellable *cancellable, GError **error)
{
  if (part)
    g_atomic_int_set(part, (gint)next);
  return !g_cancellable_set_error_if_cancelled(cancellable, error);
}

static gboolean check_spans(const OlPlan *plan, GError **error)
{
  guint64 spans = (guint64)plan->graph->nodes->len * plan->config->steps;

  if (plan->refusal.refused || spans <= OL_FULL_SIZE_MOST_SPANS)
    return TRUE;
  g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
              _("Too large for the charts: %u steps have %" PRIu64
                " spans, and at most %u are shown. Take fewer steps, micro-batches or ranks."),
              plan->config->steps, spans, OL_FULL_SIZE_MOST_SPANS);
  return FALSE;
}

/* NULL when it was cancelled. */
static OlTrace *simulate(const OlPlan *plan, const OlMachine *machine, const OlWatch *watch)
{
  g_autoptr(OlCosts) costs = ol_costs_new(plan, machine, NULL);
  OlTrace *trace = ol_simulate_watched(plan, machine, costs, 1, watch, NULL);

  if (trace && !plan->refusal.refused)
    ol_trace_set_number(trace, "step.seconds_there", ol_simulate_step_seconds(plan, costs, 1));
  return trace;
}

/* The engine's work looks up every so often. */
static gboolean goes_on(double share, gpointer cancellable)
{
  return !g_cancellable_is_cancelled(cancellable);
}

OlFullSize *ol_full_size_new(const OlRunConfig *config, const char *data_folder, gint *part,
                             GCancellable *cancellable, GError **error)
{
  g_autoptr(OlRunConfig) full = ol_full_size_dup_config(config, data_folder, error);
  g_autoptr(OlMachine) machine = full ? ol_machine_new(full, data_folder, error) : NULL;
  g_autoptr(OlFullSize) made = g_new0(OlFullSize, 1);
  const OlWatch watch = {goes_on, cancellable};

  if (!machine || !ol_forecast_check_size(full, error) ||
      !enter(OL_FULL_SIZE_PLANNING, part, cancellable, error))
    return NULL;
  g_autoptr(OlPlan) plan = ol_plan_new_watched(full, machine, &watch, NULL);
  if (g_cancellable_set_error_if_cancelled(cancellable, error) || !check_spans(plan, error) ||
      !enter(OL_FULL_SIZE_SIMULATING, part, cancellable, error))
    return NULL;
  made->trace = simulate(plan, machine, &watch);
  if (!enter(OL_FULL_SIZE_MEASURING, part, cancellable, error))
    return NULL;
  made->metrics = ol_metrics_new_watched(made->trace, &watch, NULL);
  if (g_cancellable_set_error_if_cancelled(cancellable, error))
    return NULL;
  return g_steal_pointer(&made);
}

void ol_full_size_free(OlFullSize *full_size)
{
  if (!full_size)
    return;
  g_clear_pointer(&full_size->trace, ol_trace_unref);
  g_clear_pointer(&full_size->metrics, ol_metrics_free);
  g_free(full_size);
}

/* On a thread */

typedef struct {
  OlRunConfig *config;
  char *data_folder;
  gint *part;
} Question;

static void free_question(gpointer data)
{
  Question *question = data;

  ol_run_config_free(question->config);
  g_free(question->data_folder);
  g_free(question);
}

static void answer_in_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Question *question = data;
  GError *error = NULL;
  OlFullSize *made = ol_full_size_new(question->config, question->data_folder, question->part,
                                      cancellable, &error);

  if (made)
    g_task_return_pointer(task, made, (GDestroyNotify)ol_full_size_free);
  else
    g_task_return_error(task, error);
}

void ol_full_size_start(GObject *source, const OlRunConfig *config, const char *data_folder,
                        gint *part, GCancellable *cancellable, GAsyncReadyCallback done)
{
  Question *question = g_new0(Question, 1);
  g_autoptr(GTask) task = g_task_new(source, cancellable, done, NULL);

  *question = (Question){ol_run_config_copy(config), g_strdup(data_folder), part};
  g_task_set_task_data(task, question, free_question);
  g_task_run_in_thread(task, answer_in_thread);
}

OlFullSize *ol_full_size_finish(GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer(G_TASK(result), error);
}

const OlRunConfig *ol_full_size_get_asked(GAsyncResult *result)
{
  return ((const Question *)g_task_get_task_data(G_TASK(result)))->config;
}
