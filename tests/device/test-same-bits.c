/* The same bits on every build of the kernels, whatever the split over threads, and from run to run
 * with the same number of threads. */
#include "engine/device/virtual/kernels.h"
#include "tests/device/bench.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Runs `kernel` of every build over [0, n), in one piece and in three, from the same memory, and
 * compares all that it leaves there. */
static void compare_builds(Bench *bench, const char *name, gsize kernel_offset, const void *launch,
                           gsize n, gsize grain)
{
  const OlKernels *const *builds;
  guint n_builds = ol_kernels_builds(&builds);
  char *before = g_memdup2(bench->gpu, bench->used), *first = NULL;
  gsize cut1 = n / 3 / grain * grain, cut2 = n / 2 / grain * grain;
  for (guint run = 0; run < 2 * n_builds; run++) {
    OlRangeKernel kernel = *(const OlRangeKernel *)((const char *)builds[run / 2] + kernel_offset);
    memcpy(bench->gpu, before, bench->used);
    kernel(launch, 0, run % 2 ? cut1 : n);
    if (run % 2) {
      kernel(launch, cut1, cut2);
      kernel(launch, cut2, n);
    }
    if (first == NULL)
      first = g_memdup2(bench->gpu, bench->used);
    ck_assert_msg(memcmp(first, bench->gpu, bench->used) == 0, "%s of %s differs (%s)", name,
                  builds[run / 2]->name, run % 2 ? "in parts" : "whole");
  }
  g_free(before);
  g_free(first);
  bench->used = 0;
}

#define COMPARE(kernel, launch, n, grain)                                                          \
  compare_builds(bench, #kernel, offsetof(OlKernels, kernel), &(launch), n, grain)

#define GRAIN 64u

static void compare_elements(Bench *bench, OlDtype t)
{
  gsize n = 10007;
  OlGeluForward gelu = {n, bench_random(bench, n, t, 6), bench_poison(bench, n, t), t};
  COMPARE(gelu_forward, gelu, n, GRAIN);
  OlGeluBackward slope = {n, bench_random(bench, n, t, 6), bench_random(bench, n, t, 1),
                          bench_poison(bench, n, t), t};
  COMPARE(gelu_backward, slope, n, GRAIN);
  OlAdd add = {n, bench_random(bench, n, t, 1), bench_random(bench, n, t, 1),
               bench_poison(bench, n, t), t};
  COMPARE(add, add, n, GRAIN);
  OlAccumulate sum = {n, FALSE, bench_random(bench, n, t, 1),
                      bench_random(bench, n, OL_DTYPE_FP32, 1), t};
  COMPARE(accumulate, sum, n, GRAIN);
  OlCast cast = {n, bench_random(bench, n, OL_DTYPE_FP32, 1),
                 bench_poison(bench, n, OL_DTYPE_BF16)};
  COMPARE(cast, cast, n, GRAIN);
  OlWiden widen = {bench_random(bench, 31 * 120, t, 1), 101, 120, t,
                   bench_poison(bench, 31 * 101, OL_DTYPE_FP32)};
  COMPARE(widen, widen, 31, 1);
  OlFinish finish = {bench_random(bench, 31 * 101, OL_DTYPE_FP32, 1),
                     101,
                     120,
                     bench_random(bench, 101, t, 1),
                     t,
                     TRUE,
                     bench_random(bench, 31 * 120, t, 1),
                     t};
  COMPARE(finish, finish, 31, 1);
}

static void compare_norms(Bench *bench, OlDtype t)
{
  gsize rows = 150, width = 205, n = rows * width;
  OlNormForward norm = {rows,
                        width,
                        bench_random(bench, n, t, 2),
                        bench_random(bench, width, t, 1),
                        bench_random(bench, width, t, 1),
                        bench_poison(bench, n, t),
                        t};
  COMPARE(norm_forward, norm, rows, 1);
  static const gsize kernels[] = {offsetof(OlKernels, norm_columns), offsetof(OlKernels, norm_rows),
                                  offsetof(OlKernels, norm_statistics)};
  for (guint k = 0; k < G_N_ELEMENTS(kernels); k++) {
    OlNormBackwardRun run = {{rows, width, bench_random(bench, n, t, 2),
                              bench_random(bench, width, t, 1), bench_random(bench, n, t, 1),
                              bench_random(bench, n, t, 1), bench_poison(bench, n, t),
                              bench_poison(bench, width, t), bench_poison(bench, width, t), t},
                             bench_random(bench, 2 * rows, OL_DTYPE_FP32, 1)};
    gboolean by_columns = kernels[k] == offsetof(OlKernels, norm_columns);
    compare_builds(bench, "norm backward", kernels[k], &run, by_columns ? width : rows,
                   by_columns ? GRAIN : 1);
  }
}

static void compare_softmaxes(Bench *bench, OlDtype t)
{
  gsize rows = 70, columns = 140, vocabulary = 333;
  OlCausalSoftmax causal = {bench_random(bench, rows * columns, OL_DTYPE_FP32, 5),
                            70,
                            columns,
                            200,
                            0.3f,
                            bench_poison(bench, rows * 200, t),
                            t};
  COMPARE(causal_softmax, causal, rows, 1);
  OlSoftmaxBackward backward = {bench_random(bench, rows * columns, OL_DTYPE_FP32, 1),
                                bench_random(bench, rows * columns, OL_DTYPE_FP32, 1), columns,
                                0.3f};
  COMPARE(softmax_backward, backward, rows, 1);
  OlSoftmaxLossRun loss = {{.rows = rows,
                            .vocabulary = vocabulary,
                            .logits = bench_random(bench, rows * vocabulary, t, 8),
                            .targets = bench_ids(bench, rows, (guint)vocabulary),
                            .scale = 0.01,
                            .dtype = t},
                           NULL};
  bench->used = (bench->used + 7) / 8 * 8;
  loss.row_losses = (double *)(bench->gpu + bench->used);
  bench->used += rows * sizeof(double);
  COMPARE(softmax_loss, loss, rows, 1);
}

START_TEST(builds_agree)
{
  Bench *bench = bench_new(1);
  OlDtype t = BENCH_DTYPE(_i);
  compare_elements(bench, t);
  compare_norms(bench, t);
  compare_softmaxes(bench, t);
  gsize rows = 170, columns = 205;
  OlColumnSums sums = {rows, columns, bench_random(bench, rows * columns, t, 1),
                       bench_poison(bench, columns, t), t};
  COMPARE(column_sums, sums, columns, GRAIN);
  bench_free(bench);
}
END_TEST

/* A product, attention both ways and a norm's gradient, of sizes at which threads share the work.
 */
static void run_battery(Bench *bench, OlDtype t)
{
  gsize batch = 2, sequence = 150, width = 192, rows = batch * sequence;
  void *x = bench_random(bench, rows * width, t, 1);
  void *weight = bench_random(bench, 3 * width * width, t, 0.1);
  void *qkv = bench_poison(bench, rows * 3 * width, t), *out = bench_poison(bench, rows * width, t);
  void *probabilities = bench_poison(bench, batch * 3 * sequence * sequence, t);
  void *d_qkv = bench_poison(bench, rows * 3 * width, t);
  OlMatmul product = {.m = rows,
                      .n = 3 * width,
                      .k = width,
                      .transpose_b = TRUE,
                      .a = x,
                      .b = weight,
                      .c = qkv,
                      .dtype = t,
                      .c_dtype = t};
  OlAttentionForward forward = {batch, sequence, width, 3, qkv, probabilities, out, t};
  OlAttentionBackward backward = {batch, sequence, width, 3, qkv, probabilities, out, d_qkv, t};
  OlNormBackward norm = {.rows = rows,
                         .width = width,
                         .x = x,
                         .gain = weight,
                         .d_y = out,
                         .d_x = bench_poison(bench, rows * width, t),
                         .d_gain = bench_poison(bench, width, t),
                         .d_bias = bench_poison(bench, width, t),
                         .dtype = t};
  bench->ops->matmul(bench->stream, &product);
  bench->ops->attention_forward(bench->stream, &forward);
  bench->ops->attention_backward(bench->stream, &backward);
  bench->ops->norm_backward(bench->stream, &norm);
  bench->ops->stream_synchronize(bench->stream);
}

START_TEST(runs_agree)
{
  char *first = NULL;
  for (guint run = 0; run < 4; run++) {
    Bench *bench = bench_new(BENCH_THREADS(_i));
    bench->random = 12345;
    run_battery(bench, BENCH_DTYPE(_i));
    if (first == NULL)
      first = g_memdup2(bench->gpu, bench->used);
    ck_assert(memcmp(first, bench->gpu, bench->used) == 0);
    bench_free(bench);
  }
  g_free(first);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("same bits");
  TCase *all = tcase_create("all");
  tcase_set_timeout(all, 60);
  tcase_add_loop_test(all, builds_agree, 0, 2);
  tcase_add_loop_test(all, runs_agree, 0, BENCH_RUNS);
  suite_add_tcase(suite, all);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
