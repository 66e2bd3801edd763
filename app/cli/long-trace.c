#include "app/cli/long-trace.h"

#include "engine/base/error.h"
#include "engine/run/cost.h"
#include "engine/run/simulator.h"

#define SLOWDOWN 1000.0

/* Everything away from the GPU, so that every kind of node is there. */
static const char config_text[] =
    "{\"steps\": 3,"
    " \"placement\": {\"weights\": \"nvme\", \"gradients\": \"host\", \"optimizer\": \"nvme\","
    "                 \"activations\": \"host\"},"
    " \"recompute\": \"full\"}";

static OlTrace *simulate(GError **error)
{
  g_autoptr(OlRunConfig) config = ol_run_config_parse(config_text, -1, "long trace", error);
  g_autoptr(OlMachine) machine = config ? ol_machine_new(config, NULL, error) : NULL;
  if (!machine)
    return NULL;
  g_autoptr(OlPlan) plan = ol_plan_new(config, machine);
  g_autoptr(OlCosts) costs = ol_costs_new(plan, machine, NULL);
  OlTrace *trace = ol_simulate(plan, machine, costs, SLOWDOWN);
  if (trace->outcome == OL_OUTCOME_DONE)
    return trace;
  g_set_error(error, OL_ERROR, OL_ERROR_OUT_OF_MEMORY, "long trace: %s", trace->message);
  ol_trace_unref(trace);
  return NULL;
}

static gboolean is_transient(const OlTrace *pattern, const OlMemoryChange *change)
{
  return ol_graph_buffer(pattern->graph, change->buffer)->kind == OL_BUFFER_TRANSIENT;
}

/* What comes before the first step: homes and slots, and what fills them. */
static void append_fill(OlTrace *trace, const OlTrace *pattern)
{
  for (guint i = 0; i < pattern->spans->len; i++)
    if (ol_trace_span(pattern, i)->step < 0)
      g_array_append_vals(trace->spans, ol_trace_span(pattern, i), 1);
  for (guint i = 0; i < pattern->changes->len; i++)
    if (!is_transient(pattern, ol_trace_change(pattern, i)))
      g_array_append_vals(trace->changes, ol_trace_change(pattern, i), 1);
}

/* Step `step` of the pattern once more: as step `as`, so much later. */
static void append_step(OlTrace *trace, const OlTrace *pattern, OlStep step, guint as,
                        gint64 later_ns)
{
  for (guint i = 0; i < pattern->spans->len; i++) {
    OlSpan span = *ol_trace_span(pattern, i);
    if (span.step != (int)step.step ||
        ol_graph_node(pattern->graph, span.node)->part != OL_PART_STEP)
      continue;
    span.step = (int)as;
    span.begin_ns += later_ns;
    span.end_ns += later_ns;
    g_array_append_val(trace->spans, span);
  }
  for (guint i = 0; i < pattern->changes->len; i++) {
    OlMemoryChange change = *ol_trace_change(pattern, i);
    if (change.time_ns < step.begin_ns || change.time_ns >= step.end_ns ||
        !is_transient(pattern, &change))
      continue;
    change.time_ns += later_ns;
    g_array_append_val(trace->changes, change);
  }
  step.step = as;
  step.begin_ns += later_ns;
  step.end_ns += later_ns;
  g_array_append_val(trace->steps, step);
}

OlTrace *ol_long_trace_new(guint n_spans, GError **error)
{
  g_autoptr(OlTrace) pattern = simulate(error);
  if (!pattern)
    return NULL;
  OlTrace *trace = ol_trace_new(pattern->source, &pattern->header, pattern->graph);
  OlStep again = *ol_trace_step(pattern, 1);
  append_fill(trace, pattern);
  append_step(trace, pattern, *ol_trace_step(pattern, 0), 0, 0);
  for (guint i = 1; trace->spans->len < n_spans; i++)
    append_step(trace, pattern, again, i, (i - 1) * (again.end_ns - again.begin_ns));
  ol_trace_end(trace, OL_OUTCOME_DONE, NULL, NULL);
  return trace;
}
