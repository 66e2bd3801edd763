/* What explanations, predictions and settings take from runs made by hand. */
#include "lessons/evidence.h"
#include "tests/lessons/experiment-fixture.h"

static void assert_filled(const char *text, const char *wanted, gboolean wanted_complete)
{
  gboolean complete = !wanted_complete;
  g_autofree char *filled = ol_experiment_fill(experiment, text, &complete);
  ck_assert_str_eq(filled, wanted);
  ck_assert_int_eq(complete, wanted_complete);
}

START_TEST(texts_quote_runs)
{
  assert_filled("no quote", "no quote", TRUE);
  assert_filled("{overlap:step.seconds} of {serial:step.seconds}", "… of …", FALSE);
  take("overlap", &quick);
  assert_filled("{overlap:step.seconds} of {serial:step.seconds}", "0.50 s of …", FALSE);
  take("serial", &slow);
  assert_filled("{overlap:step.seconds} of {serial:step.seconds}!", "0.50 s of 1 s!", TRUE);
  /* A setting is that of the run made, not of the course: the learner may have changed it. */
  assert_filled("{serial:config.model.layers} layers", "5 layers", TRUE);
  assert_filled("{serial:config.model.colour}", "…", FALSE);
  assert_filled("{serial:outcome}", "done", TRUE);
  assert_filled("{serial}, {:}, {a:}, { and }", "{serial}, {:}, {a:}, { and }", TRUE);
  assert_filled("{serial:{overlap:step.seconds}", "{serial:0.50 s", TRUE);
  Made simulated = slow;
  simulated.source = OL_SOURCE_SIMULATED;
  take("serial", &simulated);
  assert_filled("{serial:step.seconds}", "…", FALSE);
  ck_assert_ptr_nonnull(ol_experiment_get_trace(experiment, "serial"));
}
END_TEST

START_TEST(numbers_for_predictions)
{
  double value;
  ck_assert(!ol_experiment_get_number(experiment, "overlap", "step.seconds", &value));
  take("overlap", &quick);
  ck_assert(ol_experiment_get_number(experiment, "overlap", "step.seconds", &value));
  ck_assert_double_eq_tol(value, 0.5, 1e-9);
  ck_assert(ol_experiment_get_number(experiment, "overlap", "config.model.layers", &value));
  ck_assert(value == 2);
  ck_assert(!ol_experiment_get_number(experiment, "overlap", "config.model", &value));
  ck_assert(!ol_experiment_get_number(experiment, "nobody", "step.seconds", &value));
}
END_TEST

START_TEST(configs_take_changes_and_slowdown)
{
  GError *error = NULL;
  g_autoptr(OlRunConfig) plain = ol_experiment_dup_config(experiment, "overlap", NULL, &error);
  ck_assert_uint_eq(plain->overlap.prefetch, 2);
  g_autoptr(JsonNode) changes = json_from_string("{\"overlap.prefetch\": 4}", NULL);
  g_autoptr(OlRunConfig) changed =
      ol_experiment_dup_config(experiment, "overlap", json_node_get_object(changes), &error);
  ck_assert_uint_eq(changed->overlap.prefetch, 4);
  g_autoptr(JsonNode) wrong = json_from_string("{\"overlap.prefetch\": -4}", NULL);
  ck_assert_ptr_null(
      ol_experiment_dup_config(experiment, "overlap", json_node_get_object(wrong), &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "overlap.prefetch");
  ck_assert_ptr_null(ol_experiment_dup_config(experiment, "nobody", NULL, &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "nobody");
}
END_TEST

static void assert_marked(const char *text, const char *wanted)
{
  g_autofree char *filled = ol_experiment_fill(experiment, text, NULL);
  ck_assert_str_eq(filled, wanted);
}

/* Figures of time from a late run say so wherever they are quoted; bytes and settings count. */
START_TEST(late_times_are_marked_in_texts)
{
  Made late = quick;
  late.late = 0.021;
  take("overlap", &late);
  take("serial", &slow);
  ck_assert(ol_experiment_is_late(experiment, "overlap"));
  ck_assert(ol_experiment_is_spoilt(experiment, "overlap", "step.seconds"));
  ck_assert(ol_experiment_is_spoilt(experiment, "overlap", "all.busy.gpu"));
  ck_assert(!ol_experiment_is_spoilt(experiment, "overlap", "step.seconds_there"));
  ck_assert(!ol_experiment_is_spoilt(experiment, "overlap", "rank.0.peak.gpu.total"));
  ck_assert(!ol_experiment_is_spoilt(experiment, "serial", "step.seconds"));
  assert_marked("{overlap:step.seconds}, not {serial:step.seconds}",
                "0.50 s (late: does not count), not 1 s");
  assert_marked("{overlap:config.model.layers} {overlap:weights.hash}", "2 aaaa…");
  g_autofree char *bare = ol_experiment_dup_bare_words(experiment, "overlap", "step.seconds");
  ck_assert_str_eq(bare, "0.50 s");

  late.late = OL_EXPERIMENT_LATE; /* what is allowed is not late */
  take("overlap", &late);
  assert_marked("{overlap:step.seconds}", "0.50 s");
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {texts_quote_runs, numbers_for_predictions,
                                configs_take_changes_and_slowdown, late_times_are_marked_in_texts,
                                NULL};
  return suite_run_with("quotes", tests, 30, set_up, tear_down);
}
