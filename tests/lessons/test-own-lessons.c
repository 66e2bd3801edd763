/* Lessons of one's own: copies of the lab's under new ids, their questions changed. */
#include "engine/base/error.h"
#include "engine/config/hardware.h"
#include "lessons/own-lessons.h"
#include "tests/lessons/suite.h"

#include <glib/gstdio.h>
#include <string.h>

static GPtrArray *load(void)
{
  GError *error = NULL;
  GPtrArray *courses = ol_courses_load(ol_data_folder(), &error);
  ck_assert_msg(courses != NULL, "%s", error != NULL ? error->message : "");
  return courses;
}

static OlCourseDraft *open_new(void)
{
  GError *error = NULL;
  OlCourseDraft *draft = ol_own_lessons_open(&error);
  ck_assert_msg(draft != NULL, "%s", error != NULL ? error->message : "");
  return draft;
}

static void assert_no_faults(const OlCourseDraft *draft)
{
  g_autoptr(GPtrArray) faults = ol_course_draft_dup_faults(draft);
  for (guint i = 0; i < faults->len; i++)
    ck_abort_msg("%s: %s", ((OlDraftFault *)faults->pdata[i])->key,
                 ((OlDraftFault *)faults->pdata[i])->message);
}

START_TEST(every_lesson_can_be_copied)
{
  g_autoptr(GPtrArray) courses = load();
  g_autoptr(OlCourseDraft) draft = open_new();
  g_autoptr(GHashTable) ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  ck_assert_uint_eq(ol_own_lessons_count(draft), 0);
  int n = 0;
  for (guint i = 0; i < courses->len; i++) {
    const OlCourse *course = courses->pdata[i];
    for (guint j = 0; j < course->n_lessons; j++) {
      GError *error = NULL;
      const OlLesson *lesson = &course->lessons[j];
      ck_assert_int_eq(ol_own_lessons_add(draft, course, lesson, ol_data_folder(), &error), n);
      char *id = g_strdup(ol_own_lessons_get_text(draft, (guint)n, "id"));
      ck_assert(g_str_has_prefix(id, "mine-"));
      ck_assert(g_hash_table_add(ids, id));
      ck_assert_str_eq(ol_own_lessons_get_text(draft, (guint)n, "goal"), lesson->goal);
      n++;
    }
  }
  ck_assert_int_eq(n, 16);
  assert_no_faults(draft);

  g_autofree char *evidence = ol_own_lessons_dup_evidence(draft, 1);
  ck_assert_ptr_nonnull(strstr(evidence, "adam · state.bytes_per_parameter · exactly 12"));
  ck_assert_str_eq(ol_own_lessons_get_text(draft, 99, "id"), "");
  ck_assert_str_eq(ol_own_lessons_get_text(draft, 0, "experiment"), "");
}
END_TEST

START_TEST(options_are_changed_and_keep_what_else_they_have)
{
  g_autoptr(GPtrArray) courses = load();
  const OlCourse *course = courses->pdata[0];
  g_autoptr(OlCourseDraft) draft = open_new();
  ol_own_lessons_add(draft, course, &course->lessons[0], ol_data_folder(), NULL);
  guint n;
  g_autofree OlOption *options = ol_own_lessons_dup_options(draft, 0, &n);
  ck_assert_uint_eq(n, 4);

  /* The first has a run and a moment to show besides: it moves to the end with them. */
  JsonNode *shown = ol_course_draft_get(draft, "lessons[0].question.options[0].show");
  g_autofree char *show = shown != NULL ? json_to_string(shown, FALSE) : NULL;
  OlOption moved[] = {{"New", "Because.", TRUE},
                      {options[1].text, options[1].why, FALSE},
                      {options[2].text, options[2].why, FALSE},
                      {options[0].text, "Another reason.", FALSE}};
  ol_own_lessons_set_options(draft, 0, moved, 4);
  assert_no_faults(draft);
  g_autofree OlOption *now = ol_own_lessons_dup_options(draft, 0, &n);
  ck_assert_uint_eq(n, 4);
  ck_assert_str_eq(now[0].text, "New");
  ck_assert(now[0].right && !now[1].right && !now[2].right && !now[3].right);
  ck_assert_str_eq(now[3].why, "Another reason.");
  JsonNode *still = ol_course_draft_get(draft, "lessons[0].question.options[3].show");
  g_autofree char *after = still != NULL ? json_to_string(still, FALSE) : NULL;
  ck_assert_pstr_eq(after, show);

  ol_course_draft_undo(draft);
  g_autofree OlOption *back = ol_own_lessons_dup_options(draft, 0, &n);
  ck_assert_str_ne(back[0].text, "New");
}
END_TEST

START_TEST(saved_and_opened_again)
{
  g_autoptr(GPtrArray) courses = load();
  const OlCourse *course = courses->pdata[1];
  g_autofree char *path = ol_own_lessons_dup_path();
  GError *error = NULL;
  g_autofree char *id = NULL;
  {
    g_autoptr(OlCourseDraft) draft = open_new();
    ol_own_lessons_add(draft, course, &course->lessons[2], ol_data_folder(), NULL);
    ck_assert(ol_own_lessons_save(draft, &error));
    id = g_strdup(ol_own_lessons_get_text(draft, 0, "id"));
  }
  g_autoptr(OlCourseDraft) again = open_new();
  ck_assert_uint_eq(ol_own_lessons_count(again), 1);
  ck_assert_int_eq(ol_own_lessons_add(again, course, &course->lessons[2], ol_data_folder(), &error),
                   1);
  ck_assert_str_eq(ol_own_lessons_get_text(again, 0, "id"), id);
  ck_assert_str_ne(ol_own_lessons_get_text(again, 1, "id"), id);
}
END_TEST

/* What was answered in a removed one is not an answer to the next; no course without lessons stays
 * behind. */
START_TEST(the_last_one_removed)
{
  g_autoptr(GPtrArray) courses = load();
  const OlCourse *course = courses->pdata[0];
  g_autofree char *path = ol_own_lessons_dup_path();
  g_autoptr(OlCourseDraft) draft = open_new();
  while (ol_own_lessons_count(draft) > 0)
    ol_course_draft_remove(draft, "lessons[0]");
  ol_own_lessons_add(draft, course, &course->lessons[0], ol_data_folder(), NULL);
  ck_assert(ol_own_lessons_save(draft, NULL));
  g_autofree char *id = g_strdup(ol_own_lessons_get_text(draft, 0, "id"));
  ol_course_draft_remove(draft, "lessons[0]");
  ck_assert(ol_own_lessons_save(draft, NULL));
  ck_assert(!g_file_test(path, G_FILE_TEST_EXISTS));
  ol_own_lessons_add(draft, course, &course->lessons[0], ol_data_folder(), NULL);
  ck_assert_str_ne(ol_own_lessons_get_text(draft, 0, "id"), id);
}
END_TEST

START_TEST(a_damaged_file_is_put_aside)
{
  g_autofree char *path = ol_own_lessons_dup_path();
  GError *error = NULL;
  ck_assert(g_file_set_contents(path, "[1]", -1, NULL));
  ck_assert_ptr_null(ol_own_lessons_open(&error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "mine.json");
  g_autofree char *aside = ol_own_lessons_put_aside(&error);
  ck_assert_ptr_nonnull(aside);
  g_autofree char *text = NULL;
  ck_assert(g_file_get_contents(aside, &text, NULL, NULL));
  ck_assert_str_eq(text, "[1]");
  g_autoptr(OlCourseDraft) draft = open_new();
  ck_assert_uint_eq(ol_own_lessons_count(draft), 0);
  ck_assert_int_eq(g_remove(aside), 0);
}
END_TEST

START_TEST(a_lesson_that_is_gone)
{
  g_autoptr(GPtrArray) courses = load();
  const OlCourse *course = courses->pdata[0];
  g_autoptr(OlCourseDraft) draft = open_new();
  GError *error = NULL;
  ck_assert_int_eq(ol_own_lessons_add(draft, course, &course->lessons[0], "/nowhere", &error), -1);
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "/nowhere");
  ck_assert_uint_eq(ol_own_lessons_count(draft), 0);
}
END_TEST

static char *home;

static void begin(void)
{
  home = g_dir_make_tmp("offload-lab-XXXXXX", NULL);
  g_setenv("XDG_DATA_HOME", home, TRUE);
}

int main(void)
{
  const TTest *const tests[] = {every_lesson_can_be_copied,
                                options_are_changed_and_keep_what_else_they_have,
                                saved_and_opened_again,
                                the_last_one_removed,
                                a_damaged_file_is_put_aside,
                                a_lesson_that_is_gone,
                                NULL};
  begin();
  int status = suite_run("own-lessons", tests, 60);
  g_autofree char *path = ol_own_lessons_dup_path();
  for (int i = 0; i < 4; i++) { /* the file, and the folders that it lies in */
    g_remove(path);
    char *outer = g_path_get_dirname(path);
    g_free(path);
    path = outer;
  }
  g_free(home);
  return status;
}
