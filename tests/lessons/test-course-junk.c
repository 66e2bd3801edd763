/* Whatever bytes come as a course, there is an error with a name, a code and a place, and no crash.
 */
#include "lessons/course.h"
#include "lessons/json-lines.h"
#include <string.h>

#include "tests/lessons/mini-course.h"

static void assert_refused(const char *text, gsize length, const char *says)
{
  GError *error = NULL;
  ck_assert_ptr_null(ol_course_parse(text, (gssize)length, "junk.json", &error));
  ck_assert_ptr_nonnull(strstr(error->message, "junk.json"));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, says);
}

START_TEST(junk_is_refused)
{
  assert_refused("", 0, "empty");
  assert_refused("[]", 2, "object");
  assert_refused("{\"format\": 1", 12, ":1:");
  assert_refused("{\"id\": \"\xff\xfe\"}", 12, "UTF-8");
  assert_refused("{\"format\": 1}\0{}", 16, "NUL");
  assert_refused("\x7f"
                 "ELF\x02\x01\x01",
                 7, "junk.json:1:");
  g_autofree char *deep = g_strnfill(1000000, '[');
  assert_refused(deep, 1000000, "64");
  gsize huge_length = (16u << 20) + 1;
  g_autofree char *huge = g_strnfill(huge_length, ' ');
  huge[0] = '{';
  huge[huge_length - 1] = '}';
  assert_refused(huge, huge_length, "16 MiB");
}
END_TEST

START_TEST(every_truncation_is_refused)
{
  g_autofree char *text = mini_course_read();
  gsize length = strlen(g_strchomp(text));
  for (gsize n = 0; n < length; n++) {
    GError *error = NULL;
    ck_assert_ptr_null(ol_course_parse(text, (gssize)n, "cut", &error));
    suite_assert_error(&error, OL_ERROR_BAD_INPUT, "cut");
  }
}
END_TEST

/* A few bytes changed at random: it loads or is refused by name, and never crashes. */
START_TEST(bytes_changed_at_random)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(1);
  g_autofree char *text = mini_course_read();
  gint length = (gint)strlen(text);
  for (guint round = 0; round < 1000; round++) {
    g_autofree char *changed = g_memdup2(text, (gsize)length + 1);
    for (gint n = g_rand_int_range(random, 1, 4); n > 0; n--)
      changed[g_rand_int_range(random, 0, length)] = (char)g_rand_int_range(random, 1, 256);
    GError *error = NULL;
    g_autoptr(OlCourse) course = ol_course_parse(changed, length, "changed", &error);
    ck_assert((course != NULL) != (error != NULL));
    if (error != NULL)
      suite_assert_error(&error, OL_ERROR_BAD_INPUT, "changed:");
  }
}
END_TEST

/* Thousands of faulty items cost neither time nor a message nobody can read. */
START_TEST(many_faults_stay_readable)
{
  GString *text = g_string_new("{\"format\": 1, \"id\": \"m\", \"title\": \"m\", \"lessons\": [{}");
  for (guint i = 1; i < 1000; i++)
    g_string_append(text, ", {}");
  g_string_append(text, "]}");
  GError *error = NULL;
  ck_assert_ptr_null(ol_course_parse(text->str, -1, "many", &error));
  ck_assert_uint_lt(strlen(error->message), 4000);
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, " more");
  g_string_insert(text, (gssize)text->len - 2, ", {}");
  ck_assert_ptr_null(ol_course_parse(text->str, -1, "many", &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "at most 1000");
  g_string_free(text, TRUE);
}
END_TEST

START_TEST(missing_file_is_named)
{
  GError *error = NULL;
  ck_assert_ptr_null(ol_course_load("/nowhere/course.json", &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "/nowhere/course.json");
}
END_TEST

START_TEST(lines_of_key_paths)
{
  const char *text = "{\n \"a\": [1,\n  {\"b.c\": \"}\\\"]\",\n   \"d\": 2}],\n \"e\": {}\n}";
  static const struct {
    const char *path;
    guint line;
  } lines[] = {{"", 1},    {"a", 2},    {"a[0]", 2}, {"a[1]", 3}, {"a[1].b.c", 3},    {"a[1].d", 4},
               {"e", 5},   {"a[9]", 2}, {"e.x", 5},  {"z", 1},    {"a[1].d.e[3]", 4}, {"a[x]", 2},
               {"[0]", 1}, {".", 1},    {"a[", 2}};
  for (guint i = 0; i < G_N_ELEMENTS(lines); i++)
    ck_assert_msg(ol_json_line_of(text, strlen(text), lines[i].path) == lines[i].line, "%s",
                  lines[i].path);
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {junk_is_refused,
                                every_truncation_is_refused,
                                bytes_changed_at_random,
                                many_faults_stay_readable,
                                missing_file_is_named,
                                lines_of_key_paths,
                                NULL};
  return suite_run("course junk", tests, 60);
}
