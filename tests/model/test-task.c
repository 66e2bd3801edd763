/* The task's sums are right, and the initial numbers normal; both from counters alone. */
#include "engine/model/task.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SEQUENCE 128u

static void read_sample(guint64 seed, guint step, guint64 sample, char text[SEQUENCE + 2])
{
  static const char symbols[] = "0123456789+=;";
  int32_t inputs[SEQUENCE], targets[SEQUENCE];
  ol_task_sums_sample(seed, step, sample, SEQUENCE, inputs, targets);
  for (guint i = 0; i < SEQUENCE; i++) {
    ck_assert_int_ge(inputs[i], 0);
    ck_assert_int_lt(inputs[i], OL_TASK_SUMS_VOCABULARY);
    if (i > 0)
      ck_assert_int_eq(inputs[i], targets[i - 1]);
    text[i] = symbols[inputs[i]];
  }
  text[SEQUENCE] = symbols[targets[SEQUENCE - 1]];
  text[SEQUENCE + 1] = '\0';
}

START_TEST(sums_are_right)
{
  guint n_sums = 0;
  for (guint64 sample = 0; sample < 50; sample++) {
    char text[SEQUENCE + 2];
    read_sample(7, 3, sample, text);
    ck_assert_int_eq(text[0], ';');
    for (const char *at = text + 1; strlen(at) >= 9; at += 9, n_sums++) {
      guint a, b, sum;
      ck_assert_int_eq(sscanf(at, "%2u+%2u=%2u;", &a, &b, &sum), 3);
      ck_assert_uint_eq(a + b, sum);
    }
  }
  ck_assert_uint_eq(n_sums, 50 * 14);
}
END_TEST

START_TEST(samples_depend_on_all_their_counters)
{
  char a[SEQUENCE + 2], b[SEQUENCE + 2];
  read_sample(7, 3, 5, a);
  read_sample(7, 3, 5, b);
  ck_assert_str_eq(a, b);
  read_sample(8, 3, 5, b);
  ck_assert_str_ne(a, b);
  read_sample(7, 4, 5, b);
  ck_assert_str_ne(a, b);
  read_sample(7, 3, 6, b);
  ck_assert_str_ne(a, b);
}
END_TEST

/* A shorter sequence is the beginning of a longer one. */
START_TEST(samples_are_cut)
{
  int32_t inputs[SEQUENCE], targets[SEQUENCE], cut_inputs[5], cut_targets[5];
  ol_task_sums_sample(1, 2, 3, SEQUENCE, inputs, targets);
  ol_task_sums_sample(1, 2, 3, 5, cut_inputs, cut_targets);
  ck_assert_mem_eq(inputs, cut_inputs, sizeof cut_inputs);
  ck_assert_mem_eq(targets, cut_targets, sizeof cut_targets);
}
END_TEST

static int compare_floats(const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* Kolmogorov and Smirnov: the largest distance from the normal distribution; 1.95/√n is passed in
 * one case of a thousand, and these numbers are always the same. */
START_TEST(initial_numbers_are_normal)
{
  enum { N = 200000 };
  float *x = g_new(float, N);
  double sum = 0, squares = 0, products = 0, farthest = 0;
  for (guint i = 0; i < N; i++) {
    x[i] = ol_task_initial_normal(7, "block 0 qkv weight", i);
    sum += x[i];
    squares += (double)x[i] * x[i];
    if (i > 0)
      products += (double)x[i] * x[i - 1];
  }
  ck_assert_double_le(fabs(sum / N), 4 / sqrt(N));
  ck_assert_double_le(fabs(squares / N - 1), 4 * sqrt(2.0 / N));
  ck_assert_double_le(fabs(products / N), 4 / sqrt(N));
  qsort(x, N, sizeof *x, compare_floats);
  for (guint i = 0; i < N; i++)
    farthest = MAX(farthest, fabs(0.5 * erfc(-x[i] / G_SQRT2) - (i + 0.5) / N));
  ck_assert_double_le(farthest, 1.95 / sqrt(N));
  ck_assert_float_gt(x[N - 1], 4.0f); /* tails are there */
  ck_assert_float_lt(x[0], -4.0f);
  g_free(x);
}
END_TEST

START_TEST(initial_numbers_depend_on_seed_and_name)
{
  float x = ol_task_initial_normal(7, "embed token", 0);
  ck_assert_float_eq(x, ol_task_initial_normal(7, "embed token", 0));
  ck_assert_float_ne(x, ol_task_initial_normal(8, "embed token", 0));
  ck_assert_float_ne(x, ol_task_initial_normal(7, "embed position", 0));
  ck_assert_float_ne(x, ol_task_initial_normal(7, "embed token", 1));
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("task");
  tcase_add_test(tests, sums_are_right);
  tcase_add_test(tests, samples_depend_on_all_their_counters);
  tcase_add_test(tests, samples_are_cut);
  tcase_add_test(tests, initial_numbers_are_normal);
  tcase_add_test(tests, initial_numbers_depend_on_seed_and_name);
  return run_suite("task", tests);
}
