/* Everything but products and attention against fp64. */
#include "engine/device/kernels/elementary.h"
#include "tests/device/bench.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static const gsize sizes[][2] = {{1, 1}, {3, 17}, {65, 64}, {130, 131}, {200, 515}};

START_TEST(elementary)
{
  Bench *bench = bench_new(1);
  double worst_exp = 0, worst_log = 0;
  for (guint i = 0; i < 200000; i++) {
    float x = (float)(175 * bench_uniform(bench) - 87);
    float y = (float)exp(170 * bench_uniform(bench) - 85);
    worst_exp = MAX(worst_exp, fabs((double)ol_exp(x) / exp(x) - 1));
    worst_log = MAX(worst_log, fabs((double)ol_log(y) - log(y)) / (0.5 + fabs(log(y))));
  }
  ck_assert_double_le(worst_exp, 3e-7);
  ck_assert_double_le(worst_log, 2.5e-7);
  ck_assert(isnan(ol_exp(NAN)));
  ck_assert(isnan(ol_log(NAN)));
  ck_assert(ol_exp(0.0f) == 1.0f);
  ck_assert(ol_log(1.0f) == 0.0f);
  ck_assert(ol_exp(-INFINITY) < 2e-38f);
  bench_free(bench);
}
END_TEST

static void row_statistics(const double *x, gsize width, double *mean, double *inverse)
{
  double sum = 0, squares = 0;
  for (gsize i = 0; i < width; i++)
    sum += x[i];
  *mean = sum / (double)width;
  for (gsize i = 0; i < width; i++)
    squares += (x[i] - *mean) * (x[i] - *mean);
  *inverse = 1 / sqrt(squares / (double)width + 1e-5);
}

static void check_norm_forward(Bench *bench, gsize rows, gsize width, OlDtype dtype)
{
  OlNormForward l = {.rows = rows,
                     .width = width,
                     .x = bench_random(bench, rows * width, dtype, 3),
                     .gain = bench_random(bench, width, dtype, 1),
                     .bias = bench_random(bench, width, dtype, 1),
                     .y = bench_poison(bench, rows * width, dtype),
                     .dtype = dtype};
  bench->ops->norm_forward(bench->stream, &l);
  double *x = bench_read(bench, l.x, rows * width, dtype);
  double *gain = bench_read(bench, l.gain, width, dtype);
  double *bias = bench_read(bench, l.bias, width, dtype);
  double *want = g_new(double, rows *width);
  for (gsize i = 0; i < rows * width; i++) {
    double mean, inverse;
    row_statistics(x + i / width * width, width, &mean, &inverse);
    want[i] = gain[i % width] * (x[i] - mean) * inverse + bias[i % width];
  }
  bench_expect(bench, "y", l.y, want, rows * width, dtype, 2e-6);
  g_free(x);
  g_free(gain);
  g_free(bias);
}

START_TEST(norm_forward)
{
  Bench *bench = bench_new(BENCH_THREADS(_i));
  for (guint s = 0; s < G_N_ELEMENTS(sizes); s++)
    check_norm_forward(bench, sizes[s][0], sizes[s][1], BENCH_DTYPE(_i));
  bench_free(bench);
}
END_TEST

/* From the derivative of each output by each input: slow, but not the kernel's formula. */
static void norm_gradient_row(const double *x, const double *gain, const double *d_y, gsize width,
                              double *d_x, double *d_gain, double *d_bias)
{
  double mean, inverse, n = (double)width;
  row_statistics(x, width, &mean, &inverse);
  for (gsize i = 0; i < width; i++) {
    d_gain[i] += d_y[i] * (x[i] - mean) * inverse;
    d_bias[i] += d_y[i];
    for (gsize j = 0; j < width; j++) {
      double by_x = ((i == j) - 1 / n) * inverse -
                    (x[i] - mean) * inverse * inverse * inverse * (x[j] - mean) / n;
      d_x[j] += d_y[i] * gain[i] * by_x;
    }
  }
}

/* Without a residual, with one, and with one in the place of d_x. */
typedef enum { NO_RESIDUAL, RESIDUAL, RESIDUAL_IN_PLACE, N_RESIDUALS } Residual;

static void check_norm_backward(Bench *bench, gsize rows, gsize width, OlDtype dtype,
                                Residual residual)
{
  gsize n = rows * width;
  void *before = bench_random(bench, n, dtype, 1);
  OlNormBackward l = {.rows = rows,
                      .width = width,
                      .x = bench_random(bench, n, dtype, 3),
                      .gain = bench_random(bench, width, dtype, 1),
                      .d_y = bench_random(bench, n, dtype, 1),
                      .residual = residual == NO_RESIDUAL ? NULL : before,
                      .d_x = residual == RESIDUAL_IN_PLACE ? before : bench_poison(bench, n, dtype),
                      .d_gain = bench_poison(bench, width, dtype),
                      .d_bias = bench_poison(bench, width, dtype),
                      .dtype = dtype};
  double *x = bench_read(bench, l.x, n, dtype), *gain = bench_read(bench, l.gain, width, dtype);
  double *d_y = bench_read(bench, l.d_y, n, dtype);
  double *d_x = l.residual ? bench_read(bench, before, n, dtype) : g_new0(double, n);
  double *d_gain = g_new0(double, width), *d_bias = g_new0(double, width);
  bench->ops->norm_backward(bench->stream, &l);
  for (gsize row = 0; row < rows; row++)
    norm_gradient_row(x + row * width, gain, d_y + row * width, width, d_x + row * width, d_gain,
                      d_bias);
  /* A row of one has no variance: its gradient is a difference of large numbers times nothing. */
  bench_expect(bench, "d_x", l.d_x, d_x, n, dtype, width == 1 ? 1e-4 : 5e-6);
  bench_expect(bench, "d_gain", l.d_gain, d_gain, width, dtype, 3e-5);
  bench_expect(bench, "d_bias", l.d_bias, d_bias, width, dtype, 3e-5);
  g_free(x);
  g_free(gain);
  g_free(d_y);
}

START_TEST(norm_backward)
{
  Bench *bench = bench_new(BENCH_THREADS(_i));
  for (guint s = 0; s < G_N_ELEMENTS(sizes); s++)
    for (Residual residual = 0; residual < N_RESIDUALS; residual++)
      check_norm_backward(bench, sizes[s][0], sizes[s][1], BENCH_DTYPE(_i), residual);
  bench_free(bench);
}
END_TEST

static double gelu(double x)
{
  return 0.5 * x * (1 + tanh(sqrt(2 / G_PI) * (x + 0.044715 * x * x * x)));
}

START_TEST(gelu_both_ways)
{
  Bench *bench = bench_new(BENCH_THREADS(_i));
  OlDtype dtype = BENCH_DTYPE(_i);
  gsize n = 50021;
  void *d_y = bench_random(bench, n, dtype, 1);
  OlGeluForward forward = {n, bench_random(bench, n, dtype, 8), bench_poison(bench, n, dtype),
                           dtype};
  OlGeluBackward backward = {n, forward.x, d_y, d_y, dtype};
  double *x = bench_read(bench, forward.x, n, dtype), *want = g_new(double, n);
  double *slope = bench_read(bench, d_y, n, dtype);
  bench->ops->gelu_forward(bench->stream, &forward);
  bench->ops->gelu_backward(bench->stream, &backward);
  for (gsize i = 0; i < n; i++) {
    want[i] = gelu(x[i]);
    slope[i] *= (gelu(x[i] + 1e-5) - gelu(x[i] - 1e-5)) / 2e-5;
  }
  bench_expect(bench, "y", forward.y, want, n, dtype, 2e-6);
  bench_expect(bench, "d_x", backward.d_x, slope, n, dtype, 4e-6);
  g_free(x);
  bench_free(bench);
}
END_TEST

START_TEST(add_accumulate_cast)
{
  Bench *bench = bench_new(BENCH_THREADS(_i));
  OlDtype dtype = BENCH_DTYPE(_i);
  gsize n = 40003;
  OlAdd add = {n, bench_random(bench, n, dtype, 2), bench_random(bench, n, dtype, 2),
               bench_poison(bench, n, dtype), dtype};
  float *sum = bench_poison(bench, n, OL_DTYPE_FP32);
  OlAccumulate first = {n, TRUE, add.a, sum, dtype}, second = {n, FALSE, add.b, sum, dtype};
  OlCast cast = {n, sum, bench_poison(bench, n, OL_DTYPE_BF16)};
  bench->ops->add(bench->stream, &add);
  bench->ops->accumulate(bench->stream, &first);
  bench->ops->accumulate(bench->stream, &second);
  bench->ops->cast(bench->stream, &cast);

  double *a = bench_read(bench, add.a, n, dtype), *b = bench_read(bench, add.b, n, dtype);
  for (gsize i = 0; i < n; i++)
    a[i] += b[i];
  bench_expect(bench, "y", add.y, g_memdup2(a, n * sizeof *a), n, dtype, 0);
  bench_expect(bench, "sum", sum, g_memdup2(a, n * sizeof *a), n, OL_DTYPE_FP32, 0);
  bench_expect(bench, "cast", cast.y, a, n, OL_DTYPE_BF16, 1e-6);
  g_free(b);
  bench_free(bench);
}
END_TEST

START_TEST(column_sums)
{
  Bench *bench = bench_new(BENCH_THREADS(_i));
  OlDtype dtype = BENCH_DTYPE(_i);
  for (guint s = 0; s < G_N_ELEMENTS(sizes); s++) {
    OlColumnSums l = {sizes[s][0], sizes[s][1],
                      bench_random(bench, sizes[s][0] * sizes[s][1], dtype, 1),
                      bench_poison(bench, sizes[s][1], dtype), dtype};
    bench->ops->column_sums(bench->stream, &l);
    double *x = bench_read(bench, l.x, l.rows * l.columns, dtype);
    double *want = g_new0(double, l.columns);
    for (gsize i = 0; i < l.rows * l.columns; i++)
      want[i % l.columns] += x[i];
    bench_expect(bench, "sums", l.sums, want, l.columns, dtype, 1e-5);
    g_free(x);
  }
  bench_free(bench);
}
END_TEST

/* Some ids never occur, one occurs often. */
START_TEST(embed_both_ways)
{
  Bench *bench = bench_new(BENCH_THREADS(_i));
  OlDtype dtype = BENCH_DTYPE(_i);
  gsize sequence = 37, rows = 7 * sequence, width = 131, vocabulary = 300;
  int32_t *ids = bench_ids(bench, rows, (guint)vocabulary);
  for (gsize row = 0; row < rows; row += 2)
    ids[row] = 299;
  OlEmbedForward forward = {.rows = rows,
                            .sequence = sequence,
                            .width = width,
                            .vocabulary = vocabulary,
                            .ids = ids,
                            .token = bench_random(bench, vocabulary * width, dtype, 1),
                            .position = bench_random(bench, sequence * width, dtype, 1),
                            .y = bench_poison(bench, rows * width, dtype),
                            .dtype = dtype};
  OlEmbedBackward backward = {.rows = rows,
                              .sequence = sequence,
                              .width = width,
                              .vocabulary = vocabulary,
                              .ids = ids,
                              .d_y = bench_random(bench, rows * width, dtype, 1),
                              .d_token = bench_poison(bench, vocabulary * width, dtype),
                              .d_position = bench_poison(bench, sequence * width, dtype),
                              .dtype = dtype};
  bench->ops->embed_forward(bench->stream, &forward);
  bench->ops->embed_backward(bench->stream, &backward);
  double *token = bench_read(bench, forward.token, vocabulary * width, dtype);
  double *position = bench_read(bench, forward.position, sequence * width, dtype);
  double *d_y = bench_read(bench, backward.d_y, rows * width, dtype);
  double *y = g_new(double, rows *width);
  double *d_token = g_new0(double, vocabulary *width),
         *d_position = g_new0(double, sequence *width);
  for (gsize i = 0; i < rows * width; i++) {
    gsize row = i / width, at = (gsize)ids[row] * width + i % width;
    gsize place = row % sequence * width + i % width;
    y[i] = token[at] + position[place];
    d_token[at] += d_y[i];
    d_position[place] += d_y[i];
  }
  bench_expect(bench, "y", forward.y, y, rows * width, dtype, 0);
  bench_expect(bench, "d_token", backward.d_token, d_token, vocabulary * width, dtype, 1e-5);
  bench_expect(bench, "d_position", backward.d_position, d_position, sequence * width, dtype, 1e-5);
  g_free(token);
  g_free(position);
  g_free(d_y);
  bench_free(bench);
}
END_TEST

static void check_softmax_loss(Bench *bench, gsize rows, gsize vocabulary, OlDtype dtype)
{
  double loss = NAN;
  OlSoftmaxLoss l = {.rows = rows,
                     .vocabulary = vocabulary,
                     .logits = bench_random(bench, rows * vocabulary, dtype, 9),
                     .targets = bench_ids(bench, rows, (guint)vocabulary),
                     .scale = 1.0 / (3.0 * (double)rows),
                     .loss = &loss,
                     .dtype = dtype};
  double *logits = bench_read(bench, l.logits, rows * vocabulary, dtype), want = 0;
  bench->ops->softmax_loss(bench->stream, &l);
  for (gsize row = 0; row < rows; row++) {
    double *x = logits + row * vocabulary, sum = 0;
    for (gsize i = 0; i < vocabulary; i++)
      sum += exp(x[i]);
    want += l.scale * (log(sum) - x[l.targets[row]]);
    for (gsize i = 0; i < vocabulary; i++)
      x[i] = (exp(x[i]) / sum - (i == (gsize)l.targets[row])) * l.scale;
  }
  bench_expect(bench, "gradient", l.logits, logits, rows * vocabulary, dtype, 1e-6 * l.scale);
  ck_assert_double_eq_tol(loss, want, 2e-6);
}

START_TEST(softmax_loss)
{
  Bench *bench = bench_new(BENCH_THREADS(_i));
  for (guint s = 0; s < G_N_ELEMENTS(sizes); s++)
    check_softmax_loss(bench, sizes[s][0], sizes[s][1], BENCH_DTYPE(_i));
  bench_free(bench);
}
END_TEST

/* The same bits as the update of the host, whose arithmetic tests/optimizer holds. */
START_TEST(adam)
{
  Bench *bench = bench_new(BENCH_THREADS(_i));
  gsize n = 40007;
  OlAdamSettings settings = {0.003, 0.9, 0.95, 1e-8, 0.1};
  OlAdamLaunch l = {.scalars = ol_adam_scalars(&settings, 2),
                    .span = {.elements = n,
                             .master = bench_random(bench, n, OL_DTYPE_FP32, 1),
                             .moment1 = bench_random(bench, n, OL_DTYPE_FP32, 1e-3),
                             .moment2 = bench_random(bench, n, OL_DTYPE_FP32, 1e-3),
                             .gradient = bench_random(bench, n, BENCH_DTYPE(_i), 1e-3),
                             .gradient_is_fp32 = BENCH_DTYPE(_i) == OL_DTYPE_FP32,
                             .weights_out = bench_poison(bench, n, OL_DTYPE_BF16),
                             .decays = TRUE}};
  for (gsize i = 0; i < n; i++)
    l.span.moment2[i] = fabsf(l.span.moment2[i]);
  OlAdamSpan here = l.span;
  here.master = g_memdup2(l.span.master, n * sizeof(float));
  here.moment1 = g_memdup2(l.span.moment1, n * sizeof(float));
  here.moment2 = g_memdup2(l.span.moment2, n * sizeof(float));
  here.weights_out = g_new(uint16_t, n);
  ol_adam_update(&l.scalars, &here);
  bench->ops->adam(bench->stream, &l);
  bench->ops->stream_synchronize(bench->stream);
  ck_assert_mem_eq(here.master, l.span.master, n * sizeof(float));
  ck_assert_mem_eq(here.moment1, l.span.moment1, n * sizeof(float));
  ck_assert_mem_eq(here.moment2, l.span.moment2, n * sizeof(float));
  ck_assert_mem_eq(here.weights_out, l.span.weights_out, n * sizeof(uint16_t));
  g_free(here.master);
  g_free(here.moment1);
  g_free(here.moment2);
  g_free(here.weights_out);
  bench_free(bench);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("small kernels");
  TCase *all = tcase_create("all");
  tcase_set_timeout(all, 120);
  tcase_add_test(all, elementary);
  tcase_add_loop_test(all, norm_forward, 0, BENCH_RUNS);
  tcase_add_loop_test(all, norm_backward, 0, BENCH_RUNS);
  tcase_add_loop_test(all, gelu_both_ways, 0, BENCH_RUNS);
  tcase_add_loop_test(all, add_accumulate_cast, 0, BENCH_RUNS);
  tcase_add_loop_test(all, column_sums, 0, BENCH_RUNS);
  tcase_add_loop_test(all, embed_both_ways, 0, BENCH_RUNS);
  tcase_add_loop_test(all, softmax_loss, 0, BENCH_RUNS);
  tcase_add_loop_test(all, adam, 0, BENCH_RUNS);
  suite_add_tcase(suite, all);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
