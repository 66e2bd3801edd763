/* The interleaved schedule (2104.04473 section 2.2): each rank's turns, that all ranks can take
 * theirs, how much of it is in flight; and plans of many grids at every prefetch. */
#include "tests/plan/rank-table.h"
#include "tests/suite.h"

#include "engine/plan/builder.h"

typedef struct {
  guint ranks, chunks, micro_batches;
} Grid;

/* Every grid up to 6 ranks, 4 chunks and 4 groups, one after the other; FALSE after the last. */
static gboolean next_grid(Grid *grid)
{
  if (grid->ranks == 0)
    *grid = (Grid){2, 2, 0};
  grid->micro_batches += grid->ranks;
  if (grid->micro_batches > 4 * grid->ranks)
    *grid = (Grid){grid->ranks, grid->chunks + 1, grid->ranks};
  if (grid->chunks > 4)
    *grid = (Grid){grid->ranks + 1, 2, grid->ranks + 1};
  return grid->ranks <= 6;
}

static OlTurns *turns_of(const Grid *grid)
{
  g_autoptr(OlRunConfig) config = ol_run_config_new_default();
  config->parallel.schedule = OL_SCHEDULE_INTERLEAVED;
  config->parallel.pipeline = grid->ranks;
  config->parallel.chunks = grid->chunks;
  config->batch.micro_batches = grid->micro_batches;
  return ol_turns_new(config);
}

static const OlTurn *turn_at(const OlTurns *turns, guint rank, guint i)
{
  return &g_array_index(turns->of[rank], OlTurn, i);
}

/* ---- turns ---- */

/* Every chunk and micro-batch once each way, forward first; both ways in micro-batch order. */
static void hold_turns(const Grid *grid, const OlTurns *turns, guint rank)
{
  g_autofree guint *forwards = g_new0(guint, grid->chunks);
  g_autofree guint *backwards = g_new0(guint, grid->chunks);
  ck_assert_uint_eq(turns->of[rank]->len, 2 * grid->chunks * grid->micro_batches);
  for (guint i = 0; i < turns->of[rank]->len; i++) {
    const OlTurn *turn = turn_at(turns, rank, i);
    guint *done = turn->backward ? backwards : forwards;
    ck_assert_uint_lt(turn->chunk, grid->chunks);
    ck_assert_uint_eq(turn->micro_batch, done[turn->chunk]++);
    ck_assert_uint_le(backwards[turn->chunk], forwards[turn->chunk]);
  }
  for (guint c = 0; c < grid->chunks; c++)
    ck_assert(forwards[c] == grid->micro_batches && backwards[c] == grid->micro_batches);
}

/* So many forwards, then one backward a forward. */
static void hold_warm_up(const Grid *grid, const OlTurns *turns, guint rank)
{
  guint all = grid->chunks * grid->micro_batches, n = 0;
  guint ahead = MIN(all, 2 * (grid->ranks - 1 - rank) + (grid->chunks - 1) * grid->ranks);
  while (!turn_at(turns, rank, n)->backward)
    n++;
  ck_assert_uint_eq(n, MIN(all, ahead + 1));
  for (guint i = ahead; i < all; i++) {
    ck_assert(!turn_at(turns, rank, 2 * i - ahead)->backward);
    ck_assert(turn_at(turns, rank, 2 * i - ahead + 1)->backward);
  }
}

START_TEST(test_turns)
{
  Grid grid = {0};
  while (next_grid(&grid)) {
    OlTurns *turns = turns_of(&grid);
    for (guint rank = 0; rank < grid.ranks; rank++) {
      hold_turns(&grid, turns, rank);
      hold_warm_up(&grid, turns, rank);
    }
    ol_turns_free(turns);
  }
}
END_TEST

/* The grid of figure 4, by hand: the first rank's first turns, and the last's. */
START_TEST(test_figure)
{
  static const struct {
    guint rank;
    const char *turns; /* way, chunk, micro-batch */
  } rows[] = {
      {0, "F00 F01 F02 F03 F10 F11 F12 F13 F04 F05 F06 B10 F07 B11 F14 B12 F15 B13 F16 B00"},
      {3, "F00 F01 F02 F03 F10 B10 F11 B11 F12 B12 F13 B13 F04 B00 F05 B01 F06 B02 F07 B03"},
  };
  Grid grid = {4, 2, 8};
  OlTurns *turns = turns_of(&grid);
  for (guint row = 0; row < G_N_ELEMENTS(rows); row++) {
    g_auto(GStrv) expected = g_strsplit(rows[row].turns, " ", -1);
    for (guint i = 0; expected[i]; i++) {
      const OlTurn *turn = turn_at(turns, rows[row].rank, i);
      g_autofree char *word =
          g_strdup_printf("%c%u%u", turn->backward ? 'B' : 'F', turn->chunk, turn->micro_batch);
      ck_assert_str_eq(word, expected[i]);
    }
  }
  ol_turns_free(turns);
}
END_TEST

/* ---- between ranks ---- */

/* When a message may be taken: rank p of P does chunk c as stage c · P + p. */
static gboolean has_come(const Grid *grid, const gboolean *done, guint rank, const OlTurn *turn)
{
  guint stages = grid->ranks * grid->chunks, stage = turn->chunk * grid->ranks + rank;
  if (stage == (turn->backward ? stages - 1 : 0))
    return TRUE;
  guint from = turn->backward ? stage + 1 : stage - 1;
  return done[(turn->backward * stages + from) * grid->micro_batches + turn->micro_batch];
}

/* In rounds in which every rank takes one turn if it can, with all that was done before. */
static guint count_rounds(const Grid *grid, const OlTurns *turns)
{
  guint stages = grid->ranks * grid->chunks, rounds = 0, left = grid->ranks;
  g_autofree gboolean *done = g_new0(gboolean, 2 * stages * grid->micro_batches);
  g_autofree guint *next = g_new0(guint, grid->ranks);
  for (gboolean moved = TRUE; left > 0 && moved; rounds++) {
    g_autofree gboolean *before = g_memdup2(done, 2 * stages * grid->micro_batches * sizeof *done);
    moved = FALSE;
    for (guint rank = 0; rank < grid->ranks; rank++) {
      if (next[rank] == turns->of[rank]->len)
        continue;
      const OlTurn *turn = turn_at(turns, rank, next[rank]);
      if (!has_come(grid, before, rank, turn))
        continue;
      guint stage = turn->chunk * grid->ranks + rank;
      done[(turn->backward * stages + stage) * grid->micro_batches + turn->micro_batch] = TRUE;
      left -= ++next[rank] == turns->of[rank]->len;
      moved = TRUE;
    }
  }
  ck_assert_uint_eq(left, 0);
  return rounds;
}

/* And no rank loses more than p - 1 rounds each way, as short as the chunks are: the bubble. */
START_TEST(test_all_can_take_their_turns)
{
  Grid grid = {0};
  while (next_grid(&grid)) {
    OlTurns *turns = turns_of(&grid);
    ck_assert_uint_eq(count_rounds(&grid, turns),
                      2 * grid.chunks * grid.micro_batches + 2 * (grid.ranks - 1));
    ol_turns_free(turns);
  }
}
END_TEST

/* Between the forward and the backward of micro-batch 0 the rank has run ahead, has sent the rest
 * of its group through all later chunks, and has had it back from them: d forwards, p of every v ·
 * p of them of this chunk. */
static guint most_in_flight(const Grid *grid, guint rank, guint chunk)
{
  guint p = grid->ranks, v = grid->chunks;
  guint d = 2 * (v - 1 - chunk) * p + 2 * (p - 1 - rank) + 1;
  return MIN(grid->micro_batches, d / (v * p) * p + MIN(p, d % (v * p)));
}

START_TEST(test_in_flight)
{
  Grid grid = {0};
  while (next_grid(&grid)) {
    OlTurns *turns = turns_of(&grid);
    for (guint rank = 0; rank < grid.ranks; rank++)
      for (guint c = 0; c < grid.chunks; c++)
        ck_assert_uint_eq(ol_turns_in_flight(turns, rank, c), most_in_flight(&grid, rank, c));
    ol_turns_free(turns);
  }
}
END_TEST

/* ---- plans ---- */

static void open_grid(RankPlan *fixture, const Grid *grid, guint prefetch)
{
  g_autofree char *ranks = g_strdup_printf("parallel.pipeline=%u", grid->ranks);
  g_autofree char *chunks = g_strdup_printf("parallel.chunks=%u", grid->chunks);
  g_autofree char *batches = g_strdup_printf("batch.micro_batches=%u", grid->micro_batches);
  g_autofree char *ahead = g_strdup_printf("overlap.prefetch=%u", prefetch);
  rank_plan_open_set(fixture,
                     (const char *const[]){"model.layers=24", "model.width=16", "model.heads=1",
                                           "model.sequence=8", "parallel.schedule=interleaved",
                                           ranks, chunks, batches, ahead, NULL});
}

/* Unit by unit, from rank to rank and round again; as even as can be, of units that cost the same.
 */
static void hold_chunks(const OlPlan *plan, const Grid *grid)
{
  guint changes = 0, units = 0, most = 0;
  for (guint u = 0, owner = 0; u < plan->shape->n_units; u++) {
    if (!rank_plan_computes(plan, owner, u)) {
      owner = (owner + 1) % grid->ranks;
      changes++;
      units = 0;
    }
    ck_assert(rank_plan_computes(plan, owner, u));
    units += plan->shape->units[u].kind == OL_UNIT_BLOCK;
    most = MAX(most, units);
  }
  guint stages = grid->ranks * grid->chunks;
  ck_assert_uint_eq(changes, stages - 1);
  ck_assert_uint_eq(most, (plan->config->model.layers + stages - 1) / stages);
}

/* Lanes do their nodes in plan order, so waits that all point back close no circle. */
static void hold_waits(const OlPlan *plan)
{
  for (guint id = 0; id < plan->graph->nodes->len; id++) {
    const OlGraphNode *node = ol_graph_node(plan->graph, id);
    const OlWait *waits = ol_graph_waits(plan->graph, node->waits);
    for (guint k = 0; k < node->waits.n; k++)
      ck_assert(waits[k].node < id || waits[k].steps_back == 1);
  }
}

/* All that a rank's compute lane does for one chunk and micro-batch lies together: a rank takes its
 * turns in the schedule's order. */
static void hold_order(const OlPlan *plan, const Grid *grid, guint rank)
{
  OlTurns *turns = turns_of(grid);
  int last = -1;
  gboolean was_backward = FALSE;
  guint next = 0;
  for (guint id = 0; id < plan->graph->nodes->len; id++) {
    const OlGraphNode *node = ol_graph_node(plan->graph, id);
    gboolean backward = node->op == OL_OP_BACKWARD;
    if (node->rank != rank || (node->op != OL_OP_FORWARD && !backward))
      continue;
    gboolean goes_on =
        last >= 0 && backward == was_backward && node->unit == (backward ? last - 1 : last + 1);
    if (!goes_on)
      next++;
    const OlTurn *turn = turn_at(turns, rank, next - 1);
    ck_assert(turn->backward == backward && (int)turn->micro_batch == node->micro_batch);
    last = node->unit;
    was_backward = backward;
  }
  ck_assert_uint_eq(next, turns->of[rank]->len);
  ol_turns_free(turns);
}

START_TEST(test_plans)
{
  guint held = 0;
  Grid grid = {0};
  while (next_grid(&grid))
    for (guint prefetch = 0; prefetch <= 2; prefetch++) {
      RankPlan f;
      open_grid(&f, &grid, prefetch);
      hold_waits(f.plan);
      hold_chunks(f.plan, &grid);
      for (guint rank = 0; rank < grid.ranks; rank++)
        hold_order(f.plan, &grid, rank);
      rank_plan_close(&f);
      held++;
    }
  ck_assert_uint_eq(held, 5 * 3 * 4 * 3);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("interleaved");
  tcase_set_timeout(tests, 600);
  tcase_add_test(tests, test_turns);
  tcase_add_test(tests, test_figure);
  tcase_add_test(tests, test_all_can_take_their_turns);
  tcase_add_test(tests, test_in_flight);
  tcase_add_test(tests, test_plans);
  return run_suite("interleaved", tests);
}
