/* Claims, on traces made by hand. */
#include "lessons/evidence.h"
#include "tests/lessons/experiment-fixture.h"
#include <string.h>

static void assert_judged(const OlClaim *claim, gboolean counter, OlClaimState state,
                          const char *says)
{
  OlClaimResult result = ol_claim_judge(claim, experiment, counter);
  ck_assert_msg(result.state == state, "state %d: %s", (int)result.state, result.words);
  ck_assert_msg(strstr(result.words, says) != NULL, "“%s” does not say “%s”", result.words, says);
  ol_claim_result_clear(&result);
  ck_assert_ptr_null(result.words);
}

START_TEST(claims_hold_and_fail)
{
  const OlClaim *faster = &course->lessons[0].claims[0], *same = &course->lessons[0].claims[1];
  take("serial", &slow);
  take("late-one", &slow);
  take("overlap", &quick);
  take("other-seed", &other);
  assert_judged(faster, FALSE, OL_CLAIM_HOLDS, "run overlap: step.seconds is 0.50 s, less than");
  assert_judged(faster, TRUE, OL_CLAIM_FAILS, "not less than 0.9 × that of run serial");
  assert_judged(same, FALSE, OL_CLAIM_HOLDS, "weights.hash");
  assert_judged(same, TRUE, OL_CLAIM_FAILS, "run other-seed");
}
END_TEST

START_TEST(missing_run_is_an_error)
{
  const OlClaim *faster = &course->lessons[0].claims[0];
  take("overlap", &quick);
  assert_judged(faster, FALSE, OL_CLAIM_ERROR, "run serial was not made");
  take("serial", &slow);
  assert_judged(faster, FALSE, OL_CLAIM_HOLDS, "0.50 s");
  assert_judged(faster, TRUE, OL_CLAIM_ERROR, "run late-one was not made");
}
END_TEST

START_TEST(only_real_and_whole_runs_count)
{
  const OlClaim *same = &course->lessons[0].claims[1];
  Made made = quick;
  take("serial", &slow);
  made.source = OL_SOURCE_SIMULATED;
  take("overlap", &made);
  assert_judged(same, FALSE, OL_CLAIM_ERROR, "run overlap was not made");
  made.source = OL_SOURCE_MEASURED;
  made.outcome = OL_OUTCOME_STOPPED;
  take("overlap", &made);
  assert_judged(same, FALSE, OL_CLAIM_ERROR, "run overlap was not made");
  made.outcome = OL_OUTCOME_FAILED;
  take("overlap", &made);
  assert_judged(same, FALSE, OL_CLAIM_ERROR, "run overlap was not made");
  made.outcome = OL_OUTCOME_OUT_OF_MEMORY; /* an end that lessons are about */
  take("overlap", &made);
  assert_judged(same, FALSE, OL_CLAIM_HOLDS, "weights.hash");
}
END_TEST

START_TEST(absent_metric_is_an_error)
{
  const OlClaim *same = &course->lessons[0].claims[1], *hidden = &course->lessons[0].claims[2];
  Made without = quick;
  without.hash = NULL;
  take("serial", &slow);
  take("overlap", &without);
  assert_judged(same, FALSE, OL_CLAIM_ERROR, "run overlap has no weights.hash");
  take("overlap", &quick);
  take("serial", &without);
  assert_judged(same, FALSE, OL_CLAIM_ERROR, "run serial has no weights.hash");
  /* No copy was made, so no share of copies was hidden: absent, and neither 0 nor false. */
  assert_judged(hidden, FALSE, OL_CLAIM_ERROR, "run overlap has no hidden.fraction");
}
END_TEST

START_TEST(late_run_says_nothing_about_time)
{
  const OlClaim *faster = &course->lessons[0].claims[0], *same = &course->lessons[0].claims[1];
  Made late = slow;
  late.late = 0.021;
  take("overlap", &quick);
  take("serial", &late);
  assert_judged(faster, FALSE, OL_CLAIM_ERROR, "machine too busy: run serial was late");
  assert_judged(same, FALSE, OL_CLAIM_HOLDS, "weights.hash");
  late.late = 0.02;
  take("serial", &late);
  assert_judged(faster, FALSE, OL_CLAIM_HOLDS, "0.50 s");
}
END_TEST

START_TEST(touched_run_says_nothing_about_time)
{
  const OlClaim *faster = &course->lessons[0].claims[0];
  g_autoptr(OlTrace) paused = make_trace(&quick);
  paused->touched = TRUE;
  ol_experiment_take_trace(experiment, "overlap", paused);
  take("serial", &slow);
  assert_judged(faster, FALSE, OL_CLAIM_ERROR, "run overlap has no step.seconds");
}
END_TEST

START_TEST(comparisons)
{
  static const struct {
    OlComparison is;
    double value;
    gboolean holds;
  } table[] = {
      {OL_IS_AT_LEAST, 0.5, TRUE},   {OL_IS_AT_LEAST, 0.51, FALSE},
      {OL_IS_AT_MOST, 0.5, TRUE},    {OL_IS_AT_MOST, 0.49, FALSE},
      {OL_IS_EXACTLY, 0.5, TRUE},    {OL_IS_EXACTLY, 0.500001, FALSE},
      {OL_IS_LESS_THAN, 0.5, FALSE}, {OL_IS_LESS_THAN, 0.51, TRUE},
      {OL_IS_MORE_THAN, 0.5, FALSE}, {OL_IS_MORE_THAN, 0.49, TRUE},
  };
  take("overlap", &quick);
  for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
    OlClaim claim = {.run = (char *)"overlap",
                     .metric = (char *)"step.seconds",
                     .is = table[i].is,
                     .value = table[i].value,
                     .fails_on = (char *)"serial"};
    assert_judged(&claim, FALSE, table[i].holds ? OL_CLAIM_HOLDS : OL_CLAIM_FAILS, "0.50 s");
  }
  OlClaim done = {.run = (char *)"overlap",
                  .metric = (char *)"outcome",
                  .is = OL_IS_EXACTLY,
                  .value_text = (char *)"done"};
  assert_judged(&done, FALSE, OL_CLAIM_HOLDS, "outcome is done, exactly done");
  done.value_text = (char *)"out_of_memory";
  assert_judged(&done, FALSE, OL_CLAIM_FAILS, "not exactly out_of_memory");
}
END_TEST

START_TEST(claims_about_time)
{
  static const char *const time[] = {"step.seconds",      "busy.compute",       "exposed.seconds",
                                     "hidden.fraction",   "critical.nvme_read", "bubble.fraction",
                                     "tokens.per_second", "rank.12.busy.peer",  "all.busy.compute"};
  static const char *const other_metrics[] = {
      "peak.gpu.total",        "weights.hash", "moved.peer", "step.seconds_there",
      "rank.1.home.gpu.total", "loss.last",    "late",       "outcome"};
  OlClaim claim = {.is = OL_IS_AT_LEAST};
  for (guint i = 0; i < G_N_ELEMENTS(time); i++) {
    claim.metric = (char *)time[i];
    ck_assert_msg(ol_claim_is_about_time(&claim), "%s", time[i]);
  }
  for (guint i = 0; i < G_N_ELEMENTS(other_metrics); i++) {
    claim.metric = (char *)other_metrics[i];
    ck_assert_msg(!ol_claim_is_about_time(&claim), "%s", other_metrics[i]);
  }
  claim.than_metric = (char *)"busy.compute";
  ck_assert(ol_claim_is_about_time(&claim));
}
END_TEST

START_TEST(whether_a_lane_worked_is_not_about_time)
{
  OlClaim claim = {.metric = (char *)"rank.1.busy.host_update", .is = OL_IS_MORE_THAN, .value = 0};
  ck_assert(!ol_claim_is_about_time(&claim));
  claim.is = OL_IS_EXACTLY;
  ck_assert(!ol_claim_is_about_time(&claim));
  claim.value = 0.1;
  ck_assert(ol_claim_is_about_time(&claim));
  claim.value = 0;
  claim.is = OL_IS_LESS_THAN;
  ck_assert(ol_claim_is_about_time(&claim));
  claim.is = OL_IS_MORE_THAN;
  claim.metric = (char *)"exposed.host_update"; /* waiting may come from lateness alone */
  ck_assert(ol_claim_is_about_time(&claim));
  claim.metric = (char *)"busy.host_update";
  claim.than_run = (char *)"serial";
  ck_assert(ol_claim_is_about_time(&claim));
}
END_TEST

START_TEST(evidence_is_checked_both_ways)
{
  OlLesson *lesson = &course->lessons[0];
  lesson->n_claims = 2; /* the third needs copies */
  take("serial", &slow);
  take("late-one", &slow);
  take("overlap", &quick);
  take("other-seed", &other);
  GString *report = g_string_new(NULL);
  ck_assert_msg(ol_evidence_check(experiment, report), "%s", report->str);
  ck_assert_ptr_nonnull(strstr(report->str, "holds: run overlap: step.seconds"));
  ck_assert_ptr_nonnull(strstr(report->str, "and on late-one false, as it should be"));

  take("other-seed", &quick); /* a counter-run on which the claim is true proves nothing */
  g_string_truncate(report, 0);
  ck_assert(!ol_evidence_check(experiment, report));
  ck_assert_ptr_nonnull(strstr(report->str, "and on other-seed HOLDS, though it should be false"));

  take("other-seed", &other);
  take("overlap", &slow);
  g_string_truncate(report, 0);
  ck_assert(!ol_evidence_check(experiment, report));
  ck_assert_ptr_nonnull(strstr(report->str, "FALSE: run overlap"));
  lesson->n_claims = 0;
  ck_assert(!ol_evidence_check(experiment, report)); /* no evidence is no proof */
  lesson->n_claims = 3;
  g_string_free(report, TRUE);
}
END_TEST

static void count_run(const OlLessonRun *run, guint attempt, gpointer data)
{
  guint *n = data;
  ck_assert_uint_eq(attempt, 0);
  (*n)++;
}

/* A clock far too fast for any machine: each run is late, however often it is made. */
START_TEST(late_runs_on_a_set_clock_are_made_again)
{
  g_autofree char *text = mini_course_edit("\"steps\": 2,", "\"steps\": 2, \"hardware\": "
                                                            "{\"slowdown\": 0.001},");
  for (guint times_matter = 0; times_matter < 2; times_matter++) {
    GError *error = NULL;
    guint n = 0;
    g_autoptr(OlCourse) fast = ol_course_parse(text, -1, "mini", &error);
    ck_assert_msg(fast != NULL, "%s", error != NULL ? error->message : "");
    g_autoptr(OlExperiment) runs = ol_experiment_new(&fast->lessons[0]);
    ck_assert(ol_experiment_run_all(runs, NULL, times_matter, count_run, &n, &error));
    ck_assert(ol_experiment_is_late(runs, fast->lessons[0].runs[0].name));
    ck_assert_uint_eq(n, fast->lessons[0].n_runs * (times_matter ? 4 : 1));
  }
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {claims_hold_and_fail,
                                missing_run_is_an_error,
                                only_real_and_whole_runs_count,
                                absent_metric_is_an_error,
                                late_run_says_nothing_about_time,
                                touched_run_says_nothing_about_time,
                                comparisons,
                                claims_about_time,
                                whether_a_lane_worked_is_not_about_time,
                                evidence_is_checked_both_ways,
                                late_runs_on_a_set_clock_are_made_again,
                                NULL};
  return suite_run_with("evidence", tests, 30, set_up, tear_down);
}
