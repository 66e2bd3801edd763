#include "app/charts/twin.h"

typedef struct {
  const OlPinnedRun *run;
  guint rank;
  OlLane lane;
  guint first, end; /* of the lane's spans, in order of time */
} Stretch;

static const OlGraphNode *node_of(const OlPinnedRun *run, guint span)
{
  return ol_graph_node(run->trace->graph, ol_trace_span(run->trace, span)->node);
}

static guint span_at(const Stretch *stretch, guint i)
{
  return ol_trace_index_lane_span(stretch->run->index, stretch->rank, stretch->lane, i);
}

/* All that the lane did in the step; what belongs to none is looked for in all of the run. */
static Stretch find_stretch(const OlPinnedRun *run, const OlGraphNode *like, int step)
{
  Stretch stretch = {.run = run, .rank = like->rank, .lane = like->lane};
  gint64 begin_ns = 0, end_ns = G_MAXINT64;
  guint n;
  if (step >= 0 && (guint)step < run->trace->steps->len) {
    const OlStep *of = ol_trace_step(run->trace, (guint)step);
    begin_ns = of->begin_ns;
    end_ns = of->end_ns + 1; /* spans of no length at its end, too */
  }
  ol_trace_index_find(run->index, like->rank, like->lane, begin_ns, end_ns, &stretch.first, &n);
  stretch.end = stretch.first + n;
  return stretch;
}

static gboolean is_alike(const Stretch *stretch, guint i, const OlGraphNode *like, int step)
{
  guint span = span_at(stretch, i);
  const OlGraphNode *node = node_of(stretch->run, span);
  return ol_trace_span(stretch->run->trace, span)->step == step && node->op == like->op &&
         node->part == like->part && node->piece == like->piece && node->group == like->group &&
         node->payload == like->payload && node->unit == like->unit &&
         node->micro_batch == like->micro_batch;
}

/* How many like it the step has before it. */
static guint count_before(const Stretch *stretch, guint span, const OlGraphNode *like, int step)
{
  guint n = 0;
  for (guint i = stretch->first; i < stretch->end && span_at(stretch, i) != span; i++)
    n += is_alike(stretch, i, like, step);
  return n;
}

int ol_twin_find(const OlPinnedRun *run, int span, const OlPinnedRun *other)
{
  if (span < 0 || (guint)span >= run->trace->spans->len)
    return -1;
  const OlGraphNode *like = node_of(run, (guint)span);
  int step = ol_trace_span(run->trace, (guint)span)->step;
  if (like->rank >= other->trace->graph->n_ranks)
    return -1;
  Stretch ours = find_stretch(run, like, step), theirs = find_stretch(other, like, step);
  guint before = count_before(&ours, (guint)span, like, step);
  for (guint i = theirs.first; i < theirs.end; i++)
    if (is_alike(&theirs, i, like, step) && before-- == 0)
      return (int)span_at(&theirs, i);
  return -1;
}
