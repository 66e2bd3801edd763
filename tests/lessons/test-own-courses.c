/* The user's own courses: beside the lab's, and never in their way. */
#include "engine/config/hardware.h"
#include "lessons/own-courses.h"
#include "tests/lessons/mini-course.h"
#include "tests/suite.h"

#include <string.h>
#include <unistd.h>

static char *folder;

static void setup(void)
{
  folder = g_dir_make_tmp("offload-lab-XXXXXX", NULL);
  ck_assert_ptr_nonnull(folder);
}

static void put(const char *name, const char *text)
{
  g_autofree char *path = g_build_filename(folder, name, NULL);
  ck_assert(g_file_set_contents(path, text, -1, NULL));
}

static GPtrArray *load(GPtrArray **faults)
{
  GError *error = NULL;
  GPtrArray *courses = ol_courses_load(ol_data_folder(), &error);
  ck_assert_ptr_nonnull(courses);
  *faults = g_ptr_array_new_with_free_func(g_free);
  ol_own_courses_add(courses, folder, ol_data_folder(), *faults);
  return courses;
}

START_TEST(they_come_after_the_labs)
{
  g_autofree char *text = mini_course_read();
  g_autoptr(GPtrArray) faults = NULL;
  put("mine.json", text);
  put("notes.txt", "no course");
  g_autoptr(GPtrArray) courses = load(&faults);
  const OlCourse *course = NULL;

  ck_assert_uint_eq(faults->len, 0);
  ck_assert_ptr_nonnull(ol_courses_find(courses, "first", &course));
  ck_assert_ptr_eq(course, g_ptr_array_index(courses, courses->len - 1));
  ck_assert_ptr_nonnull(ol_courses_find(courses, "why-offload", NULL));
}
END_TEST

/* One is broken, one repeats a lesson's id of the lab, one the id of another of them: each is told
 * with its file, and those that are right are there. */
START_TEST(one_that_cannot_be_used_is_left_out)
{
  g_autofree char *good = mini_course_read();
  g_autofree char *clash = mini_course_edit("\"id\": \"first\"", "\"id\": \"why-offload\"");
  g_autoptr(GPtrArray) faults = NULL;
  put("1-broken.json", "{\"format\": 1,");
  put("2-clash.json", clash);
  put("3-good.json", good);
  put("4-again.json", good);
  g_autoptr(GPtrArray) courses = load(&faults);

  ck_assert_ptr_nonnull(ol_courses_find(courses, "first", NULL));
  ck_assert_uint_eq(faults->len, 3);
  ck_assert_ptr_nonnull(strstr(g_ptr_array_index(faults, 0), "1-broken.json"));
  ck_assert_ptr_nonnull(strstr(g_ptr_array_index(faults, 1), "2-clash.json: lessons[0].id"));
  ck_assert_ptr_nonnull(strstr(g_ptr_array_index(faults, 2), "4-again.json: id"));
}
END_TEST

/* A lesson at fault leaves the other ones of its course there. */
START_TEST(one_lesson_is_left_out)
{
  g_autofree char *text = mini_course_read();
  g_autoptr(JsonNode) root = json_from_string(text, NULL);
  JsonArray *lessons = json_object_get_array_member(json_node_get_object(root), "lessons");
  g_autofree char *first = json_to_string(json_array_get_element(lessons, 0), FALSE);
  JsonNode *second = json_from_string(first, NULL);
  g_autoptr(GPtrArray) faults = NULL;
  json_object_set_string_member(json_node_get_object(second), "id", "second");
  json_object_set_string_member(json_node_get_object(second), "title", "");
  json_array_add_element(lessons, second);
  g_autofree char *both = json_to_string(root, TRUE);
  put("mine.json", both);
  g_autoptr(GPtrArray) courses = load(&faults);

  ck_assert_ptr_nonnull(ol_courses_find(courses, "first", NULL));
  ck_assert_ptr_null(ol_courses_find(courses, "second", NULL));
  ck_assert_uint_eq(faults->len, 1);
  ck_assert_ptr_nonnull(strstr(g_ptr_array_index(faults, 0), "lessons[1].title"));
}
END_TEST

START_TEST(no_folder_is_no_fault)
{
  g_autoptr(GPtrArray) faults = NULL;
  ck_assert_int_eq(rmdir(folder), 0);
  g_autoptr(GPtrArray) courses = load(&faults);
  ck_assert_uint_eq(faults->len, 0);
  ck_assert_uint_eq(courses->len, 2);
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("own-courses");
  tcase_add_checked_fixture(tcase, setup, NULL);
  tcase_add_test(tcase, they_come_after_the_labs);
  tcase_add_test(tcase, one_that_cannot_be_used_is_left_out);
  tcase_add_test(tcase, one_lesson_is_left_out);
  tcase_add_test(tcase, no_folder_is_no_fault);
  return run_suite("own-courses", tcase);
}
