#include "app/charts/axis.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static void check_label(double begin, double end, guint most, guint i, const char *expected)
{
  OlAxis axis = ol_axis_choose(begin, end, most);
  g_autofree char *label = ol_axis_dup_label(&axis, i);
  ck_assert_str_eq(label, expected);
}

START_TEST(labels_as_people_write_them)
{
  check_label(0, 1.42, 8, 0, "0.0 s");
  check_label(0, 1.42, 8, 1, "0.2 s");
  check_label(0, 10, 6, 2, "4 s");
  check_label(0, 0.042, 5, 4, "40 ms");
  check_label(0, 3.1e-6, 8, 1, "0.5 µs");
  check_label(0, 9e-9, 10, 3, "3 ns");
  check_label(1.2345, 1.2355, 5, 1, "1.2348 s");
}
END_TEST

/* At any range: 1, 2 or 5 times a power of ten, all ticks inside, never too many, never so few that
 * a finer step would have done. */
START_TEST(steps_are_round)
{
  GRand *random = g_rand_new_with_seed(11);
  for (int i = 0; i < 20000; i++) {
    double begin = pow(10, g_rand_double_range(random, -6, 3)) * (i % 3);
    double end = begin + pow(10, g_rand_double_range(random, -6, 3));
    guint most = (guint)g_rand_int_range(random, 2, 16);
    OlAxis axis = ol_axis_choose(begin, end, most);
    ck_assert_uint_le(axis.n, most);
    double mantissa = axis.step / pow(10, floor(log10(axis.step) + 1e-9));
    ck_assert(fabs(mantissa - 1) < 1e-6 || fabs(mantissa - 2) < 1e-6 || fabs(mantissa - 5) < 1e-6);
    ck_assert_double_ge((double)most * axis.step * 5.01, end - begin);
    for (guint t = 0; t < axis.n; t++) {
      ck_assert_double_ge(ol_axis_tick(&axis, t), begin - 1e-6 * axis.step);
      ck_assert_double_le(ol_axis_tick(&axis, t), end + 1e-6 * axis.step);
    }
  }
  g_rand_free(random);
}
END_TEST

/* A label read back is the place of its tick, and no two labels are alike. */
START_TEST(labels_say_where_the_tick_is)
{
  GRand *random = g_rand_new_with_seed(12);
  for (int i = 0; i < 5000; i++) {
    double begin = g_rand_double_range(random, -1, 5);
    double end = begin + pow(10, g_rand_double_range(random, -5, 2));
    OlAxis axis = ol_axis_choose(begin, end, 9);
    g_autofree char *before = g_strdup("");
    for (guint t = 0; t < axis.n; t++) {
      char *label = ol_axis_dup_label(&axis, t);
      double said = g_ascii_strtod(label, NULL) * axis.unit_seconds;
      ck_assert_double_eq_tol(said, ol_axis_tick(&axis, t), 1e-6 * axis.step + 1e-15);
      ck_assert_str_ne(label, before);
      ck_assert_ptr_null(strstr(label, "-0 "));
      g_free(before);
      before = label;
    }
  }
  g_rand_free(random);
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("ticks");
  tcase_add_test(cases, labels_as_people_write_them);
  tcase_add_test(cases, steps_are_round);
  tcase_add_test(cases, labels_say_where_the_tick_is);
  return run_suite("axis", cases);
}
