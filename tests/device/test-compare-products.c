/* Products and attention of a device against the virtual one's, within what the order of sums
 * changes: `test-compare-products cuda`. */
#include "tests/device/pair.h"

#include <math.h>
#include <string.h>

static gboolean same_bits; /* is asked */

static void launch_matmul(const Side *side, gconstpointer arguments)
{
  OlMatmul l = *(const OlMatmul *)arguments;
  l.a = side_at(side, (gsize)l.a);
  l.b = side_at(side, (gsize)l.b);
  l.bias = l.bias ? side_at(side, (gsize)l.bias) : NULL;
  l.c = side_at(side, (gsize)l.c);
  side->ops->matmul(side->stream, &l);
}

/* Both round an fp32 sum once: they differ by one unit in the last place at most, and by what the
 * order of fp32 sums does. */
static double last_place(OlDtype dtype)
{
  return same_bits ? 0 : dtype == OL_DTYPE_BF16 ? 0x1.02p-7 : 0x1p-22;
}

static double sum_error(gsize terms)
{
  return same_bits ? 0 : 4e-6 * sqrt((double)terms) + 1e-6;
}

static void check_matmul(Pair *pair, gsize m, gsize n, gsize k, guint bits, OlDtype dtype)
{
  pair_restart(pair);
  OlMatmul l = {.m = m,
                .n = n,
                .k = k,
                .transpose_a = bits & 1,
                .transpose_b = (bits >> 1) & 1,
                .accumulate = (bits >> 2) & 1,
                .dtype = dtype,
                .c_dtype = bits & 16 ? OL_DTYPE_FP32 : OL_DTYPE_BF16};
  l.a = GSIZE_TO_POINTER(pair_random(pair, m * k, dtype, 1));
  l.b = GSIZE_TO_POINTER(pair_random(pair, k * n, dtype, 1));
  l.bias = bits & 8 ? GSIZE_TO_POINTER(pair_random(pair, n, dtype, 3)) : NULL;
  gsize c =
      l.accumulate ? pair_random(pair, m * n, l.c_dtype, 3) : pair_poison(pair, m * n, l.c_dtype);
  l.c = GSIZE_TO_POINTER(c);
  pair_run(pair, launch_matmul, &l);
  pair_expect_close(pair, "c", c, m * n, l.c_dtype, last_place(l.c_dtype), sum_error(k));
  pair_expect_same(pair, "around c");
}

START_TEST(products)
{
  static const gsize shapes[][3] = {{33, 65, 47}, {1, 1, 1}, {64, 3, 129}};
  Pair *pair = pair_new_tested();
  for (guint s = 0; s < G_N_ELEMENTS(shapes); s++)
    for (guint bits = 0; bits < 32; bits++)
      check_matmul(pair, shapes[s][0], shapes[s][1], shapes[s][2], bits, PAIR_DTYPE(_i));
  for (guint bits = 0; bits < 4; bits++)
    check_matmul(pair, 260, 515, 1030, bits | 8, PAIR_DTYPE(_i));
  pair_free(pair);
}
END_TEST

typedef struct {
  gsize batch, sequence, width, heads, qkv, probabilities, out, d_out, d_qkv;
  OlDtype dtype;
} Attention;

static void launch_forward(const Side *side, gconstpointer arguments)
{
  const Attention *a = arguments;
  OlAttentionForward l = {a->batch,
                          a->sequence,
                          a->width,
                          a->heads,
                          side_at(side, a->qkv),
                          side_at(side, a->probabilities),
                          side_at(side, a->out),
                          a->dtype};
  side->ops->attention_forward(side->stream, &l);
}

static void launch_backward(const Side *side, gconstpointer arguments)
{
  const Attention *a = arguments;
  OlAttentionBackward l = {a->batch,
                           a->sequence,
                           a->width,
                           a->heads,
                           side_at(side, a->qkv),
                           side_at(side, a->probabilities),
                           side_at(side, a->d_out),
                           side_at(side, a->d_qkv),
                           a->dtype};
  side->ops->attention_backward(side->stream, &l);
}

/* The forward's own probabilities are what the backward is given, alike on both. */
static void check_attention(Pair *pair, gsize batch, gsize sequence, gsize width, gsize heads,
                            OlDtype dtype)
{
  pair_restart(pair);
  gsize rows = batch * sequence, squares = rows * heads * sequence;
  Attention a = {.batch = batch,
                 .sequence = sequence,
                 .width = width,
                 .heads = heads,
                 .qkv = pair_random(pair, rows * 3 * width, dtype, 2),
                 .d_out = pair_random(pair, rows * width, dtype, 1),
                 .probabilities = pair_poison(pair, squares, dtype),
                 .out = pair_poison(pair, rows * width, dtype),
                 .d_qkv = pair_poison(pair, rows * 3 * width, dtype),
                 .dtype = dtype};
  double small = same_bits ? 0 : dtype == OL_DTYPE_BF16 ? 0x1p-8 : 1e-5;
  pair_run(pair, launch_forward, &a);
  gsize bytes = squares * ol_dtype_bytes(dtype);
  memcpy(pair->before + a.probabilities, pair->a.after + a.probabilities, bytes);
  pair_expect_close(pair, "probabilities", a.probabilities, squares, dtype, last_place(dtype),
                    sum_error(width / heads));
  pair_expect_close(pair, "out", a.out, rows * width, dtype, last_place(dtype), small);
  pair_expect_same(pair, "around attention forward");

  pair_run(pair, launch_backward, &a);
  pair_expect_close(pair, "d_qkv", a.d_qkv, rows * 3 * width, dtype, last_place(dtype), 2 * small);
  pair_expect_same(pair, "around attention backward");
}

START_TEST(attention)
{
  Pair *pair = pair_new_tested();
  check_attention(pair, 1, 1, 4, 1, PAIR_DTYPE(_i));
  check_attention(pair, 2, 17, 24, 3, PAIR_DTYPE(_i));
  check_attention(pair, 2, 150, 96, 2, PAIR_DTYPE(_i));
  check_attention(pair, 1, 300, 64, 4, PAIR_DTYPE(_i));
  pair_free(pair);
}
END_TEST

/* The same launch once more, on another device of the kind: the same bits, products included. */
START_TEST(same_bits_again)
{
  Pair *pair = pair_new(pair_get_tested(), PAIR_THREADS, pair_get_tested(), PAIR_THREADS);
  same_bits = TRUE;
  check_matmul(pair, 200, 300, 250, 8, PAIR_DTYPE(_i));
  check_attention(pair, 2, 150, 96, 2, PAIR_DTYPE(_i));
  same_bits = FALSE;
  pair_free(pair);
}
END_TEST

static TCase *tests_new(void)
{
  TCase *all = tcase_create("all");
  tcase_add_loop_test(all, products, 0, PAIR_TYPES);
  tcase_add_loop_test(all, attention, 0, PAIR_TYPES);
  tcase_add_loop_test(all, same_bits_again, 0, PAIR_TYPES);
  return all;
}

int main(int argc, char **argv)
{
  return pair_main(argc, argv, "compare products", tests_new);
}
