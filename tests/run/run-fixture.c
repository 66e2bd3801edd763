#include "tests/run/run-fixture.h"

#include "engine/base/clock.h"

static const char *const small[] = {"steps=4",
                                    "model.layers=2",
                                    "model.width=32",
                                    "model.heads=2",
                                    "model.sequence=16",
                                    "model.vocabulary=16",
                                    "batch.micro_batch=2",
                                    "hardware.clock=machine",
                                    "hardware.stands_for=null",
                                    NULL};

static OlRunConfig *with(const OlRunConfig *base, const char *const *set)
{
  g_autoptr(GError) error = NULL;
  OlRunConfig *config = ol_run_config_with_assignments(base, set, &error);
  ck_assert_msg(config != NULL, "%s", error ? error->message : "");
  return config;
}

OlRunConfig *fixture_config(const char *const *set)
{
  g_autoptr(OlRunConfig) defaults = ol_run_config_new_default();
  g_autoptr(OlRunConfig) base = with(defaults, small);
  return with(base, set);
}

OlRun *fixture_open(const char *const *set, const OlRunOptions *options)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(OlRunConfig) config = fixture_config(set);
  OlRun *run = ol_run_new(config, options, &error);
  ck_assert_msg(run != NULL, "%s", error ? error->message : "");
  return run;
}

OlRun *fixture_run(const char *const *set, const OlRunOptions *options)
{
  OlRun *run = fixture_open(set, options);
  ol_run_execute(run);
  return run;
}

const char *fixture_get_hash(OlRun *run)
{
  ck_assert_outcome(run, OL_OUTCOME_DONE);
  const char *hash = ol_trace_get_text(ol_run_get_trace(run), "weights.hash");
  ck_assert_ptr_nonnull(hash);
  ck_assert_uint_eq(strlen(hash), 16);
  return hash;
}

char *fixture_hash(const char *const *set, const OlRunOptions *options)
{
  g_autoptr(OlRun) run = fixture_run(set, options);
  return g_strdup(fixture_get_hash(run));
}

guint fixture_home(const OlPlan *plan, OlPayload payload, guint unit)
{
  for (guint i = 0; i < plan->graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(plan->graph, i);
    if (node->op == OL_OP_FILL && node->payload == payload && node->unit == (int)unit)
      return (guint)ol_plan_operands(plan, i).buffer[OL_OPERAND_TARGET];
  }
  ck_abort_msg("no home of %s", ol_payload_nick(payload));
  return 0;
}

/* Data ranks share their operands, so the node gets some of its own, which are numbered on. */
void fixture_set_operand(OlPlan *plan, guint node, OlOperand operand, guint buffer)
{
  OlOperands operands =
      g_array_index(plan->operands, OlOperands, g_array_index(plan->operands_of, guint, node));
  int before = ol_plan_operands(plan, node).buffer[operand];
  g_assert(before != OL_NONE);
  operands.buffer[operand] += (int)buffer - before;
  g_array_index(plan->operands_of, guint, node) = plan->operands->len;
  g_array_append_val(plan->operands, operands);
}

double fixture_step_seconds(const OlTrace *trace)
{
  guint n = trace->steps->len;
  ck_assert_uint_gt(n, 1);
  gint64 time = ol_trace_step(trace, n - 1)->end_ns - ol_trace_step(trace, 0)->end_ns;
  return (double)time / (n - 1) / (double)OL_NS_PER_SECOND;
}

int fixture_main(const char *name, const TTest *const *tests, guint n_tests, double timeout)
{
  Suite *suite = suite_create(name);
  TCase *all = tcase_create(name);
  tcase_set_timeout(all, timeout);
  for (guint i = 0; i < n_tests; i++)
    tcase_add_test(all, tests[i]);
  suite_add_tcase(suite, all);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? 1 : 0;
}
