/* A short training of the real thing: the loss falls, and a run repeats itself bit for bit. */
#include "tests/model/tiny.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEPS 40u

/* The thread sanitizer does not know OpenMP's barriers and sees races that are none. */
#ifdef __SANITIZE_THREAD__
#define MOST_THREADS 1
#else
#define MOST_THREADS 2
#endif

/* What the separators, signs and lengths of `sums` give away: a model that has learned the form,
 * and nothing about the numbers, guesses 6 of 9 characters among at most ten. */
#define LOSS_OF_THE_FORM (6 * 2.302585 / 9)

typedef struct {
  double losses[STEPS];
  float *gradients; /* of the last step */
  guint64 parameters;
} Training;

static Training train(OlPrecision precision, guint compute_threads)
{
  OlRunConfig config = tiny_config(2, 64, 4, 64, 64, 4, precision);
  OlAdamSettings adam = {0.003, 0.9, 0.95, 1e-8, 0.1};
  Tiny *tiny = tiny_new(&config, compute_threads);
  Training training = {.parameters = tiny->shape->parameters};
  tiny_start(tiny, 7);
  for (guint step = 0; step < STEPS; step++) {
    tiny_set_sums(tiny, 7, step);
    training.losses[step] = tiny_forward(tiny);
    tiny_backward(tiny);
    tiny_update(tiny, &adam, step);
  }
  training.gradients = tiny_read_gradients(tiny);
  tiny_free(tiny);
  return training;
}

static const OlPrecision precisions[] = {OL_PRECISION_BF16, OL_PRECISION_FP32};

START_TEST(the_loss_falls)
{
  Training training = train(precisions[_i], 1);
  printf("loss %.3f -> %.3f\n", training.losses[0], training.losses[STEPS - 1]);
  /* At the start every token of 64 is as likely as any other. */
  ck_assert_double_eq_tol(training.losses[0], log(64), 0.1);
  ck_assert_double_lt(training.losses[STEPS / 2], 0.75 * training.losses[0]);
  ck_assert_double_lt(training.losses[STEPS - 1], LOSS_OF_THE_FORM + 0.2);
  g_free(training.gradients);
}
END_TEST

START_TEST(a_run_repeats_itself)
{
  Training a = train(precisions[_i % 2], 1 + _i / 2), b = train(precisions[_i % 2], 1 + _i / 2);
  ck_assert_mem_eq(a.losses, b.losses, sizeof a.losses);
  ck_assert_mem_eq(a.gradients, b.gradients, a.parameters * sizeof(float));
  g_free(a.gradients);
  g_free(b.gradients);
}
END_TEST

/* bf16 rounds, and that is all it does. */
START_TEST(precisions_agree_nearly)
{
  Training bf16 = train(OL_PRECISION_BF16, 1), fp32 = train(OL_PRECISION_FP32, 1);
  for (guint step = 0; step < STEPS; step++)
    ck_assert_double_eq_tol(bf16.losses[step] / fp32.losses[step], 1, 0.03);
  ck_assert(memcmp(bf16.losses, fp32.losses, sizeof bf16.losses) != 0);
  g_free(bf16.gradients);
  g_free(fp32.gradients);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("training");
  tcase_set_timeout(tests, 120);
  tcase_add_loop_test(tests, the_loss_falls, 0, 2);
  tcase_add_loop_test(tests, a_run_repeats_itself, 0, 2 * MOST_THREADS);
  tcase_add_test(tests, precisions_agree_nearly);
  return run_suite("training", tests);
}
