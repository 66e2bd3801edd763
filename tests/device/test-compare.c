/* The small kernels of a device against the virtual one's, bit for bit: `test-compare cuda`. */
#include "tests/device/pair.h"

#include <math.h>
#include <string.h>

static const gsize sizes[][2] = {{1, 1}, {3, 17}, {65, 64}, {130, 131}, {700, 515}};

/* An element of an update at the edges of fp32: zeros, subnormals, what overflows to infinity. */
static void sharpen(Pair *pair, gsize offset, gsize n)
{
  static const float edges[] = {0.0f, -0.0f, 1e-45f, 3e-39f, -2e-38f, 1e38f, 1.5e19f, 1e-20f};
  float *values = (float *)(pair->before + offset);
  for (gsize i = 0; i < n; i += 5)
    values[i] = edges[pair_below(pair, G_N_ELEMENTS(edges))];
}

typedef struct {
  gsize n, master, moment1, moment2, gradient, weights;
  gboolean fp32, round, writes_weights, decays;
  guint step;
} Adam;

static void launch_adam(const Side *side, gconstpointer arguments)
{
  const Adam *a = arguments;
  OlAdamSettings settings = {0.003, 0.9, 0.95, 1e-8, 0.1};
  OlAdamLaunch l = {.scalars = ol_adam_scalars(&settings, a->step),
                    .span = {.elements = a->n,
                             .master = side_at(side, a->master),
                             .moment1 = side_at(side, a->moment1),
                             .moment2 = side_at(side, a->moment2),
                             .gradient = side_at(side, a->gradient),
                             .gradient_is_fp32 = a->fp32,
                             .round_gradient = a->round,
                             .weights_out = a->writes_weights ? side_at(side, a->weights) : NULL,
                             .decays = a->decays}};
  side->ops->adam(side->stream, &l);
}

/* The bits of fp32 throughout, also at its edges: nothing contracted, nothing flushed to zero. */
START_TEST(adam)
{
  Pair *pair = pair_new_tested();
  for (guint bits = 0; bits < 16; bits++) {
    pair_restart(pair);
    Adam a = {.n = 40007,
              .fp32 = bits & 1,
              .round = (bits & 1) && (bits & 2),
              .writes_weights = !(bits & 4),
              .decays = !(bits & 8),
              .step = pair_below(pair, 50)};
    a.master = pair_random(pair, a.n, OL_DTYPE_FP32, 1);
    a.moment1 = pair_random(pair, a.n, OL_DTYPE_FP32, 1e-3);
    a.moment2 = pair_random(pair, a.n, OL_DTYPE_FP32, 1e-3);
    a.gradient = pair_random(pair, a.n, a.fp32 ? OL_DTYPE_FP32 : OL_DTYPE_BF16, 1e-3);
    a.weights = pair_poison(pair, a.n, OL_DTYPE_BF16);
    sharpen(pair, a.master, a.n);
    sharpen(pair, a.moment1, a.n);
    sharpen(pair, a.moment2, a.n);
    if (a.fp32)
      sharpen(pair, a.gradient, a.n);
    float *moment2 = (float *)(pair->before + a.moment2);
    for (gsize i = 0; i < a.n; i++)
      moment2[i] = fabsf(moment2[i]);
    pair_run(pair, launch_adam, &a);
    pair_expect_same(pair, "adam");
  }
  pair_free(pair);
}
END_TEST

typedef struct {
  gsize n, a, b, y, sum, rounded;
  OlDtype dtype;
} Elements;

static void launch_elements(const Side *side, gconstpointer arguments)
{
  const Elements *e = arguments;
  void *a = side_at(side, e->a), *b = side_at(side, e->b), *y = side_at(side, e->y);
  float *sum = side_at(side, e->sum);
  OlGeluForward bend = {e->n, a, y, e->dtype};
  OlGeluBackward unbend = {e->n, a, b, b, e->dtype};
  OlAdd add = {e->n, y, b, y, e->dtype};
  OlAccumulate first = {e->n, TRUE, a, sum, e->dtype}, second = {e->n, FALSE, y, sum, e->dtype};
  OlCast cast = {e->n, sum, side_at(side, e->rounded)};
  side->ops->gelu_forward(side->stream, &bend);
  side->ops->gelu_backward(side->stream, &unbend);
  side->ops->add(side->stream, &add);
  side->ops->accumulate(side->stream, &first);
  side->ops->accumulate(side->stream, &second);
  side->ops->cast(side->stream, &cast);
}

START_TEST(elements)
{
  Pair *pair = pair_new_tested();
  static const gsize counts[] = {0, 1, 255, 50021};
  for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
    pair_restart(pair);
    Elements e = {.n = counts[i], .dtype = PAIR_DTYPE(_i)};
    e.a = pair_random(pair, e.n, e.dtype, 8);
    e.b = pair_random(pair, e.n, e.dtype, 1);
    e.y = pair_poison(pair, e.n, e.dtype);
    e.sum = pair_poison(pair, e.n, OL_DTYPE_FP32);
    e.rounded = pair_poison(pair, e.n, OL_DTYPE_BF16);
    pair_run(pair, launch_elements, &e);
    pair_expect_same(pair, "elements");
  }
  pair_free(pair);
}
END_TEST

typedef struct {
  gsize rows, width, x, gain, bias, y, d_y, residual, d_x, d_gain, d_bias, sums;
  gboolean has_residual;
  OlDtype dtype;
} Norm;

static void launch_norm(const Side *side, gconstpointer arguments)
{
  const Norm *n = arguments;
  OlNormForward forward = {n->rows,
                           n->width,
                           side_at(side, n->x),
                           side_at(side, n->gain),
                           side_at(side, n->bias),
                           side_at(side, n->y),
                           n->dtype};
  OlNormBackward backward = {.rows = n->rows,
                             .width = n->width,
                             .x = side_at(side, n->x),
                             .gain = side_at(side, n->gain),
                             .d_y = side_at(side, n->d_y),
                             .residual = n->has_residual ? side_at(side, n->residual) : NULL,
                             .d_x = side_at(side, n->d_x),
                             .d_gain = side_at(side, n->d_gain),
                             .d_bias = side_at(side, n->d_bias),
                             .dtype = n->dtype};
  OlColumnSums sums = {n->rows, n->width, side_at(side, n->x), side_at(side, n->sums), n->dtype};
  side->ops->norm_forward(side->stream, &forward);
  side->ops->norm_backward(side->stream, &backward);
  side->ops->column_sums(side->stream, &sums);
}

/* Without a residual, with one, and with one in the place of d_x. */
START_TEST(norms)
{
  Pair *pair = pair_new_tested();
  for (guint i = 0; i < 3 * G_N_ELEMENTS(sizes); i++) {
    pair_restart(pair);
    Norm n = {.rows = sizes[i / 3][0],
              .width = sizes[i / 3][1],
              .has_residual = i % 3 > 0,
              .dtype = PAIR_DTYPE(_i)};
    gsize elements = n.rows * n.width;
    n.x = pair_random(pair, elements, n.dtype, 3);
    n.gain = pair_random(pair, n.width, n.dtype, 1);
    n.bias = pair_random(pair, n.width, n.dtype, 1);
    n.d_y = pair_random(pair, elements, n.dtype, 1);
    n.residual = pair_random(pair, elements, n.dtype, 1);
    n.y = pair_poison(pair, elements, n.dtype);
    n.d_x = i % 3 == 2 ? n.residual : pair_poison(pair, elements, n.dtype);
    n.d_gain = pair_poison(pair, n.width, n.dtype);
    n.d_bias = pair_poison(pair, n.width, n.dtype);
    n.sums = pair_poison(pair, n.width, n.dtype);
    pair_run(pair, launch_norm, &n);
    pair_expect_same(pair, "norms");
  }
  pair_free(pair);
}
END_TEST

typedef struct {
  gsize rows, sequence, width, vocabulary, ids, token, position, y, d_y, d_token, d_position;
  OlDtype dtype;
} Embed;

static void launch_embed(const Side *side, gconstpointer arguments)
{
  const Embed *e = arguments;
  OlEmbedForward forward = {.rows = e->rows,
                            .sequence = e->sequence,
                            .width = e->width,
                            .vocabulary = e->vocabulary,
                            .ids = side_at(side, e->ids),
                            .token = side_at(side, e->token),
                            .position = side_at(side, e->position),
                            .y = side_at(side, e->y),
                            .dtype = e->dtype};
  OlEmbedBackward backward = {.rows = e->rows,
                              .sequence = e->sequence,
                              .width = e->width,
                              .vocabulary = e->vocabulary,
                              .ids = side_at(side, e->ids),
                              .d_y = side_at(side, e->d_y),
                              .d_token = side_at(side, e->d_token),
                              .d_position = side_at(side, e->d_position),
                              .dtype = e->dtype};
  side->ops->embed_forward(side->stream, &forward);
  side->ops->embed_backward(side->stream, &backward);
}

/* Some ids never occur; one occurs in every other row, more often than a block of a sum is long. */
START_TEST(embeddings)
{
  Pair *pair = pair_new_tested();
  Embed e = {
      .rows = 7 * 37, .sequence = 37, .width = 131, .vocabulary = 300, .dtype = PAIR_DTYPE(_i)};
  e.ids = pair_ids(pair, e.rows, (guint)e.vocabulary);
  int32_t *ids = (int32_t *)(pair->before + e.ids);
  for (gsize row = 0; row < e.rows; row += 2)
    ids[row] = (int32_t)e.vocabulary - 1;
  e.token = pair_random(pair, e.vocabulary * e.width, e.dtype, 1);
  e.position = pair_random(pair, e.sequence * e.width, e.dtype, 1);
  e.d_y = pair_random(pair, e.rows * e.width, e.dtype, 1);
  e.y = pair_poison(pair, e.rows * e.width, e.dtype);
  e.d_token = pair_poison(pair, e.vocabulary * e.width, e.dtype);
  e.d_position = pair_poison(pair, e.sequence * e.width, e.dtype);
  pair_run(pair, launch_embed, &e);
  pair_expect_same(pair, "embeddings");
  pair_free(pair);
}
END_TEST

typedef struct {
  gsize rows, vocabulary, logits, targets;
  double *losses; /* [2], of a and of b */
  OlDtype dtype;
} Loss;

static void launch_loss(const Side *side, gconstpointer arguments)
{
  const Loss *l = arguments;
  OlSoftmaxLoss launch = {.rows = l->rows,
                          .vocabulary = l->vocabulary,
                          .logits = side_at(side, l->logits),
                          .targets = side_at(side, l->targets),
                          .scale = 1.0 / (3.0 * (double)l->rows),
                          .loss = &l->losses[isnan(l->losses[0]) ? 0 : 1],
                          .dtype = l->dtype};
  side->ops->softmax_loss(side->stream, &launch);
}

START_TEST(losses)
{
  Pair *pair = pair_new_tested();
  for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
    double losses[2] = {NAN, NAN};
    pair_restart(pair);
    Loss l = {
        .rows = sizes[i][0], .vocabulary = sizes[i][1], .losses = losses, .dtype = PAIR_DTYPE(_i)};
    l.logits = pair_random(pair, l.rows * l.vocabulary, l.dtype, 9);
    l.targets = pair_ids(pair, l.rows, (guint)l.vocabulary);
    pair_run(pair, launch_loss, &l);
    pair_expect_same(pair, "loss's gradient");
    ck_assert_msg(losses[0] == losses[1], "losses are %.17g and %.17g", losses[0], losses[1]);
  }
  pair_free(pair);
}
END_TEST

typedef struct {
  gsize n, chunk, x;
  gboolean round;
  double *sums[2]; /* of a and of b */
  OlDtype dtype;
} Squares;

static void launch_squares(const Side *side, gconstpointer arguments)
{
  const Squares *s = arguments;
  OlSquares l = {.n = s->n,
                 .chunk = s->chunk,
                 .x = side_at(side, s->x),
                 .round = s->round,
                 .sums = s->sums[isnan(s->sums[0][0]) ? 0 : 1],
                 .dtype = s->dtype};
  side->ops->squares(side->stream, &l);
}

/* Chunks that divide the whole and chunks that do not; more of them than are brought down at once.
 */
START_TEST(squares)
{
  static const gsize shapes[][2] = {{1, 7}, {4096, 1024}, {50021, 1000}, {90001, 3}};
  Pair *pair = pair_new_tested();
  for (guint i = 0; i < 2 * G_N_ELEMENTS(shapes); i++) {
    pair_restart(pair);
    Squares s = {.n = shapes[i / 2][0],
                 .chunk = shapes[i / 2][1],
                 .round = i % 2 == 1 && _i == 0,
                 .dtype = PAIR_DTYPE(_i)};
    gsize chunks = (s.n + s.chunk - 1) / s.chunk;
    s.x = pair_random(pair, s.n, s.dtype, 1e-3);
    s.sums[0] = g_new(double, chunks);
    s.sums[1] = g_new0(double, chunks);
    s.sums[0][0] = NAN;
    pair_run(pair, launch_squares, &s);
    pair_expect_same(pair, "around squares");
    ck_assert_mem_eq(s.sums[0], s.sums[1], chunks * sizeof(double));
    g_free(s.sums[0]);
    g_free(s.sums[1]);
  }
  pair_free(pair);
}
END_TEST

static TCase *tests_new(void)
{
  TCase *all = tcase_create("all");
  tcase_add_test(all, adam);
  tcase_add_loop_test(all, elements, 0, PAIR_TYPES);
  tcase_add_loop_test(all, norms, 0, PAIR_TYPES);
  tcase_add_loop_test(all, embeddings, 0, PAIR_TYPES);
  tcase_add_loop_test(all, losses, 0, PAIR_TYPES);
  tcase_add_loop_test(all, squares, 0, PAIR_TYPES);
  return all;
}

int main(int argc, char **argv)
{
  return pair_main(argc, argv, "compare", tests_new);
}
