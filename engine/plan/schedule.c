/* The order of a rank's forwards and backwards (2104.04473 section 2.2). Every schedule runs the
 * backwards of a chunk in micro-batch order, so all sum gradients alike. */
#include "engine/plan/builder.h"

/* The n-th forward or backward of a rank. Micro-batches go through the chunks in groups, one for
 * each rank of the pipeline: when a rank has sent the last of a group to the ranks after it, the
 * first comes back to it for the next chunk. With one chunk that is micro-batch order. */
static OlTurn nth_turn(const OlRunConfig *config, gboolean backward, guint n)
{
  guint ranks = config->parallel.pipeline, chunks = config->parallel.chunks;
  guint group = n / (ranks * chunks), chunk = n / ranks % chunks;
  return (OlTurn){.backward = backward,
                  .chunk = backward ? chunks - 1 - chunk : chunk,
                  .micro_batch = group * ranks + n % ranks};
}

static void append(GArray *turns, const OlRunConfig *config, gboolean backward, guint n)
{
  OlTurn turn = nth_turn(config, backward, n);
  g_array_append_val(turns, turn);
}

/* `ahead` forwards, then one backward a forward, then the backwards that are left. */
static void write_turns(GArray *turns, const OlRunConfig *config, guint ahead)
{
  guint all = config->batch.micro_batches * config->parallel.chunks;
  for (guint i = 0; i < MIN(ahead, all); i++)
    append(turns, config, FALSE, i);
  for (guint i = 0; i < all; i++) {
    if (ahead + i < all)
      append(turns, config, FALSE, ahead + i);
    append(turns, config, TRUE, i);
  }
}

/* gpipe: all. 1f1b: as many as there are ranks after this one. Interleaved: twice that, as a
 * backward now comes back only after a forward of another chunk, and a group through every chunk
 * but the last. */
static guint forwards_ahead(const OlRunConfig *config, guint stage)
{
  guint ranks = config->parallel.pipeline, after = ranks - 1 - stage;
  /* Without stages to fill there is nothing to gain from running ahead. */
  if (ranks == 1)
    return 0;
  switch (config->parallel.schedule) {
  case OL_SCHEDULE_GPIPE:
    return config->batch.micro_batches;
  case OL_SCHEDULE_1F1B:
    return after;
  case OL_SCHEDULE_INTERLEAVED:
    return 2 * after + (config->parallel.chunks - 1) * ranks;
  }
  g_return_val_if_reached(0);
}

OlTurns *ol_turns_new(const OlRunConfig *config)
{
  OlTurns *turns = g_new0(OlTurns, 1);
  turns->n_ranks = config->parallel.pipeline;
  turns->of = g_new(GArray *, turns->n_ranks);
  turns->waiting = g_malloc0_n(turns->n_ranks, sizeof *turns->waiting);
  for (guint stage = 0; stage < turns->n_ranks; stage++) {
    turns->of[stage] = g_array_new(FALSE, FALSE, sizeof(OlTurn));
    write_turns(turns->of[stage], config, forwards_ahead(config, stage));
  }
  ol_turns_meet(turns, config);
  return turns;
}

void ol_turns_free(OlTurns *turns)
{
  for (guint stage = 0; stage < turns->n_ranks; stage++)
    g_array_unref(turns->of[stage]);
  g_free(turns->of);
  g_free(turns->waiting);
  g_free(turns);
}

guint ol_turns_in_flight(const OlTurns *turns, guint stage, guint chunk)
{
  guint now = 0, most = 0;
  for (guint i = 0; i < turns->of[stage]->len; i++) {
    const OlTurn *turn = &g_array_index(turns->of[stage], OlTurn, i);
    if (turn->chunk != chunk)
      continue;
    now = turn->backward ? now - 1 : now + 1;
    most = MAX(most, now);
  }
  return most;
}
