/* One of several ranks fails, finds no room, or is held by hand: the run ends on all of them, in
 * time, with words that name the rank; or goes on, node by node, to the same end. */
#include "tests/memory/disk-fixture.h"
#include "tests/run/live-run.h"
#include "tests/run/rank-runs.h"
#include "tests/run/run-fixture.h"
#include "tests/suite.h"

#include "engine/base/clock.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define IN_TIME_NS (5 * OL_NS_PER_SECOND)

/* Two data ranks of two stages each: ranks 0 and 1 are the stages of one, 2 and 3 of the other. */
#define GRID                                                                                       \
  "parallel.data=2", "parallel.pipeline=2", "model.layers=4", "batch.micro_batches=3",             \
      "hardware.nvme_folder=."

static void expect_failure_of(OlRun *run, guint rank, const char *words)
{
  const OlTrace *trace = ol_run_get_trace(run);
  g_autofree char *name = g_strdup_printf("rank %u: ", rank);
  ck_assert_outcome(run, OL_OUTCOME_FAILED);
  ck_assert_msg(g_str_has_prefix(trace->message, name), "no %s in: %s", name, trace->message);
  ck_assert_msg(strstr(trace->message, words) != NULL, "no \"%s\" in: %s", words, trace->message);
  ck_assert_ptr_null(ol_trace_get_text(trace, "weights.hash"));
}

/* ---- a device fails ---- */

/* What goes wrong, from the second step on, in the last such node of the step on a rank. */
typedef struct {
  OlOp op;
  OlLane lane;
  int operand; /* that is made to point outside the GPU's memory; or -1: so many bytes that the
                  copy goes beyond it */
  guint rank;
  const char *words; /* of the message */
  OlPiece piece;     /* of the node's pass */
  gint64 began_ns;
} Fault;

static int find_node(const OlGraph *graph, const Fault *fault)
{
  for (guint i = graph->nodes->len; i-- > 0;) {
    const OlGraphNode *node = ol_graph_node(graph, i);
    if (node->part == OL_PART_STEP && node->op == fault->op && node->lane == fault->lane &&
        node->piece == fault->piece && node->rank == fault->rank)
      return (int)i;
  }
  ck_abort_msg("rank %u has no %s", fault->rank, ol_op_nick(fault->op));
}

static guint find_staging(const OlGraph *graph, guint rank)
{
  for (guint i = 0; i < graph->buffers->len; i++) {
    const OlGraphBuffer *buffer = ol_graph_buffer(graph, i);
    if (buffer->rank == rank && buffer->tier == OL_TIER_HOST &&
        buffer->payload == OL_PAYLOAD_STAGING)
      return i;
  }
  ck_abort_msg("rank %u has no staging", rank);
}

/* The plan is the run's own; all lanes are idle. */
static void break_node(OlRun *run, guint step, gpointer data)
{
  Fault *fault = data;
  OlPlan *plan = (OlPlan *)ol_run_get_plan(run);
  if (step != 1)
    return;
  guint node = (guint)find_node(plan->graph, fault);
  fault->began_ns = ol_clock_now_ns();
  if (fault->operand >= 0)
    fixture_set_operand(plan, node, fault->operand, find_staging(plan->graph, fault->rank));
  else
    g_array_index(plan->graph->nodes, OlGraphNode, node).bytes = G_GUINT64_CONSTANT(1) << 40;
}

#define NOT_THERE "is not in the GPU's memory"

static Fault device_faults[] = {
    {OL_OP_FORWARD, OL_LANE_COMPUTE, OL_OPERAND_INNER, 2, NOT_THERE},
    {OL_OP_BACKWARD, OL_LANE_COMPUTE, OL_OPERAND_WEIGHTS, 1, NOT_THERE},
    {OL_OP_ACCUMULATE, OL_LANE_COMPUTE, OL_OPERAND_ACCUMULATOR, 3, NOT_THERE},
    {OL_OP_NORM, OL_LANE_COMPUTE, OL_OPERAND_ACCUMULATOR, 2, NOT_THERE},
    {OL_OP_CAST, OL_LANE_COMPUTE, OL_OPERAND_GRADIENT, 1, NOT_THERE},
    {OL_OP_SEND, OL_LANE_PEER, -1, 2, "copy"},
    {OL_OP_COPY, OL_LANE_GPU_TO_HOST, -1, 3, "copy"},
    {OL_OP_COPY, OL_LANE_HOST_TO_GPU, -1, 1, "copy"},
};

static void hold_failure(const char *const *set, Fault *fault)
{
  guint threads = rank_run_count_threads();
  g_autoptr(OlRunConfig) config = fixture_config(set);
  OlRunOptions options = {.before_step = break_node, .test_data = fault};
  g_autoptr(OlRun) run = rank_run(config, &options);
  ck_assert_int_lt(ol_clock_now_ns() - fault->began_ns, IN_TIME_NS);
  expect_failure_of(run, fault->rank, fault->words);
  rank_run_expect_threads(threads);
}

START_TEST(test_a_device_fails)
{
  static const char *const set[] = {
      GRID,      ON_HOST, "placement.gradients=gpu", "parallel.zero=2", "optimizer.clip_norm=1",
      "steps=3", NULL};
  hold_failure(set, &device_faults[_i]);
}
END_TEST

/* An update on the GPU, where the states are at home. */
START_TEST(test_a_device_fails_in_its_update)
{
  static const char *const set[] = {GRID, ON_GPU, "parallel.zero=1", "steps=3", NULL};
  Fault fault = {OL_OP_UPDATE, OL_LANE_COMPUTE, OL_OPERAND_MOMENT1, 3, NOT_THERE};
  hold_failure(set, &fault);
}
END_TEST

/* Between the pieces of a sliced block, where the others wait for its part of the sum. */
static Fault sliced_faults[] = {
    {OL_OP_FORWARD, OL_LANE_COMPUTE, OL_OPERAND_PARTIAL, 1, NOT_THERE, OL_PIECE_ATTENTION},
    {OL_OP_FORWARD, OL_LANE_COMPUTE, OL_OPERAND_SUMMED, 0, NOT_THERE, OL_PIECE_JOIN},
    {OL_OP_RECOMPUTE, OL_LANE_COMPUTE, OL_OPERAND_INNER, 2, NOT_THERE, OL_PIECE_MLP},
    {OL_OP_BACKWARD, OL_LANE_COMPUTE, OL_OPERAND_WORK, 3, NOT_THERE, OL_PIECE_ATTENTION},
};

START_TEST(test_a_sliced_rank_fails)
{
  static const char *const set[] = {"parallel.tensor=4", "model.heads=4", "recompute=full",
                                    "steps=3", NULL};
  hold_failure(set, &sliced_faults[_i]);
}
END_TEST

/* ---- ranks that do not fit together ---- */

/* One rank comes to a meeting with another call than the rest. */
static void break_meeting(OlRun *run, guint step, gpointer data)
{
  Fault *fault = data;
  OlPlan *plan = (OlPlan *)ol_run_get_plan(run);
  if (step != 1)
    return;
  guint node = (guint)find_node(plan->graph, fault);
  fault->began_ns = ol_clock_now_ns();
  g_array_index(plan->graph->nodes, OlGraphNode, node).op =
      fault->op == OL_OP_ALL_GATHER ? OL_OP_REDUCE_SCATTER : OL_OP_ALL_GATHER;
}

START_TEST(test_ranks_disagree)
{
  static const char *const set[] = {GRID, ON_GPU, "parallel.zero=2", "steps=3", NULL};
  static const OlOp ops[] = {OL_OP_ALL_GATHER, OL_OP_REDUCE_SCATTER};
  guint threads = rank_run_count_threads();
  for (guint i = 0; i < G_N_ELEMENTS(ops); i++) {
    Fault fault = {ops[i], OL_LANE_PEER, -1, 3, ""};
    g_autoptr(OlRunConfig) config = fixture_config(set);
    OlRunOptions options = {.before_step = break_meeting, .test_data = &fault};
    g_autoptr(OlRun) run = rank_run(config, &options);
    ck_assert_int_lt(ol_clock_now_ns() - fault.began_ns, IN_TIME_NS);
    ck_assert_outcome(run, OL_OUTCOME_FAILED);
    /* Whichever of the two came second says so. */
    const char *message = ol_run_get_trace(run)->message;
    ck_assert_msg(g_str_has_prefix(message, "rank 1: ") || g_str_has_prefix(message, "rank 3: "),
                  "%s", message);
    rank_run_expect_threads(threads);
  }
}
END_TEST

/* ---- a drive fails ---- */

#define TURNS 8u

/* From one transfer on all fail, those of whichever rank: in the fill, the steps and the hash. */
START_TEST(test_a_drive_fails)
{
  static const char *const set[] = {GRID, ON_NVME, "parallel.zero=3", "steps=2", NULL};
  g_autoptr(OlRunConfig) config = fixture_config(set);
  gboolean seen[OL_N_PARTS] = {FALSE};
  Faults faults = {.refuse_ring = TRUE};
  OlRunOptions options = {.disk_system = faulty_system(&faults)};
  guint threads = rank_run_count_threads();
  {
    g_autoptr(OlRun) clean = rank_run(config, &options);
    ck_assert_outcome(clean, OL_OUTCOME_DONE);
  }
  guint all = count_transfers();
  ck_assert_uint_gt(all, 100);
  for (guint turn = 0; turn < TURNS; turn++) {
    faults.fail_from = 6 + (all - 7) * turn / (TURNS - 1); /* the first only ask for O_DIRECT */
    faults.fail_times = G_MAXUINT;
    faults.failure = EIO;
    options.disk_system = faulty_system(&faults);
    gint64 begin = ol_clock_now_ns();
    g_autoptr(OlRun) run = rank_run(config, &options);
    ck_assert_int_lt(ol_clock_now_ns() - begin, IN_TIME_NS);
    ck_assert_outcome(run, OL_OUTCOME_FAILED);
    const OlTrace *trace = ol_run_get_trace(run);
    guint rank = G_MAXUINT, latest = 0;
    ck_assert_int_eq(sscanf(trace->message, "rank %u: ", &rank), 1);
    ck_assert_uint_lt(rank, 4);
    ck_assert_ptr_nonnull(strstr(trace->message, g_strerror(EIO)));
    for (guint i = 0; i < trace->spans->len; i++)
      latest = MAX(latest, ol_graph_node(trace->graph, ol_trace_span(trace, i)->node)->part);
    seen[latest] = TRUE;
    rank_run_expect_threads(threads);
  }
  ck_assert(seen[OL_PART_FILL] && seen[OL_PART_STEP] && seen[OL_PART_HASH]);
}
END_TEST

/* A rank whose drive has no room is told before anything runs. */
START_TEST(test_a_drive_without_room)
{
  static const char *const set[] = {GRID, ON_NVME, "parallel.zero=3", NULL};
  g_autoptr(OlRunConfig) config = fixture_config(set);
  Faults faults = {.refuse_room = ENOSPC};
  OlRunOptions options = {.disk_system = faulty_system(&faults)};
  g_autoptr(OlRun) run = rank_run(config, &options);
  expect_failure_of(run, 0, "cannot reserve");
}
END_TEST

/* ---- no room ---- */

/* Where it is tight: a transient of the first stage, which keeps most; of the last one, with the
 * logits of a large vocabulary; and a home. Whichever rank gets there first, the run says what the
 * plan says. */
START_TEST(test_out_of_memory)
{
  static const struct {
    const char *gpu, *vocabulary;
    guint rank;
    gboolean homes;
  } rows[] = {{"hardware.gpu_mib=0.9", "model.vocabulary=16", 0, FALSE},
              {"hardware.gpu_mib=5", "model.vocabulary=4000", 1, FALSE},
              {"hardware.gpu_mib=0.3", "model.vocabulary=16", 0, TRUE}};
  guint threads = rank_run_count_threads();
  for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
    for (guint again = 0; again < 4; again++) {
      const char *const set[] = {GRID,
                                 ON_GPU,
                                 rows[i].gpu,
                                 rows[i].vocabulary,
                                 "recompute=full",
                                 "model.sequence=32",
                                 "batch.micro_batch=16",
                                 "parallel.zero=1",
                                 NULL};
      g_autoptr(OlRunConfig) config = fixture_config(set);
      g_autoptr(OlRun) run = rank_run(config, NULL);
      const OlPlan *plan = ol_run_get_plan(run);
      ck_assert(plan->refusal.refused);
      ck_assert_int_eq(plan->refusal.node == OL_NONE, rows[i].homes);
      ck_assert_outcome(run, OL_OUTCOME_OUT_OF_MEMORY);
      g_autofree char *planned = ol_plan_dup_refusal(plan);
      g_autofree char *name = g_strdup_printf("on GPU of rank %u", rows[i].rank);
      ck_assert_str_eq(ol_run_get_trace(run)->message, planned);
      ck_assert_msg(strstr(planned, name) != NULL, "no \"%s\" in: %s", name, planned);
      ck_assert_ptr_nonnull(ol_run_get_trace(run)->table);
      rank_run_expect_threads(threads);
    }
}
END_TEST

/* ---- by hand ---- */

/* Instances of nodes in the whole run. */
static guint count_instances(const OlPlan *plan)
{
  guint n = 0;
  for (guint i = 0; i < plan->graph->nodes->len; i++)
    n += ol_graph_node(plan->graph, i)->part == OL_PART_STEP ? plan->config->steps : 1;
  return n;
}

static const char *const by_hand[][12] = {
    {GRID, ON_GPU, "parallel.zero=3", "steps=2", NULL},
    {GRID, ON_HOST, "parallel.zero=1", "steps=2", NULL},
    {"parallel.data=4", ON_HOST, "parallel.zero=2", "optimizer.clip_norm=1", "steps=2", NULL},
    {"parallel.pipeline=4", "model.layers=4", "batch.micro_batches=5", "steps=2", NULL},
    {"parallel.pipeline=4", "parallel.schedule=interleaved", "parallel.chunks=2", "model.layers=8",
     "batch.micro_batches=4", "steps=2", NULL},
    {"parallel.tensor=2", "parallel.data=2", ON_HOST, "parallel.zero=3", "recompute=full",
     "steps=2", NULL},
};

/* Each `next` lets one node begin, whichever rank's comes first in plan order: what it awaits has
 * begun before, so the run goes on to its end; and to the same weights. */
START_TEST(test_node_by_node)
{
  const char *const *set = by_hand[_i];
  g_autofree char *right = fixture_hash(set, NULL);
  LiveRun live = live_run_start(set, TRUE);
  guint all = count_instances(ol_run_get_plan(live.run)), ranks = 4;
  for (guint n = 1; n <= all; n++) {
    ol_control_next(live.control);
    /* Of a meeting all but the last wait for those to come. */
    live_run_await_spans(&live, n >= ranks ? n - (ranks - 1) : 0);
    ck_assert_uint_le(live_run_count_spans(&live), n);
  }
  live_run_join(&live);
  ck_assert_str_eq(fixture_get_hash(live.run), right);
  ck_assert_uint_eq(live_run_count_spans(&live), all);
  live_run_end(&live);
}
END_TEST

START_TEST(test_pause_and_resume)
{
  const char *const *set = by_hand[_i];
  g_autofree char *right = fixture_hash(set, NULL);
  LiveRun live = live_run_start(set, TRUE);
  for (guint n = 0; n < 20; n++)
    ol_control_next(live.control);
  live_run_await_spans(&live, 17);
  ol_control_resume(live.control);
  live_run_join(&live);
  ck_assert_str_eq(fixture_get_hash(live.run), right);
  live_run_end(&live);
}
END_TEST

/* Wherever it stands: with nothing begun, in a fill, or with ranks waiting for each other. */
START_TEST(test_stop)
{
  guint threads = rank_run_count_threads();
  for (guint nexts = 0; nexts < 200; nexts += 41) {
    LiveRun live = live_run_start(by_hand[_i], TRUE);
    for (guint n = 0; n < nexts; n++)
      ol_control_next(live.control);
    live_run_await_spans(&live, nexts > 3 ? nexts - 3 : 0);
    gint64 begin = ol_clock_now_ns();
    ol_control_stop(live.control);
    live_run_join(&live);
    ck_assert_int_lt(ol_clock_now_ns() - begin, IN_TIME_NS);
    ck_assert_outcome(live.run, OL_OUTCOME_STOPPED);
    ck_assert_uint_le(live_run_count_spans(&live), nexts);
    rank_run_expect_threads(threads);
    live_run_end(&live);
  }
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("ranks-faults");
  tcase_set_timeout(tests, 120);
  tcase_add_loop_test(tests, test_a_device_fails, 0, G_N_ELEMENTS(device_faults));
  tcase_add_test(tests, test_a_device_fails_in_its_update);
  tcase_add_loop_test(tests, test_a_sliced_rank_fails, 0, G_N_ELEMENTS(sliced_faults));
  tcase_add_test(tests, test_ranks_disagree);
  tcase_add_test(tests, test_a_drive_fails);
  tcase_add_test(tests, test_a_drive_without_room);
  tcase_add_test(tests, test_out_of_memory);
  tcase_add_loop_test(tests, test_node_by_node, 0, G_N_ELEMENTS(by_hand));
  tcase_add_loop_test(tests, test_pause_and_resume, 0, G_N_ELEMENTS(by_hand));
  tcase_add_loop_test(tests, test_stop, 0, G_N_ELEMENTS(by_hand));
  return run_suite("ranks-faults", tests);
}
