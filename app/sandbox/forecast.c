#include "app/sandbox/forecast.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/base/measure.h"
#include "engine/plan/plan.h"
#include "engine/run/simulator.h"
#include "engine/run/slowdown.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Of the quickest run: slow enough for the eye (design section 4), as the window asks for. */
#define SECONDS_A_STEP 0.5

gboolean ol_forecast_check_size(const OlRunConfig *config, GError **error)
{
  guint64 stages = (guint64)config->parallel.pipeline * config->parallel.chunks;
  guint64 passes = (guint64)config->parallel.data * config->parallel.tensor *
                   MAX(config->model.layers, stages) * config->batch.micro_batches;

  if (passes <= OL_FORECAST_MOST_PASSES)
    return TRUE;
  g_set_error(
      error, OL_ERROR, OL_ERROR_BAD_INPUT,
      _("Too large for the window: layers × micro-batches × data × tensor is %" PRIu64
        " a step, and at most %u are planned here. Take fewer micro-batches, layers or ranks, "
        "or simulate the saved config with offload-lab-cli."),
      passes, OL_FORECAST_MOST_PASSES);
  return FALSE;
}

static OlPlan *plan_without_bounds(const OlRunConfig *config, const OlMachine *machine)
{
  OlMachine boundless = *machine;

  for (int tier = 0; tier < OL_N_TIERS; tier++)
    boundless.capacity[tier] = G_MAXINT64 / 2;
  return ol_plan_new(config, &boundless);
}

static void take_plan(OlForecast *forecast, const OlPlan *plan)
{
  forecast->ranks = plan->graph->n_ranks;
  memcpy(forecast->home, plan->home, sizeof forecast->home);
  memcpy(forecast->peak, plan->peak_total, sizeof forecast->peak);
  memcpy(forecast->fullest, plan->fullest, sizeof forecast->fullest);
  memcpy(forecast->need, plan->arena_bytes, sizeof forecast->need);
}

/* A step of what the config stands for, or of the config itself when it is of full size. */
static double simulate_there(const OlRunConfig *config, const OlMachine *here,
                             const char *data_folder)
{
  g_autoptr(OlRunConfig) full = ol_machine_dup_full_size(here, config);
  g_autoptr(OlMachine) there = ol_machine_new(full, data_folder, NULL);
  g_autoptr(OlPlan) plan = there ? ol_plan_new(full, there) : NULL;

  if (!plan || plan->refusal.refused)
    return NAN;
  g_autoptr(OlCosts) costs = ol_costs_new(plan, there, NULL);
  return ol_simulate_step_seconds(plan, costs, 1);
}

static gboolean plan_here(OlForecast *forecast, const OlRunConfig *config, const OlMachine *machine)
{
  g_autoptr(OlPlan) plan = ol_plan_new(config, machine);

  take_plan(forecast, plan);
  forecast->refusal = ol_plan_dup_refusal(plan);
  if (!forecast->refusal)
    return TRUE;
  g_autoptr(OlPlan) boundless = plan_without_bounds(config, machine);
  take_plan(forecast, boundless);
  return FALSE;
}

/* What a config of full size is planned for; a scale model's is larger by its layers. */
static gboolean check_full_size(const OlRunConfig *config, const OlMachine *machine, GError **error)
{
  g_autoptr(OlRunConfig) full = ol_machine_dup_full_size(machine, config);

  return ol_forecast_check_size(full, error);
}

OlForecast *ol_forecast_new(const OlRunConfig *config, const char *data_folder,
                            GCancellable *cancellable, GError **error)
{
  g_autoptr(OlForecast) forecast = g_new0(OlForecast, 1);
  g_autoptr(OlMachine) machine = ol_machine_new(config, data_folder, error);

  if (!machine || !ol_forecast_check_size(config, error))
    return NULL;
  forecast->mu = machine->mu;
  forecast->big = machine->reference != NULL;
  forecast->seconds_there = forecast->seconds_here = forecast->slowdown = NAN;
  memcpy(forecast->capacity, machine->capacity, sizeof forecast->capacity);
  gboolean fits = plan_here(forecast, config, machine);
  if (g_cancellable_set_error_if_cancelled(cancellable, error))
    return NULL;
  if (fits && check_full_size(config, machine, NULL))
    forecast->seconds_there = simulate_there(config, machine, data_folder);
  if (g_cancellable_set_error_if_cancelled(cancellable, error))
    return NULL;
  return g_steal_pointer(&forecast);
}

OlForecast *ol_forecast_copy(const OlForecast *forecast)
{
  OlForecast *copy = g_memdup2(forecast, sizeof *forecast);

  copy->refusal = g_strdup(forecast->refusal);
  return copy;
}

void ol_forecast_free(OlForecast *forecast)
{
  if (!forecast)
    return;
  g_free(forecast->refusal);
  g_free(forecast);
}

gboolean ol_forecast_add_clock(OlForecast *forecast, const OlRunConfig *config,
                               const char *data_folder)
{
  double slowdown = NAN;

  if (forecast->refusal || !ol_run_config_has_scale_clock(config) ||
      !ol_slowdown_choose(&config, 1, data_folder, SECONDS_A_STEP, &slowdown, NULL))
    return FALSE;
  g_autoptr(OlMachine) machine = ol_machine_new(config, data_folder, NULL);
  if (!machine)
    return FALSE;
  g_autoptr(OlPlan) plan = ol_plan_new(config, machine);
  g_autoptr(OlCosts) costs = ol_costs_new(plan, machine, NULL);
  forecast->slowdown = slowdown;
  forecast->seconds_here = ol_simulate_step_seconds(plan, costs, slowdown);
  return TRUE;
}

gboolean ol_forecast_fits(const OlForecast *forecast, OlTier tier)
{
  return forecast->need[tier] <= forecast->capacity[tier];
}

static char *dup_scaled(const OlForecast *forecast, guint64 bytes, gboolean there)
{
  return ol_measure_dup_bytes(there ? (double)bytes * forecast->mu : (double)bytes);
}

char *ol_forecast_dup_bytes(const OlForecast *forecast, OlTier tier, gboolean there)
{
  /* Holes between blocks count when they are what does not fit. */
  guint64 held = ol_forecast_fits(forecast, tier) ? forecast->peak[tier] : forecast->need[tier];
  g_autofree char *peak = dup_scaled(forecast, held, there);
  g_autofree char *capacity = dup_scaled(forecast, forecast->capacity[tier], there);

  /* One unit, once. */
  char *unit = strrchr(peak, ' ');
  const char *other = strrchr(capacity, ' ');
  if (unit && other && strcmp(unit, other) == 0)
    *unit = '\0';
  return g_strdup_printf(_("%s of %s"), peak, capacity);
}

char *ol_forecast_dup_parts(const OlForecast *forecast, OlTier tier, gboolean there)
{
  GString *words = g_string_new(ol_tier_name(tier));

  if (forecast->peak[tier] == 0)
    g_string_append(words, _(" is not used"));
  for (int payload = 0, n = 0; payload < OL_N_PAYLOADS; payload++) {
    if (forecast->fullest[tier][payload] == 0)
      continue;
    g_autofree char *bytes = dup_scaled(forecast, forecast->fullest[tier][payload], there);
    g_string_append_printf(words, "%s%s %s", n++ > 0 ? "\n" : _(" at its fullest:\n"),
                           ol_payload_name((OlPayload)payload), bytes);
  }
  return g_string_free(words, FALSE);
}

char *ol_forecast_dup_verdict(const OlForecast *forecast, gboolean there)
{
  GString *words;

  if (!forecast->refusal)
    return g_strdup(forecast->ranks > 1 ? _("Fits, on every rank") : _("Fits"));
  words = g_string_new(NULL);
  for (OlTier tier = 0; tier < OL_N_TIERS; tier++) {
    if (ol_forecast_fits(forecast, tier))
      continue;
    g_autofree char *bytes = ol_forecast_dup_bytes(forecast, tier, there);
    g_string_append_printf(words, _("%s%s needs %s"), words->len > 0 ? "; " : _("Does not fit: "),
                           ol_tier_name(tier), bytes);
  }
  if (words->len == 0)
    g_string_append_printf(words, _("Does not fit: %s"), forecast->refusal);
  return g_string_free(words, FALSE);
}

char *ol_forecast_dup_times(const OlForecast *forecast)
{
  g_autofree char *there = ol_measure_dup_seconds(forecast->seconds_there);
  g_autofree char *here = ol_measure_dup_seconds(forecast->seconds_here);
  const char *where = forecast->big ? _("at full size") : _("simulated");

  if (forecast->refusal)
    return g_strdup(_("It would run to the block that finds no room"));
  if (isnan(forecast->seconds_there))
    return isnan(forecast->seconds_here)
               ? g_strdup(_("At full size it does not fit, so its step has no time there"))
               : g_strdup_printf(_("A step: %s here; at full size it does not fit"), here);
  if (isnan(forecast->seconds_here))
    return g_strdup_printf(_("A step: %s %s"), there, where);
  return g_strdup_printf(_("A step: %s %s · %s here"), there, where, here);
}
