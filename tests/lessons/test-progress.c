/* A learner's work as it is kept, and what is done with files that are damaged or newer. */
#include <float.h>
#include <math.h>

#include "tests/lessons/progress-fixture.h"

START_TEST(round_trip)
{
  double value;
  guint option;
  gboolean latest, first;
  {
    g_autoptr(OlProgress) progress = load_well();
    ck_assert(ol_progress_is_saved(progress));
    ck_assert(!ol_progress_get_prediction(progress, "why-offload", &value));
    ck_assert(!ol_progress_get_answer(progress, "why-offload", NULL, NULL, NULL));
    ck_assert(ol_progress_predict(progress, "why-offload", 0.1, NULL));
    ck_assert(ol_progress_ran(progress, "why-offload", "all-on-gpu", NULL));
    ck_assert(ol_progress_answer(progress, "why-offload", 2, FALSE, NULL));
    ck_assert(!ol_progress_is_done(progress, "why-offload"));
    ck_assert(ol_progress_answer(progress, "why-offload", 3, TRUE, NULL));
    ck_assert(ol_progress_answer(progress, "why-offload", 1, FALSE, NULL));
  }
  g_autoptr(OlProgress) progress = load_well();
  ck_assert_str_eq(ol_progress_get_learner(progress), "Ada");
  ck_assert(ol_progress_get_prediction(progress, "why-offload", &value));
  ck_assert(value == 0.1);
  ck_assert(ol_progress_has_run(progress, "why-offload", "all-on-gpu"));
  ck_assert(!ol_progress_has_run(progress, "why-offload", "other"));
  ck_assert(!ol_progress_has_run(progress, "twelve-bytes", "all-on-gpu"));
  ck_assert(ol_progress_get_answer(progress, "why-offload", &option, &latest, &first));
  ck_assert_uint_eq(option, 1);
  ck_assert(!latest && !first);
  ck_assert(ol_progress_is_done(progress, "why-offload"));
  ck_assert(!ol_progress_is_done(progress, "twelve-bytes"));
  ck_assert_uint_eq(count_files(""), 1); /* nothing is left beside it */
}
END_TEST

/* Predictions that JSON writes in an unusual way. */
START_TEST(numbers_round_trip)
{
  static const double values[] = {0, -0.25, 12, 1e-9, 1e-10, 1e22, 1e300, 123456789.123456789};
  for (guint i = 0; i < G_N_ELEMENTS(values); i++) {
    double value = -1;
    {
      g_autoptr(OlProgress) progress = load_well();
      ck_assert(ol_progress_predict(progress, "a", values[i], NULL));
    }
    g_autoptr(OlProgress) progress = load_well();
    ck_assert(ol_progress_get_prediction(progress, "a", &value));
    /* To the last bit but one: see dodge_bare_exponent. */
    ck_assert_msg(fabs(value - values[i]) <= fabs(values[i]) * DBL_EPSILON, "%g became %g",
                  values[i], value);
  }
  g_autoptr(OlProgress) progress = load_well();
  GError *error = NULL;
  ck_assert(!ol_progress_predict(progress, "a", 0.0 / 0.0, &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "number");
}
END_TEST

/* How sure one is may be said, and need not be. */
START_TEST(how_sure)
{
  double sure = -1;
  GError *error = NULL;
  {
    g_autoptr(OlProgress) progress = load_well();
    ck_assert(ol_progress_predict_sure(progress, "a", 3, 0.75, NULL));
    ck_assert(ol_progress_predict_sure(progress, "b", 3, 1, NULL));
    ck_assert(ol_progress_predict_sure(progress, "b", 4, 0, NULL));
    ck_assert(ol_progress_predict(progress, "c", 3, NULL));
    ck_assert(!ol_progress_predict_sure(progress, "d", 3, 1.01, &error));
    suite_assert_error(&error, OL_ERROR_BAD_INPUT, "d: how sure");
    ck_assert(!ol_progress_predict_sure(progress, "d", 3, -0.01, NULL));
  }
  g_autoptr(OlProgress) progress = load_well();
  ck_assert(ol_progress_get_sure(progress, "a", &sure) && sure == 0.75);
  ck_assert(ol_progress_get_sure(progress, "b", &sure) && sure == 0);
  ck_assert(!ol_progress_get_sure(progress, "c", &sure));
  ck_assert(!ol_progress_get_prediction(progress, "d", &sure));
}
END_TEST

START_TEST(times_are_kept)
{
  g_autoptr(OlProgress) progress = load_well();
  ck_assert(ol_progress_answer(progress, "why-offload", 3, TRUE, NULL));
  g_autofree char *text = NULL;
  ck_assert(g_file_get_contents(path, &text, NULL, NULL));
  const char *time = strstr(text, "\"time\" : \"");
  ck_assert_ptr_nonnull(time);
  g_autofree char *stamp = g_strndup(time + strlen("\"time\" : \""), 20);
  g_autoptr(GDateTime) then = g_date_time_new_from_iso8601(stamp, NULL);
  g_autoptr(GDateTime) now = g_date_time_new_now_utc();
  ck_assert_ptr_nonnull(then);
  ck_assert_int_eq(stamp[19], 'Z');
  ck_assert_int_lt(g_date_time_difference(now, then), 60 * G_TIME_SPAN_SECOND);
}
END_TEST

START_TEST(keys_of_a_newer_minor_are_kept)
{
  const char *newer = "{\"schema\": 1.2, \"learner\": \"Ada\", \"colours\": [1, {\"a\": null}],"
                      "\"lessons\": {\"x\": {\"stars\": 3, \"answers\": [{\"option\": 1,"
                      " \"right\": true, \"time\": \"t\", \"mood\": \"bright\"}]}}}";
  ck_assert(g_file_set_contents(path, newer, -1, NULL));
  g_autoptr(OlProgress) progress = load_well();
  ck_assert(ol_progress_answer(progress, "x", 0, FALSE, NULL));
  g_autofree char *text = NULL;
  ck_assert(g_file_get_contents(path, &text, NULL, NULL));
  ck_assert_ptr_nonnull(strstr(text, "\"colours\""));
  ck_assert_ptr_nonnull(strstr(text, "\"stars\" : 3"));
  ck_assert_ptr_nonnull(strstr(text, "\"mood\" : \"bright\""));
  ck_assert_ptr_nonnull(strstr(text, "1.2"));
  ck_assert(ol_progress_is_done(progress, "x"));
}
END_TEST

START_TEST(a_newer_schema_is_left_alone)
{
  const char *newer = "{\"schema\": 2, \"lessons\": []}";
  ck_assert(g_file_set_contents(path, newer, -1, NULL));
  GError *error = NULL;
  g_autoptr(OlProgress) progress = ol_progress_load(path, "Ada", &error);
  suite_assert_error(&error, OL_ERROR_STORAGE, "newer lab");
  ck_assert(!ol_progress_answer(progress, "x", 0, TRUE, &error));
  suite_assert_error(&error, OL_ERROR_STORAGE, path);
  ck_assert(ol_progress_is_done(progress, "x")); /* kept in memory */
  ck_assert(!ol_progress_is_saved(progress));
  g_autofree char *text = NULL;
  ck_assert(g_file_get_contents(path, &text, NULL, NULL));
  ck_assert_str_eq(text, newer);
}
END_TEST

START_TEST(a_damaged_file_is_kept_aside)
{
  static const char *const damaged[] = {
      "",
      "{\"schema\": 1, \"less",
      "[1, 2]",
      "{\"schema\": 0, \"lessons\": {}}",
      "{\"schema\": \"one\", \"lessons\": {}}",
      "{\"schema\": 1}",
      "{\"schema\": 1, \"lessons\": [3]}",
      "{\"schema\": 1, \"lessons\": {\"x\": 3}}",
      "{\"schema\": 1, \"lessons\": {\"x\": {\"answers\": {}}}}",
      "{\"schema\": 1, \"lessons\": {\"x\": {\"answers\": [{\"option\": \"b\"}]}}}",
      "{\"schema\": 1, \"lessons\": {\"x\": {\"runs\": [{\"run\": 3, \"time\": \"t\"}]}}}",
      "{\"schema\": 1, \"lessons\": {\"x\": {\"predictions\": [null]}}}",
      "{\"schema\": 1, \"lessons\": {\"x\": {\"predictions\": [{\"value\": 1, \"time\": \"t\","
      " \"sure\": 1.5}]}}}",
      "{\"schema\": 1, \"lessons\": {\"x\": {\"reset\": {\"before\": \"soon\","
      " \"time\": \"2025-01-01T00:00:00Z\"}}}}",
      "{\"schema\": 1, \"lessons\": {}, \"undo\": {\"lessons\": {}}}",
      "{\"schema\": 1, \"lessons\": {}, \"undo\": {\"time\": \"2025-01-01T00:00:00Z\","
      " \"lessons\": {\"x\": {\"runs\": [3]}}}}",
      "\xff\xfe\x01",
  };
  for (guint i = 0; i < G_N_ELEMENTS(damaged); i++) {
    ck_assert(g_file_set_contents(path, damaged[i], -1, NULL));
    GError *error = NULL;
    g_autoptr(OlProgress) progress = ol_progress_load(path, "Ada", &error);
    ck_assert_ptr_nonnull(progress);
    ck_assert_ptr_nonnull(strstr(error->message, path));
    suite_assert_error(&error, OL_ERROR_STORAGE, ".damaged-");
    ck_assert_uint_eq(count_files(".damaged-"), i + 1);
    ck_assert(ol_progress_answer(progress, "x", 1, TRUE, NULL));
    g_autoptr(OlProgress) again = load_well();
    ck_assert(ol_progress_is_done(again, "x"));
  }
}
END_TEST

static char *dup_name(const char *learner)
{
  g_autoptr(OlProgress) progress = ol_progress_load(NULL, learner, NULL);
  return g_path_get_basename(ol_progress_get_path(progress));
}

START_TEST(without_a_name_it_is_who_is_logged_in)
{
  g_setenv("XDG_DATA_HOME", folder, TRUE);
  g_autofree char *unnamed = dup_name(NULL);
  g_autofree char *named = dup_name(g_get_user_name());
  ck_assert_str_eq(unnamed, named);
}
END_TEST

START_TEST(learners_names_become_file_names)
{
  g_setenv("XDG_DATA_HOME", folder, TRUE);
  g_autofree char *plain = dup_name("Ada_7");
  ck_assert_str_eq(plain, "progress-Ada_7.json");
  g_autofree char *nobody = dup_name("");
  ck_assert_str_eq(nobody, "progress-learner.json");
  g_autofree char *long_name = g_strnfill(5000, 'x');
  const char *odd[] = {"../../etc/passwd", "a/b",  "a_b/",    "Łukasz",
                       "\xff\xfe",         "a\nb", long_name, "."};
  g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < G_N_ELEMENTS(odd); i++) {
    char *name = dup_name(odd[i]);
    ck_assert(g_str_has_prefix(name, "progress-"));
    ck_assert_ptr_null(strpbrk(name, "/\n \xff"));
    ck_assert_uint_lt(strlen(name), 100);
    ck_assert_msg(g_hash_table_add(seen, name), "%s twice", name);
  }
}
END_TEST

START_TEST(very_many_answers)
{
  g_autoptr(GString) text = g_string_new("{\"schema\": 1, \"lessons\": {\"x\": {\"answers\": [");
  for (guint i = 0; i < 1000; i++)
    g_string_append_printf(text, "%s{\"option\": %u, \"right\": %s, \"time\": \"t\"}",
                           i > 0 ? ", " : "", i, i == 0 ? "true" : "false");
  g_string_append(text, "]}}}");
  ck_assert(g_file_set_contents(path, text->str, -1, NULL));
  g_autoptr(OlProgress) progress = load_well();
  guint option;
  gboolean latest, first;
  ck_assert(ol_progress_answer(progress, "x", 3, FALSE, NULL));
  ck_assert(ol_progress_get_answer(progress, "x", &option, &latest, &first));
  ck_assert_uint_eq(option, 3);
  ck_assert(first && !latest);
  ck_assert_uint_eq(count_answers(), 1000); /* the second made room */
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {round_trip,
                                numbers_round_trip,
                                how_sure,
                                times_are_kept,
                                keys_of_a_newer_minor_are_kept,
                                a_newer_schema_is_left_alone,
                                a_damaged_file_is_kept_aside,
                                learners_names_become_file_names,
                                without_a_name_it_is_who_is_logged_in,
                                very_many_answers,
                                NULL};
  return suite_run_with("progress", tests, 60, set_up, tear_down);
}
