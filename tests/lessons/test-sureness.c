/* How sure, in words and as a share; and where a predicted number can be seen. */
#include "lessons/prediction-place.h"
#include "lessons/sureness.h"
#include "tests/lessons/suite.h"

static GPtrArray *courses;

static void set_up(void)
{
  courses = ol_courses_load(NULL, NULL);
  ck_assert_ptr_nonnull(courses);
}

static void tear_down(void)
{
  g_ptr_array_unref(courses);
}

START_TEST(what_is_said_is_what_is_kept)
{
  for (int i = 0; i < OL_N_SURENESSES; i++)
    ck_assert_int_eq(ol_sureness_of(ol_sureness_get_share((OlSureness)i)), i);
  ck_assert_str_eq(ol_sureness_get_words(OL_SURE_FAIRLY), "Fairly sure");
}
END_TEST

/* Shares that an older lab or another program has written. */
START_TEST(any_share_has_words)
{
  static const struct {
    double share;
    OlSureness sureness;
  } known[] = {{0, OL_SURE_GUESS},     {0.49, OL_SURE_GUESS},   {0.5, OL_SURE_FAIRLY},
               {0.84, OL_SURE_FAIRLY}, {0.85, OL_SURE_CERTAIN}, {1, OL_SURE_CERTAIN},
               {-1, OL_SURE_GUESS}};
  for (guint i = 0; i < G_N_ELEMENTS(known); i++)
    ck_assert_int_eq(ol_sureness_of(known[i].share), known[i].sureness);
}
END_TEST

static gboolean find(const char *id, OlPredictionPlace *place)
{
  return ol_prediction_find_place(ol_courses_find(courses, id, NULL), NULL, place);
}

/* Bytes a parameter lie in the GPU's memory; a count of layers and an idle share nowhere, nor does
 * a choice. */
START_TEST(bytes_have_a_place)
{
  OlPredictionPlace place;
  ck_assert(find("twelve-bytes", &place));
  ck_assert_int_eq(place.tier, OL_TIER_GPU);
  ck_assert_int_eq(place.first, OL_PAYLOAD_MASTER);
  ck_assert(find("what-zero-shards", &place));
  ck_assert_int_eq(place.tier, OL_TIER_GPU);
  ck_assert_int_eq(place.first, 0);
  ck_assert(!find("why-offload", &place));
  ck_assert(!find("stages-and-bubbles", &place));
  ck_assert(!find("hide-the-transfer", &place));
}
END_TEST

/* All that can be predicted can be reached in the box: else it could not be dragged there. */
START_TEST(the_box_has_room_for_what_can_be_predicted)
{
  for (guint i = 0; i < courses->len; i++) {
    const OlCourse *course = g_ptr_array_index(courses, i);
    for (guint j = 0; j < course->n_lessons; j++) {
      const OlLesson *lesson = &course->lessons[j];
      OlPredictionPlace place;
      if (ol_prediction_find_place(lesson, NULL, &place))
        ck_assert_double_le(lesson->prediction->to * place.unit_bytes, place.capacity);
    }
  }
}
END_TEST

/* One byte a parameter is as many bytes as there are parameters; GPT-2's are counted by hand: per
 * block 12 h² + 13 h, the tokens' and positions' embedding, the head's norm and matrix. */
START_TEST(a_unit_is_so_many_bytes)
{
  OlPredictionPlace place;
  const OlLesson *lesson = ol_courses_find(courses, "twelve-bytes", NULL);
  const OlRunConfig *config = ol_lesson_find_run(lesson, "adam")->config;
  double h = config->model.width, v = config->model.vocabulary, s = config->model.sequence;
  double layers = config->model.layers;
  ck_assert(find("twelve-bytes", &place));
  ck_assert_double_eq_tol(place.unit_bytes,
                          layers * (12 * h * h + 13 * h) + (v + s) * h + 2 * h + v * h, 0.5);
}
END_TEST

START_TEST(numbers_snap_to_steps)
{
  OlPrediction whole = {.from = 1, .to = 16, .step = 1}, any = {.from = 0, .to = 2};
  ck_assert_double_eq(ol_prediction_snap(&whole, 7.4), 7);
  ck_assert_double_eq(ol_prediction_snap(&whole, -3), 1);
  ck_assert_double_eq(ol_prediction_snap(&whole, 99), 16);
  ck_assert_double_eq_tol(ol_prediction_snap(&any, 0.713), 0.71, 1e-9);
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {what_is_said_is_what_is_kept,
                                any_share_has_words,
                                bytes_have_a_place,
                                the_box_has_room_for_what_can_be_predicted,
                                a_unit_is_so_many_bytes,
                                numbers_snap_to_steps,
                                NULL};
  return suite_run_with("sureness", tests, 60, set_up, tear_down);
}
