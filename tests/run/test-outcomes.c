/* How a run ends, other than well; and the hand on it while it lasts. */
#include "tests/run/live-run.h"
#include "tests/run/run-fixture.h"
#include "tests/suite.h"

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include <math.h>

#define SLOW SCALE, ON_HOST, "hardware.slowdown=20000"

static guint count_fills(OlRun *run)
{
  const OlGraph *graph = ol_run_get_plan(run)->graph;
  guint n = 0;
  for (guint i = 0; i < graph->nodes->len; i++)
    n += ol_graph_node(graph, i)->part == OL_PART_FILL;
  return n;
}

START_TEST(test_stop)
{
  const char *const set[] = {SLOW, "steps=1000", NULL};
  LiveRun live = live_run_start(set, FALSE);
  live_run_await_spans(&live, count_fills(live.run) + 1);
  gint64 begin = ol_clock_now_ns();
  ol_control_stop(live.control);
  live_run_join(&live);
  ck_assert_int_lt(ol_clock_now_ns() - begin, 2 * OL_NS_PER_SECOND);
  ck_assert_outcome(live.run, OL_OUTCOME_STOPPED);
  ck_assert_uint_gt(live_run_count_spans(&live), count_fills(live.run));
  live_run_end(&live);
}
END_TEST

START_TEST(test_stop_before_it_begins)
{
  const char *const set[] = {ON_GPU, NULL};
  LiveRun live = {.control = ol_control_new()};
  OlRunOptions options = {.control = live.control};
  live.run = fixture_open(set, &options);
  ol_control_stop(live.control);
  ol_run_execute(live.run);
  ck_assert_outcome(live.run, OL_OUTCOME_STOPPED);
  ck_assert_uint_eq(live_run_count_spans(&live), 0);
  live_run_end(&live);
}
END_TEST

START_TEST(test_stop_while_paused)
{
  const char *const set[] = {ON_HOST, NULL};
  LiveRun live = live_run_start(set, TRUE);
  ol_control_next(live.control);
  live_run_await_spans(&live, 1);
  ol_control_stop(live.control);
  live_run_join(&live);
  ck_assert_outcome(live.run, OL_OUTCOME_STOPPED);
  live_run_end(&live);
}
END_TEST

/* One node at a time, in plan order, whichever lane each is on; then on to the end. */
static void step_by_hand(const char *const *set)
{
  g_autofree char *right = fixture_hash(set, NULL);
  LiveRun live = live_run_start(set, TRUE);
  guint n = ol_run_get_plan(live.run)->graph->nodes->len;
  for (guint i = 1; i <= n; i++) {
    ol_control_next(live.control);
    live_run_await_spans(&live, i);
    ck_assert_uint_eq(live_run_count_spans(&live), i);
  }
  OlTrace *trace = ol_run_get_trace(live.run);
  guint hashes = 0;
  for (guint i = 0; i < n; i++)
    hashes += ol_graph_node(trace->graph, i)->part == OL_PART_HASH;
  for (guint i = 0; i < n - hashes; i++)
    ck_assert_uint_eq(ol_trace_span(trace, i)->node, i);
  g_usleep(30000);
  ck_assert_uint_eq(live_run_count_spans(&live), n);
  ol_control_resume(live.control);
  live_run_join(&live);
  ck_assert_str_eq(fixture_get_hash(live.run), right);
  ck_assert(trace->touched);
  double late;
  ck_assert(!ol_trace_get_number(trace, "late", &late));
  live_run_end(&live);
}

START_TEST(test_next_on_the_machines_clock)
{
  step_by_hand((const char *const[]){ON_HOST, "overlap.prefetch=2", "steps=3", NULL});
}
END_TEST

START_TEST(test_next_with_a_drive)
{
  step_by_hand((const char *const[]){ON_NVME, "placement.activations=host", "recompute=full",
                                     "steps=2", NULL});
}
END_TEST

START_TEST(test_next_on_the_scale_clock)
{
  step_by_hand((const char *const[]){ON_HOST, "hardware.clock=scale", "hardware.stands_for=gpt-2b",
                                     "hardware.slowdown=2000", "steps=2", NULL});
}
END_TEST

START_TEST(test_pause_keeps_time_still)
{
  const char *const set[] = {SLOW, "steps=1000", NULL};
  LiveRun live = live_run_start(set, FALSE);
  live_run_await_spans(&live, count_fills(live.run) + 1);
  ol_control_pause(live.control);
  g_usleep(50000);
  guint paused = live_run_count_spans(&live);
  g_usleep(300000);
  ck_assert_uint_eq(live_run_count_spans(&live), paused);
  ol_control_set_speed(live.control, 50);
  ol_control_resume(live.control);
  live_run_await_spans(&live, paused + 20);
  ol_control_stop(live.control);
  live_run_join(&live);
  ck_assert(ol_run_get_trace(live.run)->touched);
  live_run_end(&live);
}
END_TEST

static guint count_open_files(void)
{
  g_autoptr(GDir) dir = g_dir_open("/proc/self/fd", 0, NULL);
  guint n = 0;
  ck_assert_ptr_nonnull(dir);
  while (g_dir_read_name(dir))
    n++;
  return n;
}

/* The message names the tier, the table every payload that holds bytes on it. */
static void assert_words_tell(const OlPlan *plan, const char *message, const char *table)
{
  OlTier tier = ol_graph_buffer(plan->graph, plan->refusal.buffer)->tier;
  ck_assert_ptr_nonnull(table);
  ck_assert_msg(strstr(message, ol_tier_name(tier)) != NULL, "%s", message);
  for (guint payload = 0; payload < OL_N_PAYLOADS; payload++)
    if (plan->held[tier][payload] > 0)
      ck_assert_msg(strstr(table, ol_payload_name(payload)) != NULL, "no %s in: %s",
                    ol_payload_name(payload), table);
}

static void assert_out_of_memory(const char *const *set, OlTier tier, gboolean at_home)
{
  g_autoptr(OlRun) run = fixture_run(set, NULL);
  const OlPlan *plan = ol_run_get_plan(run);
  const OlTrace *trace = ol_run_get_trace(run);
  ck_assert(plan->refusal.refused);
  ck_assert_int_eq(ol_graph_buffer(plan->graph, plan->refusal.buffer)->tier, tier);
  ck_assert_int_eq(plan->refusal.node == OL_NONE, at_home);
  ck_assert_outcome(run, OL_OUTCOME_OUT_OF_MEMORY);
  g_autofree char *planned = ol_plan_dup_refusal(plan);
  g_autoptr(OlTrace) simulated = ol_run_simulate(run);
  ck_assert_str_eq(trace->message, planned);
  ck_assert_str_eq(trace->message, simulated->message);
  ck_assert_str_eq(trace->table, simulated->table);
  assert_words_tell(plan, trace->message, trace->table);
  ck_assert_ptr_null(ol_trace_get_text(trace, "weights.hash"));
  ck_assert_int_eq(at_home, trace->spans->len == 0);
}

/* The given config with that capacity of a tier. */
static void assert_refused_at(const char *const *set, OlTier tier, guint64 bytes, gboolean at_home)
{
  g_autoptr(GPtrArray) all = g_ptr_array_new();
  g_autofree char *capacity =
      g_strdup_printf("hardware.%s_mib=%.9f", ol_tier_nick(tier), (double)bytes / (1 << 20));
  for (guint i = 0; set[i]; i++)
    g_ptr_array_add(all, (gpointer)set[i]);
  g_ptr_array_add(all, capacity);
  g_ptr_array_add(all, NULL);
  assert_out_of_memory((const char *const *)all->pdata, tier, at_home);
}

/* Each tier in turn, by a block too little and with next to nothing; the lab stays usable. */
START_TEST(test_out_of_memory)
{
  static const char *const sets[][6] = {{ON_GPU, NULL}, {ON_HOST, NULL}, {ON_NVME, NULL}};
  const char *const *set = sets[_i];
  g_autofree char *right = fixture_hash(set, NULL);
  g_autoptr(OlRun) roomy = fixture_open(set, NULL);
  const OlPlan *plan = ol_run_get_plan(roomy);
  guint open_files = count_open_files();

  for (OlTier tier = OL_TIER_GPU; tier < OL_N_TIERS; tier++) {
    guint64 needed = plan->arena_bytes[tier];
    if (needed == 0)
      continue;
    /* Only the GPU has blocks that come and go. */
    assert_refused_at(set, tier, needed - OL_OFFSETS_ALIGNMENT, tier != OL_TIER_GPU);
    assert_refused_at(set, tier, OL_OFFSETS_ALIGNMENT, TRUE);
    g_autofree char *again = fixture_hash(set, NULL);
    ck_assert_str_eq(again, right);
  }
  ck_assert_uint_eq(count_open_files(), open_files);
}
END_TEST

/* A kernel that reaches outside the GPU's memory fails the run, with what it was. */
static void point_to_host(OlPlan *plan, gpointer data)
{
  OlPayload payload = OL_PAYLOAD_MASTER;
  guint home = fixture_home(plan, payload, 1);
  for (guint i = 0; i < plan->graph->nodes->len; i++)
    if (ol_graph_node(plan->graph, i)->op == OL_OP_BACKWARD &&
        ol_graph_node(plan->graph, i)->unit == 1)
      fixture_set_operand(plan, i, OL_OPERAND_WEIGHTS, home);
}

START_TEST(test_device_failure)
{
  OlRunOptions options = {.edit_plan = point_to_host};
  g_autoptr(OlRun) run = fixture_run((const char *const[]){ON_HOST, NULL}, &options);
  ck_assert_outcome(run, OL_OUTCOME_FAILED);
  ck_assert_ptr_nonnull(strstr(ol_run_get_trace(run)->message, "GPU"));
  ck_assert_ptr_null(ol_trace_get_text(ol_run_get_trace(run), "weights.hash"));
}
END_TEST

/* To where nothing else lies. */
static void move_a_transient(OlPlan *plan, gpointer data)
{
  for (guint i = 0; i < plan->graph->buffers->len; i++)
    if (ol_graph_buffer(plan->graph, i)->kind == OL_BUFFER_TRANSIENT) {
      plan->offset[i] = plan->arena_bytes[OL_TIER_GPU];
      plan->arena_bytes[OL_TIER_GPU] += ol_graph_buffer(plan->graph, i)->bytes;
      return;
    }
}

START_TEST(test_plan_and_run_must_agree)
{
  OlRunOptions options = {.edit_plan = move_a_transient};
  g_autoptr(OlRun) run = fixture_run((const char *const[]){ON_HOST, NULL}, &options);
  ck_assert_outcome(run, OL_OUTCOME_FAILED);
  ck_assert_ptr_nonnull(strstr(ol_run_get_trace(run)->message, "disagree"));
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("outcomes");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, test_stop);
  tcase_add_test(tests, test_stop_before_it_begins);
  tcase_add_test(tests, test_stop_while_paused);
  tcase_add_test(tests, test_next_on_the_machines_clock);
  tcase_add_test(tests, test_next_with_a_drive);
  tcase_add_test(tests, test_next_on_the_scale_clock);
  tcase_add_test(tests, test_pause_keeps_time_still);
  tcase_add_loop_test(tests, test_out_of_memory, 0, 3);
  tcase_add_test(tests, test_device_failure);
  tcase_add_test(tests, test_plan_and_run_must_agree);
  return run_suite("outcomes", tests);
}
