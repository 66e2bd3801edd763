#include "engine/run/executor-private.h"

struct OlDues {
  pthread_mutex_t lock;
  OlTimetable *timetable;
  guint n_nodes;
  guint prepared;            /* steps so far */
  gint64 *due[OL_STEP_RING]; /* [nodes] each */
};

OlDues *ol_dues_new(const OlGraph *graph, const OlCosts *costs, double slowdown)
{
  OlDues *dues = g_new0(OlDues, 1);
  dues->n_nodes = graph->nodes->len;
  pthread_mutex_init(&dues->lock, NULL);
  dues->timetable = ol_timetable_new(graph, costs, slowdown, NULL);
  for (guint i = 0; i < OL_STEP_RING; i++)
    dues->due[i] = g_new(gint64, dues->n_nodes);
  return dues;
}

void ol_dues_free(OlDues *dues)
{
  if (!dues)
    return;
  ol_timetable_free(dues->timetable);
  for (guint i = 0; i < OL_STEP_RING; i++)
    g_free(dues->due[i]);
  pthread_mutex_destroy(&dues->lock);
  g_free(dues);
}

/* The first lane that gets to a step computes its dues. No lane still needs the ones they replace:
 * lanes are OL_STEPS_APART steps apart at most. */
void ol_dues_prepare(OlDues *dues, guint step)
{
  pthread_mutex_lock(&dues->lock);
  if (dues->prepared == step) {
    ol_timetable_advance(dues->timetable, OL_PART_STEP);
    memcpy(dues->due[step % OL_STEP_RING], ol_timetable_due(dues->timetable),
           dues->n_nodes * sizeof(gint64));
    dues->prepared++;
  }
  pthread_mutex_unlock(&dues->lock);
}

gint64 ol_dues_of(const OlDues *dues, guint step, guint node)
{
  return dues->due[step % OL_STEP_RING][node];
}
