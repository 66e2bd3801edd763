/* A prediction on its chart: where it can be taken hold of, what dragging it means, its words. */
#include "app/charts/guess.h"
#include "tests/charts/views.h"
#include "tests/suite.h"
#include <math.h>
#include <string.h>

#define WIDTH    700
#define CAPACITY 46.9e6

static Scene scene;
static OlChartStyle *style;
static double height;
static OlGuess guess;

static void set_up(void)
{
  scene = scene_new(NULL);
  style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 10, NULL);
  height = ol_chart_height(OL_CHART_TIERS, &scene.view, style, WIDTH);
  guess = (OlGuess){.tier = OL_TIER_GPU,
                    .capacity = CAPACITY,
                    .predicted = NAN,
                    .measured = NAN,
                    .is_open = TRUE,
                    .said = (char *)"Drag to predict"};
  scene.view.guess = &guess;
}

static void tear_down(void)
{
  ol_chart_style_free(style);
  scene_clear(&scene);
}

static gboolean is_at(double x, double y)
{
  return ol_guess_is_at(OL_CHART_TIERS, x, y, WIDTH, height, &scene.view, style);
}

static double bytes_at(double x)
{
  return ol_guess_bytes_at(x, WIDTH, height, &scene.view, style);
}

/* Left and right edge of where it can be taken hold of, at the middle of the chart. */
static void find_reach(double *left, double *right)
{
  *left = *right = -1;
  for (double x = 0; x < WIDTH; x += 1)
    if (is_at(x, height / 2)) {
      *left = *left < 0 ? x : *left;
      *right = x;
    }
}

START_TEST(it_is_held_in_its_own_box)
{
  double left, right;
  find_reach(&left, &right);
  ck_assert_double_gt(right, left + 50);
  ck_assert_double_lt(right, WIDTH / 2.0); /* the GPU's box is the first of three */
  ck_assert(!is_at((left + right) / 2, 1));
  ck_assert(!ol_guess_is_at(OL_CHART_MEMORY, (left + right) / 2, height / 2, WIDTH, height,
                            &scene.view, style));
}
END_TEST

START_TEST(locked_it_is_not_held)
{
  guess.is_open = FALSE;
  double left, right;
  find_reach(&left, &right);
  ck_assert_double_lt(right, 0);
  scene.view.guess = NULL;
  ck_assert(!is_at(100, height / 2));
}
END_TEST

/* From nothing at the left edge to the capacity at the right one, evenly, and never beyond. */
START_TEST(its_place_is_its_bytes)
{
  double left, right;
  find_reach(&left, &right);
  ck_assert_double_eq_tol(bytes_at(0), 0, 1e-6);
  ck_assert_double_eq_tol(bytes_at(WIDTH), CAPACITY, 1e-3);
  double middle = (left + right) / 2;
  ck_assert_double_eq_tol(bytes_at(middle), CAPACITY / 2, CAPACITY / 100);
  ck_assert_double_eq_tol(bytes_at(middle + 10) - bytes_at(middle),
                          bytes_at(middle) - bytes_at(middle - 10), 1e-3);
}
END_TEST

/* In a run, from where the payload begins that it is about. */
START_TEST(it_begins_where_its_payload_does)
{
  Scene run = scene_new(sample_trace_new(&(SampleOptions){.steps = 2}));
  guess.capacity = (double)ol_trace_capacity(run.trace, 0, OL_TIER_GPU);
  run.view.guess = &guess;
  double tall = ol_chart_height(OL_CHART_TIERS, &run.view, style, WIDTH);
  double all = ol_guess_bytes_at(WIDTH, WIDTH, tall, &run.view, style);
  ck_assert_double_eq_tol(all, guess.capacity, 1);
  guess.first = OL_PAYLOAD_GRADIENTS;
  double behind = ol_guess_bytes_at(WIDTH, WIDTH, tall, &run.view, style);
  gint64 bytes[OL_N_PAYLOADS];
  ol_trace_index_memory_at(run.index, 0, OL_TIER_GPU, run.view.end_ns, bytes);
  ck_assert_int_gt(bytes[OL_PAYLOAD_WEIGHTS], 0);
  ck_assert_double_lt(behind, all);
  scene_clear(&run);
}
END_TEST

START_TEST(it_is_told_in_words)
{
  g_autofree char *nothing = ol_chart_dup_description(OL_CHART_TIERS, &scene.view);
  ck_assert_ptr_null(strstr(nothing, "predict"));
  guess.predicted = 9e6;
  guess.said = (char *)"predicted 8 B";
  g_autofree char *said = ol_chart_dup_description(OL_CHART_TIERS, &scene.view);
  ck_assert_ptr_nonnull(strstr(said, "On GPU: predicted 8 B."));
  guess.found = (char *)"measured 12 B";
  g_autofree char *both = ol_chart_dup_description(OL_CHART_TIERS, &scene.view);
  ck_assert_ptr_nonnull(strstr(both, "On GPU: predicted 8 B, measured 12 B."));
  g_autofree char *elsewhere = ol_chart_dup_description(OL_CHART_LANES, &scene.view);
  ck_assert_ptr_null(strstr(elsewhere, "predicted"));
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("guess");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, it_is_held_in_its_own_box);
  tcase_add_test(tests, locked_it_is_not_held);
  tcase_add_test(tests, its_place_is_its_bytes);
  tcase_add_test(tests, it_begins_where_its_payload_does);
  tcase_add_test(tests, it_is_told_in_words);
  return run_suite("guess", tests);
}
