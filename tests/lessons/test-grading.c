/* The order of options and the words about predictions. */
#include "lessons/grading.h"
#include <string.h>

#include "tests/lessons/suite.h"

static void get_order(const char *lesson_id, const char *learner, guint n, guint *order)
{
  OlLesson lesson = {.id = (char *)lesson_id, .question = {.n_options = n}};
  ol_grading_option_order(&lesson, learner, order);
}

/* Computed by hand (a Python script of FNV-1a and splitmix64): these orders must never change,
 * or learners would find their options rearranged after an update. */
START_TEST(order_stays_for_ever)
{
  static const struct {
    const char *lesson, *learner;
    guint order[4];
  } known[] = {
      {"why-offload", "learner", {0, 2, 1, 3}},
      {"why-offload", "Ada", {0, 2, 1, 3}},
      {"twelve-bytes", "Ada", {2, 3, 0, 1}},
      {"what-it-costs", "Łukasz Żak", {2, 3, 1, 0}},
  };
  for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
    guint order[4];
    get_order(known[i].lesson, known[i].learner, 4, order);
    ck_assert_mem_eq(order, known[i].order, sizeof order);
  }
}
END_TEST

/* Each of the 24 orders turns up about as often as the others: chi-squared with 23 degrees of
 * freedom stays under 49.7, its 0.1 % point (any table of the distribution). */
START_TEST(orders_are_spread_evenly)
{
  guint count[256] = {0}; /* by the order's digits in base 4 */
  const guint learners = 24000;
  for (guint i = 0; i < learners; i++) {
    g_autofree char *learner = g_strdup_printf("learner %u", i);
    guint order[4];
    get_order("why-offload", learner, 4, order);
    count[order[0] * 64 + order[1] * 16 + order[2] * 4 + order[3]]++;
  }
  double expected = learners / 24.0, chi_squared = 0;
  guint seen = 0;
  for (guint i = 0; i < G_N_ELEMENTS(count); i++) {
    seen += count[i] > 0;
    if (count[i] > 0)
      chi_squared += (count[i] - expected) * (count[i] - expected) / expected;
  }
  ck_assert_uint_eq(seen, 24);
  ck_assert_double_lt(chi_squared, 49.7);
}
END_TEST

START_TEST(order_of_any_size)
{
  for (guint n = 0; n <= 8; n++) {
    guint order[8], seen = 0;
    get_order("a", "", n, order);
    for (guint i = 0; i < n; i++)
      seen |= 1u << order[i];
    ck_assert_uint_eq(seen, (1u << n) - 1);
  }
}
END_TEST

START_TEST(words_of_a_number)
{
  static const struct {
    const char *unit;
    double predicted, measured;
    const char *words;
  } known[] = {
      {"s", 1, 0.71, "you said 1 s, it took 0.71 s: 1.4 times too much"},
      {"s", 0.355, 0.71, "you said 0.355 s, it took 0.71 s: 2 times too little"},
      {"s", 0.71, 0.71, "you said 0.71 s, and so it did"},
      {"ms", 71, 0.07, "you said 71 ms, it took 70 ms: very close"},
      {"s", 0, 0.71, "you said 0 s, it took 0.71 s: too little"},
      {"layers", 9, 9, "you said 9 layers, and so it was"},
      {"layers", 3, 9, "you said 3 layers, it was 9 layers: 3 times too little"},
      {"MiB", 12, 6291456, "you said 12 MiB, it was 6 MiB: 2 times too much"},
      {"%", 75, 0.5, "you said 75 %, it was 50 %: 1.5 times too much"},
      {"layers", 2000, 1, "you said 2000 layers, it was 1 layer: 2000 times too much"},
  };
  for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
    OlPrediction prediction = {.kind = OL_PREDICTION_NUMBER, .unit = (char *)known[i].unit};
    g_autofree char *words =
        ol_grading_dup_prediction_words(&prediction, known[i].predicted, known[i].measured);
    ck_assert_str_eq(words, known[i].words);
  }
}
END_TEST

START_TEST(words_of_a_choice)
{
  char *choices[] = {"about twice", "no longer", NULL};
  OlPrediction prediction = {.kind = OL_PREDICTION_CHOICE, .choices = choices, .right_choice = 0};
  g_autofree char *right = ol_grading_dup_prediction_words(&prediction, 0, 0);
  ck_assert_str_eq(right, "you said “about twice”, and so it is");
  g_autofree char *wrong = ol_grading_dup_prediction_words(&prediction, 1, 0);
  ck_assert_str_eq(wrong, "you said “no longer”; it is “about twice”");
  g_autofree char *stale = ol_grading_dup_prediction_words(&prediction, 7, 0);
  ck_assert_str_eq(stale, "you said “…”; it is “about twice”");
}
END_TEST

START_TEST(units_fit_their_measures)
{
  ck_assert(ol_grading_unit_fits("MiB", OL_MEASURE_BYTES));
  ck_assert(!ol_grading_unit_fits("MiB", OL_MEASURE_SECONDS));
  ck_assert(!ol_grading_unit_fits("layers", OL_MEASURE_BYTES));
  ck_assert(ol_grading_unit_fits("layers", OL_MEASURE_NUMBER));
  ck_assert(ol_grading_unit_fits("B", OL_MEASURE_NUMBER)); /* bytes a parameter */
  ck_assert(!ol_grading_unit_fits("%", OL_MEASURE_NUMBER));
  ck_assert(ol_grading_unit_size("GiB") == 1073741824.0);
  ck_assert(ol_grading_unit_size("layers") == 1);
}
END_TEST

START_TEST(typed_predictions)
{
  static const struct {
    const char *text;
    double value; /* NAN: refused */
  } typed[] = {{"3.5", 3.5},
               {"3,5", 3.5},
               {" 9 ", 9},
               {"9 layers", 9},
               {"9 Layers", 9},
               {"9layers", 9},
               {"0", 0},
               {"0,5", 0.5},
               {"1e1", 10},
               {",5", 0.5},
               {"9 layers please", NAN},
               {"9 s", NAN},
               {"", NAN},
               {"lots", NAN},
               {"layers", NAN},
               {"0x10", NAN},
               {"nan", NAN},
               {"inf", NAN},
               {"12.5", NAN},
               {"-1", NAN},
               {"3.3", NAN},
               {"1,000", NAN},
               {"3,5,5", NAN},
               {"3.5,5", NAN},
               {"3 5", NAN},
               {"3,", NAN},
               {"1e999", NAN}};
  const OlPrediction prediction = {
      .kind = OL_PREDICTION_NUMBER, .unit = (char *)"layers", .from = 0, .to = 12, .step = 0.5};
  for (guint i = 0; i < G_N_ELEMENTS(typed); i++) {
    double value = NAN;
    gboolean taken = ol_grading_parse_prediction(&prediction, typed[i].text, &value);
    ck_assert_msg(taken == !isnan(typed[i].value), "%s", typed[i].text);
    ck_assert_msg(!taken || value == typed[i].value, "%s: %g", typed[i].text, value);
  }
  OlPrediction any = prediction;
  any.step = 0;
  double value;
  ck_assert(ol_grading_parse_prediction(&any, "3.3", &value) && value == 3.3);
  any.step = 0.1; /* no sum of binary tenths is exact */
  ck_assert(ol_grading_parse_prediction(&any, "0.7", &value) && value == 0.7);
  ck_assert(!ol_grading_parse_prediction(&any, "0.75", &value));
}
END_TEST

START_TEST(units_beside_values)
{
  ck_assert_str_eq(ol_grading_unit_words("layers", 1), "layer");
  ck_assert_str_eq(ol_grading_unit_words("layers", 0), "layers");
  ck_assert_str_eq(ol_grading_unit_words("layers", 1.5), "layers");
  ck_assert_str_eq(ol_grading_unit_words("MiB", 1), "MiB");
  ck_assert_str_eq(ol_grading_unit_words("", 1), "");
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {
      order_stays_for_ever, orders_are_spread_evenly, order_of_any_size,
      words_of_a_number,    words_of_a_choice,        units_fit_their_measures,
      typed_predictions,    units_beside_values,      NULL};
  return suite_run("grading", tests, 30);
}
