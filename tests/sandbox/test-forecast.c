/* What a forecast says against closed forms, against the plan's own refusal, and against a whole
 * simulation. */
#include "app/sandbox/forecaster.h"
#include "app/sandbox/full-size.h"
#include "engine/base/error.h"
#include "engine/model/shape.h"
#include "engine/run/run.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static OlRunConfig *config_of(const char *text)
{
  g_autoptr(GError) error = NULL;
  OlRunConfig *config = ol_run_config_parse(text, -1, "test", &error);
  ck_assert_msg(config != NULL, "%s", error ? error->message : "");
  return config;
}

static OlForecast *forecast_of(const OlRunConfig *config)
{
  g_autoptr(GError) error = NULL;
  OlForecast *forecast = ol_forecast_new(config, NULL, NULL, &error);
  ck_assert_msg(forecast != NULL, "%s", error ? error->message : "");
  return forecast;
}

/* Mixed precision (1910.02054, section 3.1): 2 B of weights, 4 of each of master, m and v. */
START_TEST(homes_are_those_of_the_papers)
{
  g_autoptr(OlRunConfig) config = config_of("{}");
  g_autoptr(OlForecast) forecast = forecast_of(config);
  g_autoptr(OlShape) shape = ol_shape_new(config);
  guint64 parameters = 0;
  for (guint u = 0; u < shape->n_units; u++)
    parameters += shape->units[u].model_parameters;
  ck_assert_uint_ge(forecast->home[OL_TIER_GPU][OL_PAYLOAD_WEIGHTS], 2 * parameters);
  ck_assert_uint_lt(forecast->home[OL_TIER_GPU][OL_PAYLOAD_WEIGHTS], 2.02 * parameters);
  ck_assert_uint_ge(forecast->home[OL_TIER_HOST][OL_PAYLOAD_MOMENT1], 4 * parameters);
  ck_assert_uint_lt(forecast->home[OL_TIER_HOST][OL_PAYLOAD_MOMENT1], 4.02 * parameters);
  ck_assert_uint_eq(forecast->peak[OL_TIER_NVME], 0);
}
END_TEST

/* From a batch that fits to one that does not: need and capacity tell exactly what the plan does,
 * and the peak goes on rising where the plan has ended. */
START_TEST(it_fits_when_the_plan_says_so)
{
  guint64 before = 0;
  guint n_fit = 0, n_not = 0;
  for (guint batch = 1; batch <= 24; batch++) {
    g_autofree char *text = g_strdup_printf("{\"batch\": {\"micro_batch\": %u}}", batch);
    g_autoptr(OlRunConfig) config = config_of(text);
    g_autoptr(OlMachine) machine = ol_machine_new(config, NULL, NULL);
    g_autoptr(OlPlan) plan = ol_plan_new(config, machine);
    g_autoptr(OlForecast) forecast = forecast_of(config);
    gboolean all = TRUE;
    for (OlTier tier = 0; tier < OL_N_TIERS; tier++)
      all &= ol_forecast_fits(forecast, tier);
    ck_assert_int_eq(all, !plan->refusal.refused);
    ck_assert_int_eq(forecast->refusal == NULL, all);
    ck_assert_uint_gt(forecast->peak[OL_TIER_GPU], before);
    before = forecast->peak[OL_TIER_GPU];
    n_fit += all;
    n_not += !all;
  }
  ck_assert_uint_gt(n_fit, 3);
  ck_assert_uint_gt(n_not, 3);
}
END_TEST

/* What a tier of the only rank held when it was fullest, by the changes of a whole simulation. */
static void find_fullest(const OlTrace *trace, OlTier tier, gint64 fullest[OL_N_PAYLOADS])
{
  gint64 held[OL_N_PAYLOADS] = {0}, total = 0, peak = 0;
  memset(fullest, 0, sizeof held);
  for (guint i = 0; i < trace->changes->len; i++) {
    const OlMemoryChange *change = &g_array_index(trace->changes, OlMemoryChange, i);
    const OlGraphBuffer *buffer = ol_graph_buffer(trace->graph, change->buffer);
    if (buffer->tier != tier)
      continue;
    held[buffer->payload] += change->bytes;
    total += change->bytes;
    if (total <= peak)
      continue;
    peak = total;
    memcpy(fullest, held, sizeof held);
  }
}

START_TEST(a_peak_is_made_of_payloads)
{
  g_autoptr(OlRunConfig) config = config_of("{\"steps\": 2}");
  g_autoptr(OlForecast) forecast = forecast_of(config);
  g_autoptr(OlRun) run = ol_run_new(config, NULL, NULL);
  g_autoptr(OlTrace) trace = ol_run_simulate(run);
  for (OlTier tier = 0; tier < OL_N_TIERS; tier++) {
    gint64 fullest[OL_N_PAYLOADS];
    guint64 sum = 0;
    find_fullest(trace, tier, fullest);
    for (OlPayload payload = 0; payload < OL_N_PAYLOADS; payload++) {
      ck_assert_int_eq((gint64)forecast->fullest[tier][payload], fullest[payload]);
      sum += forecast->fullest[tier][payload];
    }
    ck_assert_uint_eq(sum, forecast->peak[tier]);
  }
  g_autofree char *words = ol_forecast_dup_parts(forecast, OL_TIER_GPU, FALSE);
  g_autofree char *none = ol_forecast_dup_parts(forecast, OL_TIER_NVME, FALSE);
  ck_assert(g_str_has_prefix(words, "GPU at its fullest:\nweights "));
  ck_assert_str_eq(none, "NVMe is not used");
}
END_TEST

START_TEST(words_say_what_does_not_fit)
{
  g_autoptr(OlRunConfig) config = config_of("{\"hardware\": {\"gpu_mib\": 4}}");
  g_autoptr(OlRunConfig) roomy = config_of("{}");
  g_autoptr(OlForecast) forecast = forecast_of(config), good = forecast_of(roomy);
  g_autofree char *verdict = ol_forecast_dup_verdict(forecast, FALSE);
  g_autofree char *there = ol_forecast_dup_verdict(forecast, TRUE);
  g_autofree char *fits = ol_forecast_dup_verdict(good, FALSE);
  ck_assert(g_str_has_prefix(verdict, "Does not fit: GPU needs "));
  ck_assert(g_str_has_suffix(verdict, " of 4 MiB"));
  ck_assert(g_str_has_suffix(there, " GiB"));
  ck_assert_ptr_null(strstr(verdict, "Host"));
  ck_assert_str_eq(fits, "Fits");
}
END_TEST

START_TEST(times_are_the_simulators)
{
  g_autoptr(OlRunConfig) config = config_of("{}");
  g_autoptr(OlForecast) forecast = forecast_of(config);
  g_autoptr(GError) error = NULL;
  double there = ol_run_step_seconds_there(config, NULL, &error);
  ck_assert_double_eq(forecast->seconds_there, there);
  ck_assert(isnan(forecast->seconds_here));
  config->hardware.slowdown = 1000; /* set, so that nothing is measured */
  ck_assert(ol_forecast_add_clock(forecast, config, NULL));
  ck_assert_double_eq(forecast->slowdown, 1000);
  g_autoptr(OlRun) run = ol_run_new(config, NULL, &error);
  g_autoptr(OlTrace) trace = ol_run_simulate(run);
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  double seconds;
  ck_assert(ol_metrics_get_number(metrics, "step.seconds", &seconds));
  ck_assert_double_eq_tol(forecast->seconds_here, seconds, 1e-6);
}
END_TEST

START_TEST(what_cannot_be_forecast_is_told)
{
  g_autoptr(OlRunConfig) nowhere = config_of("{\"hardware\": {\"profile\": \"abacus\"}}");
  g_autoptr(OlRunConfig) huge =
      config_of("{\"model\": {\"layers\": 1000}, \"parallel\": {\"data\": 400}, \"batch\": "
                "{\"micro_batches\": 1}}");
  g_autoptr(GError) unknown = NULL, large = NULL, cancelled = NULL;
  g_autoptr(GCancellable) cancellable = g_cancellable_new();
  g_autoptr(OlRunConfig) plain = config_of("{}");
  ck_assert_ptr_null(ol_forecast_new(nowhere, NULL, NULL, &unknown));
  ck_assert_ptr_nonnull(strstr(unknown->message, "abacus"));
  ck_assert_ptr_null(ol_forecast_new(huge, NULL, NULL, &large));
  ck_assert(g_error_matches(large, OL_ERROR, OL_ERROR_BAD_INPUT));
  ck_assert(g_str_has_prefix(large->message, "Too large for the window"));
  g_cancellable_cancel(cancellable);
  ck_assert_ptr_null(ol_forecast_new(plain, NULL, cancellable, &cancelled));
  ck_assert(g_error_matches(cancelled, G_IO_ERROR, G_IO_ERROR_CANCELLED));
}
END_TEST

/* A scale model becomes what it stands for: 40 layers of width 2048. */
START_TEST(full_size_is_simulated_and_says_so)
{
  g_autoptr(OlRunConfig) config = config_of("{\"steps\": 3}");
  g_autoptr(OlForecast) forecast = forecast_of(config);
  g_autoptr(GError) error = NULL;
  gint part = -1;
  g_autoptr(OlFullSize) made = ol_full_size_new(config, NULL, &part, NULL, &error);
  double seconds;
  ck_assert_ptr_nonnull(made);
  ck_assert_int_eq(made->trace->source, OL_SOURCE_SIMULATED);
  ck_assert_int_eq(made->trace->outcome, OL_OUTCOME_DONE);
  ck_assert_double_eq(made->trace->header.mu, 1);
  ck_assert_double_eq(made->trace->header.slowdown, 1);
  ck_assert_ptr_nonnull(strstr(made->trace->header.config, "\"layers\":40,\"width\":2048"));
  ck_assert_uint_eq(made->trace->steps->len, 3);
  ck_assert_int_eq(part, OL_FULL_SIZE_MEASURING);
  ck_assert(ol_metrics_get_number(made->metrics, "step.seconds", &seconds));
  ck_assert_double_eq_tol(seconds, forecast->seconds_there, 1e-6);
}
END_TEST

START_TEST(full_size_ends_out_of_memory_too)
{
  g_autoptr(OlRunConfig) config = config_of("{\"batch\": {\"micro_batch\": 100}}");
  g_autoptr(OlFullSize) made = ol_full_size_new(config, NULL, NULL, NULL, NULL);
  ck_assert_int_eq(made->trace->outcome, OL_OUTCOME_OUT_OF_MEMORY);
  ck_assert_ptr_nonnull(made->trace->table);
}
END_TEST

START_TEST(full_size_has_bounds)
{
  g_autoptr(OlRunConfig) config =
      config_of("{\"steps\": 100000, \"hardware\": {\"profile\": \"a100-pcie4\"}}");
  g_autoptr(OlRunConfig) plain = config_of("{}");
  g_autoptr(GCancellable) cancellable = g_cancellable_new();
  g_autoptr(GError) large = NULL, cancelled = NULL;
  ck_assert_ptr_null(ol_full_size_new(config, NULL, NULL, NULL, &large));
  ck_assert(g_str_has_prefix(large->message, "Too large for the charts: 100000 steps"));
  g_cancellable_cancel(cancellable);
  ck_assert_ptr_null(ol_full_size_new(plain, NULL, NULL, cancellable, &cancelled));
  ck_assert(g_error_matches(cancelled, G_IO_ERROR, G_IO_ERROR_CANCELLED));
}
END_TEST

typedef struct {
  guint n_told;
  guint64 last_peak;
  char *why;
} Told;

static void on_told(OlForecaster *forecaster, OlForecast *forecast, const char *why, Told *told)
{
  told->n_told++;
  told->last_peak = forecast ? forecast->peak[OL_TIER_GPU] : 0;
  g_free(told->why);
  told->why = g_strdup(why);
}

static void wait_for(OlForecaster *forecaster)
{
  while (ol_forecaster_is_busy(forecaster))
    g_main_context_iteration(NULL, TRUE);
}

/* Of a slide of forty stops the last is what is told last, and most between are passed over. */
START_TEST(the_latest_question_wins)
{
  g_autoptr(OlForecaster) forecaster = ol_forecaster_new(NULL, FALSE);
  Told told = {0};
  g_autoptr(OlRunConfig) config = config_of("{}");
  g_signal_connect(forecaster, "told", G_CALLBACK(on_told), &told);
  for (guint layers = 1; layers <= 40; layers++) {
    config->model.layers = layers;
    ol_forecaster_ask(forecaster, config);
  }
  wait_for(forecaster);
  g_autoptr(OlForecast) last = forecast_of(config);
  ck_assert_uint_eq(told.last_peak, last->peak[OL_TIER_GPU]);
  ck_assert_uint_eq(told.n_told, 2); /* the first, which was begun, and the last */
  ck_assert_ptr_null(told.why);
}
END_TEST

/* "2000" typed quickly is 2, 20 and 200 layers, and then what cannot stand: the figures that stay
 * are those of 200, however little of them was worked out when the fault came. */
START_TEST(what_could_stand_last_is_told_before_a_fault)
{
  g_autoptr(OlForecaster) forecaster = ol_forecaster_new(NULL, FALSE);
  Told told = {0};
  g_autoptr(OlRunConfig) config = config_of("{}");
  g_signal_connect(forecaster, "told", G_CALLBACK(on_told), &told);
  ck_assert(!ol_forecaster_is_behind(forecaster));
  for (guint layers = 2; layers <= 200; layers *= 10) {
    config->model.layers = layers;
    ol_forecaster_ask(forecaster, config);
  }
  ol_forecaster_ask(forecaster, NULL);
  ck_assert(ol_forecaster_is_behind(forecaster));
  wait_for(forecaster);
  g_autoptr(OlForecast) last = forecast_of(config);
  ck_assert_uint_eq(told.last_peak, last->peak[OL_TIER_GPU]);
  ck_assert(!ol_forecaster_is_behind(forecaster));
  ol_forecaster_ask(forecaster, NULL);
  ck_assert(!ol_forecaster_is_busy(forecaster));
}
END_TEST

START_TEST(a_question_without_an_answer_is_told_why)
{
  g_autoptr(OlForecaster) forecaster = ol_forecaster_new(NULL, FALSE);
  Told told = {0};
  g_signal_connect(forecaster, "told", G_CALLBACK(on_told), &told);
  g_autoptr(OlRunConfig) nowhere = config_of("{\"hardware\": {\"profile\": \"abacus\"}}");
  ol_forecaster_ask(forecaster, nowhere);
  wait_for(forecaster);
  ck_assert_uint_eq(told.n_told, 1);
  ck_assert_ptr_nonnull(strstr(told.why, "abacus"));
  g_free(told.why);
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("forecast");
  tcase_set_timeout(tcase, 60);
  tcase_add_test(tcase, homes_are_those_of_the_papers);
  tcase_add_test(tcase, it_fits_when_the_plan_says_so);
  tcase_add_test(tcase, a_peak_is_made_of_payloads);
  tcase_add_test(tcase, words_say_what_does_not_fit);
  tcase_add_test(tcase, times_are_the_simulators);
  tcase_add_test(tcase, what_cannot_be_forecast_is_told);
  tcase_add_test(tcase, full_size_is_simulated_and_says_so);
  tcase_add_test(tcase, full_size_ends_out_of_memory_too);
  tcase_add_test(tcase, full_size_has_bounds);
  tcase_add_test(tcase, the_latest_question_wins);
  tcase_add_test(tcase, what_could_stand_last_is_told_before_a_fault);
  tcase_add_test(tcase, a_question_without_an_answer_is_told_why);
  return run_suite("sandbox-forecast", tcase);
}
