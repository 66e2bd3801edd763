/* AdamW against itself on every build, bit for bit, and against an AdamW in double written here
 * from the papers alone. */
#include "engine/optimizer/adam.h"
#include "tests/suite.h"

#include <float.h>

#define GUARD 16 /* elements beyond the span that must stay as they are */

static const OlAdamSettings settings = {
    .learning_rate = 0.003, .beta1 = 0.9, .beta2 = 0.95, .epsilon = 1e-8, .weight_decay = 0.1};

/* xorshift64*: the same sequence everywhere. */
static guint64 next_random(guint64 *state)
{
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * G_GUINT64_CONSTANT(2685821657736338717);
}

static float any_finite_float(guint64 *state)
{
  static const float special[] = {0.0f,     -0.0f,   FLT_MIN,        -FLT_MIN, 1e-45f, -1e-45f,
                                  1.5e-39f, FLT_MAX, -FLT_MAX / 2.f, 1.0f,     1e-20f, 1e20f};
  guint64 r = next_random(state);
  if (r % 8 == 0)
    return special[(r >> 8) % G_N_ELEMENTS(special)];
  if (r % 8 == 1) { /* any bits with a finite exponent */
    guint32 bits = (guint32)(r >> 16);
    if ((bits & 0x7f800000u) == 0x7f800000u)
      bits &= 0xbfffffffu;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  return (float)((double)(r >> 11) / (double)(G_GUINT64_CONSTANT(1) << 53) - 0.5) * 0.2f;
}

/* The arrays of one span, with a guard behind each. */
typedef struct {
  gsize elements, offset; /* first element within the allocation: alignment */
  float *master, *moment1, *moment2, *gradient;
  uint16_t *gradient16, *out;
} Arrays;

static Arrays arrays_new(gsize elements, gsize offset, guint64 seed)
{
  gsize n = elements + offset + GUARD;
  Arrays a = {elements,        offset,          g_new(float, n),    g_new(float, n),
              g_new(float, n), g_new(float, n), g_new(uint16_t, n), g_new(uint16_t, n)};
  for (gsize i = 0; i < n; i++) {
    a.master[i] = any_finite_float(&seed);
    a.moment1[i] = any_finite_float(&seed);
    a.moment2[i] = fabsf(any_finite_float(&seed));
    a.gradient[i] = any_finite_float(&seed);
    a.gradient16[i] = ol_bf16_from_float(any_finite_float(&seed));
    a.out[i] = 0xabcd;
  }
  return a;
}

static void arrays_free(Arrays *a)
{
  g_free(a->master);
  g_free(a->moment1);
  g_free(a->moment2);
  g_free(a->gradient);
  g_free(a->gradient16);
  g_free(a->out);
}

typedef struct {
  gboolean fp32, round, out, decays;
} Form;

static OlAdamSpan arrays_span(Arrays *a, Form form)
{
  return (OlAdamSpan){.elements = a->elements,
                      .master = a->master + a->offset,
                      .moment1 = a->moment1 + a->offset,
                      .moment2 = a->moment2 + a->offset,
                      .gradient = form.fp32 ? (const void *)(a->gradient + a->offset)
                                            : (const void *)(a->gradient16 + a->offset),
                      .gradient_is_fp32 = form.fp32,
                      .round_gradient = form.round,
                      .weights_out = form.out ? a->out + a->offset : NULL,
                      .decays = form.decays};
}

static void assert_same_arrays(const Arrays *a, const Arrays *b, const char *build)
{
  gsize n = a->elements + a->offset + GUARD;
  ck_assert_msg(memcmp(a->master, b->master, n * 4) == 0, "master differs on %s", build);
  ck_assert_msg(memcmp(a->moment1, b->moment1, n * 4) == 0, "moment1 differs on %s", build);
  ck_assert_msg(memcmp(a->moment2, b->moment2, n * 4) == 0, "moment2 differs on %s", build);
  ck_assert_msg(memcmp(a->out, b->out, n * 2) == 0, "weights differ on %s", build);
}

static Form form_of(guint i)
{
  return (Form){.fp32 = i & 1, .round = i & 2, .out = i & 4, .decays = i & 8};
}

/* The plain loop that adam.h promises: element by element. */
static void update_by_element(const OlAdamScalars *k, const OlAdamSpan *span)
{
  for (gsize i = 0; i < span->elements; i++) {
    float g = span->gradient_is_fp32 ? ((const float *)span->gradient)[i]
                                     : ol_bf16_to_float(((const uint16_t *)span->gradient)[i]);
    if (span->gradient_is_fp32 && span->round_gradient)
      g = ol_bf16_to_float(ol_bf16_from_float(g));
    span->master[i] = ol_adam_element(k, span->decays ? k->decay : 1.0f, span->master[i], g,
                                      &span->moment1[i], &span->moment2[i]);
    if (span->weights_out)
      span->weights_out[i] = ol_bf16_from_float(span->master[i]);
  }
}

static void check_builds_agree(gsize elements, gsize offset, Form form, guint64 seed)
{
  const char *const *names;
  const OlAdamFunction *functions;
  guint n = ol_adam_builds(&names, &functions);
  OlAdamScalars scalars = ol_adam_scalars(&settings, (guint)(seed % 5));

  Arrays expected = arrays_new(elements, offset, seed);
  OlAdamSpan span = arrays_span(&expected, form);
  update_by_element(&scalars, &span);
  for (guint b = 0; b < n; b++) {
    Arrays got = arrays_new(elements, offset, seed);
    span = arrays_span(&got, form);
    functions[b](&scalars, &span);
    assert_same_arrays(&expected, &got, names[b]);
    arrays_free(&got);
  }
  arrays_free(&expected);
}

START_TEST(builds_agree_on_every_tail)
{
  for (gsize elements = 0; elements <= 150; elements++)
    check_builds_agree(elements, elements % 7, form_of(_i), 1 + elements * 16 + _i);
}
END_TEST

/* Long enough for the streaming store (4 MiB of output), at odd alignments. */
START_TEST(builds_agree_when_large)
{
  static const gsize offsets[] = {0, 1, 31};
  check_builds_agree((2u << 20) + 77, offsets[_i], form_of(4 | 8), 99 + _i);
  check_builds_agree((2u << 20) + 77, offsets[_i], form_of(1 | 2 | 4), 199 + _i);
}
END_TEST

START_TEST(names_are_those_promised)
{
  static const char *const expected[] = {"scalar", "avx2", "avx512"};
  const char *const *names;
  guint n = ol_adam_builds(&names, NULL);
  ck_assert_uint_ge(n, 1);
  ck_assert_uint_le(n, G_N_ELEMENTS(expected));
  for (guint i = 0; i < n; i++)
    ck_assert_str_eq(names[i], expected[i]);
}
END_TEST

/* Twenty steps from zero moments, gradients of the size of a training run's. */
START_TEST(agrees_with_double)
{
  enum { N = 1000, STEPS = 20 };
  gboolean decays = _i;
  static float p[N], m[N], v[N], g[N];
  static double dp[N], dm[N], dv[N];
  guint64 state = 42;

  for (guint i = 0; i < N; i++) {
    dp[i] = p[i] = (float)(next_random(&state) >> 40) / (1 << 24) * 0.1f - 0.05f;
    dm[i] = m[i] = dv[i] = v[i] = 0;
  }
  for (guint step = 0; step < STEPS; step++) {
    for (guint i = 0; i < N; i++)
      g[i] = ((float)(next_random(&state) >> 40) / (1 << 24) - 0.5f) * 0.02f;
    OlAdamScalars scalars = ol_adam_scalars(&settings, step);
    OlAdamSpan span = {.elements = N,
                       .master = p,
                       .moment1 = m,
                       .moment2 = v,
                       .gradient = g,
                       .gradient_is_fp32 = TRUE,
                       .decays = decays};
    ol_adam_update(&scalars, &span);
    for (guint i = 0; i < N; i++) {
      double lambda = decays ? 0.1 : 0.0, lr = 0.003;
      dm[i] = 0.9 * dm[i] + (1 - 0.9) * g[i];
      dv[i] = 0.95 * dv[i] + (1 - 0.95) * (double)g[i] * g[i];
      double m_hat = dm[i] / (1 - pow(0.9, step + 1));
      double v_hat = dv[i] / (1 - pow(0.95, step + 1));
      dp[i] -= lr * (m_hat / (sqrt(v_hat) + 1e-8) + lambda * dp[i]);
    }
  }
  for (guint i = 0; i < N; i++) {
    ck_assert_double_eq_tol(p[i], dp[i], 2e-7);
    ck_assert_double_eq_tol(m[i], dm[i], 1e-8);
    ck_assert_double_eq_tol(v[i], dv[i], 1e-9);
  }
}
END_TEST

/* The first step moves each weight by the learning rate, whatever the gradient's size. */
START_TEST(first_step_has_the_size_of_the_learning_rate)
{
  static const float sizes[] = {1e-3f, 1.0f, 1e4f, -2.5f};
  OlAdamScalars scalars = ol_adam_scalars(&settings, 0);
  for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
    float m = 0, v = 0;
    float p = ol_adam_element(&scalars, 1.0f, 0.0f, sizes[i], &m, &v);
    ck_assert_double_eq_tol(p, sizes[i] > 0 ? -0.003 : 0.003, 1e-7);
  }
}
END_TEST

/* An fp32 sum that is rounded first gives the bits of the same gradient given as bf16. */
START_TEST(rounded_sum_is_the_bf16_gradient)
{
  enum { N = 517 };
  OlAdamScalars scalars = ol_adam_scalars(&settings, 3);
  Arrays a = arrays_new(N, 0, 7), b = arrays_new(N, 0, 7);
  for (guint i = 0; i < N; i++)
    b.gradient16[i] = ol_bf16_from_float(a.gradient[i]);

  OlAdamSpan rounded = arrays_span(&a, (Form){.fp32 = TRUE, .round = TRUE, .out = TRUE});
  OlAdamSpan given = arrays_span(&b, (Form){.fp32 = FALSE, .out = TRUE});
  ol_adam_update(&scalars, &rounded);
  ol_adam_update(&scalars, &given);
  assert_same_arrays(&a, &b, "rounding");
  arrays_free(&a);
  arrays_free(&b);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("adam");
  tcase_set_timeout(tests, 30);
  tcase_add_test(tests, names_are_those_promised);
  tcase_add_loop_test(tests, builds_agree_on_every_tail, 0, 16);
  tcase_add_loop_test(tests, builds_agree_when_large, 0, 3);
  tcase_add_loop_test(tests, agrees_with_double, 0, 2);
  tcase_add_test(tests, first_step_has_the_size_of_the_learning_rate);
  tcase_add_test(tests, rounded_sum_is_the_bf16_gradient);
  return run_suite("adam", tests);
}
