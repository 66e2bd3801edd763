/* Slices over tensor ranks against one rank: the losses, and the masters put together again by this
 * file's own rule.
 *
 * What may differ. In fp32 only the order of sums: a product over k terms is t sums of k/t, so a
 * value differs by some units of 2^-24, grown by the depth of the model. In bf16 every part of a
 * sum is rounded to 8 bits before the ranks add it up: a relative error of at most 2^-9 in each of
 * the 4 sums of a block, of n of them in a row about √n · 2^-9. A loss averages over thousands of
 * tokens. A master moves by Adam's quotient, which is of size one however small a gradient: where
 * the gradient is smaller than its error the two runs may step different ways, so elements are held
 * to the steps' whole length, and tensors to a share of how far they have moved. */
#include "tests/run/rank-runs.h"
#include "tests/run/run-fixture.h"

#include <math.h>
#include <string.h>

#define STEPS         5
#define LEARNING_RATE 0.001

typedef struct {
  float **masters; /* [units]: whole tensors in shape's order, at the beginning of the last step */
  float **initial;
  guint64 *parameters; /* [units] */
  guint n_units;
  double losses[STEPS];
} Result;

static guint find_home(const OlPlan *plan, guint rank, guint unit)
{
  OlPayload payload =
      plan->config->precision == OL_PRECISION_FP32 ? OL_PAYLOAD_WEIGHTS : OL_PAYLOAD_MASTER;
  for (guint i = 0; i < plan->graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(plan->graph, i);
    if (node->op == OL_OP_FILL && node->rank == rank && node->unit == (int)unit &&
        node->payload == payload)
      return (guint)ol_plan_operands(plan, i).buffer[OL_OPERAND_TARGET];
  }
  ck_abort_msg("unit %u has no home on rank %u", unit, rank);
}

/* How Megatron slices (1909.08053 figure 3): by outputs of qkv and of the MLP's first product, by
 * inputs of the two others. */
static gboolean is_cut_by_rows(guint tensor)
{
  return tensor == OL_BLOCK_QKV_WEIGHT || tensor == OL_BLOCK_QKV_BIAS ||
         tensor == OL_BLOCK_EXPAND_WEIGHT || tensor == OL_BLOCK_EXPAND_BIAS;
}

static gboolean is_cut_by_columns(guint tensor)
{
  return tensor == OL_BLOCK_PROJECTION_WEIGHT || tensor == OL_BLOCK_CONTRACT_WEIGHT;
}

/* Of q, k and v one after the other each has its own heads. */
static guint bands_of(guint tensor)
{
  return tensor == OL_BLOCK_QKV_WEIGHT || tensor == OL_BLOCK_QKV_BIAS ? 3 : 1;
}

static void place_slice(float *whole, const float *part, guint tensor, guint rows, guint columns,
                        guint slice, guint slices)
{
  guint bands = is_cut_by_rows(tensor) ? bands_of(tensor) : 1, band = rows / bands;
  guint across = is_cut_by_columns(tensor) ? columns * slices : columns;
  guint down = is_cut_by_rows(tensor) ? band * slices : band;
  guint right = is_cut_by_columns(tensor) ? slice * columns : 0;
  guint below = is_cut_by_rows(tensor) ? slice * band : 0;
  for (guint b = 0; b < bands; b++)
    for (guint r = 0; r < band; r++)
      memcpy(whole + ((gsize)b * down + below + r) * across + right,
             part + ((gsize)b * band + r) * columns, columns * sizeof *part);
}

static float *gather_unit(OlRun *run, guint unit)
{
  const OlPlan *plan = ol_run_get_plan(run);
  const OlShapeUnit *shape = &plan->shape->units[unit];
  guint slices = plan->config->parallel.tensor;
  float *whole = g_new(float, shape->model_parameters);
  for (guint slice = 0; slice < slices; slice++) {
    const float *home = ol_run_get_buffer(run, find_home(plan, slice, unit));
    float *at = whole;
    ck_assert_ptr_nonnull(home);
    for (guint t = 0; t < shape->n_tensors; t++) {
      const OlShapeTensor *tensor = &shape->tensors[t];
      gboolean cut = shape->kind == OL_UNIT_BLOCK && (is_cut_by_rows(t) || is_cut_by_columns(t));
      if (cut)
        place_slice(at, home + tensor->first, t, tensor->rows, tensor->columns, slice, slices);
      else
        memcpy(at, home + tensor->first, tensor->elements * sizeof *at);
      at += tensor->elements * (cut ? slices : 1);
    }
    ck_assert_uint_eq((guint64)(at - whole), shape->model_parameters);
  }
  return whole;
}

static void look(OlRun *run, guint step, gpointer data)
{
  Result *result = data;
  if (step != 0 && step + 1 != STEPS)
    return;
  for (guint u = 0; u < result->n_units; u++)
    (step == 0 ? result->initial : result->masters)[u] = gather_unit(run, u);
}

static Result *run_slices(const char *const *set, guint slices)
{
  g_autofree char *tensor = g_strdup_printf("parallel.tensor=%u", slices);
  g_autofree char *rate = g_strdup_printf("optimizer.learning_rate=%g", LEARNING_RATE);
  g_autofree char *steps = g_strdup_printf("steps=%u", STEPS);
  const char *all[20] = {ON_GPU, "model.layers=3", "model.width=32", "model.heads=4", rate, steps,
                         tensor};
  guint n = 9;
  for (guint i = 0; set[i]; i++)
    all[n++] = set[i];
  Result *result = g_new0(Result, 1);
  OlRunOptions options = {.before_step = look, .test_data = result};
  g_autoptr(OlRunConfig) config = fixture_config(all);
  result->n_units = config->model.layers + 2;
  result->masters = g_new0(float *, result->n_units);
  result->initial = g_new0(float *, result->n_units);
  result->parameters = g_new0(guint64, result->n_units);
  g_autoptr(OlRun) run = rank_run(config, &options);
  ck_assert_outcome(run, OL_OUTCOME_DONE);
  for (guint u = 0; u < result->n_units; u++)
    result->parameters[u] = ol_run_get_plan(run)->shape->units[u].model_parameters;
  for (guint i = 0; i < STEPS; i++)
    result->losses[i] = ol_trace_step(ol_run_get_trace(run), i)->loss;
  return result;
}

static void result_free(Result *result)
{
  for (guint u = 0; u < result->n_units; u++) {
    g_free(result->masters[u]);
    g_free(result->initial[u]);
  }
  g_free(result->masters);
  g_free(result->initial);
  g_free(result->parameters);
  g_free(result);
}

static double largest_loss_difference(const Result *a, const Result *b)
{
  double largest = 0;
  for (guint i = 0; i < STEPS; i++)
    largest = MAX(largest, fabs(a->losses[i] - b->losses[i]) / a->losses[i]);
  return largest;
}

/* Of a unit: how far apart, over how far it has moved. */
static double distance(const Result *a, const Result *b, guint unit)
{
  double apart = 0, moved = 0;
  for (guint64 i = 0; i < a->parameters[unit]; i++) {
    double x = a->masters[unit][i], y = b->masters[unit][i], from = a->initial[unit][i];
    apart += (x - y) * (x - y);
    moved += (x - from) * (x - from);
  }
  return sqrt(apart / moved);
}

/* Adam's quotient is about one over the first steps, either way. */
static double largest_difference(const Result *a, const Result *b)
{
  double largest = 0;
  for (guint u = 0; u < a->n_units; u++)
    for (guint64 i = 0; i < a->parameters[u]; i++)
      largest = MAX(largest, fabs((double)a->masters[u][i] - b->masters[u][i]));
  return largest;
}

static void hold_bounds(const char *const *set, double loss, double share)
{
  Result *one = run_slices(set, 1);
  for (guint slices = 2; slices <= 4; slices *= 2) {
    Result *sliced = run_slices(set, slices);
    for (guint u = 0; u < one->n_units; u++) {
      ck_assert_mem_eq(one->initial[u], sliced->initial[u], one->parameters[u] * sizeof(float));
      ck_assert_double_le(distance(one, sliced, u), share);
    }
    ck_assert_double_le(largest_loss_difference(one, sliced), loss);
    ck_assert_double_le(largest_difference(one, sliced), 2 * (STEPS - 1) * LEARNING_RATE * 1.1);
    /* Something did differ, else nothing was sliced. */
    ck_assert_double_gt(largest_loss_difference(one, sliced), 0);
    result_free(sliced);
  }
  result_free(one);
}

START_TEST(test_fp32_bound)
{
  static const char *const set[] = {"precision=fp32", NULL};
  hold_bounds(set, 1e-7, 1e-4);
}
END_TEST

START_TEST(test_bf16_bound)
{
  static const char *const set[] = {"precision=bf16", NULL};
  hold_bounds(set, 5e-4, 0.1);
}
END_TEST

static double first_norm(const char *slices, const char *data, const char *batch)
{
  const char *const set[] = {ON_GPU,
                             "precision=fp32",
                             "optimizer.clip_norm=0.5",
                             "model.heads=4",
                             "parallel.zero=1",
                             slices,
                             data,
                             batch,
                             NULL};
  g_autoptr(OlRunConfig) config = fixture_config(set);
  g_autoptr(OlRun) run = rank_run(config, NULL);
  ck_assert_outcome(run, OL_OUTCOME_DONE);
  return ol_trace_step(ol_run_get_trace(run), 0)->gradient_norm;
}

/* Every element counts once, also those that all slices have: in fp32 the norm is one rank's but
 * for the order of sums. */
START_TEST(test_norm_of_slices)
{
  double whole = first_norm("parallel.tensor=1", "parallel.data=1", "batch.micro_batch=2");
  ck_assert_double_gt(whole, 0.5);
  static const char *const slices[] = {"parallel.tensor=2", "parallel.tensor=4"};
  for (guint i = 0; i < G_N_ELEMENTS(slices); i++) {
    double alone = first_norm(slices[i], "parallel.data=1", "batch.micro_batch=2");
    double sharded = first_norm(slices[i], "parallel.data=2", "batch.micro_batch=1");
    ck_assert_double_eq_tol(alone / whole, 1, 1e-6);
    ck_assert_double_eq_tol(sharded / whole, 1, 1e-6);
  }
}
END_TEST

/* Without a learning rate no bit of a weight changes, so the hash of the slices is that of the
 * whole: they are put together again as they were cut. */
START_TEST(test_joined_hash)
{
  g_autofree char *right = NULL;
  static const char *const rows[][6] = {
      {NULL},
      {"parallel.tensor=2", NULL},
      {"parallel.tensor=4", NULL},
      {"parallel.tensor=2", "parallel.data=2", "parallel.zero=1", NULL},
      {"parallel.tensor=2", "parallel.data=3", "parallel.zero=3", NULL},
      {"parallel.tensor=4", "parallel.pipeline=2", NULL},
  };
  for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
    const char *set[16] = {"model.heads=4", "optimizer.learning_rate=0", "steps=2"};
    for (guint n = 3, k = 0; rows[i][k]; k++)
      set[n++] = rows[i][k];
    g_autofree char *hash = fixture_hash(set, NULL);
    if (right)
      ck_assert_str_eq(right, hash);
    else
      right = g_steal_pointer(&hash);
  }
}
END_TEST

/* Two sums a block each way (1909.08053 section 3), and one more where a block is made again. */
START_TEST(test_sums_a_block)
{
  static const struct {
    const char *recompute;
    guint sums;
  } rows[] = {{"recompute=none", 4}, {"recompute=selective", 4}, {"recompute=full", 5}};
  for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
    const char *const set[] = {"parallel.tensor=2", "batch.micro_batches=3", rows[i].recompute,
                               NULL};
    g_autoptr(OlRunConfig) config = fixture_config(set);
    g_autoptr(OlRun) run = rank_run(config, NULL);
    g_autoptr(OlMetrics) metrics = ol_metrics_new(ol_run_get_trace(run));
    double count = 0;
    ck_assert(ol_metrics_get_number(metrics, "rank.1.count.all_reduce", &count));
    ck_assert_double_eq(count, rows[i].sums * 3 * config->model.layers);
  }
}
END_TEST

/* What tensor ranks have whole must stay alike; a rank that strays ends the run. */
static void stray(OlRun *run, guint step, gpointer data)
{
  if (step != 1)
    return;
  const OlPlan *plan = ol_run_get_plan(run);
  float *master = ol_run_get_buffer(run, find_home(plan, 1, 0));
  master[0] += 1;
}

START_TEST(test_a_strayed_copy_is_told)
{
  static const char *const set[] = {"parallel.tensor=2", "steps=2", NULL};
  OlRunOptions options = {.before_step = stray};
  g_autoptr(OlRunConfig) config = fixture_config(set);
  g_autoptr(OlRun) run = rank_run(config, &options);
  ck_assert_outcome(run, OL_OUTCOME_FAILED);
  ck_assert_ptr_nonnull(
      strstr(ol_run_get_trace(run)->message, "rank 1: ended with another embed "));
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {test_fp32_bound,  test_bf16_bound,   test_norm_of_slices,
                                test_joined_hash, test_sums_a_block, test_a_strayed_copy_is_told};
  return fixture_main("tensor", tests, G_N_ELEMENTS(tests), 120);
}
