/* Two programs keep one learner's progress: neither wipes what the other saved. */
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lessons/progress-fixture.h"

/* The terminal and the window at once: what either saved stays, and both see it. */
START_TEST(two_programs_keep_each_others_answers)
{
  g_autoptr(OlProgress) one = load_well();
  g_autoptr(OlProgress) two = load_well();
  ck_assert(ol_progress_answer(one, "x", 1, FALSE, NULL));
  ck_assert(ol_progress_answer(two, "y", 2, TRUE, NULL));
  ck_assert(ol_progress_ran(two, "x", "serial", NULL));
  ck_assert(ol_progress_predict(one, "x", 3.5, NULL));
  ck_assert(ol_progress_answer(two, "x", 2, TRUE, NULL));
  ck_assert(ol_progress_review(one, "y", 3, FALSE, NULL));
  ck_assert(ol_progress_review(two, "y", 2, TRUE, NULL));
  ck_assert(ol_progress_save(one, NULL));

  g_autoptr(OlProgress) again = load_well();
  OlProgress *all[] = {one, again};
  for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
    guint option;
    gboolean latest, first;
    double value;
    ck_assert(ol_progress_get_answer(all[i], "x", &option, &latest, &first));
    ck_assert_uint_eq(option, 2);
    ck_assert(latest && !first);
    ck_assert(ol_progress_is_done(all[i], "y"));
    ck_assert(ol_progress_has_run(all[i], "x", "serial"));
    ck_assert(ol_progress_get_prediction(all[i], "x", &value) && value == 3.5);
    g_autoptr(GArray) reviews = ol_progress_list_entries(all[i], "y", OL_ENTRY_REVIEW);
    ck_assert_uint_eq(reviews->len, 2);
  }
  g_autofree char *text = NULL;
  ck_assert(g_file_get_contents(path, &text, NULL, NULL));
  guint n = 0;
  for (const char *at = text; (at = strstr(at, "\"option\"")) != NULL; at++)
    n++;
  ck_assert_uint_eq(n, 5); /* and nothing is there twice */
}
END_TEST

/* Of one lesson answered in both: the first by time counts as first, the newest as latest. */
START_TEST(answers_of_two_programs_are_in_the_order_of_time)
{
  static const char form[] = "{\"schema\": 1, \"lessons\": {\"x\": {\"answers\": [%s]}}}";
  const char *early = "{\"option\": 0, \"right\": false, \"time\": \"2020-01-01T00:00:00Z\"}";
  const char *newest = "{\"option\": 3, \"right\": true, \"time\": \"2999-01-01T00:00:00Z\"}";
  g_autofree char *both = g_strconcat(early, ",", newest, NULL);
  g_autofree char *theirs = g_strdup_printf(form, both);
  g_autoptr(OlProgress) mine = load_well();
  ck_assert(ol_progress_answer(mine, "x", 1, TRUE, NULL));
  ck_assert(g_file_set_contents(path, theirs, -1, NULL));
  ck_assert(ol_progress_save(mine, NULL));
  guint option;
  gboolean latest, first;
  ck_assert(ol_progress_get_answer(mine, "x", &option, &latest, &first));
  ck_assert_uint_eq(option, 3);
  ck_assert(latest && !first);
}
END_TEST

/* What another program has damaged or made newer since is not written over. */
START_TEST(a_file_that_changed_for_the_worse_is_kept)
{
  g_autoptr(OlProgress) progress = load_well();
  ck_assert(ol_progress_answer(progress, "x", 1, TRUE, NULL));
  ck_assert(g_file_set_contents(path, "{\"sch", -1, NULL));
  ck_assert(ol_progress_answer(progress, "y", 1, TRUE, NULL));
  ck_assert_uint_eq(count_files(".damaged-"), 1);
  g_autoptr(OlProgress) again = load_well();
  ck_assert(ol_progress_is_done(again, "x") && ol_progress_is_done(again, "y"));

  ck_assert(g_file_set_contents(path, "{\"schema\": 2}", -1, NULL));
  GError *error = NULL;
  ck_assert(!ol_progress_answer(progress, "z", 1, TRUE, &error));
  suite_assert_error(&error, OL_ERROR_STORAGE, "newer lab");
}
END_TEST

/* Two programs that answer as fast as they can lose nothing of each other. */
START_TEST(two_programs_at_once)
{
  pid_t children[2];
  for (guint i = 0; i < 2; i++) {
    children[i] = fork();
    if (children[i] != 0)
      continue;
    OlProgress *progress = ol_progress_load(path, "Ada", NULL);
    for (guint n = 0; n < 10; n++)
      if (!ol_progress_answer(progress, "x", i * 10 + n, FALSE, NULL))
        _exit(1);
    _exit(0);
  }
  for (guint i = 0; i < 2; i++) {
    int status;
    ck_assert_int_eq(waitpid(children[i], &status, 0), children[i]);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  ck_assert_uint_eq(count_answers(), 20);
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {
      two_programs_keep_each_others_answers, answers_of_two_programs_are_in_the_order_of_time,
      a_file_that_changed_for_the_worse_is_kept, two_programs_at_once, NULL};
  return suite_run_with("progress shared", tests, 60, set_up, tear_down);
}
