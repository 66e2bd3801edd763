#include "app/cli/results.h"

#include "app/charts/table-csv.h"
#include "engine/base/intl.h"
#include "engine/base/measure.h"
#include "engine/run/slowdown.h"
#include "engine/trace/chrome.h"
#include <math.h>
#include <stdio.h>

#define PICTURE_TEXT 14.0 /* cairo units per em */

char *ol_results_dup_scale(const OlTrace *trace, const OlMachine *machine)
{
  if (!machine || !machine->reference)
    return NULL;
  g_autofree char *bytes = ol_measure_dup_bytes(1048576.0 * machine->mu);
  GString *text = g_string_new(NULL);
  g_string_printf(text, _("Scale model: %s on %s · 1 MiB is %s"), machine->reference->title,
                  machine->hardware->title, bytes);
  if (isfinite(trace->header.slowdown)) {
    g_autofree char *seconds = ol_measure_dup_seconds(machine->mu / trace->header.slowdown);
    g_string_append_printf(text, _(" · 1 s is %s"), seconds);
  }
  return g_string_free(text, FALSE);
}

/* "  label  value" when the metric is there. */
static void append_metric(GString *text, const OlMetrics *metrics, const char *label,
                          const char *path)
{
  g_autofree char *words = ol_metrics_dup_words(metrics, path);
  if (words)
    g_string_append_printf(text, "  %-24s %s\n", label, words);
}

static void append_loss(GString *text, const OlMetrics *metrics)
{
  g_autofree char *first = ol_metrics_dup_words(metrics, "loss.first");
  g_autofree char *last = ol_metrics_dup_words(metrics, "loss.last");
  if (first && last)
    g_string_append_printf(text, "  %-24s %s → %s\n", _("loss"), first, last);
}

/* What a run found out that is no number. */
static void append_fact(GString *text, const OlTrace *trace, const char *label, const char *fact)
{
  const char *words = ol_trace_get_text(trace, fact);
  if (words)
    g_string_append_printf(text, "  %-24s %s\n", label, words);
}

static void append_peak(GString *text, const OlMetrics *metrics, const OlTrace *trace, OlTier tier)
{
  g_autofree char *path = g_strdup_printf("peak.%s.total", ol_tier_nick(tier));
  g_autofree char *label = g_strdup_printf(_("peak on %s"), ol_tier_name(tier));
  g_autofree char *peak = ol_metrics_dup_words(metrics, path);
  double bytes;

  if (!ol_metrics_get_number(metrics, path, &bytes) || bytes == 0)
    return;
  g_autofree char *capacity = ol_measure_dup_bytes((double)ol_trace_capacity(trace, 0, tier));
  g_string_append_printf(text, _("  %-24s %s of %s\n"), label, peak, capacity);
}

static const char *outcome_words(const OlTrace *trace)
{
  if (!trace->ended)
    return _("Cut off");
  switch (trace->outcome) {
  case OL_OUTCOME_DONE:
    return trace->source == OL_SOURCE_SIMULATED ? _("Simulated") : _("Done");
  case OL_OUTCOME_OUT_OF_MEMORY:
    return _("Out of memory");
  case OL_OUTCOME_STOPPED:
    return _("Stopped");
  case OL_OUTCOME_FAILED:
  case OL_N_OUTCOMES:
    break;
  }
  return _("Failed");
}

char *ol_results_dup_words(const OlTrace *trace, const OlMachine *machine)
{
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  g_autofree char *scale = ol_results_dup_scale(trace, machine);
  GString *text = g_string_new(NULL);

  g_string_printf(text, ol_ngettext("%s: %u step\n", "%s: %u steps\n", trace->steps->len),
                  outcome_words(trace), trace->steps->len);
  append_metric(text, metrics, _("a step"), "step.seconds");
  append_metric(text, metrics, _("a step there"), "step.seconds_there");
  append_metric(text, metrics, _("tokens a second"), "tokens.per_second");
  append_metric(text, metrics, _("transfer under compute"), "hidden.fraction");
  append_loss(text, metrics);
  for (OlTier tier = 0; tier < OL_N_TIERS; tier++)
    append_peak(text, metrics, trace, tier);
  append_fact(text, trace, _("way to the drive"), "nvme.path");
  append_fact(text, trace, _("pinned host memory"), "pin");
  append_fact(text, trace, _("hash of the weights"), "weights.hash");
  if (scale)
    g_string_append_printf(text, "%s\n", scale);
  return g_string_free(text, FALSE);
}

static gboolean write_picture(const char *path, const OlTrace *trace, GError **error)
{
  g_autoptr(OlChartStyle) style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, PICTURE_TEXT, NULL);
  return ol_picture_write(path, trace, style, FALSE, error);
}

/* Of the whole run. */
static gboolean write_tables(char **tables, const OlTrace *trace, GError **error)
{
  g_autoptr(OlTraceIndex) index = tables ? ol_trace_index_new(trace) : NULL;
  OlTableKind kind;

  for (; tables && *tables; tables++) {
    const char *path = ol_run_arguments_table(*tables, &kind);
    OlChartView view = ol_chart_view_whole(trace, index);
    g_autoptr(OlTableCsv) csv = ol_table_csv_new(kind, &view);
    if (!ol_table_csv_save(csv, path, NULL, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean write_all(const OlRunArguments *arguments, const OlTrace *trace, const char *words,
                          GError **error)
{
  if (arguments->trace && !ol_chrome_write_file(trace, arguments->trace, error))
    return FALSE;
  if (arguments->picture && !write_picture(arguments->picture, trace, error))
    return FALSE;
  if (!write_tables(arguments->tables, trace, error))
    return FALSE;
  if (ol_run_arguments_streams(arguments))
    return TRUE;
  if (!arguments->summary)
    return ol_cli_print(words, error);

  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  g_autofree char *json = ol_metrics_dup_json(metrics);
  g_autofree char *line = g_strdup_printf("%s\n", g_strchomp(json));
  return ol_cli_print(line, error);
}

void ol_results_tell_outcome(const OlTrace *trace)
{
  double late;

  if (trace->ended && trace->outcome != OL_OUTCOME_DONE && trace->message)
    ol_cli_complain("%s", trace->message);
  if (trace->table)
    fprintf(stderr, "%s", trace->table);
  if (ol_trace_get_number(trace, "late", &late) && late > OL_LATE_SHARE && !trace->touched)
    ol_cli_complain(_("this run was late by %.0f %% of a step: the machine was too busy for its "
                      "times to be believed; set a larger hardware.slowdown"),
                    late * 100);
}

OlExit ol_results_write(const OlRunArguments *arguments, const OlTrace *trace, const char *words)
{
  g_autoptr(GError) error = NULL;

  if (!write_all(arguments, trace, words, &error))
    return ol_cli_fail(error);
  return ol_cli_exit_of_outcome(trace->outcome);
}
