/* The pictures that several suites look at: a trace, an index over it and a view of the whole. */
#pragma once

#include "app/charts/charts.h"
#include "app/charts/ties.h"
#include "tests/trace/sample-trace.h"

typedef struct {
  OlTrace *trace;
  OlTraceIndex *index;
  OlTies *ties;     /* of the selection, or NULL */
  GArray *critical; /* or NULL */
  OlChartView view;
  OlTrace *other; /* that it is compared with, or NULL */
  OlTraceIndex *other_index;
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
  g_clear_pointer(&scene->other_index, ol_trace_index_free);
  g_clear_pointer(&scene->other, ol_trace_unref);
}
