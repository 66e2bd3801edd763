/* Plans held against closed forms and against a second reading of what must be ordered. */
#include "engine/plan/plan.h"

#include <check.h>
#include <string.h>

typedef struct {
  OlRunConfig *config;
  OlMachine *machine;
  OlPlan *plan;
} Fixture;

static void open_plan(Fixture *fixture, const char *const *set)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(OlRunConfig) base = ol_run_config_new_default();
  fixture->config = ol_run_config_with_assignments(base, set, &error);
  ck_assert_msg(fixture->config != NULL, "%s", error ? error->message : "");
  fixture->machine = ol_machine_new(fixture->config, NULL, &error);
  ck_assert_msg(fixture->machine != NULL, "%s", error ? error->message : "");
  fixture->plan = ol_plan_new(fixture->config, fixture->machine);
}

static void close_plan(Fixture *fixture)
{
  ol_plan_free(fixture->plan);
  ol_machine_free(fixture->machine);
  ol_run_config_free(fixture->config);
}

#define ON_GPU "placement.optimizer=gpu", "placement.gradients=gpu", "optimizer.runs_on=gpu"

/* Every placement and overlap that the engine offers. */
static const char *const variants[][8] = {
    {ON_GPU, NULL},
    {ON_GPU, "batch.micro_batches=2", NULL},
    {ON_GPU, "precision=fp32", NULL},
    {"overlap.prefetch=0", NULL},
    {"overlap.prefetch=1", NULL},
    {"overlap.prefetch=5", NULL},
    {"overlap.prefetch=100", NULL},
    {"overlap.write_back=false", NULL},
    {"overlap.write_back=false", "batch.micro_batches=3", NULL},
    {"batch.micro_batches=2", NULL},
    {"placement.gradients=host", NULL},
    {"placement.gradients=host", "overlap.prefetch=0", NULL},
    {"placement.gradients=host", "batch.micro_batches=3", NULL},
    {"placement.gradients=host", "batch.micro_batches=3", "overlap.write_back=false", NULL},
    {"placement.weights=host", NULL},
    {"placement.weights=host", "placement.gradients=host", "overlap.prefetch=0", NULL},
    {"placement.weights=nvme", "batch.micro_batches=2", NULL},
    {"placement.optimizer=nvme", NULL},
    {"placement.optimizer=nvme", "overlap.write_back=false", NULL},
    {"placement.optimizer=nvme", "placement.weights=nvme", "placement.gradients=host", NULL},
    {"placement.optimizer=nvme", "optimizer.runs_on=gpu", NULL},
    {"optimizer.runs_on=gpu", NULL},
    {"optimizer.runs_on=gpu", "placement.gradients=host", "batch.micro_batches=2", NULL},
    {"optimizer.runs_on=gpu", "placement.weights=nvme", "overlap.write_back=false", NULL},
    {"optimizer.gpu_fraction=0.4", NULL},
    {"optimizer.gpu_fraction=0.4", "placement.gradients=host", "batch.micro_batches=2", NULL},
    {"optimizer.clip_norm=1", NULL},
    {"optimizer.clip_norm=1", "placement.gradients=host", "placement.optimizer=nvme", NULL},
    {"recompute=full", NULL},
    {"recompute=selective", "batch.micro_batches=2", NULL},
    {"placement.activations=host", NULL},
    {"placement.activations=host", "recompute=selective", NULL},
    {"placement.activations=host", "recompute=full", "batch.micro_batches=2", NULL},
    {"placement.activations=host", "recompute=full", "overlap.prefetch=0", NULL},
    {"placement.activations=host", "placement.weights=nvme", "overlap.write_back=false", NULL},
    {"overlap.pinned=false", NULL},
    {"overlap.order=alternate", NULL},
    {"overlap.order=alternate", "placement.optimizer=nvme", "overlap.prefetch=1", NULL},
    {"overlap.order=alternate", "placement.optimizer=nvme", "overlap.prefetch=0", NULL},
    {"overlap.order=alternate", "placement.optimizer=nvme", "overlap.prefetch=100", NULL},
    {"overlap.order=alternate", "placement.optimizer=nvme", "optimizer.runs_on=gpu", NULL},
    {"overlap.order=alternate", "placement.optimizer=nvme", "overlap.write_back=false", NULL},
    {"overlap.order=alternate", "placement.optimizer=nvme", "optimizer.delayed=true", NULL},
    {"overlap.order=alternate", "placement.optimizer=nvme", "optimizer.gpu_fraction=0.4", NULL},
    {"optimizer.delayed=true", NULL},
    {"optimizer.delayed=true", "batch.micro_batches=2", "placement.optimizer=nvme", NULL},
    {"optimizer.delayed=true", "placement.weights=host", "placement.gradients=host", NULL},
    {"optimizer.delayed=true", "placement.weights=nvme", "optimizer.clip_norm=1", NULL},
};

START_TEST(test_sixteen_bytes_a_parameter)
{
  Fixture f;
  open_plan(&f, (const char *const[]){ON_GPU, NULL});
  guint64 p = f.plan->shape->parameters;
  ck_assert_uint_eq(f.plan->home[OL_TIER_GPU][OL_PAYLOAD_WEIGHTS], 2 * p);
  ck_assert_uint_eq(f.plan->home[OL_TIER_GPU][OL_PAYLOAD_GRADIENTS], 2 * p);
  ck_assert_uint_eq(f.plan->home[OL_TIER_GPU][OL_PAYLOAD_MASTER], 4 * p);
  ck_assert_uint_eq(f.plan->home[OL_TIER_GPU][OL_PAYLOAD_MOMENT1], 4 * p);
  ck_assert_uint_eq(f.plan->home[OL_TIER_GPU][OL_PAYLOAD_MOMENT2], 4 * p);
  close_plan(&f);
}
END_TEST

START_TEST(test_states_on_the_host)
{
  Fixture f;
  open_plan(&f, (const char *const[]){"overlap.prefetch=1", NULL});
  guint64 p = f.plan->shape->parameters;
  guint64 slot = 2 * ol_shape_largest_unit(f.plan->shape);
  ck_assert_uint_eq(f.plan->home[OL_TIER_HOST][OL_PAYLOAD_MASTER], 4 * p);
  ck_assert_uint_eq(f.plan->peak[OL_TIER_GPU][OL_PAYLOAD_MASTER], 0);
  /* Two slots each for gradients on arrival and weights on their way up. */
  ck_assert_uint_eq(f.plan->peak[OL_TIER_HOST][OL_PAYLOAD_GRADIENTS], 2 * slot);
  ck_assert_uint_eq(f.plan->peak[OL_TIER_HOST][OL_PAYLOAD_WEIGHTS], 2 * slot);
  ck_assert_uint_eq(f.plan->home[OL_TIER_HOST][OL_PAYLOAD_WEIGHTS], 0);
  close_plan(&f);
}
END_TEST

START_TEST(test_fp32_sums)
{
  Fixture f;
  open_plan(&f, (const char *const[]){ON_GPU, "batch.micro_batches=2", NULL});
  guint64 p = f.plan->shape->parameters;
  ck_assert_uint_eq(f.plan->home[OL_TIER_GPU][OL_PAYLOAD_GRADIENTS], 4 * p);
  close_plan(&f);
}
END_TEST

/* The highest moment of a step is the head's backward: every block's activations are kept. */
START_TEST(test_activation_peak)
{
  Fixture f;
  open_plan(&f, (const char *const[]){ON_GPU, NULL});
  const OlShape *shape = f.plan->shape;
  guint64 kept = 0;
  for (guint u = 0; u < shape->n_units; u++)
    kept += ol_shape_inner_bytes(shape, u) + ol_shape_boundary_bytes(shape, u);
  guint64 gradient = ol_shape_boundary_bytes(shape, 1);
  ck_assert_uint_eq(f.plan->peak[OL_TIER_GPU][OL_PAYLOAD_ACTIVATIONS], kept + gradient);
  close_plan(&f);
}
END_TEST

START_TEST(test_waits_point_backwards)
{
  Fixture f;
  open_plan(&f, variants[_i]);
  const OlGraph *graph = f.plan->graph;
  for (guint i = 0; i < graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(graph, i);
    const OlWait *waits = ol_graph_waits(graph, node->waits);
    for (guint k = 0; k < node->waits.n; k++) {
      ck_assert_int_eq(ol_graph_node(graph, waits[k].node)->part, node->part);
      if (waits[k].steps_back == 0)
        ck_assert_uint_lt(waits[k].node, i);
      else
        ck_assert_int_eq(node->part, OL_PART_STEP);
    }
  }
  close_plan(&f);
}
END_TEST

/* Reads and writes by op, written down again: 'r', 'w' by operand. */
static char use_of(const OlGraphNode *node, OlOperand operand)
{
  switch (operand) {
  case OL_OPERAND_GRADIENT:
    return node->op == OL_OP_BACKWARD || node->op == OL_OP_CAST ? 'w' : 'r';
  case OL_OPERAND_PROBABILITIES:
    return node->op == OL_OP_BACKWARD ? 'r' : 'w';
  case OL_OPERAND_NORMS:
    return node->op == OL_OP_NORM ? 'w' : 'r';
  case OL_OPERAND_ACCUMULATOR:
    return node->op == OL_OP_ACCUMULATE ? 'w' : 'r';
  case OL_OPERAND_WEIGHTS:
    return node->op == OL_OP_UPDATE ? 'w' : 'r';
  case OL_OPERAND_TOKENS:
    return node->op == OL_OP_FORWARD && node->unit == 0 ? 'w' : 'r';
  case OL_OPERAND_OUTPUT:
    return node->op == OL_OP_FORWARD ? 'w' : 'r';
  case OL_OPERAND_INPUT:
  case OL_OPERAND_D_OUTPUT:
  case OL_OPERAND_SOURCE:
    return 'r';
  default:
    return 'w';
  }
}

/* A few steps, unrolled: alternating ones twice each. */
enum { STEPS = 4 };

typedef struct {
  guint node;
  guint step;
} Instance;

static GArray *unroll(const OlGraph *graph)
{
  GArray *instances = g_array_new(FALSE, FALSE, sizeof(Instance));
  for (guint step = 0; step < STEPS; step++)
    for (guint id = 0; id < graph->nodes->len; id++)
      if (ol_graph_node_is_in_step(ol_graph_node(graph, id), step)) {
        Instance instance = {id, step};
        g_array_append_val(instances, instance);
      }
  return instances;
}

static gint64 find_instance(GArray *instances, guint node, guint step)
{
  for (guint i = 0; i < instances->len; i++) {
    const Instance *instance = &g_array_index(instances, Instance, i);
    if (instance->node == node && instance->step == step)
      return i;
  }
  ck_abort_msg("a wait on node %u in step %u, where it is not", node, step);
}

static void add_before(guint8 *before, gsize total, gsize i, gint64 past)
{
  if (past < 0)
    return;
  before[i * total + past] = 1;
  for (gsize j = 0; j < total; j++)
    before[i * total + j] |= before[past * total + j];
}

/* before[i][j]: instance j ends before instance i begins. */
static guint8 *reach(const OlGraph *graph, GArray *instances)
{
  gsize total = instances->len;
  guint8 *before = g_malloc0(total * total);
  gint64 last_on_lane[OL_N_LANES];
  for (int lane = 0; lane < OL_N_LANES; lane++)
    last_on_lane[lane] = -1;
  for (gsize i = 0; i < total; i++) {
    const Instance *instance = &g_array_index(instances, Instance, i);
    const OlGraphNode *node = ol_graph_node(graph, instance->node);
    const OlWait *waits = ol_graph_waits(graph, node->waits);
    add_before(before, total, i, last_on_lane[node->lane]);
    for (guint k = 0; k < node->waits.n; k++)
      if (instance->step >= waits[k].steps_back)
        add_before(before, total, i,
                   find_instance(instances, waits[k].node, instance->step - waits[k].steps_back));
    last_on_lane[node->lane] = (gint64)i;
  }
  return before;
}

static gboolean conflict(const OlPlan *plan, guint a, guint b)
{
  const OlGraphNode *left = ol_graph_node(plan->graph, a), *right = ol_graph_node(plan->graph, b);
  OlOperands its = ol_plan_operands(plan, a), others = ol_plan_operands(plan, b);
  for (int i = 0; i < OL_N_OPERANDS; i++)
    for (int j = 0; j < OL_N_OPERANDS; j++)
      if (its.buffer[i] != OL_NONE && its.buffer[i] == others.buffer[j] &&
          (use_of(left, i) == 'w' || use_of(right, j) == 'w'))
        return TRUE;
  return FALSE;
}

START_TEST(test_conflicts_are_ordered)
{
  Fixture f;
  open_plan(&f, variants[_i]);
  const OlGraph *graph = f.plan->graph;
  g_autoptr(GArray) instances = unroll(graph);
  g_autofree guint8 *before = reach(graph, instances);
  gsize total = instances->len;
  for (gsize i = 0; i < total; i++)
    for (gsize j = 0; j < i; j++)
      if (conflict(f.plan, g_array_index(instances, Instance, i).node,
                   g_array_index(instances, Instance, j).node))
        ck_assert_msg(before[i * total + j], "nodes %zu and %zu share a buffer but not an order", i,
                      j);
  close_plan(&f);
}
END_TEST

START_TEST(test_prefetch_0_is_serial)
{
  Fixture f;
  open_plan(&f, (const char *const[]){"overlap.prefetch=0", NULL});
  const OlGraph *graph = f.plan->graph;
  int before = OL_NONE;
  for (guint i = 0; i < graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(graph, i);
    if (node->part != OL_PART_STEP)
      continue;
    gboolean waits_for_it = before == OL_NONE || ol_graph_node(graph, before)->lane == node->lane;
    const OlWait *waits = ol_graph_waits(graph, node->waits);
    for (guint k = 0; k < node->waits.n; k++)
      waits_for_it |= (int)waits[k].node == before && waits[k].steps_back == 0;
    ck_assert_msg(waits_for_it, "node %u does not wait for the one before it", i);
    before = i;
  }
  close_plan(&f);
}
END_TEST

START_TEST(test_transients_return)
{
  Fixture f;
  open_plan(&f, variants[_i]);
  const OlGraph *graph = f.plan->graph;
  g_autofree int *held = g_new0(int, graph->buffers->len);
  for (guint i = 0; i < graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(graph, i);
    if (node->acquires.n + node->releases.n > 0)
      ck_assert_int_eq(node->lane, OL_LANE_COMPUTE);
    for (guint k = 0; k < node->acquires.n; k++)
      ck_assert_int_eq(held[ol_graph_buffer_list(graph, node->acquires)[k]]++, 0);
    for (guint k = 0; k < node->releases.n; k++)
      ck_assert_int_eq(held[ol_graph_buffer_list(graph, node->releases)[k]]--, 1);
  }
  for (guint i = 0; i < graph->buffers->len; i++)
    ck_assert_int_eq(held[i], 0);
  close_plan(&f);
}
END_TEST

START_TEST(test_refusal)
{
  Fixture f;
  open_plan(&f, (const char *const[]){ON_GPU, "hardware.gpu_mib=24", NULL});
  ck_assert(f.plan->refusal.refused);
  ck_assert_int_ne(f.plan->refusal.node, OL_NONE);
  ck_assert_uint_le(f.plan->peak_total[OL_TIER_GPU], 24u << 20);
  g_autofree char *words = ol_plan_dup_refusal(f.plan);
  ck_assert_ptr_nonnull(strstr(words, "out of memory on GPU"));
  ck_assert_ptr_nonnull(strstr(words, "activations"));
  close_plan(&f);

  open_plan(&f, (const char *const[]){"hardware.host_mib=4", NULL});
  ck_assert(f.plan->refusal.refused);
  ck_assert_int_eq(f.plan->refusal.node, OL_NONE);
  close_plan(&f);
}
END_TEST

START_TEST(test_bytes_over_the_links)
{
  Fixture f;
  open_plan(&f, (const char *const[]){"overlap.prefetch=2", NULL});
  guint64 moved[OL_N_LANES] = {0};
  for (guint i = 0; i < f.plan->graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(f.plan->graph, i);
    if (node->part == OL_PART_STEP)
      moved[node->lane] += node->bytes;
  }
  /* 2101.06840 section 4.1: two bytes a parameter each way. */
  ck_assert_uint_eq(moved[OL_LANE_GPU_TO_HOST], 2 * f.plan->shape->parameters);
  ck_assert_uint_eq(moved[OL_LANE_HOST_TO_GPU], 2 * f.plan->shape->parameters);
  close_plan(&f);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("plan");
  TCase *bytes = tcase_create("bytes");
  tcase_add_test(bytes, test_sixteen_bytes_a_parameter);
  tcase_add_test(bytes, test_states_on_the_host);
  tcase_add_test(bytes, test_fp32_sums);
  tcase_add_test(bytes, test_activation_peak);
  tcase_add_test(bytes, test_bytes_over_the_links);
  tcase_add_test(bytes, test_refusal);
  tcase_add_loop_test(bytes, test_transients_return, 0, G_N_ELEMENTS(variants));
  suite_add_tcase(suite, bytes);
  TCase *order = tcase_create("order");
  tcase_set_timeout(order, 60);
  tcase_add_loop_test(order, test_waits_point_backwards, 0, G_N_ELEMENTS(variants));
  tcase_add_loop_test(order, test_conflicts_are_ordered, 0, G_N_ELEMENTS(variants));
  tcase_add_test(order, test_prefetch_0_is_serial);
  suite_add_tcase(suite, order);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed > 0;
}
