/* Questions that come back: when, in which order, and what an answer does to that. */
#include "lessons/grading.h"
#include "lessons/review.h"
#include "lessons/stamp.h"

#include "tests/lessons/progress-fixture.h"

#define DAY ((gint64)86400)

static OlLesson lessons[] = {{.id = "x", .question = {.n_options = 4}},
                             {.id = "y", .question = {.n_options = 4}},
                             {.id = "z", .question = {.n_options = 4}}};
static OlCourse course = {.id = "a", .lessons = lessons, .n_lessons = 3};

/* Noon of the first of January 2020 and that many days later. */
static gint64 at(double days)
{
  return ol_stamp_to_seconds("2020-01-01T12:00:00Z") + (gint64)(days * (double)DAY);
}

static char *dup_entry(double days, gboolean right)
{
  g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(at(days));
  g_autofree char *stamp = g_date_time_format(time, "%Y-%m-%dT%H:%M:%SZ");
  return g_strdup_printf("{\"option\": 1, \"right\": %s, \"time\": \"%s\"}",
                         right ? "true" : "false", stamp);
}

/* "2+ 5-": right on day 2, wrong on day 5. */
static char *dup_list(const char *words)
{
  g_auto(GStrv) parts = g_strsplit(words, " ", -1);
  g_autoptr(GPtrArray) entries = g_ptr_array_new_with_free_func(g_free);
  for (guint i = 0; parts[i] != NULL && *parts[i] != '\0'; i++)
    g_ptr_array_add(entries,
                    dup_entry(g_ascii_strtod(parts[i], NULL), g_str_has_suffix(parts[i], "+")));
  g_ptr_array_add(entries, NULL);
  return g_strjoinv(",", (char **)entries->pdata);
}

static char *dup_lesson(const char *id, const char *answers, const char *reviews)
{
  g_autofree char *first = dup_list(answers), *second = dup_list(reviews);
  return g_strdup_printf("\"%s\": {\"answers\": [%s], \"reviews\": [%s]}", id, first, second);
}

static OlProgress *load(const char *lesson_members)
{
  g_autofree char *text = g_strdup_printf("{\"schema\": 1, \"lessons\": {%s}}", lesson_members);
  ck_assert(g_file_set_contents(path, text, -1, NULL));
  return load_well();
}

static OlReviewCard look(const char *answers, const char *reviews, double now)
{
  g_autofree char *lesson = dup_lesson("x", answers, reviews);
  g_autoptr(OlProgress) progress = load(lesson);
  OlReviewCard card;
  ck_assert(ol_review_look(&course, &lessons[0], progress, at(now), &card));
  return card;
}

/* Days from `at(0)` until it is due, rounded: whole days, a little early. */
static double due_day(const char *answers, const char *reviews)
{
  OlReviewCard card = look(answers, reviews, 1000);
  double days = (double)(card.due - at(0)) / (double)DAY;
  ck_assert(days < (double)(gint64)(days + 1) && days > (double)(gint64)days); /* early */
  return (double)(gint64)(days + 1);
}

START_TEST(intervals_grow_by_more_than_two_each_time_and_end_somewhere)
{
  ck_assert_uint_eq(ol_review_days(0), 1);
  for (guint i = 0; i < 5; i++)
    ck_assert_uint_gt(ol_review_days(i + 1), 2 * ol_review_days(i));
  ck_assert_uint_eq(ol_review_days(6), ol_review_days(5));
  ck_assert_uint_eq(ol_review_days(G_MAXUINT), ol_review_days(5));
}
END_TEST

START_TEST(each_right_review_moves_the_next_one_further)
{
  ck_assert_double_eq(due_day("0-", ""), 1);
  ck_assert_double_eq(due_day("0+", ""), 3);
  ck_assert_double_eq(due_day("0+", "3+"), 3 + 7);
  ck_assert_double_eq(due_day("0+", "3+ 10+"), 10 + 16);
  ck_assert_double_eq(due_day("0+", "3+ 10+ 26+"), 26 + 35);
  ck_assert_double_eq(due_day("0+", "3+ 10+ 26+ 61+"), 61 + 80);
  ck_assert_double_eq(due_day("0+", "3+ 10+ 26+ 61+ 141+"), 141 + 80);
}
END_TEST

START_TEST(a_miss_goes_back_to_the_beginning)
{
  ck_assert_double_eq(due_day("0+", "3+ 10+ 26-"), 27);
  ck_assert_double_eq(due_day("0+", "3+ 10+ 26- 27+"), 30);
  ck_assert_double_eq(due_day("0+", "1-"), 2); /* even before it was due */
}
END_TEST

START_TEST(right_before_it_is_due_moves_nothing)
{
  ck_assert_double_eq(due_day("0+", "3+ 4+ 5+"), 10);
  OlReviewCard card = look("0+", "3+ 4+", 5);
  ck_assert_uint_eq(card.reviews, 2);
  ck_assert_uint_eq(card.right, 2);
}
END_TEST

/* Right after wrong in the lesson, with its text at hand, does not make up for the miss. */
START_TEST(answers_in_the_lesson)
{
  ck_assert_double_eq(due_day("0- 2+", ""), 3);
  ck_assert_double_eq(due_day("0+ 5-", "3+"), 6);
  ck_assert_double_eq(due_day("0+ 5+", "3+"), 12); /* it was refreshed: the wait begins anew */
}
END_TEST

/* An evening's learner finds it due at about the same hour, and not hours after. */
START_TEST(due_a_little_early)
{
  OlReviewCard card = look("0-", "", 0.5);
  ck_assert(!ol_review_is_due(&card, at(0.5)));
  ck_assert(ol_review_is_due(&card, at(0.96)));
}
END_TEST

START_TEST(times_that_cannot_be)
{
  OlReviewCard card = look("40+", "", 0); /* a clock that was ahead: better too early than never */
  ck_assert(ol_review_is_due(&card, at(0)));
  card = look("0+", "300+", 5); /* nor is it taken for a review of now */
  ck_assert(ol_review_is_due(&card, at(5)));
  g_autoptr(OlProgress) progress =
      load("\"x\": {\"answers\": [{\"option\": 1, \"right\": true, \"time\": \"once\"}]}");
  ck_assert(ol_review_look(&course, &lessons[0], progress, at(0), &card));
  ck_assert(ol_review_is_due(&card, at(0)));
}
END_TEST

/* Due first, missed ones before the others; then by the time. What was never answered is not there.
 */
START_TEST(order_of_the_list)
{
  g_autofree char *x = dup_lesson("x", "0+", ""), *y = dup_lesson("y", "0-", "");
  g_autofree char *both = g_strconcat(x, ",", y, ",\"gone\": {\"answers\": []}", NULL);
  g_autoptr(OlProgress) progress = load(both);
  g_autoptr(GPtrArray) courses = g_ptr_array_new();
  g_ptr_array_add(courses, &course);
  static const struct {
    double now;
    guint due;
    const char *first;
  } moments[] = {{0, 0, "y"}, {1, 1, "y"}, {3, 2, "y"}};
  for (guint i = 0; i < G_N_ELEMENTS(moments); i++) {
    g_autoptr(GArray) cards = ol_review_list(courses, progress, at(moments[i].now));
    ck_assert_uint_eq(cards->len, 2);
    ck_assert_str_eq(g_array_index(cards, OlReviewCard, 0).lesson->id, moments[i].first);
    ck_assert_uint_eq(ol_review_count_due(courses, progress, at(moments[i].now)), moments[i].due);
  }
  ck_assert(ol_progress_review(progress, "y", 1, TRUE, NULL)); /* now, years later */
  g_autoptr(GArray) cards = ol_review_list(courses, progress, g_get_real_time() / G_USEC_PER_SEC);
  ck_assert_str_eq(g_array_index(cards, OlReviewCard, 0).lesson->id, "x");
}
END_TEST

/* First and latest answer, and whether the lesson is done, are the lesson's alone. */
START_TEST(a_review_changes_no_answer)
{
  g_autoptr(OlProgress) progress = load_well();
  ck_assert(ol_progress_answer(progress, "x", 1, FALSE, NULL));
  ck_assert(ol_progress_review(progress, "x", 2, TRUE, NULL));
  g_autoptr(OlProgress) again = load_well();
  OlAnswers answers;
  ck_assert(ol_progress_get_answers(again, "x", &answers));
  ck_assert_uint_eq(answers.n, 1);
  ck_assert(!answers.first_right && !answers.latest_right);
  ck_assert(!ol_progress_is_done(again, "x"));
  g_autoptr(GArray) reviews = ol_progress_list_entries(again, "x", OL_ENTRY_REVIEW);
  ck_assert_uint_eq(reviews->len, 1);
  ck_assert(g_array_index(reviews, OlProgressEntry, 0).right);
}
END_TEST

/* Another order each time, the same one until it is answered, and all options in each. */
START_TEST(options_are_shuffled_anew)
{
  guint seen[24] = {0}, n_seen = 0;
  for (guint review = 0; review < 40; review++) {
    guint order[4], again[4], all = 0, code = 0;
    ol_grading_review_order(&lessons[0], "Ada", review, order);
    ol_grading_review_order(&lessons[0], "Ada", review, again);
    ck_assert_mem_eq(order, again, sizeof order);
    for (guint i = 0; i < 4; i++) {
      all |= 1u << order[i];
      code = code * 4 + order[i];
    }
    ck_assert_uint_eq(all, 15);
    guint known = 0;
    while (known < n_seen && seen[known] != code)
      known++;
    if (known == n_seen)
      seen[n_seen++] = code;
  }
  ck_assert_uint_gt(n_seen, 15); /* of 24 there are */
}
END_TEST

START_TEST(when_in_words)
{
  static const struct {
    double days;
    const char *words;
  } known[] = {{-3, "now"},         {0, "now"},           {0.01, "in 1 hour"}, {0.2, "in 5 hours"},
               {0.75, "in 1 day"},  {1, "in 1 day"},      {2.75, "in 3 days"}, {2.3, "in 3 days"},
               {6.75, "in 7 days"}, {79.75, "in 80 days"}};
  for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
    g_autofree char *words = ol_review_dup_when(at(known[i].days), at(0));
    ck_assert_str_eq(words, known[i].words);
  }
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {intervals_grow_by_more_than_two_each_time_and_end_somewhere,
                                each_right_review_moves_the_next_one_further,
                                a_miss_goes_back_to_the_beginning,
                                right_before_it_is_due_moves_nothing,
                                answers_in_the_lesson,
                                due_a_little_early,
                                times_that_cannot_be,
                                order_of_the_list,
                                a_review_changes_no_answer,
                                options_are_shuffled_anew,
                                when_in_words,
                                NULL};
  return suite_run_with("review", tests, 60, set_up, tear_down);
}
