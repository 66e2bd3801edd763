/* Time on many ranks: the bubble of a pipeline, what a shard's update costs, and a simulation of
 * hundreds of ranks in little memory. */
#include "tests/plan/rank-table.h"
#include "tests/run/run-fixture.h"
#include "tests/suite.h"

#include "engine/base/clock.h"
#include "engine/plan/estimate.h"
#include "engine/run/simulator.h"
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

/* Stages that cost the same, but for the head: a vocabulary of 16 is 2 % of a block. Boundaries
 * cross NVLink, so that sends take next to nothing. */
#define PIPELINE                                                                                   \
  ON_GPU, "hardware.profile=h100-sxm-pcie5", "hardware.stands_for=gpt-13b",                        \
      "hardware.clock=scale", "model.layers=8", "model.width=64", "model.sequence=64",             \
      "model.vocabulary=16", "hardware.gpu_mib=10000", "steps=2"
/* So many tokens that a later stage's update, which begins before the first has done, is short. */
#define MANY_TOKENS "batch.micro_batch=16"
#define FEW_TOKENS  "batch.micro_batch=2"

#define BUBBLE_WITHIN 0.02

static OlRun *open_pipeline(guint stages, guint micro_batches, const char *schedule, guint chunks,
                            const char *tokens, double slowdown)
{
  g_autofree char *layers = g_strdup_printf("model.layers=%u", MAX(8, stages * chunks));
  g_autofree char *each = g_strdup_printf("parallel.chunks=%u", chunks);
  g_autofree char *pipeline = g_strdup_printf("parallel.pipeline=%u", stages);
  g_autofree char *batches = g_strdup_printf("batch.micro_batches=%u", micro_batches);
  g_autofree char *order = g_strdup_printf("parallel.schedule=%s", schedule);
  g_autofree char *s = g_strdup_printf("hardware.slowdown=%.6g", slowdown);
  const char *const set[] = {PIPELINE, tokens, layers, pipeline, batches, order, each, s, NULL};
  return fixture_open(set, NULL);
}

static double bubble(const OlTrace *trace)
{
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  double value = NAN;
  ck_assert(ol_metrics_get_number(metrics, "bubble.fraction", &value));
  return value;
}

/* 2104.04473 section 2.2, over wall time: (p-1)/(m+p-1), whatever the schedule. */
START_TEST(test_bubble_simulated)
{
  static const char *const schedules[] = {"gpipe", "1f1b"};
  for (guint s = 0; s < G_N_ELEMENTS(schedules); s++)
    for (guint stages = 1; stages <= 8; stages *= 2)
      for (guint m = 1; m <= 32; m *= 2) {
        g_autoptr(OlRun) run = open_pipeline(stages, m, schedules[s], 1, MANY_TOKENS, 1000);
        g_autoptr(OlTrace) simulated = ol_run_simulate(run);
        double value = bubble(simulated), expected = ol_estimate_bubble(stages, m, 1);
        ck_assert_msg(fabs(value - expected) <= BUBBLE_WITHIN,
                      "%s, %u stages, %u micro-batches: %g, not %g", schedules[s], stages, m, value,
                      expected);
      }
}
END_TEST

/* With v chunks a rank, of v-th parts of a stage: (p-1)/(v·m+p-1). */
START_TEST(test_interleaved_bubble_simulated)
{
  for (guint stages = 2; stages <= 8; stages *= 2)
    for (guint chunks = 2; chunks <= 4; chunks *= 2)
      for (guint m = stages; m <= 4 * stages; m += stages) {
        g_autoptr(OlRun) run = open_pipeline(stages, m, "interleaved", chunks, MANY_TOKENS, 1000);
        g_autoptr(OlTrace) simulated = ol_run_simulate(run);
        double value = bubble(simulated), expected = ol_estimate_bubble(stages, m, chunks);
        ck_assert_msg(fabs(value - expected) <= BUBBLE_WITHIN,
                      "%u stages, %u chunks, %u micro-batches: %g, not %g", stages, chunks, m,
                      value, expected);
      }
}
END_TEST

/* Seconds a step: so much that real work hardly shows. */
static const double tries[] = {1, 3};

/* A span that begins late is shorter than modelled: the share of all ranks' time in a step that was
 * lost so. */
static double lost_share(OlRun *run)
{
  const OlPlan *plan = ol_run_get_plan(run);
  const OlTrace *trace = ol_run_get_trace(run);
  g_autoptr(OlCosts) costs = ol_costs_new(plan, ol_run_get_machine(run), NULL);
  double lost = 0;
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    const OlGraphNode *node = ol_graph_node(plan->graph, span->node);
    gint64 modelled = ol_costs_ns(costs, span->node, ol_run_get_slowdown(run));
    gint64 shorter = modelled - (span->end_ns - span->begin_ns);
    if (node->part == OL_PART_STEP && node->lane == OL_LANE_COMPUTE && shorter > 0)
      lost += (double)shorter / (double)OL_NS_PER_SECOND;
  }
  return lost / (fixture_step_seconds(trace) * trace->steps->len * plan->graph->n_ranks);
}

/* How far the machine can have moved the bubble: by spans that were too short, and by a step that
 * ended late. */
static double moved_share(OlRun *run)
{
  double late = NAN;
  ck_assert(ol_trace_get_number(ol_run_get_trace(run), "late", &late));
  return lost_share(run) + late;
}

/* FALSE when this machine is too busy for the claim. */
static gboolean hold_bubble(guint stages, guint m, const char *schedule, guint chunks)
{
  double expected = ol_estimate_bubble(stages, m, chunks);
  g_autoptr(OlRun) first = open_pipeline(stages, m, schedule, chunks, FEW_TOKENS, 1000);
  g_autoptr(OlTrace) simulated = ol_run_simulate(first);
  ck_assert_double_eq_tol(bubble(simulated), expected, BUBBLE_WITHIN / 2);
  double step = fixture_step_seconds(simulated);
  for (guint i = 0; i < G_N_ELEMENTS(tries); i++) {
    g_autoptr(OlRun) run =
        open_pipeline(stages, m, schedule, chunks, FEW_TOKENS, 1000 * tries[i] / step);
    ol_run_execute(run);
    ck_assert_outcome(run, OL_OUTCOME_DONE);
    if (moved_share(run) > BUBBLE_WITHIN / 2)
      continue;
    ck_assert_double_eq_tol(bubble(ol_run_get_trace(run)), expected, BUBBLE_WITHIN);
    return TRUE;
  }
  printf("not held, this machine is too busy: %s, %u stages, %u micro-batches\n", schedule, stages,
         m);
  return FALSE;
}

START_TEST(test_bubble_run)
{
  guint held = hold_bubble(2, 8, "gpipe", 1);
  held += hold_bubble(4, 8, "1f1b", 1);
  held += hold_bubble(4, 8, "interleaved", 2);
  printf("bubbles held in %u of 3 runs\n", held);
}
END_TEST

/* Modelled seconds that the first rank updates for, launches left out, and the elements that it
 * updates. */
static double update_seconds(const char *ranks, const char *zero, guint64 *elements)
{
  const char *const set[] = {PIPELINE, ranks, zero, "hardware.slowdown=1000", NULL};
  g_autoptr(OlRun) run = fixture_open(set, NULL);
  const OlPlan *plan = ol_run_get_plan(run);
  const OlMachine *machine = ol_run_get_machine(run);
  g_autoptr(OlCosts) costs = ol_costs_new(plan, machine, NULL);
  double seconds = 0, launch = machine->hardware->launch_latency / machine->mu;
  *elements = 0;
  for (guint i = 0; i < plan->graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(plan->graph, i);
    if (node->op != OL_OP_UPDATE || node->rank != 0)
      continue;
    seconds += costs->modelled[i] - launch;
    *elements += ol_plan_shard(plan, 0, (guint)node->unit).count;
  }
  return seconds;
}

/* A rank updates its shard, and pays for no more. */
START_TEST(test_a_shard_costs_its_share)
{
  guint64 all, same, part;
  double whole = update_seconds("parallel.data=1", "parallel.zero=1", &all);
  double replica = update_seconds("parallel.data=4", "parallel.zero=0", &same);
  double shard = update_seconds("parallel.data=4", "parallel.zero=1", &part);
  ck_assert_uint_eq(all, same);
  ck_assert_uint_lt(part, all / 3); /* a quarter, rounded up to chunks */
  ck_assert_double_eq_tol(replica / whole, 1, 1e-9);
  ck_assert_double_eq_tol(shard / whole, (double)part / (double)all, 1e-9);
}
END_TEST

/* ---- sends under compute ---- */

/* Seconds of a step of 4 stages and 8 micro-batches when a message takes `seconds`; and those that
 * a forward of a chunk takes. */
static double step_with_messages(const char *schedule, const char *chunks, double seconds,
                                 double *forward)
{
  g_autoptr(GError) error = NULL;
  const char *const set[] = {PIPELINE,
                             MANY_TOKENS,
                             "model.layers=16",
                             "hardware.slowdown=1",
                             "parallel.pipeline=4",
                             "batch.micro_batches=8",
                             "overlap.prefetch=1",
                             schedule,
                             chunks,
                             NULL};
  g_autoptr(OlRunConfig) config = fixture_config(set);
  g_autoptr(OlMachine) machine = ol_machine_new(config, NULL, &error);
  ck_assert_msg(machine != NULL, "%s", error ? error->message : "");
  g_autoptr(OlPlan) plan = ol_plan_new(config, machine);
  g_autoptr(OlCosts) costs = ol_costs_new(plan, machine, NULL);
  *forward = 0;
  for (guint i = 0; i < costs->n; i++) {
    const OlGraphNode *node = ol_graph_node(plan->graph, i);
    if (node->op == OL_OP_FORWARD && node->micro_batch == 0)
      *forward += costs->modelled[i] / (4 * config->parallel.chunks);
    if (node->op == OL_OP_SEND || node->op == OL_OP_RECEIVE)
      costs->modelled[i] = node->op == OL_OP_SEND ? seconds : 0;
  }
  return ol_simulate_step_seconds(plan, costs, 1);
}

/* A step is longer by the messages that nothing can lie over, whatever order they take: those of
 * the first micro-batch through p · v stages and of the last one back; and with 1f1b, whose next
 * forward is only sent when a backward has come, two for each micro-batch. Were a rank's next turn
 * held until its last is sent, gpipe and interleaved would be longer by twice as many and more. */
START_TEST(test_sends_lie_under_compute)
{
  static const struct {
    const char *schedule, *chunks;
    double messages;
  } rows[] = {
      {"parallel.schedule=gpipe", "parallel.chunks=1", 2 * (4 - 1)},
      {"parallel.schedule=1f1b", "parallel.chunks=1", 2 * 8},
      {"parallel.schedule=interleaved", "parallel.chunks=2", 2 * (4 * 2 - 1)},
      {"parallel.schedule=interleaved", "parallel.chunks=4", 2 * (4 * 4 - 1)},
  };
  for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
    double forward;
    double fast = step_with_messages(rows[i].schedule, rows[i].chunks, 0, &forward);
    double message = forward / 10;
    double slow = step_with_messages(rows[i].schedule, rows[i].chunks, message, &forward);
    double longer = (slow - fast) / message;
    ck_assert_msg(fabs(longer - rows[i].messages) < 1.5, "%s, %s: %g messages longer, not %g",
                  rows[i].schedule, rows[i].chunks, longer, rows[i].messages);
  }
}
END_TEST

/* ---- hundreds of ranks ---- */

#define BIG                                                                                        \
  ON_GPU, "hardware.profile=h100-sxm-pcie5", "hardware.stands_for=gpt-13b",                        \
      "hardware.clock=scale", "hardware.slowdown=1000", "hardware.gpu_mib=100000",                 \
      "hardware.host_mib=100000", "model.layers=46", "model.width=64", "batch.micro_batches=32",   \
      "steps=3"
#define MOST_BYTES (G_GUINT64_CONSTANT(2) << 30)

static double cpu_seconds(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static guint64 peak_bytes(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (guint64)usage.ru_maxrss << 10;
}

/* From config to the seconds of a step, as the window asks for them. */
static void simulate_big(const char *const *set)
{
  gint64 begin = ol_clock_now_ns();
  double used = cpu_seconds();
  g_autoptr(GError) error = NULL;
  g_autoptr(OlRunConfig) config = fixture_config(set);
  g_autoptr(OlMachine) machine = ol_machine_new(config, NULL, &error);
  ck_assert_msg(machine != NULL, "%s", error ? error->message : "");
  g_autoptr(OlPlan) plan = ol_plan_new(config, machine);
  g_autoptr(OlCosts) costs = ol_costs_new(plan, machine, NULL);
  ck_assert_double_gt(ol_simulate_step_seconds(plan, costs, 1000), 0);
  ck_assert_uint_eq(plan->graph->n_ranks, 512);
  ck_assert_uint_eq(plan->shape->n_units, 48);
  printf("512 ranks, %u nodes: %.2f s (%.2f s of a core), %.0f MiB\n", plan->graph->nodes->len,
         (double)(ol_clock_now_ns() - begin) / OL_NS_PER_SECOND, cpu_seconds() - used,
         (double)peak_bytes() / (1 << 20));
  ck_assert_uint_lt(rank_plan_bytes(plan), MOST_BYTES);
  ck_assert_uint_lt(peak_bytes(), MOST_BYTES);
}

START_TEST(test_512_ranks_in_8_stages)
{
  static const char *const set[] = {BIG, "parallel.data=64", "parallel.pipeline=8",
                                    "parallel.zero=1", NULL};
  simulate_big(set);
}
END_TEST

/* Every rank has all 48 units: ten times as many nodes. */
START_TEST(test_512_data_ranks)
{
  static const char *const set[] = {BIG, "parallel.data=512", "parallel.zero=3", NULL};
  simulate_big(set);
}
END_TEST

/* Blocks in pieces, with sums between them: twice as many again. */
START_TEST(test_512_ranks_in_slices)
{
  static const char *const set[] = {
      BIG, "model.heads=8", "parallel.data=64", "parallel.tensor=8", "parallel.zero=1", NULL};
  simulate_big(set);
}
END_TEST

/* ZeRO 3 with nothing at home on the GPUs: the most nodes that a micro-batch has. */
#define MOST_NODES                                                                                 \
  BIG, "model.heads=8", "parallel.zero=3", "recompute=full", "optimizer.clip_norm=1",              \
      "optimizer.runs_on=host", "placement.optimizer=nvme", "placement.weights=nvme",              \
      "placement.gradients=host", "placement.activations=host", "hardware.nvme_mib=100000"

START_TEST(test_512_ranks_in_slices_on_nvme)
{
  static const char *const set[] = {MOST_NODES, "parallel.data=64", "parallel.tensor=8", NULL};
  simulate_big(set);
}
END_TEST

START_TEST(test_512_ranks_in_slices_and_stages_on_nvme)
{
  static const char *const set[] = {MOST_NODES, "parallel.data=8", "parallel.tensor=8",
                                    "parallel.pipeline=8", NULL};
  simulate_big(set);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("ranks-time");
  tcase_set_timeout(tests, 240);
  tcase_add_test(tests, test_bubble_simulated);
  tcase_add_test(tests, test_interleaved_bubble_simulated);
  tcase_add_test(tests, test_bubble_run);
  tcase_add_test(tests, test_sends_lie_under_compute);
  tcase_add_test(tests, test_a_shard_costs_its_share);
  if (!IS_SANITIZED)
    tcase_add_test(tests, test_512_ranks_in_8_stages);
  if (!IS_SANITIZED && g_getenv("OFFLOAD_LAB_LONG"))
    tcase_add_test(tests, test_512_data_ranks);
  if (!IS_SANITIZED && g_getenv("OFFLOAD_LAB_LONG"))
    tcase_add_test(tests, test_512_ranks_in_slices);
  if (!IS_SANITIZED && g_getenv("OFFLOAD_LAB_LONG"))
    tcase_add_test(tests, test_512_ranks_in_slices_on_nvme);
  if (!IS_SANITIZED)
    tcase_add_test(tests, test_512_ranks_in_slices_and_stages_on_nvme);
  return run_suite("ranks-time", tests);
}
