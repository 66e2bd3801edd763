/* Matrix products and attention against sums in fp64. */
#include "tests/device/bench.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static double product_at(const OlMatmul *l, const double *a, const double *b, gsize i, gsize j)
{
  double sum = 0;
  for (gsize p = 0; p < l->k; p++)
    sum += a[l->transpose_a ? p * l->m + i : i * l->k + p] *
           b[l->transpose_b ? j * l->k + p : p * l->n + j];
  return sum;
}

/* c against fp64 at `samples` random places, or everywhere when 0. */
static void check_matmul(Bench *bench, OlMatmul l, gboolean with_bias, gsize samples)
{
  l.a = bench_random(bench, l.m * l.k, l.dtype, 1);
  l.b = bench_random(bench, l.k * l.n, l.dtype, 1);
  l.bias = with_bias ? bench_random(bench, l.n, l.dtype, 3) : NULL;
  l.c = l.accumulate ? bench_random(bench, l.m * l.n, l.c_dtype, 3)
                     : bench_poison(bench, l.m * l.n, l.c_dtype);
  double *a = bench_read(bench, l.a, l.m * l.k, l.dtype);
  double *b = bench_read(bench, l.b, l.k * l.n, l.dtype);
  double *bias = l.bias ? bench_read(bench, l.bias, l.n, l.dtype) : g_new0(double, l.n);
  double *before = bench_read(bench, l.c, l.m * l.n, l.c_dtype);
  bench->ops->matmul(bench->stream, &l);

  /* Where nothing is sampled, c need only have been written. */
  double *want = bench_read(bench, l.c, l.m * l.n, l.c_dtype);
  for (gsize at = 0; at < l.m * l.n; at++)
    if (!isfinite(want[at]))
      ck_abort_msg("c[%zu] was not written", at);
  for (gsize s = 0; s < (samples ? samples : l.m * l.n); s++) {
    gsize at = samples ? bench_below(bench, (guint)(l.m * l.n)) : s;
    want[at] =
        product_at(&l, a, b, at / l.n, at % l.n) + bias[at % l.n] + (l.accumulate ? before[at] : 0);
  }
  bench_expect(bench, "c", l.c, want, l.m * l.n, l.c_dtype, 2e-6 * sqrt((double)l.k) + 1e-6);
  g_free(a);
  g_free(b);
  g_free(bias);
  g_free(before);
}

START_TEST(matmul_small)
{
  static const gsize sizes[][3] = {{33, 65, 47}, {1, 1, 1}, {7, 16, 129}, {64, 3, 5}};
  Bench *bench = bench_new(BENCH_THREADS(_i));
  for (guint s = 0; s < G_N_ELEMENTS(sizes); s++)
    for (guint bits = 0; bits < 32; bits++) {
      bench->used = 0;
      OlMatmul l = {.m = sizes[s][0],
                    .n = sizes[s][1],
                    .k = sizes[s][2],
                    .transpose_a = bits & 1,
                    .transpose_b = (bits >> 1) & 1,
                    .accumulate = (bits >> 2) & 1,
                    .dtype = BENCH_DTYPE(_i),
                    .c_dtype = bits & 16 ? OL_DTYPE_FP32 : BENCH_DTYPE(_i)};
      check_matmul(bench, l, (bits >> 3) & 1, 0);
    }
  bench_free(bench);
}
END_TEST

/* Larger than a panel each way, so that panels and parts of k must fit together. */
START_TEST(matmul_panels)
{
  Bench *bench = bench_new(BENCH_THREADS(_i));
  for (guint bits = 0; bits < 4; bits++) {
    bench->used = 0;
    OlMatmul l = {.m = 530,
                  .n = 515,
                  .k = 2053,
                  .transpose_a = bits & 1,
                  .transpose_b = bits >> 1,
                  .dtype = BENCH_DTYPE(_i),
                  .c_dtype = BENCH_DTYPE(_i)};
    check_matmul(bench, l, TRUE, 3000);
  }
  bench_free(bench);
}
END_TEST

/* One head's probabilities in fp64, from [sequence][3·width]. p: [sequence][sequence] */
static void probabilities_of(const double *qkv, gsize sequence, gsize width, gsize depth, gsize h,
                             double *p)
{
  for (gsize i = 0; i < sequence; i++) {
    double largest = -INFINITY, sum = 0;
    for (gsize j = 0; j <= i; j++) {
      double dot = 0;
      for (gsize d = 0; d < depth; d++)
        dot += qkv[i * 3 * width + h * depth + d] * qkv[j * 3 * width + width + h * depth + d];
      p[i * sequence + j] = dot / sqrt((double)depth);
      largest = MAX(largest, p[i * sequence + j]);
    }
    for (gsize j = 0; j <= i; j++)
      sum += p[i * sequence + j] = exp(p[i * sequence + j] - largest);
    for (gsize j = 0; j < sequence; j++)
      p[i * sequence + j] = j <= i ? p[i * sequence + j] / sum : 0;
  }
}

/* [rows][rows] · [rows][depth], the latter `stride` apart, into out the same way. */
static void weigh(const double *p, gboolean transpose, gsize rows, const double *v, gsize v_stride,
                  gsize depth, double *out, gsize out_stride)
{
  for (gsize i = 0; i < rows; i++)
    for (gsize d = 0; d < depth; d++) {
      double sum = 0;
      for (gsize j = 0; j < rows; j++)
        sum += (transpose ? p[j * rows + i] : p[i * rows + j]) * v[j * v_stride + d];
      out[i * out_stride + d] = sum;
    }
}

typedef struct {
  gsize batch, sequence, width, heads;
} AttentionShape;

static const AttentionShape attention_shapes[] = {{2, 17, 24, 3}, {1, 130, 64, 2}, {3, 1, 8, 8}};

static void check_attention_forward(Bench *bench, AttentionShape s, OlDtype dtype)
{
  gsize rows = s.batch * s.sequence, depth = s.width / s.heads, square = s.sequence * s.sequence;
  OlAttentionForward l = {.batch = s.batch,
                          .sequence = s.sequence,
                          .width = s.width,
                          .heads = s.heads,
                          .qkv = bench_random(bench, rows * 3 * s.width, dtype, 2),
                          .probabilities = bench_poison(bench, s.batch * s.heads * square, dtype),
                          .out = bench_poison(bench, rows * s.width, dtype),
                          .dtype = dtype};
  bench->ops->attention_forward(bench->stream, &l);
  double *qkv = bench_read(bench, l.qkv, rows * 3 * s.width, dtype);
  double *stored = bench_read(bench, l.probabilities, s.batch * s.heads * square, dtype);
  double *p = g_new(double, s.batch *s.heads *square), *out = g_new(double, rows *s.width);
  for (gsize i = 0; i < s.batch * s.heads; i++) {
    const double *sample = qkv + i / s.heads * s.sequence * 3 * s.width;
    gsize h = i % s.heads;
    probabilities_of(sample, s.sequence, s.width, depth, h, p + i * square);
    /* What comes out is weighed by the probabilities as they were rounded. */
    weigh(stored + i * square, FALSE, s.sequence, sample + 2 * s.width + h * depth, 3 * s.width,
          depth, out + i / s.heads * s.sequence * s.width + h * depth, s.width);
  }
  bench_expect(bench, "probabilities", l.probabilities, p, s.batch * s.heads * square, dtype, 4e-6);
  bench_expect(bench, "out", l.out, out, rows * s.width, dtype, 4e-6);
  g_free(stored);
  g_free(qkv);
}

START_TEST(attention_forward)
{
  Bench *bench = bench_new(BENCH_THREADS(_i));
  for (guint s = 0; s < G_N_ELEMENTS(attention_shapes); s++) {
    bench->used = 0;
    check_attention_forward(bench, attention_shapes[s], BENCH_DTYPE(_i));
  }
  bench_free(bench);
}
END_TEST

/* d_qkv of one head; everything [sequence][…] of one sample. */
static void attention_gradient(const double *qkv, const double *p, const double *d_out,
                               gsize sequence, gsize width, gsize depth, gsize h, double *d_qkv)
{
  const double *q = qkv + h * depth, *k = q + width, *v = k + width, *d_o = d_out + h * depth;
  double *d_q = d_qkv + h * depth, *d_k = d_q + width, *d_v = d_k + width;
  double *d_s = g_new0(double, sequence *sequence);
  for (gsize i = 0; i < sequence; i++) {
    double sum = 0;
    for (gsize j = 0; j <= i; j++) {
      for (gsize d = 0; d < depth; d++)
        d_s[i * sequence + j] += d_o[i * width + d] * v[j * 3 * width + d];
      sum += d_s[i * sequence + j] * p[i * sequence + j];
    }
    for (gsize j = 0; j <= i; j++)
      d_s[i * sequence + j] =
          p[i * sequence + j] * (d_s[i * sequence + j] - sum) / sqrt((double)depth);
  }
  weigh(d_s, FALSE, sequence, k, 3 * width, depth, d_q, 3 * width);
  weigh(d_s, TRUE, sequence, q, 3 * width, depth, d_k, 3 * width);
  weigh(p, TRUE, sequence, d_o, width, depth, d_v, 3 * width);
  g_free(d_s);
}

static void check_attention_backward(Bench *bench, AttentionShape s, OlDtype dtype)
{
  gsize rows = s.batch * s.sequence, depth = s.width / s.heads, square = s.sequence * s.sequence;
  OlAttentionForward forward = {.batch = s.batch,
                                .sequence = s.sequence,
                                .width = s.width,
                                .heads = s.heads,
                                .qkv = bench_random(bench, rows * 3 * s.width, dtype, 2),
                                .probabilities =
                                    bench_poison(bench, s.batch * s.heads * square, dtype),
                                .out = bench_poison(bench, rows * s.width, dtype),
                                .dtype = dtype};
  OlAttentionBackward l = {.batch = s.batch,
                           .sequence = s.sequence,
                           .width = s.width,
                           .heads = s.heads,
                           .qkv = forward.qkv,
                           .probabilities = forward.probabilities,
                           .d_out = bench_random(bench, rows * s.width, dtype, 1),
                           .d_qkv = bench_poison(bench, rows * 3 * s.width, dtype),
                           .dtype = dtype};
  bench->ops->attention_forward(bench->stream, &forward);
  bench->ops->attention_backward(bench->stream, &l);

  double *qkv = bench_read(bench, l.qkv, rows * 3 * s.width, dtype);
  double *p = bench_read(bench, l.probabilities, s.batch * s.heads * square, dtype);
  double *d_out = bench_read(bench, l.d_out, rows * s.width, dtype);
  double *want = g_new(double, rows * 3 * s.width);
  for (gsize i = 0; i < s.batch * s.heads; i++) {
    gsize sample = i / s.heads * s.sequence;
    attention_gradient(qkv + sample * 3 * s.width, p + i * square, d_out + sample * s.width,
                       s.sequence, s.width, depth, i % s.heads, want + sample * 3 * s.width);
  }
  bench_expect(bench, "d_qkv", l.d_qkv, want, rows * 3 * s.width, dtype, 1e-5);
  g_free(qkv);
  g_free(p);
  g_free(d_out);
}

START_TEST(attention_backward)
{
  Bench *bench = bench_new(BENCH_THREADS(_i));
  for (guint s = 0; s < G_N_ELEMENTS(attention_shapes); s++) {
    bench->used = 0;
    check_attention_backward(bench, attention_shapes[s], BENCH_DTYPE(_i));
  }
  bench_free(bench);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("products");
  TCase *all = tcase_create("all");
  tcase_set_timeout(all, 120);
  tcase_add_loop_test(all, matmul_small, 0, BENCH_RUNS);
  tcase_add_loop_test(all, matmul_panels, 0, BENCH_RUNS);
  tcase_add_loop_test(all, attention_forward, 0, BENCH_RUNS);
  tcase_add_loop_test(all, attention_backward, 0, BENCH_RUNS);
  suite_add_tcase(suite, all);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
