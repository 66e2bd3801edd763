/* Which lesson comes next: over all courses, what was left out last. */
#include "lessons/next-lesson.h"

#include "tests/lessons/progress-fixture.h"

/* Two courses of two lessons, as far as the search looks at them. */
static OlLesson lessons[2][2] = {{{.id = "a1"}, {.id = "a2"}}, {{.id = "b1"}, {.id = "b2"}}};
static OlCourse two[] = {{.id = "a", .lessons = lessons[0], .n_lessons = 2},
                         {.id = "b", .lessons = lessons[1], .n_lessons = 2}};

static GPtrArray *dup_courses(void)
{
  GPtrArray *courses = g_ptr_array_new();
  g_ptr_array_add(courses, &two[0]);
  g_ptr_array_add(courses, &two[1]);
  return courses;
}

static void assert_next(const OlProgress *progress, const OlLesson *after, const OlLesson *next,
                        const OlCourse *of)
{
  g_autoptr(GPtrArray) courses = dup_courses();
  const OlCourse *course = NULL;
  ck_assert_ptr_eq(ol_courses_find_next(courses, progress, after, &course), next);
  ck_assert_ptr_eq(course, of);
  ck_assert_ptr_eq(ol_courses_find_next(courses, progress, after, NULL), next);
}

START_TEST(goes_on_into_the_next_course)
{
  g_autoptr(OlProgress) progress = load_well();
  assert_next(progress, NULL, &lessons[0][0], &two[0]);
  assert_next(progress, &lessons[0][0], &lessons[0][1], &two[0]);
  assert_next(progress, &lessons[0][1], &lessons[1][0], &two[1]);
  assert_next(progress, &lessons[1][1], &lessons[0][0], &two[0]);
}
END_TEST

START_TEST(passes_over_what_is_done_and_comes_back_to_what_is_not)
{
  g_autoptr(OlProgress) progress = load_well();
  ck_assert(ol_progress_answer(progress, "a1", 0, TRUE, NULL));
  ck_assert(ol_progress_answer(progress, "b1", 0, TRUE, NULL));
  ck_assert(ol_progress_answer(progress, "b2", 0, FALSE, NULL)); /* not right is not done */
  assert_next(progress, NULL, &lessons[0][1], &two[0]);
  assert_next(progress, &lessons[0][1], &lessons[1][1], &two[1]);
  ck_assert(ol_progress_answer(progress, "b2", 1, TRUE, NULL));
  assert_next(progress, &lessons[1][1], &lessons[0][1], &two[0]);
}
END_TEST

START_TEST(ends_when_all_others_are_done)
{
  static const char *const ids[] = {"a1", "a2", "b1"};
  g_autoptr(OlProgress) progress = load_well();
  for (guint i = 0; i < G_N_ELEMENTS(ids); i++)
    ck_assert(ol_progress_answer(progress, ids[i], 0, TRUE, NULL));
  assert_next(progress, &lessons[1][1], NULL, NULL);
  assert_next(progress, &lessons[0][0], &lessons[1][1], &two[1]);
  ck_assert(ol_progress_answer(progress, "b2", 0, TRUE, NULL));
  assert_next(progress, NULL, NULL, NULL);
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {goes_on_into_the_next_course,
                                passes_over_what_is_done_and_comes_back_to_what_is_not,
                                ends_when_all_others_are_done, NULL};
  return suite_run_with("next lesson", tests, 60, set_up, tear_down);
}
