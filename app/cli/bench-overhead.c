/* What the executor costs beside the work: a node of a plan whose nodes do next to nothing, and
 * the recording of a step. */
#include "app/cli/bench.h"
#include "engine/base/clock.h"
#include "engine/run/run.h"

#include <string.h>

#define SECONDS_A_NODE  20e-6
#define RECORDING_SHARE 0.01 /* of a step */
#define SAMPLES         5u

/* Layers so narrow that launching is all the work they are, and everything away from the GPU: most
 * nodes are copies of some bytes, on every lane but the drive's. */
static const char tiny_nodes[] =
    "{\"steps\": 10,"
    " \"model\": {\"layers\": 60, \"width\": 4, \"heads\": 1, \"sequence\": 24,"
    "             \"vocabulary\": 64},"
    " \"batch\": {\"micro_batch\": 1},"
    " \"placement\": {\"weights\": \"host\", \"gradients\": \"host\", \"optimizer\": \"host\","
    "                 \"activations\": \"host\"},"
    " \"optimizer\": {\"runs_on\": \"gpu\"},"
    " \"hardware\": {\"clock\": \"machine\", \"stands_for\": null}}";

/* A lesson's model, as fast as this machine goes: a step that recording would slow down most. */
static const char usual_step[] =
    "{\"steps\": 6, \"hardware\": {\"clock\": \"machine\", \"stands_for\": null}}";

static OlRun *execute(const char *text, GError **error)
{
  g_autoptr(OlRunConfig) config = ol_run_config_parse(text, -1, "bench overhead", error);
  g_autoptr(OlRun) run = config ? ol_run_new(config, NULL, error) : NULL;
  if (!run)
    return NULL;
  ol_run_execute(run);
  const OlTrace *trace = ol_run_get_trace(run);
  if (trace->outcome == OL_OUTCOME_DONE)
    return g_steal_pointer(&run);
  g_set_error(error, OL_ERROR, OL_ERROR_DEVICE, "bench overhead: %s", trace->message);
  return NULL;
}

/* Without the first. */
static double step_seconds(const OlTrace *trace)
{
  guint n = trace->steps->len;
  gint64 ns = ol_trace_step(trace, n - 1)->end_ns - ol_trace_step(trace, 0)->end_ns;
  return (double)ns / (double)OL_NS_PER_SECOND / (n - 1);
}

static gboolean measure_nodes(GError **error)
{
  OlBenchLine line = {.bench = "overhead",
                      .name = "a node",
                      .unit = "s",
                      .limit = SECONDS_A_NODE,
                      .is_target = TRUE};
  double seconds[SAMPLES];
  for (guint i = 0; i < SAMPLES; i++) {
    g_autoptr(OlRun) run = execute(tiny_nodes, error);
    if (!run)
      return FALSE;
    const OlTrace *trace = ol_run_get_trace(run);
    guint nodes = 0;
    for (guint id = 0; id < trace->graph->nodes->len; id++)
      nodes += ol_graph_node(trace->graph, id)->part == OL_PART_STEP;
    seconds[i] = step_seconds(trace) / nodes;
  }
  line.value = ol_bench_median(seconds, SAMPLES);
  return ol_bench_print(&line, error);
}

/* Everything that the trace holds, recorded once more into one that is empty. */
static double record_again(const OlTrace *trace)
{
  g_autoptr(OlTrace) copy = ol_trace_new(trace->source, &trace->header, trace->graph);
  OlRecorder *recorder = ol_recorder_new(copy);
  gint64 begin = ol_clock_now_ns();
  for (guint i = 0; i < trace->spans->len; i++)
    ol_recorder_span(recorder, ol_trace_span(trace, i));
  for (guint i = 0; i < trace->changes->len; i++)
    ol_recorder_memory(recorder, ol_trace_change(trace, i));
  for (guint i = 0; i < trace->steps->len; i++)
    ol_recorder_step(recorder, ol_trace_step(trace, i));
  gint64 ns = ol_clock_now_ns() - begin;
  ol_recorder_free(recorder);
  return (double)ns / (double)OL_NS_PER_SECOND;
}

/* Of a step, although what is recorded is a little more than the steps: fill and hash as well. */
static gboolean measure_recording(GError **error)
{
  OlBenchLine line = {
      .bench = "overhead", .name = "recording a step", .unit = "s", .is_target = TRUE};
  g_autoptr(OlRun) run = execute(usual_step, error);
  if (!run)
    return FALSE;
  const OlTrace *trace = ol_run_get_trace(run);
  double seconds[SAMPLES];
  for (guint i = 0; i < SAMPLES; i++)
    seconds[i] = record_again(trace) / trace->steps->len;
  line.value = ol_bench_median(seconds, SAMPLES);
  line.limit = RECORDING_SHARE * step_seconds(trace);
  return ol_bench_print(&line, error);
}

gboolean ol_bench_overhead(GError **error)
{
  return measure_nodes(error) && measure_recording(error);
}
