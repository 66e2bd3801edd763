/* Progress of several learners on one computer, on its way to another, and as a table. */
#include "lessons/learners.h"
#include "lessons/results.h"
#include "tests/lessons/progress-fixture.h"

#define EARLY "2020-01-01T00:00:00Z"
#define LATE  "2020-01-02T00:00:00Z"

static char *dup_export(const OlProgress *progress)
{
  g_autofree char *json = ol_progress_dup_json(progress);
  char *file = g_build_filename(folder, "export.json", NULL);
  ck_assert(g_file_set_contents(file, json, -1, NULL));
  return file;
}

START_TEST(what_is_exported_comes_in_once)
{
  g_autofree char *elsewhere = g_build_filename(folder, "elsewhere.json", NULL);
  g_autoptr(OlProgress) from = ol_progress_load(elsewhere, "Bob", NULL);
  ck_assert(ol_progress_answer(from, "x", 1, FALSE, NULL));
  ck_assert(ol_progress_answer(from, "x", 2, TRUE, NULL));
  ck_assert(ol_progress_predict_sure(from, "y", 3, 0.5, NULL));
  ck_assert(ol_progress_ran_measured(from, "y", "serial", 0.71, NULL));
  ck_assert(ol_progress_review(from, "x", 3, FALSE, NULL));
  g_autofree char *file = dup_export(from);

  g_autoptr(OlProgress) progress = load_well();
  ck_assert(ol_progress_answer(progress, "z", 1, TRUE, NULL));
  OlProgressTaken taken;
  double sure;
  ck_assert(ol_progress_import(progress, file, &taken, NULL));
  ck_assert_uint_eq(taken.lessons, 2);
  ck_assert_uint_eq(taken.answers, 2);
  ck_assert_uint_eq(taken.predictions, 1);
  ck_assert_uint_eq(taken.runs, 1);
  ck_assert_uint_eq(taken.reviews, 1);
  ck_assert_str_eq(ol_progress_get_learner(progress), "Ada");
  ck_assert(ol_progress_import(progress, file, &taken, NULL));
  ck_assert_uint_eq(taken.lessons + taken.answers + taken.predictions + taken.runs + taken.reviews,
                    0);
  g_autoptr(OlProgress) again = load_well();
  ck_assert(ol_progress_is_done(again, "x") && ol_progress_is_done(again, "z"));
  ck_assert(ol_progress_get_sure(again, "y", &sure) && sure == 0.5);
  ck_assert(ol_progress_has_run(again, "y", "serial"));
  g_autoptr(GArray) runs = ol_progress_list_entries(again, "y", OL_ENTRY_RUN);
  g_autoptr(GArray) reviews = ol_progress_list_entries(again, "x", OL_ENTRY_REVIEW);
  ck_assert_uint_eq(runs->len, 1);
  ck_assert(g_array_index(runs, OlProgressEntry, 0).value == 0.71);
  ck_assert_uint_eq(reviews->len, 1);
  ck_assert_uint_eq(g_array_index(reviews, OlProgressEntry, 0).option, 3);
}
END_TEST

/* In the order of time, and with keys that only a newer lab knows. */
START_TEST(nothing_is_lost)
{
  const char *mine = "{\"schema\": 1, \"lessons\": {\"x\": {\"answers\": [{\"option\": 2,"
                     " \"right\": true, \"time\": \"" LATE "\"}]}}}";
  const char *theirs =
      "{\"schema\": 1.3, \"colours\": [1], \"lessons\": {\"x\": {\"stars\": 3,"
      " \"answers\": [{\"option\": 1, \"right\": false, \"time\": \"" EARLY "\"}]}}}";
  g_autofree char *file = g_build_filename(folder, "theirs.json", NULL);
  ck_assert(g_file_set_contents(path, mine, -1, NULL));
  ck_assert(g_file_set_contents(file, theirs, -1, NULL));
  g_autoptr(OlProgress) progress = load_well();
  OlProgressTaken taken;
  OlAnswers answers;
  ck_assert(ol_progress_import(progress, file, &taken, NULL));
  ck_assert(ol_progress_get_answers(progress, "x", &answers));
  ck_assert_uint_eq(answers.n, 2);
  ck_assert(!answers.first_right && answers.latest_right);
  ck_assert_str_eq(answers.first_time, EARLY);
  ck_assert_str_eq(answers.latest_time, LATE);
  g_autofree char *text = NULL;
  ck_assert(g_file_get_contents(path, &text, NULL, NULL));
  ck_assert_ptr_nonnull(strstr(text, "\"colours\""));
  ck_assert_ptr_nonnull(strstr(text, "\"stars\" : 3"));
}
END_TEST

/* A reset in the file takes nothing from here, one here keeps nothing of the file away. */
START_TEST(resets_do_not_stop_an_import)
{
  g_autoptr(OlProgress) progress = load_well();
  ck_assert(ol_progress_answer(progress, "x", 1, TRUE, NULL));
  g_autofree char *file = dup_export(progress);
  OlProgressTaken taken;
  ol_progress_reset(progress, NULL, NULL, NULL);
  ck_assert(ol_progress_import(progress, file, &taken, NULL));
  ck_assert_uint_eq(taken.answers, 1);
  g_autoptr(OlProgress) again = load_well();
  ck_assert(ol_progress_save(again, NULL));
  ck_assert(ol_progress_is_done(again, "x"));
  ck_assert_uint_eq(ol_progress_undo_reset(again, NULL, NULL), 1);
  ck_assert_uint_eq(count_answers(), 1); /* the same one, not twice */

  g_autofree char *elsewhere = g_build_filename(folder, "elsewhere.json", NULL);
  g_autoptr(OlProgress) other = ol_progress_load(elsewhere, "Ada", NULL);
  ck_assert(ol_progress_answer(other, "x", 3, FALSE, NULL));
  ol_progress_reset(other, NULL, NULL, NULL);
  g_autofree char *was_reset = dup_export(other);
  ck_assert(ol_progress_import(again, was_reset, &taken, NULL));
  ck_assert_uint_eq(taken.lessons, 0);
  ck_assert(ol_progress_is_done(again, "x"));
}
END_TEST

START_TEST(a_file_that_cannot_be_used_changes_nothing)
{
  static const struct {
    const char *text, *says;
  } bad[] = {
      {"{\"schema\": 2, \"lessons\": {}}", "schema: was written by a newer lab"},
      {"{\"schema\": 1}", "lessons: must be an object"},
      {"{\"schema\": 1, \"lessons\": {\"why\": {\"answers\": [{\"option\": 1}]}}}",
       "lessons.why.answers[0]"},
      {"{\"schema\": 1, \"less", ":1:15: "},
      {"[]", "object"},
      {"", "empty"},
  };
  g_autofree char *file = g_build_filename(folder, "bad.json", NULL);
  g_autoptr(OlProgress) progress = load_well();
  ck_assert(ol_progress_answer(progress, "x", 1, TRUE, NULL));
  g_autofree char *before = NULL, *after = NULL;
  ck_assert(g_file_get_contents(path, &before, NULL, NULL));
  OlProgressTaken taken;
  GError *error = NULL;
  for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
    ck_assert(g_file_set_contents(file, bad[i].text, -1, NULL));
    ck_assert(!ol_progress_import(progress, file, &taken, &error));
    ck_assert_ptr_nonnull(strstr(error->message, file));
    suite_assert_error(&error, OL_ERROR_BAD_INPUT, bad[i].says);
    g_autofree char *kept = NULL;
    ck_assert(g_file_get_contents(file, &kept, NULL, NULL));
    ck_assert_str_eq(kept, bad[i].text);
  }
  ck_assert(!ol_progress_import(progress, "/nowhere/at/all", &taken, &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "/nowhere/at/all");
  ck_assert(g_file_get_contents(path, &after, NULL, NULL));
  ck_assert_str_eq(before, after);
}
END_TEST

START_TEST(learners_of_one_computer)
{
  g_setenv("XDG_DATA_HOME", folder, TRUE);
  g_autofree char *data = g_build_filename(folder, "offload-lab", NULL);
  g_autoptr(GPtrArray) nobody = ol_learners_list();
  ck_assert_uint_eq(nobody->len, 0);

  static const char *const names[] = {"Ada", "Zoë & Łukasz", "a/b", "a_b"};
  for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
    g_autoptr(OlProgress) progress = ol_progress_load(NULL, names[i], NULL);
    ck_assert(ol_progress_answer(progress, "x", i, TRUE, NULL));
  }
  g_autofree char *damaged = g_build_filename(data, "progress-Eve.json", NULL);
  ck_assert(g_file_set_contents(damaged, "{", -1, NULL));
  g_autofree char *foreign = g_build_filename(data, "progress-Mallory.json", NULL);
  ck_assert(g_file_set_contents(foreign, "{\"schema\": 1, \"learner\": \"Ada\", \"lessons\": {}}",
                                -1, NULL));

  g_autoptr(GPtrArray) learners = ol_learners_list();
  ck_assert_uint_eq(learners->len, 6);
  for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
    guint found = 0;
    for (guint j = 0; j < 4; j++)
      found += g_strcmp0(((OlLearner *)learners->pdata[j])->name, names[i]) == 0;
    ck_assert_msg(found == 1, "%s", names[i]);
    g_autoptr(OlProgress) progress = ol_progress_load(NULL, names[i], NULL);
    OlAnswers answers;
    ck_assert(ol_progress_get_answers(progress, "x", &answers));
    ck_assert_uint_eq(answers.first_option, i);
    g_remove(ol_progress_get_path(progress));
  }
  for (guint j = 4; j < 6; j++)
    ck_assert_ptr_null(((OlLearner *)learners->pdata[j])->name);
  g_remove(damaged);
  g_remove(foreign);
  g_rmdir(data);
}
END_TEST

START_TEST(results_as_csv)
{
  char *choices[] = {"less", "the same", "more", NULL};
  OlPrediction number = {.kind = OL_PREDICTION_NUMBER, .unit = "MiB"};
  OlPrediction choice = {.kind = OL_PREDICTION_CHOICE, .choices = choices};
  OlLesson lessons[] = {{.id = "one", .title = "One, two", .prediction = &number},
                        {.id = "two", .title = "Say \"when\"", .prediction = &choice},
                        {.id = "three", .title = "Three"}};
  OlCourse course = {.id = "course", .title = "Course", .lessons = lessons, .n_lessons = 3};
  g_autoptr(GPtrArray) courses = g_ptr_array_new();
  g_ptr_array_add(courses, &course);
  const char *text =
      "{\"schema\": 1, \"lessons\": {"
      "\"one\": {\"answers\": [{\"option\": 3, \"right\": false, \"time\": \"" EARLY "\"},"
      " {\"option\": 0, \"right\": true, \"time\": \"" LATE "\"}],"
      " \"predictions\": [{\"value\": 1.5, \"sure\": 0.25, \"time\": \"" EARLY "\"}]},"
      "\"two\": {\"predictions\": [{\"value\": 1, \"time\": \"" EARLY "\"}]}}}";
  ck_assert(g_file_set_contents(path, text, -1, NULL));
  g_autoptr(OlProgress) progress = ol_progress_load(path, "=HYPERLINK(\"x\")", NULL);
  g_autofree char *csv = ol_results_dup_csv(courses, progress);
  const char *name = "\"'=HYPERLINK(\"\"x\"\")\"";
  g_autofree char *expected = g_strdup_printf(
      "learner,course,lesson,title,first answer,first right,latest,latest right,answers,done,"
      "prediction,unit,sure,first time,latest time\r\n"
      "%s,course,one,\"One, two\",D,no,A,yes,2,yes,1.5,MiB,0.25," EARLY "," LATE "\r\n"
      "%s,course,two,\"Say \"\"when\"\"\",,,,,0,no,the same,,,,\r\n"
      "%s,course,three,Three,,,,,0,no,,,,,\r\n",
      name, name, name);
  ck_assert_str_eq(csv, expected);

  OlScore score = ol_results_score(&course, progress);
  ck_assert_uint_eq(score.answered, 1);
  ck_assert_uint_eq(score.first_right, 0);
  ck_assert_uint_eq(score.done, 1);
}
END_TEST

/* Every beginning that a spreadsheet takes for a formula. */
START_TEST(no_name_becomes_a_formula)
{
  static const char *const names[] = {"=1", "+1", "-1", "@SUM(A1)", "\t=1"};
  OlLesson lesson = {.id = "one", .title = "One"};
  OlCourse course = {.id = "course", .title = "Course", .lessons = &lesson, .n_lessons = 1};
  g_autoptr(GPtrArray) courses = g_ptr_array_new();
  g_ptr_array_add(courses, &course);
  for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
    g_autoptr(OlProgress) progress = ol_progress_load(path, names[i], NULL);
    g_autofree char *csv = ol_results_dup_csv(courses, progress);
    g_autofree char *row = g_strdup_printf("\r\n'%s,course,one,", names[i]);
    ck_assert_msg(strstr(csv, row) != NULL, "%s", csv);
  }
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {
      what_is_exported_comes_in_once, nothing_is_lost,
      resets_do_not_stop_an_import,   a_file_that_cannot_be_used_changes_nothing,
      learners_of_one_computer,       results_as_csv,
      no_name_becomes_a_formula,      NULL};
  return suite_run_with("progress exchange", tests, 60, set_up, tear_down);
}
