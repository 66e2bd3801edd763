/* What the papers say of plans of many ranks: stages, schedules, and what each rank holds and moves
 * at every ZeRO stage. */
#include "tests/plan/rank-table.h"
#include "tests/suite.h"

/* ---- stages ---- */

static double cost(const OlShape *shape, guint unit)
{
  return ol_shape_forward_flops(shape, unit, OL_PIECE_WHOLE) +
         ol_shape_backward_flops(shape, unit, OL_PIECE_WHOLE);
}

/* The least that the costliest of `stages` stages of units first … can cost, by trying them all. */
static double least_cost(const OlShape *shape, guint first, guint stages)
{
  double own = 0, least = 0;
  if (stages == 1) {
    for (guint u = first; u < shape->n_units; u++)
      own += cost(shape, u);
    return own;
  }
  for (guint end = first + 1; end + stages - 1 <= shape->n_units; end++) {
    own += cost(shape, end - 1);
    double costliest = MAX(own, least_cost(shape, end, stages - 1));
    least = end == first + 1 ? costliest : MIN(least, costliest);
  }
  return least;
}

static void hold_stages(const OlPlan *plan)
{
  double costliest = 0;
  guint next = 0;
  for (guint rank = 0; rank < plan->graph->n_ranks; rank++) {
    guint first, end;
    double own = 0;
    rank_plan_units(plan, rank, &first, &end);
    ck_assert_uint_eq(first, next);
    ck_assert_uint_gt(end, first);
    for (guint u = first; u < end; u++)
      own += cost(plan->shape, u);
    costliest = MAX(costliest, own);
    next = end;
  }
  ck_assert_uint_eq(next, plan->shape->n_units);
  double least = least_cost(plan->shape, 0, plan->graph->n_ranks);
  ck_assert_double_le(costliest, least * (1 + 1e-12));
}

/* Every unit once, and no other way to divide them has a cheaper costliest stage. Vocabularies make
 * the head cheap, or dearer than many blocks. */
START_TEST(test_stages_are_the_best)
{
  static const char *const vocabularies[] = {"model.vocabulary=16", "model.vocabulary=1500",
                                             "model.vocabulary=9000"};
  for (guint v = 0; v < G_N_ELEMENTS(vocabularies); v++)
    for (guint layers = 1; layers <= 9; layers++)
      for (guint stages = 1; stages <= layers; stages++) {
        g_autofree char *blocks = g_strdup_printf("model.layers=%u", layers);
        g_autofree char *pipeline = g_strdup_printf("parallel.pipeline=%u", stages);
        RankPlan f;
        rank_plan_open_set(&f, (const char *const[]){"model.width=32", "model.heads=2",
                                                     "model.sequence=16", vocabularies[v], blocks,
                                                     pipeline, NULL});
        hold_stages(f.plan);
        rank_plan_close(&f);
      }
}
END_TEST

/* ---- schedules ---- */

/* 2104.04473 section 2.2: gpipe has all micro-batches in flight at once, 1f1b no more than there
 * are stages from this one on. Backwards come in micro-batch order. */
static void hold_schedule(const OlPlan *plan, guint rank)
{
  const OlRunConfig *config = plan->config;
  guint first, end, in_flight = 0, most = 0, n_units = plan->shape->n_units;
  g_autofree int *forwards = g_new0(int, n_units), *backwards = g_new0(int, n_units);
  rank_plan_units(plan, rank, &first, &end);
  for (guint id = 0; id < plan->graph->nodes->len; id++) {
    const OlGraphNode *node = ol_graph_node(plan->graph, id);
    if (node->rank != rank || node->part != OL_PART_STEP)
      continue;
    if (node->op == OL_OP_FORWARD)
      ck_assert_int_eq(node->micro_batch, forwards[node->unit]++);
    if (node->op == OL_OP_BACKWARD)
      ck_assert_int_eq(node->micro_batch, backwards[node->unit]++);
    in_flight += node->op == OL_OP_FORWARD && node->unit == (int)first;
    most = MAX(most, in_flight);
    in_flight -= node->op == OL_OP_BACKWARD && node->unit == (int)first;
  }
  for (guint u = first; u < end; u++)
    ck_assert(forwards[u] == (int)config->batch.micro_batches &&
              backwards[u] == (int)config->batch.micro_batches);
  guint stages = config->parallel.pipeline, m = config->batch.micro_batches;
  gboolean gpipe = stages > 1 && config->parallel.schedule == OL_SCHEDULE_GPIPE;
  ck_assert_uint_eq(most, gpipe ? m : MIN(stages - rank, m));
}

START_TEST(test_schedules)
{
  static const char *const schedules[] = {"parallel.schedule=gpipe", "parallel.schedule=1f1b"};
  for (guint s = 0; s < G_N_ELEMENTS(schedules); s++)
    for (guint stages = 1; stages <= 5; stages++)
      for (guint m = 1; m <= 9; m++) {
        g_autofree char *pipeline = g_strdup_printf("parallel.pipeline=%u", stages);
        g_autofree char *batches = g_strdup_printf("batch.micro_batches=%u", m);
        RankPlan f;
        rank_plan_open_set(&f, (const char *const[]){"model.layers=6", "model.width=32",
                                                     "model.heads=2", "model.sequence=16", batches,
                                                     pipeline, schedules[s], NULL});
        for (guint rank = 0; rank < stages; rank++)
          hold_schedule(f.plan, rank);
        rank_plan_close(&f);
      }
}
END_TEST

/* Activations of 1f1b do not grow with the micro-batches, those of gpipe do. */
START_TEST(test_activations_by_schedule)
{
  static const char *const schedules[] = {"parallel.schedule=gpipe", "parallel.schedule=1f1b"};
  guint64 peak[2][2];
  for (guint s = 0; s < 2; s++)
    for (guint many = 0; many < 2; many++) {
      RankPlan f;
      rank_plan_open_set(
          &f, (const char *const[]){"model.layers=8", "model.width=32", "model.heads=2",
                                    "model.sequence=16",
                                    many ? "batch.micro_batches=16" : "batch.micro_batches=4",
                                    "parallel.pipeline=4", schedules[s], NULL});
      peak[s][many] = f.plan->peak[OL_TIER_GPU][OL_PAYLOAD_ACTIVATIONS];
      rank_plan_close(&f);
    }
  ck_assert_uint_eq(peak[1][0], peak[1][1]);
  ck_assert_double_eq_tol((double)peak[0][1] / (double)peak[0][0], 4, 0.3);
  ck_assert_uint_le(peak[1][0], peak[0][0]);
}
END_TEST

/* ---- bytes ---- */

/* n elements over `members`, by hand: as few whole chunks each as hold them all. */
static guint64 shard_elements(guint64 n, guint members)
{
  guint64 chunks = 0;
  while (chunks * OL_SHARD_ALIGNMENT * members < n)
    chunks++;
  return members == 1 ? n : chunks * OL_SHARD_ALIGNMENT;
}

static guint64 home_bytes(const OlPlan *plan, guint rank, OlPayload payload)
{
  guint64 bytes = 0;
  for (guint i = 0; i < plan->graph->buffers->len; i++) {
    const OlGraphBuffer *buffer = ol_graph_buffer(plan->graph, i);
    if (buffer->rank == rank && buffer->payload == payload && buffer->kind == OL_BUFFER_HOME)
      bytes += buffer->bytes;
  }
  return bytes;
}

#define ON_GPU "placement.optimizer=gpu", "placement.gradients=gpu", "optimizer.runs_on=gpu"

/* 1910.02054 section 5: stage 1 divides the states, 2 gradients too, 3 weights too. */
START_TEST(test_homes_by_stage)
{
  for (guint zero = 0; zero < 4; zero++)
    for (guint data = 2; data <= 8; data++) {
      g_autofree char *stage = g_strdup_printf("parallel.zero=%u", zero);
      g_autofree char *ranks = g_strdup_printf("parallel.data=%u", data);
      RankPlan f;
      rank_plan_open_set(&f, (const char *const[]){ON_GPU, "model.layers=3", "model.width=40",
                                                   "model.heads=2", stage, ranks, NULL});
      guint64 whole = f.plan->shape->parameters, shard = 0;
      for (guint u = 0; u < f.plan->shape->n_units; u++)
        shard += shard_elements(f.plan->shape->units[u].parameters, data);
      for (guint rank = 0; rank < data; rank++) {
        ck_assert_uint_eq(home_bytes(f.plan, rank, OL_PAYLOAD_WEIGHTS),
                          2 * (zero >= 3 ? shard : whole));
        ck_assert_uint_eq(home_bytes(f.plan, rank, OL_PAYLOAD_GRADIENTS),
                          2 * (zero >= 2 ? shard : whole));
        ck_assert_uint_eq(home_bytes(f.plan, rank, OL_PAYLOAD_MASTER),
                          4 * (zero >= 1 ? shard : whole));
        ck_assert_uint_eq(home_bytes(f.plan, rank, OL_PAYLOAD_MOMENT1),
                          4 * (zero >= 1 ? shard : whole));
        ck_assert_uint_eq(home_bytes(f.plan, rank, OL_PAYLOAD_MOMENT2),
                          4 * (zero >= 1 ? shard : whole));
      }
      rank_plan_close(&f);
    }
}
END_TEST

/* 1910.02054 section 7: 2, 2, 2, 3 times the parameters between all ranks, less what each has
 * itself: exact over all ranks, however the shards were rounded. Later micro-batches cost stages 2
 * and 3 alone. */
START_TEST(test_traffic_by_stage)
{
  for (guint zero = 0; zero < 4; zero++)
    for (guint data = 2; data <= 8; data += 3)
      for (guint m = 1; m <= 3; m++) {
        g_autofree char *stage = g_strdup_printf("parallel.zero=%u", zero);
        g_autofree char *ranks = g_strdup_printf("parallel.data=%u", data);
        g_autofree char *batches = g_strdup_printf("batch.micro_batches=%u", m);
        RankPlan f;
        rank_plan_open_set(&f, (const char *const[]){ON_GPU, "model.layers=3", "model.width=40",
                                                     "model.heads=2", stage, ranks, batches, NULL});
        guint64 moved = 0;
        for (guint i = 0; i < f.plan->graph->nodes->len; i++) {
          const OlGraphNode *node = ol_graph_node(f.plan->graph, i);
          if (node->part == OL_PART_STEP && node->lane == OL_LANE_PEER)
            moved += node->bytes;
        }
        guint64 times = zero < 2 ? 2 : zero == 2 ? m + 1 : 3 * m;
        ck_assert_uint_eq(moved, times * 2 * f.plan->shape->parameters * (data - 1));
        rank_plan_close(&f);
      }
}
END_TEST

/* One boundary each way for every micro-batch and every two stages. */
START_TEST(test_traffic_of_stages)
{
  RankPlan f;
  rank_plan_open_set(&f, (const char *const[]){ON_GPU, "model.layers=6", "model.width=40",
                                               "model.heads=2", "model.sequence=16",
                                               "batch.micro_batch=3", "batch.micro_batches=5",
                                               "parallel.pipeline=3", NULL});
  guint64 sent[3] = {0};
  for (guint i = 0; i < f.plan->graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(f.plan->graph, i);
    if (node->part == OL_PART_STEP && node->lane == OL_LANE_PEER)
      sent[node->rank] += node->bytes;
  }
  const guint64 boundary = 2 * 3 * 16 * 40;
  ck_assert_uint_eq(sent[0], 5 * boundary);
  ck_assert_uint_eq(sent[1], 2 * 5 * boundary);
  ck_assert_uint_eq(sent[2], 5 * boundary);
  rank_plan_close(&f);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("ranks");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, test_stages_are_the_best);
  tcase_add_test(tests, test_schedules);
  tcase_add_test(tests, test_activations_by_schedule);
  tcase_add_test(tests, test_homes_by_stage);
  tcase_add_test(tests, test_traffic_by_stage);
  tcase_add_test(tests, test_traffic_of_stages);
  return run_suite("ranks", tests);
}
