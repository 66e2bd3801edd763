/* Which lanes wait for a node. Ranks times lanes are many more threads than a machine has cores, so
 * a node that ends wakes those alone that have a node behind it. */
#include "engine/run/executor-private.h"

typedef struct {
  guint node; /* that is waited for */
  guint lane; /* that waits */
} Pair;

static int compare_pairs(gconstpointer a, gconstpointer b)
{
  const Pair *left = a, *right = b;
  if (left->node != right->node)
    return left->node < right->node ? -1 : 1;
  return left->lane < right->lane ? -1 : left->lane > right->lane;
}

/* In order, but a pair may come several times. */
static GArray *find_pairs(const OlExecutor *executor)
{
  const OlGraph *graph = executor->graph;
  GArray *pairs = g_array_new(FALSE, FALSE, sizeof(Pair));
  for (guint id = 0; id < graph->nodes->len; id++) {
    OlRange range = ol_graph_node(graph, id)->waits;
    const OlWait *waits = ol_graph_waits(graph, range);
    for (guint i = 0; i < range.n; i++) {
      const OlExecutorLane *lane = executor->nodes[id].lane;
      if (!lane || executor->nodes[waits[i].node].lane == lane)
        continue;
      Pair pair = {waits[i].node, lane->index};
      g_array_append_val(pairs, pair);
    }
  }
  g_array_sort(pairs, compare_pairs);
  return pairs;
}

void ol_listeners_open(OlExecutor *executor)
{
  g_autoptr(GArray) pairs = find_pairs(executor);
  executor->listeners = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint i = 0; i < pairs->len; i++) {
    const Pair *pair = &g_array_index(pairs, Pair, i);
    if (i > 0 && compare_pairs(pair - 1, pair) == 0)
      continue;
    OlRange *range = &executor->nodes[pair->node].listeners;
    if (range->n++ == 0)
      range->first = executor->listeners->len;
    g_array_append_val(executor->listeners, pair->lane);
  }
}

/* Its own lane waits for it too, before it issues the node after the next. */
void ol_listeners_ring(OlExecutor *executor, guint node)
{
  OlNodeState *state = &executor->nodes[node];
  for (guint i = 0; i < state->listeners.n; i++) {
    guint lane = g_array_index(executor->listeners, guint, state->listeners.first + i);
    ol_bell_ring(&executor->lanes[lane].bell);
  }
  if (state->lane)
    ol_bell_ring(&state->lane->bell);
}

void ol_listeners_ring_all(OlExecutor *executor)
{
  for (guint i = 0; i < executor->n_lanes; i++)
    ol_bell_ring(&executor->lanes[i].bell);
}
