/* The order of a stage's forwards and backwards (2104.04473 section 2.2). Every schedule runs its
 * backwards in micro-batch order, so all sum gradients alike. */
#include "engine/plan/builder.h"

static void append(GArray *turns, gboolean backward, guint micro_batch)
{
  OlTurn turn = {backward, micro_batch};
  g_array_append_val(turns, turn);
}

/* All forwards, then all backwards. */
static void write_gpipe(GArray *turns, guint m)
{
  for (guint i = 0; i < m; i++)
    append(turns, FALSE, i);
  for (guint i = 0; i < m; i++)
    append(turns, TRUE, i);
}

/* As many forwards ahead as there are stages after this one; then one backward a forward. */
static void write_1f1b(GArray *turns, guint m, guint stages_after)
{
  guint ahead = MIN(stages_after, m);
  for (guint i = 0; i < ahead; i++)
    append(turns, FALSE, i);
  for (guint i = 0; i < m; i++) {
    if (ahead + i < m)
      append(turns, FALSE, ahead + i);
    append(turns, TRUE, i);
  }
}

GArray *ol_schedule_new(const OlRunConfig *config, guint stage)
{
  GArray *turns = g_array_new(FALSE, FALSE, sizeof(OlTurn));
  guint stages = config->parallel.pipeline, m = config->batch.micro_batches;
  /* Without stages to fill there is nothing to gain from running ahead. */
  if (stages > 1 && config->parallel.schedule == OL_SCHEDULE_GPIPE)
    write_gpipe(turns, m);
  else
    write_1f1b(turns, m, stages - 1 - stage);
  return turns;
}

guint ol_schedule_in_flight(const OlRunConfig *config, guint stage)
{
  guint stages = config->parallel.pipeline, m = config->batch.micro_batches;
  if (stages > 1 && config->parallel.schedule == OL_SCHEDULE_GPIPE)
    return m;
  return MIN(stages - stage, m);
}
