#include "app/charts/figures.h"

#include "app/charts/loss-layout.h"
#include "app/charts/moment.h"
#include "app/charts/pinned.h"
#include "engine/base/intl.h"
#include "engine/base/measure.h"

#include <math.h>
#include <string.h>

/* From this factor on "3.1 times" reads better than "+210 %". */
#define MANY_TIMES 2.0

const char *ol_verdict_words(OlVerdict verdict)
{
  static const char *const words[OL_N_VERDICTS] = {"", N_("alike"), N_("other"), N_("better"),
                                                   N_("worse")};
  return *words[verdict] ? _(words[verdict]) : "";
}

static gboolean is_measured(OlMeasure measure)
{
  return measure == OL_MEASURE_SECONDS || measure == OL_MEASURE_FRACTION;
}

OlVerdict ol_figures_judge(OlMeasure measure, OlBetter better, double shown, double pinned)
{
  if (!isfinite(shown) || !isfinite(pinned))
    return OL_VERDICT_NONE;
  double noise = measure == OL_MEASURE_FRACTION ? OL_FIGURES_NOISE
                 : is_measured(measure)         ? OL_FIGURES_NOISE * fabs(pinned)
                                                : 0;
  if (fabs(shown - pinned) <= noise)
    return OL_VERDICT_ALIKE;
  if (better == OL_BETTER_NEITHER)
    return OL_VERDICT_OTHER;
  return (shown < pinned) == (better == OL_BETTER_LESS) ? OL_VERDICT_BETTER : OL_VERDICT_WORSE;
}

char *ol_figures_dup_change(OlMeasure measure, double shown, double pinned)
{
  if (!isfinite(shown) || !isfinite(pinned) || shown == pinned)
    return NULL;
  const char *sign = shown > pinned ? "+" : "−";
  if (measure == OL_MEASURE_FRACTION)
    return g_strdup_printf(_("%s%.*f points"), sign, fabs(shown - pinned) < 0.0995 ? 1 : 0,
                           100 * fabs(shown - pinned));
  if (pinned == 0)
    return g_strdup(_("from nothing"));
  double ratio = shown / pinned;
  if (ratio >= MANY_TIMES)
    return g_strdup_printf(_("%.3g times"), ratio);
  double percent = 100 * fabs(ratio - 1);
  if (percent < 0.05)
    return g_strdup_printf(_("%sunder 0.1 %%"), sign);
  return g_strdup_printf("%s%.*f %%", sign, percent < 9.95 ? 1 : 0, percent);
}

/* One run's side of a figure. */
typedef struct {
  const OlChartView *view;
  const OlMetrics *metrics;
} Side;

/* From units here to those of the view. */
static double scale_of(const OlChartView *view, const OlFigurePath *path, OlMeasure measure)
{
  if (path->kind == OL_FIGURE_TOKENS)
    return ol_loss_tokens_scale(view);
  if (path->kind == OL_FIGURE_STEP_THERE || path->kind == OL_FIGURE_PER_PARAMETER)
    return 1; /* there in any case, and the same everywhere */
  if (measure == OL_MEASURE_SECONDS)
    return ol_chart_view_time_scale(view);
  return measure == OL_MEASURE_BYTES ? ol_chart_view_byte_scale(view) : 1;
}

static double value_of(const Side *side, const char *name, const OlFigurePath *path)
{
  double value;
  if (side->metrics == NULL || !ol_metrics_get_number(side->metrics, name, &value))
    return NAN;
  return value * scale_of(side->view, path, ol_metrics_measure(name));
}

/* A list of all losses says in a line how many they are. */
static char *dup_losses(const char *text)
{
  guint n = *text != '\0';
  for (const char *at = text; *at != '\0'; at++)
    n += *at == ',' || *at == ' ';
  return n > 1 ? g_strdup(_("one a step")) : g_strdup(text);
}

static char *dup_words(const Side *side, const char *name, const OlFigurePath *path)
{
  double value = value_of(side, name, path);
  OlMeasure measure = ol_metrics_measure(name);
  const char *text = side->metrics != NULL ? ol_metrics_get_text(side->metrics, name) : NULL;
  if (side->metrics == NULL)
    return NULL;
  if (path->kind == OL_FIGURE_LOSS_ALL && text != NULL)
    return dup_losses(text);
  if (isfinite(value) && measure == OL_MEASURE_BYTES)
    return ol_measure_dup_bytes(value);
  if (isfinite(value) && measure == OL_MEASURE_SECONDS)
    return ol_measure_dup_seconds(value);
  if (isfinite(value) && path->kind == OL_FIGURE_TOKENS)
    return ol_measure_dup_count(value < 10000 ? round(value) : value);
  return ol_metrics_dup_words(side->metrics, name);
}

static OlVerdict judge_texts(const OlFigure *figure, const char *shown, const char *pinned)
{
  if (shown == NULL || pinned == NULL)
    return OL_VERDICT_NONE;
  if (g_str_equal(shown, pinned))
    return OL_VERDICT_ALIKE;
  if (!g_str_equal(figure->path, "outcome"))
    return OL_VERDICT_OTHER;
  return g_str_equal(shown, "done")    ? OL_VERDICT_BETTER
         : g_str_equal(pinned, "done") ? OL_VERDICT_WORSE
                                       : OL_VERDICT_OTHER;
}

/* Clocks of other speed make other seconds of the same work. */
static gboolean may_compare(const OlChartView *view, OlMeasure measure, OlFigureKind kind)
{
  gboolean scaled =
      measure == OL_MEASURE_SECONDS || measure == OL_MEASURE_BYTES || kind == OL_FIGURE_TOKENS;
  return !scaled || view->there || kind == OL_FIGURE_PER_PARAMETER ||
         ol_pinned_has_same_scale(view);
}

static void compare(OlFigure *figure, const OlFigurePath *path, const Side *shown,
                    const Side *pinned)
{
  OlMeasure measure = ol_metrics_measure(figure->path);
  OlMeasure as = path->kind == OL_FIGURE_TOKENS ? OL_MEASURE_SECONDS : measure; /* as noisy */
  if (pinned->metrics == NULL || !may_compare(shown->view, measure, path->kind))
    return;
  double now = value_of(shown, figure->path, path), before = value_of(pinned, figure->path, path);
  if (!isfinite(now) || !isfinite(before)) {
    figure->verdict = judge_texts(figure, ol_metrics_get_text(shown->metrics, figure->path),
                                  ol_metrics_get_text(pinned->metrics, figure->path));
    return;
  }
  figure->verdict = ol_figures_judge(as, ol_figure_better(path->kind), now, before);
  if (figure->verdict != OL_VERDICT_ALIKE)
    figure->change = ol_figures_dup_change(measure, now, before);
}

static void free_figure(gpointer data)
{
  OlFigure *figure = data;
  g_free(figure->path);
  g_free(figure->name);
  g_free(figure->shown);
  g_free(figure->pinned);
  g_free(figure->change);
  g_free(figure);
}

typedef struct {
  OlFigurePath parsed;
  char *path;
} Entry;

static gint by_place(gconstpointer one, gconstpointer other)
{
  const Entry *a = one, *b = other;
  int groups = (int)ol_figure_group(a->parsed.kind) - (int)ol_figure_group(b->parsed.kind);
  gboolean a_alone = a->parsed.rank != -1, b_alone = b->parsed.rank != -1;
  if (groups != 0)
    return groups;
  if (a_alone != b_alone)
    return a_alone - b_alone;
  if (a->parsed.kind != b->parsed.kind)
    return (int)a->parsed.kind - (int)b->parsed.kind;
  if (a->parsed.tier != b->parsed.tier)
    return a->parsed.tier - b->parsed.tier;
  return a->parsed.lane != b->parsed.lane ? a->parsed.lane - b->parsed.lane
                                          : strcmp(a->path, b->path);
}

/* Lanes, tiers and operations that there are, but that a run does not use, say nothing. */
static gboolean is_idle(const OlMetrics *metrics, const Entry *entry)
{
  const OlFigurePath *path = &entry->parsed;
  double value;
  return (path->lane >= 0 || path->tier >= 0 || path->op >= 0) &&
         ol_metrics_get_number(metrics, entry->path, &value) && value == 0;
}

/* All that is not of a rank which nobody has selected; with a single rank there is nothing to say
 * of it, or of all. */
static gboolean is_of_view(const OlFigurePath *path, const OlChartView *view)
{
  return path->rank == -1 ||
         (ol_chart_view_has_ranks(view) && (path->rank < 0 || path->rank == (int)view->rank));
}

static void take_paths(GArray *entries, GHashTable *seen, const OlMetrics *metrics,
                       const OlChartView *view)
{
  guint n;
  g_autofree const char **paths = metrics != NULL ? ol_metrics_get_paths(metrics, &n) : NULL;
  for (guint i = 0; paths != NULL && i < n; i++) {
    Entry entry = {.path = (char *)paths[i]};
    if (!ol_figure_path_parse(paths[i], &entry.parsed) || !is_of_view(&entry.parsed, view) ||
        is_idle(metrics, &entry))
      continue;
    if (g_hash_table_add(seen, (gpointer)paths[i]))
      g_array_append_val(entries, entry);
  }
}

GPtrArray *ol_figures_new(const OlChartView *view, const OlMetrics *shown, const OlMetrics *pinned)
{
  GPtrArray *figures = g_ptr_array_new_with_free_func(free_figure);
  g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(Entry));
  g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
  OlPinnedRun back;
  OlChartView other = pinned != NULL && view->pinned != NULL ? ol_pinned_view(view, &back) : *view;
  Side ours = {view, shown}, theirs = {&other, pinned};
  take_paths(entries, seen, shown, view);
  take_paths(entries, seen, pinned, view);
  g_array_sort(entries, by_place);
  for (guint i = 0; i < entries->len; i++) {
    const Entry *entry = &g_array_index(entries, Entry, i);
    OlFigure *figure = g_new0(OlFigure, 1);
    figure->path = g_strdup(entry->path);
    figure->name = ol_figure_path_dup_name(&entry->parsed);
    figure->group = ol_figure_group(entry->parsed.kind);
    figure->shown = dup_words(&ours, entry->path, &entry->parsed);
    figure->pinned = dup_words(&theirs, entry->path, &entry->parsed);
    compare(figure, &entry->parsed, &ours, &theirs);
    g_ptr_array_add(figures, figure);
  }
  return figures;
}
