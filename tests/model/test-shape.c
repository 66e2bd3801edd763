/* Totals against the closed forms of the papers. */
#include "engine/model/shape.h"
#include "tests/model/tiny.h"
#include "tests/suite.h"

#include <string.h>

typedef struct {
  guint layers, width, heads, sequence, vocabulary, micro_batch;
  OlPrecision precision;
} Case;

static const Case cases[] = {
    {6, 128, 4, 128, 64, 4, OL_PRECISION_BF16},
    {1, 10, 5, 7, 16, 3, OL_PRECISION_FP32},
    {40, 2048, 16, 1024, 50304, 8, OL_PRECISION_BF16},
    {96, 12288, 96, 2048, 51200, 1, OL_PRECISION_BF16}, /* GPT-3: beyond 32 bits everywhere */
};

static OlShape *shape_of(const Case *c)
{
  OlRunConfig config = tiny_config(c->layers, c->width, c->heads, c->sequence, c->vocabulary,
                                   c->micro_batch, c->precision);
  return ol_shape_new(&config);
}

START_TEST(parameters)
{
  const Case *c = &cases[_i];
  OlShape *shape = shape_of(c);
  guint64 h = c->width, L = c->layers, V = c->vocabulary, s = c->sequence, sum = 0;
  guint64 blocks = 12 * L * h * h + 13 * L * h;
  ck_assert_uint_eq(shape->n_units, L + 2);
  ck_assert_uint_eq(shape->parameters, blocks + (V + s) * h + V * h + 2 * h);
  for (guint unit = 0; unit < shape->n_units; unit++) {
    const OlShapeUnit *u = &shape->units[unit];
    guint64 next = 0;
    for (guint t = 0; t < u->n_tensors; t++) {
      ck_assert_uint_eq(u->tensors[t].first, next);
      ck_assert_uint_eq(u->tensors[t].elements,
                        (guint64)u->tensors[t].rows * u->tensors[t].columns);
      ck_assert_int_eq(u->tensors[t].decays, u->tensors[t].columns > 1);
      next += u->tensors[t].elements;
    }
    ck_assert_uint_eq(u->parameters, next);
    ck_assert_uint_le(u->parameters, ol_shape_largest_unit(shape));
    sum += next;
  }
  ck_assert_uint_eq(sum, shape->parameters);
  ol_shape_free(shape);
}
END_TEST

START_TEST(names_are_unique)
{
  OlShape *shape = shape_of(&cases[3]);
  GHashTable *names = g_hash_table_new(g_str_hash, g_str_equal);
  for (guint unit = 0; unit < shape->n_units; unit++)
    for (guint t = 0; t < shape->units[unit].n_tensors; t++)
      ck_assert(g_hash_table_add(names, shape->units[unit].tensors[t].name));
  ck_assert_str_eq(shape->units[0].name, "embed");
  ck_assert_str_eq(shape->units[96].name, "block 95");
  ck_assert_str_eq(shape->units[97].name, "head");
  ck_assert_str_eq(shape->units[4].tensors[OL_BLOCK_QKV_WEIGHT].name, "block 3 qkv weight");
  g_hash_table_unref(names);
  ol_shape_free(shape);
}
END_TEST

/* 2205.05198 section 4.1, without what only dropout's masks need: 32sbh + 2as²b a layer. */
START_TEST(activations)
{
  const Case *c = &cases[_i];
  OlShape *shape = shape_of(c);
  guint64 e = c->precision == OL_PRECISION_BF16 ? 2 : 4, n = (guint64)c->sequence * c->micro_batch;
  guint64 h = c->width, a = c->heads, s = c->sequence, V = c->vocabulary;
  guint head = shape->n_units - 1;
  ck_assert_uint_eq(ol_shape_boundary_bytes(shape, 1) + ol_shape_inner_bytes(shape, 1),
                    e / 2 * (32 * n * h + 2 * a * s * n));
  ck_assert_uint_eq(ol_shape_boundary_bytes(shape, 0), e * n * h);
  ck_assert_uint_eq(ol_shape_inner_bytes(shape, 0), 8 * n);
  ck_assert_uint_eq(ol_shape_boundary_bytes(shape, head), 0);
  ck_assert_uint_eq(ol_shape_inner_bytes(shape, head), e * n * (h + V));
  ck_assert_uint_eq(ol_shape_backward_work_bytes(shape, 1), e * 5 * n * h);
  ck_assert_uint_eq(ol_shape_backward_work_bytes(shape, head), e * n * h);
  ol_shape_free(shape);
}
END_TEST

/* Over t tensor ranks (2205.05198 section 4.2): sbh(8 + 24/t) + 2as²b/t without dropout, 1/t of the
 * products, and of a block's parameters all but norms and two biases. */
START_TEST(slices)
{
  const Case *c = &cases[_i];
  OlShape *whole = shape_of(c);
  guint64 n = (guint64)c->sequence * c->micro_batch, h = c->width, a = c->heads, s = c->sequence;
  for (guint t = 2; t <= c->heads; t++) {
    if (c->heads % t != 0)
      continue;
    OlRunConfig config = tiny_config(c->layers, c->width, c->heads, c->sequence, c->vocabulary,
                                     c->micro_batch, c->precision);
    config.parallel.tensor = t;
    OlShape *shape = ol_shape_new(&config);
    guint64 bytes = ol_shape_boundary_bytes(shape, 1) + ol_shape_inner_bytes(shape, 1);
    ck_assert_uint_eq(2 * bytes * t, shape->element_bytes * (n * h * (8 * t + 24) + 2 * a * s * n));
    ck_assert_uint_eq(t * (shape->units[1].parameters - 6 * h), whole->units[1].parameters - 6 * h);
    ck_assert_uint_eq(shape->units[1].whole, 6 * h);
    ck_assert_uint_eq(shape->units[1].model_parameters, whole->units[1].parameters);
    double all = ol_shape_forward_flops(whole, 1, OL_PIECE_WHOLE), pieces = 0;
    for (OlPiece piece = OL_PIECE_ATTENTION; piece <= OL_PIECE_JOIN; piece++)
      pieces += ol_shape_forward_flops(shape, 1, piece);
    ck_assert_double_eq_tol(t * pieces / all, 1, 1e-12);
    ol_shape_free(shape);
  }
  ol_shape_free(whole);
}
END_TEST

/* Every element of a whole tensor is in one slice, once; what is whole is in all. */
START_TEST(slices_cover_the_tensor)
{
  OlRunConfig config = tiny_config(1, 24, 4, 8, 16, 1, OL_PRECISION_FP32);
  config.parallel.tensor = 4;
  OlShape *shape = ol_shape_new(&config);
  const OlShapeUnit *block = &shape->units[1];
  for (guint i = 0; i < block->n_tensors; i++) {
    const OlShapeTensor *tensor = &block->tensors[i];
    guint64 n = tensor->elements * (tensor->slicing == OL_SLICING_NONE ? 1 : 4);
    g_autofree guint *seen = g_new0(guint, n);
    for (guint slice = 0; slice < 4; slice++)
      for (guint64 k = 0; k < tensor->elements; k++) {
        guint64 at = ol_shape_whole_index(shape, tensor, slice, k);
        ck_assert_uint_lt(at, n);
        seen[at]++;
      }
    for (guint64 k = 0; k < n; k++)
      ck_assert_uint_eq(seen[k], tensor->slicing == OL_SLICING_NONE ? 4 : 1);
  }
  ol_shape_free(shape);
}
END_TEST

/* 2104.04473 section 3: 96·B·s·l·h²·(1 + s/(6h) + V/(16lh)) a step with full recompute, that is
 * 72 in place of 96 without. */
START_TEST(flops)
{
  const Case *c = &cases[_i];
  OlShape *shape = shape_of(c);
  double sum = 0, B = c->micro_batch, s = c->sequence, l = c->layers, h = c->width;
  for (guint unit = 0; unit < shape->n_units; unit++)
    sum += ol_shape_forward_flops(shape, unit, OL_PIECE_WHOLE) +
           ol_shape_backward_flops(shape, unit, OL_PIECE_WHOLE);
  double want = 72 * B * s * l * h * h * (1 + s / (6 * h)) + 6 * B * s * h * c->vocabulary;
  ck_assert_double_eq_tol(sum / want, 1, 1e-12);
  ol_shape_free(shape);
}
END_TEST

START_TEST(touched_bytes)
{
  const Case *c = &cases[_i];
  OlShape *shape = shape_of(c);
  for (guint unit = 0; unit < shape->n_units; unit++) {
    double weights = (double)shape->units[unit].parameters * shape->element_bytes;
    double kept =
        (double)(ol_shape_inner_bytes(shape, unit) + ol_shape_boundary_bytes(shape, unit));
    double input = unit == 0 ? 0 : (double)ol_shape_boundary_bytes(shape, unit - 1);
    double forward = ol_shape_forward_touched(shape, unit, OL_PIECE_WHOLE);
    ck_assert_double_eq(forward, weights + kept + input);
    ck_assert_double_eq(ol_shape_backward_touched(shape, unit, OL_PIECE_WHOLE),
                        2 * forward + weights);
  }
  ol_shape_free(shape);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("shape");
  int n = G_N_ELEMENTS(cases);
  tcase_add_loop_test(tests, parameters, 0, n);
  tcase_add_test(tests, names_are_unique);
  tcase_add_loop_test(tests, activations, 0, n);
  tcase_add_loop_test(tests, slices, 0, n);
  tcase_add_test(tests, slices_cover_the_tensor);
  tcase_add_loop_test(tests, flops, 0, n);
  tcase_add_loop_test(tests, touched_bytes, 0, n);
  return run_suite("shape", tests);
}
