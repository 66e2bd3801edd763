#include "lessons/evidence.h"

#include "engine/base/intl.h"
#include "engine/base/measure.h"
#include "lessons/lateness.h"
#include "lessons/quote.h"

#include <string.h>

/* One side of a claim: a run's figure, or what the course file gives. */
typedef struct {
  gboolean known;
  double number;
  char *text;  /* NULL: a number */
  char *words; /* for people */
} Side;

static void clear_side(Side *side)
{
  g_free(side->text);
  g_free(side->words);
}

/* Whether a lane worked at all, which no lateness changes. */
static gboolean is_about_idleness(const OlClaim *claim)
{
  return claim->than_run == NULL && claim->value == 0 &&
         g_str_has_prefix(ol_metric_skip_rank(claim->metric), "busy.") &&
         (claim->is == OL_IS_EXACTLY || claim->is == OL_IS_MORE_THAN);
}

gboolean ol_claim_is_about_time(const OlClaim *claim)
{
  if (is_about_idleness(claim))
    return FALSE;
  return ol_metric_is_time(claim->metric) ||
         (claim->than_metric != NULL && ol_metric_is_time(claim->than_metric));
}

static Side read_side(const OlExperiment *experiment, const char *run, const char *metric)
{
  Side side = {0};
  side.text = ol_experiment_dup_text(experiment, run, metric);
  side.known = side.text != NULL || ol_experiment_get_number(experiment, run, metric, &side.number);
  side.words = ol_experiment_dup_bare_words(experiment, run, metric);
  return side;
}

/* A number of the course file in the words that the metric's own value has. */
static char *dup_value_words(const char *metric, double value)
{
  OlMeasure measure =
      ol_quote_setting(metric) != NULL ? OL_MEASURE_NUMBER : ol_metrics_measure(metric);
  switch (measure) {
  case OL_MEASURE_BYTES:
    return ol_measure_dup_bytes(value);
  case OL_MEASURE_SECONDS:
    return ol_measure_dup_seconds(value);
  case OL_MEASURE_FRACTION:
    return g_strdup_printf("%.3g %%", value * 100);
  default:
    return g_strdup_printf("%.6g", value);
  }
}

/* What the run's figure is held against. */
static Side read_right_side(const OlClaim *claim, const OlExperiment *experiment)
{
  if (claim->than_run == NULL) {
    Side side = {.known = TRUE, .number = claim->value, .text = g_strdup(claim->value_text)};
    side.words = claim->value_text != NULL ? g_strdup(claim->value_text)
                                           : dup_value_words(claim->metric, claim->value);
    return side;
  }
  Side side = read_side(experiment, claim->than_run, claim->than_metric);
  if (!side.known)
    return side;
  side.number *= claim->than_times;
  char *own = g_steal_pointer(&side.words);
  const char *what = g_str_equal(claim->metric, claim->than_metric) ? "" : claim->than_metric;
  side.words = claim->than_times != 1
                   ? g_strdup_printf(_("%g × %s%s of run %s (%s)"), claim->than_times, what,
                                     *what != '\0' ? "" : _("that"), claim->than_run, own)
                   : g_strdup_printf(_("%s%s of run %s (%s)"), what, *what != '\0' ? "" : _("that"),
                                     claim->than_run, own);
  g_free(own);
  return side;
}

static gboolean compare(OlComparison is, double a, double b)
{
  switch (is) {
  case OL_IS_AT_LEAST:
    return a >= b;
  case OL_IS_AT_MOST:
    return a <= b;
  case OL_IS_LESS_THAN:
    return a < b;
  case OL_IS_MORE_THAN:
    return a > b;
  default:
    return a == b;
  }
}

static const char *comparison_words(OlComparison is)
{
  static const char *const words[] = {
      [OL_IS_AT_LEAST] = N_("at least"),   [OL_IS_AT_MOST] = N_("at most"),
      [OL_IS_EXACTLY] = N_("exactly"),     [OL_IS_LESS_THAN] = N_("less than"),
      [OL_IS_MORE_THAN] = N_("more than"),
  };
  return _(words[is]);
}

/* Why no verdict is possible, or NULL. */
static char *dup_obstacle(const OlClaim *claim, const OlExperiment *experiment, const char *run)
{
  const char *runs[] = {run, claim->than_run};
  for (guint i = 0; i < G_N_ELEMENTS(runs); i++) {
    if (runs[i] == NULL)
      continue;
    if (!ol_experiment_was_made(experiment, runs[i]))
      return g_strdup_printf(_("run %s was not made to its end"), runs[i]);
    double late;
    if (ol_claim_is_about_time(claim) && ol_experiment_is_late(experiment, runs[i]) &&
        ol_experiment_get_number(experiment, runs[i], "late", &late))
      return g_strdup_printf(_("machine too busy: run %s was late by %.0f %% of a step, so %s says "
                               "nothing; close other programs and run it again"),
                             runs[i], late * 100, claim->metric);
  }
  return NULL;
}

static OlClaimResult judge_sides(const OlClaim *claim, const char *run, const Side *left,
                                 const Side *right)
{
  if (!left->known || !right->known)
    return (OlClaimResult){
        OL_CLAIM_ERROR, g_strdup_printf(_("run %s has no %s"), left->known ? claim->than_run : run,
                                        left->known ? claim->than_metric : claim->metric)};
  gboolean texts = left->text != NULL && right->text != NULL;
  if (!texts && (left->text != NULL || right->text != NULL))
    return (OlClaimResult){OL_CLAIM_ERROR,
                           g_strdup_printf(_("run %s: %s is no number"), run, claim->metric)};
  gboolean holds = texts ? g_str_equal(left->text, right->text)
                         : compare(claim->is, left->number, right->number);
  return (OlClaimResult){holds ? OL_CLAIM_HOLDS : OL_CLAIM_FAILS,
                         g_strdup_printf(_("run %s: %s is %s, %s%s %s"), run, claim->metric,
                                         left->words, holds ? "" : _("not "),
                                         comparison_words(claim->is), right->words)};
}

OlClaimResult ol_claim_judge(const OlClaim *claim, const OlExperiment *experiment,
                             gboolean on_counter_run)
{
  const char *run = on_counter_run ? claim->fails_on : claim->run;
  char *obstacle = dup_obstacle(claim, experiment, run);
  if (obstacle != NULL)
    return (OlClaimResult){OL_CLAIM_ERROR, obstacle};
  Side left = read_side(experiment, run, claim->metric);
  Side right = read_right_side(claim, experiment);
  OlClaimResult result = judge_sides(claim, run, &left, &right);
  clear_side(&left);
  clear_side(&right);
  return result;
}

void ol_claim_result_clear(OlClaimResult *result)
{
  g_clear_pointer(&result->words, g_free);
}

/* Appends the verdict; TRUE when it is as it should be. */
static gboolean check_once(const OlClaim *claim, const OlExperiment *experiment,
                           gboolean on_counter_run, GString *report)
{
  static const char *const on_own[] = {[OL_CLAIM_HOLDS] = N_("holds"),
                                       [OL_CLAIM_FAILS] = N_("FALSE"),
                                       [OL_CLAIM_ERROR] = N_("ERROR")};
  static const char *const on_counter[] = {[OL_CLAIM_HOLDS] =
                                               N_("HOLDS, though it should be false"),
                                           [OL_CLAIM_FAILS] = N_("false, as it should be"),
                                           [OL_CLAIM_ERROR] = N_("ERROR")};
  OlClaimResult result = ol_claim_judge(claim, experiment, on_counter_run);
  if (on_counter_run)
    g_string_append_printf(report, _("    and on %s %s: %s\n"), claim->fails_on,
                           _(on_counter[result.state]), result.words);
  else
    g_string_append_printf(report, "  %s: %s\n", _(on_own[result.state]), result.words);
  gboolean good = result.state == (on_counter_run ? OL_CLAIM_FAILS : OL_CLAIM_HOLDS);
  ol_claim_result_clear(&result);
  return good;
}

gboolean ol_evidence_check(const OlExperiment *experiment, GString *report)
{
  const OlLesson *lesson = ol_experiment_get_lesson(experiment);
  gboolean good = TRUE;
  for (guint i = 0; i < lesson->n_claims; i++) {
    gboolean holds = check_once(&lesson->claims[i], experiment, FALSE, report);
    gboolean can_fail = check_once(&lesson->claims[i], experiment, TRUE, report);
    good = good && holds && can_fail;
  }
  return good && lesson->n_claims > 0;
}
