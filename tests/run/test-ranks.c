/* Ranks divide the work, never the numbers: data ranks, ZeRO stages, pipeline stages and schedules,
 * each with offloading. Runs with the same split of the batch end with the same weights and losses,
 * and every rank holds and moves the bytes that its plan says (design, sentence 3). */
#include "tests/plan/rank-table.h"
#include "tests/run/rank-runs.h"
#include "tests/run/run-checks.h"
#include "tests/run/run-fixture.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>

#define MODEL "model.layers=6", "model.width=32", "optimizer.learning_rate=0.01"

/* Stages 0 and 1 sum micro-batches first, 2 and 3 data ranks: the same when there is nothing to sum
 * of one of them. */
static gboolean sums_ranks_first(const OlRunConfig *config)
{
  return config->parallel.zero >= 2 && config->batch.micro_batches > 1 && config->parallel.data > 1;
}

/* All that changes numbers. */
static char *dup_group(const OlRunConfig *config)
{
  return g_strdup_printf(
      "%u data ranks, %u slices, %u micro-batches%s, clip %g, %s, %s", config->parallel.data,
      config->parallel.tensor, config->batch.micro_batches,
      sums_ranks_first(config) ? " summed last" : "", config->optimizer.clip_norm,
      config->optimizer.delayed ? "delayed" : "in time",
      config->precision == OL_PRECISION_FP32 ? "fp32" : "bf16");
}

/* The plainest of the group: one stage, nothing sharded that need not be, all on the GPU. */
static OlRunConfig *dup_plainest(const OlRunConfig *config)
{
  OlRunConfig *plain = ol_run_config_copy(config);
  plain->parallel.pipeline = 1;
  plain->parallel.schedule = OL_SCHEDULE_1F1B;
  plain->parallel.chunks = 1;
  plain->parallel.zero = sums_ranks_first(config) ? 2 : 0;
  plain->placement.weights = plain->placement.gradients = OL_TIER_GPU;
  plain->placement.activations = OL_TIER_GPU;
  /* A delayed update is one on the host. */
  plain->placement.optimizer = config->optimizer.delayed ? OL_TIER_HOST : OL_TIER_GPU;
  plain->optimizer.runs_on = config->optimizer.delayed ? OL_RUNS_ON_HOST : OL_RUNS_ON_GPU;
  plain->optimizer.gpu_fraction = 0;
  plain->overlap.prefetch = 1;
  plain->overlap.order = OL_UNIT_ORDER_FORWARD;
  plain->recompute = OL_RECOMPUTE_NONE;
  return plain;
}

static const Right *get_right(GHashTable *rights, const OlRunConfig *config)
{
  g_autofree char *group = dup_group(config);
  Right *right = g_hash_table_lookup(rights, group);
  if (!right) {
    g_autoptr(OlRunConfig) plainest = dup_plainest(config);
    g_autoptr(OlRun) run = rank_run(plainest, NULL);
    right = right_new(run);
    g_hash_table_insert(rights, g_steal_pointer(&group), right);
  }
  return right;
}

/* ---- one run ---- */

static char *dup_fault(OlRun *run, const Right *right)
{
  const OlTrace *trace = ol_run_get_trace(run);
  if (trace->outcome != OL_OUTCOME_DONE)
    return g_strdup_printf("%s: %s", ol_outcome_nick(trace->outcome),
                           trace->message ? trace->message : "");
  g_autoptr(GString) numbers = g_string_new(NULL);
  check_right(trace, right, numbers);
  return numbers->len > 0 ? g_strdup(numbers->str) : rank_run_dup_fault(run);
}

/* ---- the table ---- */

START_TEST(test_table)
{
  static const char *const more[] = {MODEL, "steps=3", "hardware.clock=machine",
                                     "hardware.nvme_folder=.", NULL};
  g_autoptr(GHashTable) rights = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, right_free);
  guint held = 0, faults = 0;
  for (guint i = 0; i < rank_table_size(); i += rank_table_stride(241)) {
    g_autofree char *words = NULL;
    g_autoptr(OlRunConfig) config = rank_table_dup_config(i, more, &words);
    if (!config)
      continue;
    const Right *right = get_right(rights, config);
    g_autoptr(OlRun) run = rank_run(config, NULL);
    g_autofree char *fault = dup_fault(run, right);
    if (fault)
      printf("%s\n  %s\n", words, fault);
    fflush(stdout);
    faults += fault != NULL;
    held++;
  }
  printf("%u runs in %u groups\n", held, g_hash_table_size(rights));
  ck_assert_uint_eq(faults, 0);
  ck_assert_uint_gt(held, 40);
}
END_TEST

/* Groups differ, else equal hashes would prove nothing. */
START_TEST(test_groups_differ)
{
  static const char *const rows[][6] = {
      {NULL},
      {"parallel.data=2", NULL},
      {"parallel.data=2", "batch.micro_batches=2", "parallel.zero=0", NULL},
      {"parallel.data=2", "batch.micro_batches=2", "parallel.zero=2", NULL},
      {"parallel.data=3", NULL},
      {"parallel.data=2", "optimizer.clip_norm=0.5", NULL},
      {"precision=fp32", "parallel.data=2", NULL},
  };
  g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
    const char *set[12] = {ON_GPU, "steps=3", "model.width=40", "optimizer.learning_rate=0.01"};
    for (guint n = 6, k = 0; rows[i][k]; k++)
      set[n++] = rows[i][k];
    ck_assert_msg(g_hash_table_add(seen, fixture_hash(set, NULL)), "row %u is like another", i);
  }
}
END_TEST

/* In fp32 the split of a batch changes the order of sums alone, so losses agree but for some units
 * of 2^-24, whoever sums what first. */
START_TEST(test_a_split_only_rounds)
{
  static const char *const rows[][3] = {
      {"parallel.data=2", "batch.micro_batches=3", "parallel.zero=0"},
      {"parallel.data=2", "batch.micro_batches=3", "parallel.zero=1"},
      {"parallel.data=2", "batch.micro_batches=3", "parallel.zero=2"},
      {"parallel.data=2", "batch.micro_batches=3", "parallel.zero=3"},
      {"parallel.data=6", "batch.micro_batches=1", "parallel.zero=0"},
      {"parallel.data=3", "batch.micro_batches=2", "parallel.zero=1"},
  };
  static const char *const whole[] = {ON_GPU, "steps=4", "precision=fp32", "batch.micro_batches=6",
                                      NULL};
  g_autoptr(OlRun) one = fixture_run(whole, NULL);
  for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
    const char *const set[] = {ON_GPU,     "steps=4", "precision=fp32", rows[i][0], rows[i][1],
                               rows[i][2], NULL};
    g_autoptr(OlRun) run = fixture_run(set, NULL);
    ck_assert_outcome(run, OL_OUTCOME_DONE);
    for (guint step = 0; step < 4; step++) {
      double loss = ol_trace_step(ol_run_get_trace(run), step)->loss;
      double right = ol_trace_step(ol_run_get_trace(one), step)->loss;
      ck_assert_msg(fabs(loss - right) < 1e-6 * right, "%s %s: loss %.9g of step %u, not %.9g",
                    rows[i][0], rows[i][2], loss, step, right);
    }
  }
}
END_TEST

/* ---- sentence 3, row by row ---- */

/* The runs of a row, with the assignments that all rows share: one hash. */
static void hold_row(const char *const *common, const char *const (*row)[10], guint n)
{
  g_autofree char *right = NULL;
  for (guint i = 0; i < n; i++) {
    g_autoptr(GPtrArray) set = g_ptr_array_new();
    for (guint k = 0; common[k]; k++)
      g_ptr_array_add(set, (gpointer)common[k]);
    for (guint k = 0; row[i][k]; k++)
      g_ptr_array_add(set, (gpointer)row[i][k]);
    g_ptr_array_add(set, NULL);
    g_autofree char *words = g_strjoinv(" ", (char **)set->pdata);
    g_autoptr(OlRunConfig) config = fixture_config((const char *const *)set->pdata);
    g_autoptr(OlRun) run = rank_run(config, NULL);
    g_autofree char *hash = g_strdup(fixture_get_hash(run));
    g_autofree char *fault = rank_run_dup_fault(run);
    ck_assert_msg(fault == NULL, "%s\n%s", words, fault);
    if (right)
      ck_assert_msg(strcmp(hash, right) == 0, "%s: %s, not %s", words, hash, right);
    else
      right = g_steal_pointer(&hash);
  }
}

#define ON_GPUS ON_GPU, MODEL, "steps=3"

START_TEST(test_zero_stages_of_one_micro_batch)
{
  static const char *const common[] = {ON_GPUS, "parallel.data=4", NULL};
  static const char *const row[][10] = {
      {"parallel.zero=0"}, {"parallel.zero=1"}, {"parallel.zero=2"}, {"parallel.zero=3"}};
  hold_row(common, row, G_N_ELEMENTS(row));
}
END_TEST

START_TEST(test_zero_stages_of_some_micro_batches)
{
  static const char *const common[] = {ON_GPUS, "parallel.data=2", "batch.micro_batches=3", NULL};
  static const char *const whole[][10] = {{"parallel.zero=0"}, {"parallel.zero=1"}};
  static const char *const sharded[][10] = {{"parallel.zero=2"}, {"parallel.zero=3"}};
  hold_row(common, whole, G_N_ELEMENTS(whole));
  hold_row(common, sharded, G_N_ELEMENTS(sharded));
}
END_TEST

START_TEST(test_schedules_and_one_rank)
{
  static const char *const common[] = {ON_GPUS, "batch.micro_batches=5", NULL};
  static const char *const row[][10] = {
      {NULL},
      {"parallel.pipeline=2", "parallel.schedule=gpipe"},
      {"parallel.pipeline=2", "parallel.schedule=1f1b"},
      {"parallel.pipeline=3", "parallel.schedule=1f1b", "recompute=full"},
      {"parallel.pipeline=6", "parallel.schedule=gpipe", "overlap.prefetch=0"},
      {"parallel.pipeline=6", "parallel.schedule=1f1b", "overlap.prefetch=0"},
      {"parallel.pipeline=4", "parallel.schedule=1f1b", "placement.activations=host"},
      {"parallel.pipeline=3", "overlap.order=alternate", "overlap.prefetch=4"},
  };
  hold_row(common, row, G_N_ELEMENTS(row));
}
END_TEST

#define CHUNKS(n) "parallel.schedule=interleaved", "parallel.chunks=" #n

START_TEST(test_chunks_and_one_rank)
{
  static const char *const common[] = {MODEL, "model.layers=8", "steps=3", "batch.micro_batches=4",
                                       NULL};
  static const char *const row[][10] = {
      {ON_GPU},
      {ON_GPU, "parallel.pipeline=2", CHUNKS(2)},
      {ON_GPU, "parallel.pipeline=2", CHUNKS(4), "overlap.prefetch=0"},
      {ON_GPU, "parallel.pipeline=4", CHUNKS(2), "recompute=full"},
      {ON_HOST, "parallel.pipeline=4", CHUNKS(2), "placement.activations=host"},
      {ON_HOST, "parallel.pipeline=2", CHUNKS(3), "optimizer.gpu_fraction=0.5",
       "placement.gradients=host"},
      {ON_NVME, "parallel.pipeline=2", CHUNKS(2), "overlap.order=alternate"},
      {ON_NVME, "parallel.pipeline=4", CHUNKS(2), "overlap.order=alternate", "overlap.prefetch=1"},
  };
  hold_row(common, row, G_N_ELEMENTS(row));
}
END_TEST

START_TEST(test_delayed_updates_of_chunks)
{
  static const char *const common[] = {
      MODEL, "model.layers=8", "steps=4", "batch.micro_batches=4", "optimizer.delayed=true", NULL};
  static const char *const row[][10] = {
      {ON_HOST},
      {ON_HOST, "parallel.pipeline=2", CHUNKS(3)},
      {ON_NVME, "parallel.pipeline=4", CHUNKS(2), "overlap.order=alternate"},
  };
  hold_row(common, row, G_N_ELEMENTS(row));
}
END_TEST

/* Two data ranks, each a pipeline of two with two chunks, against two pipelines without. */
START_TEST(test_chunks_of_data_ranks)
{
  static const char *const common[] = {MODEL,
                                       "steps=3",
                                       "parallel.data=2",
                                       "batch.micro_batches=4",
                                       "optimizer.clip_norm=0.5",
                                       "parallel.pipeline=2",
                                       NULL};
  static const char *const whole[][10] = {
      {ON_GPU, "parallel.zero=1"},
      {ON_GPU, "parallel.zero=1", CHUNKS(2)},
      {ON_HOST, "parallel.zero=1", CHUNKS(3), "overlap.prefetch=0"},
  };
  static const char *const sharded[][10] = {
      {ON_GPU, "parallel.zero=2"},
      {ON_GPU, "parallel.zero=2", CHUNKS(2)},
      {ON_GPU, "parallel.zero=3", CHUNKS(3), "recompute=full"},
      {ON_HOST, "parallel.zero=2", CHUNKS(2), "placement.gradients=host"},
      {ON_NVME, "parallel.zero=3", CHUNKS(2), "recompute=selective"},
  };
  hold_row(common, whole, G_N_ELEMENTS(whole));
  hold_row(common, sharded, G_N_ELEMENTS(sharded));
}
END_TEST

/* 3D (2104.04473 section 3): slices keep their own order of sums, whatever the schedule. */
START_TEST(test_chunks_of_slices)
{
  static const char *const common[] = {MODEL,
                                       "steps=3",
                                       "parallel.data=2",
                                       "parallel.tensor=2",
                                       "batch.micro_batches=2",
                                       "parallel.zero=1",
                                       NULL};
  static const char *const row[][10] = {
      {ON_GPU},
      {ON_GPU, "parallel.pipeline=2"},
      {ON_GPU, "parallel.pipeline=2", CHUNKS(2), "recompute=full"},
      {ON_HOST, "parallel.pipeline=2", CHUNKS(3), "overlap.prefetch=0"},
  };
  hold_row(common, row, G_N_ELEMENTS(row));
}
END_TEST

START_TEST(test_eight_ranks_with_everything)
{
  static const char *const common[] = {
      MODEL, "steps=3", "parallel.data=4", "batch.micro_batches=2", "optimizer.clip_norm=0.5",
      NULL};
  static const char *const row[][10] = {
      {ON_GPU, "parallel.zero=2"},
      {ON_GPU, "parallel.zero=3", "parallel.pipeline=2", "recompute=selective"},
      {ON_HOST, "parallel.zero=2", "parallel.pipeline=2", "placement.gradients=host",
       "parallel.schedule=gpipe"},
      {ON_NVME, "parallel.zero=3", "parallel.pipeline=2", "recompute=full"},
  };
  hold_row(common, row, G_N_ELEMENTS(row));
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("ranks");
  tcase_set_timeout(tests, g_getenv("OFFLOAD_LAB_LONG") ? 7200 : 240);
  tcase_add_test(tests, test_zero_stages_of_one_micro_batch);
  tcase_add_test(tests, test_zero_stages_of_some_micro_batches);
  tcase_add_test(tests, test_schedules_and_one_rank);
  tcase_add_test(tests, test_chunks_and_one_rank);
  tcase_add_test(tests, test_delayed_updates_of_chunks);
  tcase_add_test(tests, test_chunks_of_data_ranks);
  tcase_add_test(tests, test_chunks_of_slices);
  tcase_add_test(tests, test_eight_ranks_with_everything);
  tcase_add_test(tests, test_groups_differ);
  tcase_add_test(tests, test_a_split_only_rounds);
  tcase_add_test(tests, test_table);
  return run_suite("ranks", tests);
}
