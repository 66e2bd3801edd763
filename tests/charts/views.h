/* The pictures that several suites look at: a trace, an index over it and a view of the whole. */
#pragma once

#include "app/charts/charts.h"
#include "app/charts/guess.h"
#include "app/charts/ties.h"
#include "tests/trace/sample-trace.h"
#include <check.h>

typedef struct {
  OlTrace *trace;
  OlTraceIndex *index;
  OlTies *ties;     /* of the selection, or NULL */
  GArray *critical; /* or NULL */
  OlChartView view;
  OlTrace *other; /* that it is compared with, or NULL */
  OlTraceIndex *other_index;
  OlGuess *guess; /* or NULL; its words are literals */
} Scene;

/* Takes over the trace, which may be NULL: the empty state. */
static inline Scene scene_new(OlTrace *trace)
{
  Scene scene = {.trace = trace, .index = trace != NULL ? ol_trace_index_new(trace) : NULL};
  scene.view = ol_chart_view_whole(trace, scene.index);
  return scene;
}

static inline void scene_clear(Scene *scene)
{
  g_clear_pointer(&scene->ties, ol_ties_free);
  g_clear_pointer(&scene->critical, g_array_unref);
  g_clear_pointer(&scene->index, ol_trace_index_free);
  g_clear_pointer(&scene->trace, ol_trace_unref);
  g_clear_pointer(&scene->guess, g_free);
  g_clear_pointer(&scene->other_index, ol_trace_index_free);
  g_clear_pointer(&scene->other, ol_trace_unref);
}

/* Added up change by change, the tier holds at the moment as much as ever. */
static inline void assert_peak_at(const OlTrace *trace, OlTier tier, gint64 moment_ns)
{
  gint64 held = 0, most = 0, at_moment = 0;
  for (guint i = 0; i < trace->changes->len; i++) {
    const OlMemoryChange *change = ol_trace_change(trace, i);
    if (ol_graph_buffer(trace->graph, change->buffer)->tier != tier)
      continue;
    held += change->bytes;
    most = MAX(most, held);
    if (change->time_ns <= moment_ns)
      at_moment = held;
  }
  ck_assert_int_eq(at_moment, most);
}
