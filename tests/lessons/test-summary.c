/* How right, how sure, how long: over files that say what was done when. */
#include "lessons/lesson-words.h"

#include <math.h>

#include "tests/lessons/progress-fixture.h"

#define NOW 1600000000 /* September 2020 */

static OlPrediction number = {
    .kind = OL_PREDICTION_NUMBER, .run = "r", .unit = "s", .from = 0, .to = 4, .right_choice = -1};
static char *choices[] = {"this", "that", NULL};
static OlPrediction choice = {.kind = OL_PREDICTION_CHOICE, .choices = choices, .right_choice = 1};
static OlLesson lessons[] = {{.id = "x", .title = "X", .prediction = &number},
                             {.id = "y", .title = "Y", .prediction = &choice},
                             {.id = "z", .title = "Z"}};
static OlCourse course = {.id = "a", .lessons = lessons, .n_lessons = 3};

static OlSummary *summarise(const char *members)
{
  g_autofree char *text = g_strdup_printf("{\"schema\": 1, \"lessons\": {%s}}", members);
  g_autoptr(GPtrArray) courses = g_ptr_array_new();
  g_ptr_array_add(courses, &course);
  ck_assert(g_file_set_contents(path, text, -1, NULL));
  g_autoptr(OlProgress) progress = load_well();
  return ol_summary_new(courses, progress, NOW);
}

static const OlLessonSummary *get(const OlSummary *summary, guint lesson)
{
  return &g_array_index(summary->lessons, OlLessonSummary, lesson);
}

#define T(minute) "\"time\": \"2020-01-01T09:" minute ":00Z\""
#define X_PREDICTED(value, sure)                                                                   \
  "\"predictions\": [{\"value\": " value ", \"sure\": " sure ", " T("00") "}]"

START_TEST(nothing_done)
{
  g_autoptr(OlSummary) summary = summarise("");
  ck_assert_uint_eq(summary->lessons->len, 3);
  ck_assert_uint_eq(summary->answered + summary->done + summary->reviews, 0);
  ck_assert_int_eq(summary->seconds, 0);
  g_autofree char *words = ol_lesson_summary_dup_words(get(summary, 0), NOW);
  ck_assert_ptr_null(words);
  g_autofree char *verdict = ol_summary_dup_verdict(summary);
  ck_assert_ptr_nonnull(strstr(verdict, "No prediction"));
}
END_TEST

/* Within a fifth of what was measured, a twentieth of the range, or a step; not beyond. */
START_TEST(near_or_far)
{
  static const struct {
    const char *predicted;
    OlNearness nearness;
  } known[] = {{"2", OL_NEARNESS_NEAR},
               {"2.4", OL_NEARNESS_NEAR},
               {"1.6", OL_NEARNESS_NEAR},
               {"2.45", OL_NEARNESS_FAR},
               {"1.55", OL_NEARNESS_FAR}};
  for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
    g_autofree char *members =
        g_strdup_printf("\"x\": {\"predictions\": [{\"value\": %s, \"sure\": 0.9, " T(
                            "00") "}],"
                                  "\"runs\": [{\"run\": \"r\", \"measured\": 2, " T(
                                      "01") "},"
                                            "{\"run\": \"r\", \"measured\": 3, " T("02") "}]}",
                        known[i].predicted);
    g_autoptr(OlSummary) summary = summarise(members);
    ck_assert_int_eq(get(summary, 0)->nearness, known[i].nearness);
    ck_assert_double_eq(get(summary, 0)->measured, 2); /* the first run counts */
    ck_assert_uint_eq(summary->bins[OL_SURE_CERTAIN].n, 1);
    ck_assert_uint_eq(summary->bins[OL_SURE_CERTAIN].near, known[i].nearness == OL_NEARNESS_NEAR);
  }
}
END_TEST

/* A run that measured nothing, or another run, tells nothing; nor does a file of before. */
START_TEST(unknown_is_neither)
{
  static const char *const runs[] = {"", "{\"run\": \"r\", " T("01") "}",
                                     "{\"run\": \"other\", \"measured\": 2, " T("01") "}"};
  for (guint i = 0; i < G_N_ELEMENTS(runs); i++) {
    g_autofree char *members =
        g_strdup_printf("\"x\": {" X_PREDICTED("2", "0.9") ", \"runs\": [%s]}", runs[i]);
    g_autoptr(OlSummary) summary = summarise(members);
    ck_assert_int_eq(get(summary, 0)->nearness, OL_NEARNESS_UNKNOWN);
    ck_assert_uint_eq(summary->bins[OL_SURE_CERTAIN].n, 0);
    g_autofree char *words = ol_lesson_summary_dup_words(get(summary, 0), NOW);
    ck_assert_str_eq(words, "You predicted 2 s.");
  }
}
END_TEST

/* What counts is the first prediction; a choice is known once a run was made. */
START_TEST(choices_and_the_first_prediction)
{
  const char *members = "\"y\": {\"predictions\": [{\"value\": 0, \"sure\": 0.2, " T(
      "00") "},"
            "{\"value\": 1, \"sure\": 1, " T("05") "}],"
                                                   "\"runs\": [{\"run\": \"r\", " T("01") "}]}";
  g_autoptr(OlSummary) summary = summarise(members);
  ck_assert_int_eq(get(summary, 1)->nearness, OL_NEARNESS_FAR);
  ck_assert_uint_eq(summary->bins[OL_SURE_GUESS].n, 1);
  ck_assert_uint_eq(summary->bins[OL_SURE_GUESS].near, 0);
  ck_assert_uint_eq(summary->bins[OL_SURE_CERTAIN].n, 0);
  g_autofree char *words = ol_lesson_summary_dup_words(get(summary, 1), NOW);
  ck_assert_str_eq(words, "You predicted “this”, it is “that”.");
}
END_TEST

/* A break of more than ten minutes counts for nothing; reviews are told apart. */
START_TEST(time_spent)
{
  const char *members = "\"x\": {\"predictions\": [{\"value\": 1, " T(
      "00") "}],"
            "\"answers\": [{\"option\": 1, \"right\": true, " T(
                "07") "}],"
                      "\"reviews\": [{\"option\": 1, \"right\": true, " T(
                          "50") "}]},"
                                "\"y\": {\"answers\": [{\"option\": 0, \"right\": false, " T(
                                    "10") "},"
                                          "{\"option\": 1, \"right\": true, \"time\": \"once\"}]},"
                                          "\"z\": {\"reviews\": [{\"option\": 1, \"right\": "
                                          "true, " T("52") "}]}";
  g_autoptr(OlSummary) summary = summarise(members);
  ck_assert_int_eq(summary->seconds, (7 + 3 + 2) * 60);
  ck_assert_int_eq(summary->review_seconds, 2 * 60);
  ck_assert_int_eq(get(summary, 0)->seconds, 7 * 60);
  ck_assert_int_eq(get(summary, 1)->seconds, 3 * 60);
  ck_assert_int_eq(get(summary, 2)->seconds, 0);
  static const struct {
    gint64 seconds;
    const char *words;
  } known[] = {{0, "0 min"},
               {40, "under a minute"},
               {90, "2 min"},
               {3599, "1 h 0 min"},
               {11400, "3 h 10 min"}};
  for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
    g_autofree char *words = ol_summary_dup_time(known[i].seconds);
    ck_assert_str_eq(words, known[i].words);
  }
}
END_TEST

static char *dup_answered(const char *id, const char *answers, const char *reviews)
{
  return g_strdup_printf("\"%s\": {\"answers\": [%s], \"reviews\": [%s]}", id, answers, reviews);
}

#define RIGHT(minute) "{\"option\": 1, \"right\": true, " T(minute) "}"
#define WRONG(minute) "{\"option\": 0, \"right\": false, " T(minute) "}"

/* What was missed stays on the list until a review was right, and comes onto it by a wrong one. */
START_TEST(what_to_look_at_again)
{
  static const struct {
    const char *answers, *reviews, *words;
  } known[] = {
      {RIGHT("00"), "", NULL},
      {WRONG("00"), "", "Not right yet."},
      {WRONG("00") "," RIGHT("01"), "", "Missed the first time."},
      {WRONG("00") "," RIGHT("01"), RIGHT("05"), NULL},
      {RIGHT("00"), WRONG("05"), "Missed when it was last reviewed."},
      {RIGHT("00"), WRONG("05") "," RIGHT("06"), NULL},
  };
  for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
    g_autofree char *members = dup_answered("x", known[i].answers, known[i].reviews);
    g_autoptr(OlSummary) summary = summarise(members);
    g_autoptr(GPtrArray) missed = ol_summary_list_missed(summary);
    ck_assert_uint_eq(missed->len, known[i].words != NULL);
    if (known[i].words != NULL)
      ck_assert_str_eq(ol_lesson_summary_get_missed(missed->pdata[0]), known[i].words);
  }
}
END_TEST

START_TEST(score_and_words)
{
  g_autofree char *members =
      dup_answered("x", WRONG("00") "," RIGHT("01"), WRONG("10") "," RIGHT("11"));
  g_autoptr(OlSummary) summary = summarise(members);
  ck_assert_uint_eq(summary->answered, 1);
  ck_assert_uint_eq(summary->first_right, 0);
  ck_assert_uint_eq(summary->done, 1);
  ck_assert_uint_eq(summary->reviews, 2);
  ck_assert_uint_eq(summary->reviews_right, 1);
  g_autofree char *words = ol_lesson_summary_dup_words(get(summary, 0), NOW);
  ck_assert_str_eq(words,
                   "First answer wrong, the latest of 2 right. 2 reviews, 1 right; the next now.");
}
END_TEST

START_TEST(verdicts)
{
  static const struct {
    guint near;
    double sure;
    const char *words;
  } known[] = {{2, 1, "more often sure than right"},
               {8, 0.5, "more often right than you think"},
               {6, 0.8, "as often right as you are sure"}};
  for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
    OlSummary summary = {0};
    summary.bins[ol_sureness_of(known[i].sure)] =
        (OlCalibrationBin){8, known[i].near, known[i].sure};
    g_autofree char *words = ol_summary_dup_verdict(&summary);
    ck_assert_ptr_nonnull(strstr(words, known[i].words));
  }
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {
      nothing_done, near_or_far,           unknown_is_neither, choices_and_the_first_prediction,
      time_spent,   what_to_look_at_again, score_and_words,    verdicts,
      NULL};
  return suite_run_with("summary", tests, 60, set_up, tear_down);
}
