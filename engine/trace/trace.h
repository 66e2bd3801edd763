/* What happened: the graph, spans, memory changes, steps and the outcome of one run or simulation.
 *
 * Times are ns here, from the run's first node. A trace grows while it is recorded; whoever
 * records from several threads holds the recorder's lock (run/recorder.h). NAN means unknown. */
#pragma once

#include "engine/base/graph.h"

G_BEGIN_DECLS

typedef struct {
  guint node;
  int step; /* -1: fill; steps: hash (the number of steps) */
  gint64 begin_ns, end_ns;
  guint64 bytes; /* that really crossed the lane's link; 0 for compute */
} OlSpan;

typedef struct {
  gint64 time_ns;
  gint64 bytes; /* + acquired, - released */
  guint buffer;
} OlMemoryChange;

typedef struct {
  guint step;
  gint64 begin_ns, end_ns;
  double loss;
  double gradient_norm;
} OlStep;

typedef struct {
  char *config; /* JSON text of the whole config */
  double mu, kappa;
  double slowdown;    /* NAN on the machine's clock */
  GArray *capacities; /* guint64 [rank][OL_N_TIERS] */
} OlTraceHeader;

typedef struct {
  gatomicrefcount ref_count;
  OlSource source;
  gboolean replayed; /* opened from a file */
  OlTraceHeader header;
  OlGraph *graph;
  GArray *spans;   /* OlSpan, in the order they ended, more or less */
  GArray *changes; /* OlMemoryChange, in the order of time for each tier */
  GArray *steps;   /* OlStep */
  gboolean ended;
  OlOutcome outcome;   /* when ended */
  char *message;       /* for people, or NULL */
  char *table;         /* who holds what, when out of memory, or NULL */
  gboolean touched;    /* paused, stepped or its speed changed: no time metrics */
  GHashTable *numbers; /* char* -> double*: facts that no span tells: "late", … */
  GHashTable *texts;   /* char* -> char*: "weights.hash", "nvme.path" */
} OlTrace;

/* Takes a reference on `graph`; copies `header`. */
OlTrace *ol_trace_new(OlSource source, const OlTraceHeader *header, OlGraph *graph);
/* What `trace` has got so far, as a trace of its own that grows no more: for whoever works on it
 * elsewhere while it goes on. The graph, which never changes, is shared. Caller unrefs. */
OlTrace *ol_trace_dup_so_far(const OlTrace *trace);
OlTrace *ol_trace_ref(OlTrace *trace);
void ol_trace_unref(OlTrace *trace);

/* Facts by path; a path has a number or a text, the later one. Not finite or NULL: unknown. The run
 * sets "late", "tokens.per_step" (of the global batch), "step.seconds_there", "arena.<tier>" or
 * "rank.N.arena.<tier>" (highest address used), and the texts "weights.hash", "nvme.path" and "pin"
 * (what the system refused to lock; unknown when nothing). */
void ol_trace_set_number(OlTrace *trace, const char *path, double value);
void ol_trace_set_text(OlTrace *trace, const char *path, const char *text);
/* FALSE when unknown. */
gboolean ol_trace_get_number(const OlTrace *trace, const char *path, double *value);
const char *ol_trace_get_text(const OlTrace *trace, const char *path);

/* Ends the trace, once. message and table are copied and may be NULL. */
void ol_trace_end(OlTrace *trace, OlOutcome outcome, const char *message, const char *table);

/* Bytes; 0 when unknown. */
guint64 ol_trace_capacity(const OlTrace *trace, guint rank, OlTier tier);
/* When the last span ended, 0 when there is none. Looks at every span. */
gint64 ol_trace_end_ns(const OlTrace *trace);

static inline const OlSpan *ol_trace_span(const OlTrace *trace, guint i)
{
  return &g_array_index(trace->spans, OlSpan, i);
}
static inline const OlMemoryChange *ol_trace_change(const OlTrace *trace, guint i)
{
  return &g_array_index(trace->changes, OlMemoryChange, i);
}
static inline const OlStep *ol_trace_step(const OlTrace *trace, guint i)
{
  return &g_array_index(trace->steps, OlStep, i);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlTrace, ol_trace_unref)

G_END_DECLS
