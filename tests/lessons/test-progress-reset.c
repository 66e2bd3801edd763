/* Lessons begun anew: what was there is gone for every program, and can be taken back. */
#include "tests/lessons/progress-fixture.h"

static const char *const only_x[] = {"x", NULL};

static void answer(OlProgress *progress, const char *lesson, guint option, gboolean right)
{
  ck_assert(ol_progress_answer(progress, lesson, option, right, NULL));
}

static guint reset(OlProgress *progress, const char *const *lessons)
{
  gboolean saved;
  guint n = ol_progress_reset(progress, lessons, &saved, NULL);
  ck_assert(saved);
  return n;
}

static guint undo(OlProgress *progress)
{
  gboolean saved;
  guint n = ol_progress_undo_reset(progress, &saved, NULL);
  ck_assert(saved);
  return n;
}

static void assert_answers(const OlProgress *progress, const char *lesson, guint n, guint first,
                           guint latest)
{
  OlAnswers answers;
  ol_progress_get_answers(progress, lesson, &answers);
  ck_assert_uint_eq(answers.n, n);
  if (n > 0) {
    ck_assert_uint_eq(answers.first_option, first);
    ck_assert_uint_eq(answers.latest_option, latest);
  }
}

START_TEST(one_lesson_and_back_after_a_restart)
{
  double value;
  {
    g_autoptr(OlProgress) progress = load_well();
    answer(progress, "x", 1, FALSE);
    answer(progress, "x", 2, TRUE);
    ck_assert(ol_progress_predict(progress, "x", 4, NULL));
    answer(progress, "y", 3, TRUE);
    ck_assert_uint_eq(reset(progress, only_x), 1);
    ck_assert(!ol_progress_is_done(progress, "x"));
    ck_assert(!ol_progress_get_prediction(progress, "x", &value));
    ck_assert(ol_progress_is_done(progress, "y"));
    answer(progress, "x", 0, FALSE); /* within the same second: it counts, and as the first */
    assert_answers(progress, "x", 1, 0, 0);
  }
  {
    g_autoptr(OlProgress) progress = load_well();
    assert_answers(progress, "x", 1, 0, 0);
    ck_assert_uint_eq(ol_progress_count_undo(progress), 1);
    ck_assert_uint_eq(undo(progress), 1);
    assert_answers(progress, "x", 3, 1, 0); /* what came since stays, behind what comes back */
    ck_assert(ol_progress_get_prediction(progress, "x", &value) && value == 4);
    ck_assert_uint_eq(undo(progress), 0); /* once */
    assert_answers(progress, "x", 3, 1, 0);
  }
  g_autoptr(OlProgress) progress = load_well();
  assert_answers(progress, "x", 3, 1, 0);
  ck_assert_uint_eq(ol_progress_count_undo(progress), 0);
}
END_TEST

static guint count_reviews(const OlProgress *progress, const char *lesson)
{
  g_autoptr(GArray) reviews = ol_progress_list_entries(progress, lesson, OL_ENTRY_REVIEW);
  return reviews->len;
}

/* Also for a program that still held them. */
START_TEST(reviews_go_and_come_back)
{
  g_autoptr(OlProgress) progress = load_well();
  answer(progress, "x", 1, TRUE);
  ck_assert(ol_progress_review(progress, "x", 1, TRUE, NULL));
  ck_assert(ol_progress_review(progress, "x", 2, FALSE, NULL));
  g_autoptr(OlProgress) other = load_well();
  ck_assert_uint_eq(reset(progress, only_x), 1);
  ck_assert_uint_eq(count_reviews(progress, "x"), 0);
  ck_assert(ol_progress_save(other, NULL));
  ck_assert_uint_eq(count_reviews(other, "x"), 0);
  ck_assert_uint_eq(undo(other), 1);
  g_autoptr(OlProgress) again = load_well();
  ck_assert_uint_eq(count_reviews(again, "x"), 2);
}
END_TEST

START_TEST(all_lessons)
{
  g_autoptr(OlProgress) progress = load_well();
  ck_assert_uint_eq(reset(progress, NULL), 0);
  ck_assert_uint_eq(undo(progress), 0);
  ck_assert_uint_eq(count_files(""), 0); /* no file is made of nothing */
  answer(progress, "x", 1, TRUE);
  answer(progress, "y", 2, TRUE);
  ck_assert_uint_eq(reset(progress, NULL), 2);
  ck_assert(!ol_progress_is_done(progress, "x") && !ol_progress_is_done(progress, "y"));
  ck_assert_uint_eq(reset(progress, NULL), 0); /* nothing was there: the undo stays what it was */
  ck_assert_uint_eq(undo(progress), 2);
  assert_answers(progress, "x", 1, 1, 1);
  assert_answers(progress, "y", 1, 2, 2);
}
END_TEST

/* The last of two resets is taken back; what the first took stays away. */
START_TEST(only_the_last_comes_back)
{
  g_autoptr(OlProgress) progress = load_well();
  g_autoptr(OlProgress) other = load_well();
  answer(progress, "x", 1, TRUE);
  ck_assert(ol_progress_save(other, NULL));
  reset(progress, only_x);
  answer(progress, "x", 2, TRUE);
  reset(progress, only_x);
  ck_assert_uint_eq(undo(progress), 1);
  assert_answers(progress, "x", 1, 2, 2);
  ck_assert(ol_progress_save(other, NULL)); /* it still held the first */
  assert_answers(other, "x", 1, 2, 2);
}
END_TEST

/* The window is open while the terminal resets: the window's next save brings nothing back. */
START_TEST(not_from_the_dead)
{
  g_autoptr(OlProgress) one = load_well();
  answer(one, "x", 1, TRUE);
  answer(one, "y", 1, TRUE);
  g_autoptr(OlProgress) two = load_well();
  reset(one, only_x);
  answer(two, "y", 2, FALSE);
  ck_assert(!ol_progress_is_done(two, "x"));
  g_autoptr(OlProgress) again = load_well();
  ck_assert(!ol_progress_is_done(again, "x"));
  assert_answers(again, "y", 2, 1, 2);

  /* And the other way: the reset is not saved again by whoever knew of it, once it is undone. */
  ck_assert_uint_eq(undo(one), 1);
  answer(two, "y", 3, FALSE);
  assert_answers(two, "x", 1, 1, 1);
  ck_assert_uint_eq(ol_progress_count_undo(two), 0);
  g_autoptr(OlProgress) last = load_well();
  assert_answers(last, "x", 1, 1, 1);
}
END_TEST

/* A program that answers after another's reset, without having read of it: that answer is new. */
START_TEST(an_answer_after_the_others_reset_counts)
{
  g_autoptr(OlProgress) one = load_well();
  answer(one, "x", 1, TRUE);
  g_autoptr(OlProgress) two = load_well();
  reset(one, only_x);
  g_usleep(2100000); /* times are whole seconds */
  answer(two, "x", 3, FALSE);
  assert_answers(two, "x", 1, 3, 3);
  ck_assert_uint_eq(undo(two), 1); /* what the other reset */
  assert_answers(two, "x", 2, 1, 3);
}
END_TEST

/* Answers of a clock that was ahead, and entries whose time is none, are reset as well. */
START_TEST(odd_times)
{
  const char *text = "{\"schema\": 1, \"lessons\": {\"x\": {\"stars\": 3, \"answers\": ["
                     "{\"option\": 0, \"right\": true, \"time\": \"t\"},"
                     "{\"option\": 1, \"right\": true, \"time\": \"2999-01-01T00:00:00Z\"}]}}}";
  ck_assert(g_file_set_contents(path, text, -1, NULL));
  g_autoptr(OlProgress) one = load_well();
  g_autoptr(OlProgress) two = load_well();
  ck_assert_uint_eq(reset(one, only_x), 1);
  ck_assert(ol_progress_save(two, NULL));
  assert_answers(two, "x", 0, 0, 0);
  answer(two, "x", 2, FALSE);
  ck_assert(ol_progress_save(one, NULL));
  assert_answers(one, "x", 1, 2, 2);
  ck_assert_uint_eq(undo(one), 1);
  ck_assert(ol_progress_is_done(one, "x"));
  g_autofree char *back = NULL;
  ck_assert(g_file_get_contents(path, &back, NULL, NULL));
  ck_assert_ptr_nonnull(strstr(back, "\"stars\" : 3"));
}
END_TEST

/* What cannot be saved is told and tried again by the next change. */
START_TEST(a_disk_that_refuses)
{
  ck_assert(g_file_set_contents(path, "a file", -1, NULL));
  g_autofree char *below = g_build_filename(path, "progress.json", NULL);
  g_autoptr(OlProgress) progress = ol_progress_load(below, "Ada", NULL);
  GError *error = NULL;
  gboolean saved = TRUE;
  ck_assert(!ol_progress_answer(progress, "x", 1, TRUE, NULL));
  ck_assert_uint_eq(ol_progress_reset(progress, NULL, &saved, &error), 1);
  ck_assert(!saved);
  suite_assert_error(&error, OL_ERROR_STORAGE, path);
  ck_assert_int_eq(g_remove(path), 0);
  ck_assert_uint_eq(undo(progress), 1);
  g_autoptr(OlProgress) again = ol_progress_load(below, "Ada", &error);
  ck_assert_ptr_null(error);
  ck_assert(ol_progress_is_done(again, "x"));
  g_remove(below);
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {one_lesson_and_back_after_a_restart,
                                reviews_go_and_come_back,
                                all_lessons,
                                only_the_last_comes_back,
                                not_from_the_dead,
                                an_answer_after_the_others_reset_counts,
                                odd_times,
                                a_disk_that_refuses,
                                NULL};
  return suite_run_with("progress reset", tests, 60, set_up, tear_down);
}
