#include "engine/trace/metric-paths-private.h"
#include "engine/trace/metrics-private.h"

#include "engine/base/clock.h"
#include "engine/base/measure.h"
#include "engine/trace/json-line-private.h"

#include <math.h>

/* The value of a path, and of the same path with rank.N. and all. in front. */
typedef struct {
  double value, all; /* NAN: absent */
  double *ranks;     /* [n_ranks], or NULL when it has none */
  char *text;
} Entry;

struct OlMetrics {
  guint n_ranks;
  GHashTable *entries; /* char* -> Entry* */
  GStringChunk *paths; /* those that get_paths() has lent */
};

static void free_entry(gpointer data)
{
  Entry *entry = data;
  g_free(entry->ranks);
  g_free(entry->text);
  g_free(entry);
}

static Entry *put(OlMetrics *metrics, const char *path)
{
  Entry *entry = g_new0(Entry, 1);
  entry->value = entry->all = NAN;
  g_hash_table_replace(metrics->entries, g_strdup(path), entry);
  return entry;
}

void ol_metrics_put_number(OlMetrics *metrics, double value, const char *path)
{
  if (isfinite(value))
    put(metrics, path)->value = value;
}

void ol_metrics_put_text(OlMetrics *metrics, const char *text, const char *path)
{
  if (text)
    put(metrics, path)->text = g_strdup(text);
}

void ol_metrics_put_ranks(OlMetrics *metrics, const double *values, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *path = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  Entry *entry = put(metrics, path);
  entry->ranks = g_memdup2(values, metrics->n_ranks * sizeof *values);
  entry->all = 0;
  for (guint rank = 0; rank < metrics->n_ranks; rank++) {
    entry->all += values[rank];
    entry->value = fmax(entry->value, values[rank]);
  }
}

int ol_measured_steps_find(const OlMeasuredSteps *steps, int step)
{
  const guint *numbers = (const guint *)steps->numbers->data;
  guint n = steps->numbers->len;
  if (step < 0 || n == 0 || (guint)step < numbers[0])
    return -1;
  /* Steps mostly follow each other without a gap. */
  guint guess = step - numbers[0];
  if (guess < n && numbers[guess] == (guint)step)
    return guess;
  guint low = 0, high = n;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (numbers[middle] < (guint)step)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && numbers[low] == (guint)step ? (int)low : -1;
}

static int compare_numbers(gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *)a, y = *(const guint *)b;
  return x < y ? -1 : x > y;
}

static OlMeasuredSteps find_measured_steps(const OlTrace *trace)
{
  OlMeasuredSteps steps = {g_array_new(FALSE, FALSE, sizeof(guint))};
  for (guint i = 0; i < trace->steps->len; i++)
    g_array_append_val(steps.numbers, ol_trace_step(trace, i)->step);
  g_array_sort(steps.numbers, compare_numbers);
  if (steps.numbers->len > 1)
    g_array_remove_index(steps.numbers, 0);
  return steps;
}

static void add_losses(OlMetrics *metrics, const OlTrace *trace)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_autoptr(GString) all = g_string_new(NULL);
  guint n = trace->steps->len;
  if (n == 0)
    return;
  ol_metrics_put_number(metrics, ol_trace_step(trace, 0)->loss, "loss.first");
  ol_metrics_put_number(metrics, ol_trace_step(trace, n - 1)->loss, "loss.last");
  for (guint i = 0; i < n; i++) {
    double loss = ol_trace_step(trace, i)->loss;
    if (isnan(loss))
      return;
    if (i > 0)
      g_string_append_c(all, ' ');
    g_string_append(all, g_ascii_formatd(text, sizeof text, "%.17g", loss));
  }
  ol_metrics_put_text(metrics, all->str, "loss.all");
}

static double step_seconds(const OlTrace *trace)
{
  guint n = trace->steps->len;
  if (n == 0)
    return NAN;
  const OlStep *first = ol_trace_step(trace, 0), *last = ol_trace_step(trace, n - 1);
  double ns = n == 1 ? (double)(first->end_ns - first->begin_ns)
                     : (double)(last->end_ns - first->end_ns) / (n - 1);
  return ns / OL_NS_PER_SECOND;
}

static double number_of(const OlTrace *trace, const char *path)
{
  double value;
  return ol_trace_get_number(trace, path, &value) ? value : NAN;
}

static void add_step_times(OlMetrics *metrics, const OlTrace *trace)
{
  double seconds = step_seconds(trace);
  ol_metrics_put_number(metrics, seconds, "step.seconds");
  ol_metrics_put_number(metrics, number_of(trace, "tokens.per_step") / seconds,
                        "tokens.per_second");
  ol_metrics_put_number(metrics, number_of(trace, "step.seconds_there"), "step.seconds_there");
  ol_metrics_put_number(metrics, number_of(trace, "late"), "late");
}

/* What is of a run whose times count. FALSE when it is to stop. */
static gboolean add_times(OlMetrics *metrics, const OlTrace *trace, const OlMeasuredSteps *steps,
                          const OlWatch *watch, GError **error)
{
  if (trace->touched)
    return TRUE;
  if (!ol_metrics_add_overlap(metrics, trace, steps, watch, error) ||
      !ol_metrics_add_schedule(metrics, trace, steps, watch, error))
    return FALSE;
  add_step_times(metrics, trace);
  return TRUE;
}

static OlMetrics *new_empty(guint n_ranks)
{
  OlMetrics *metrics = g_new0(OlMetrics, 1);
  metrics->n_ranks = n_ranks;
  metrics->entries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_entry);
  metrics->paths = g_string_chunk_new(4096);
  return metrics;
}

OlMetrics *ol_metrics_new_watched(const OlTrace *trace, const OlWatch *watch, GError **error)
{
  g_autoptr(OlMetrics) metrics = new_empty(trace->graph->n_ranks);
  OlMeasuredSteps steps = find_measured_steps(trace);
  ol_metrics_add_memory(metrics, trace);
  ol_metrics_add_traffic(metrics, trace, &steps);
  gboolean whole = add_times(metrics, trace, &steps, watch, error);
  g_array_unref(steps.numbers);
  if (!whole)
    return NULL;
  add_losses(metrics, trace);
  ol_metrics_put_text(metrics, ol_trace_get_text(trace, "weights.hash"), "weights.hash");
  ol_metrics_put_text(metrics, ol_trace_get_text(trace, "nvme.path"), "nvme.path");
  if (trace->ended)
    ol_metrics_put_text(metrics, ol_outcome_nick(trace->outcome), "outcome");
  return g_steal_pointer(&metrics);
}

OlMetrics *ol_metrics_new(const OlTrace *trace)
{
  return ol_metrics_new_watched(trace, NULL, NULL);
}

void ol_metrics_free(OlMetrics *metrics)
{
  if (!metrics)
    return;
  g_hash_table_unref(metrics->entries);
  g_string_chunk_free(metrics->paths);
  g_free(metrics);
}

gboolean ol_metrics_get_number(const OlMetrics *metrics, const char *path, double *value)
{
  int rank;
  const char *base;
  if (!ol_metric_path_parse(path, &rank, &base))
    return FALSE;
  const Entry *entry = g_hash_table_lookup(metrics->entries, base);
  if (!entry)
    return FALSE;
  double found = entry->value;
  if (rank == OL_ALL_RANKS)
    found = entry->all;
  else if (rank >= 0)
    found = entry->ranks && (guint)rank < metrics->n_ranks ? entry->ranks[rank] : NAN;
  if (isnan(found))
    return FALSE;
  *value = found;
  return TRUE;
}

const char *ol_metrics_get_text(const OlMetrics *metrics, const char *path)
{
  const Entry *entry = g_hash_table_lookup(metrics->entries, path);
  return entry ? entry->text : NULL;
}

static void list(const OlMetrics *metrics, GPtrArray *paths, const char *path, double value)
{
  if (!isnan(value))
    g_ptr_array_add(paths, g_string_chunk_insert_const(metrics->paths, path));
}

static void list_entry(const OlMetrics *metrics, GPtrArray *paths, const char *base,
                       const Entry *entry)
{
  char path[128];
  list(metrics, paths, base, entry->text ? 0 : entry->value);
  if (!entry->ranks)
    return;
  g_snprintf(path, sizeof path, "all.%s", base);
  list(metrics, paths, path, entry->all);
  for (guint rank = 0; rank < metrics->n_ranks; rank++) {
    g_snprintf(path, sizeof path, "rank.%u.%s", rank, base);
    list(metrics, paths, path, entry->ranks[rank]);
  }
}

static int compare_paths(gconstpointer a, gconstpointer b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **ol_metrics_get_paths(const OlMetrics *metrics, guint *n)
{
  GPtrArray *paths = g_ptr_array_new();
  GHashTableIter iter;
  gpointer path, entry;
  g_hash_table_iter_init(&iter, metrics->entries);
  while (g_hash_table_iter_next(&iter, &path, &entry))
    list_entry(metrics, paths, path, entry);
  g_ptr_array_sort(paths, compare_paths);
  *n = paths->len;
  g_ptr_array_add(paths, NULL);
  return (const char **)g_ptr_array_free(paths, FALSE);
}

char *ol_metrics_dup_json(const OlMetrics *metrics)
{
  guint n;
  g_autofree const char **paths = ol_metrics_get_paths(metrics, &n);
  GString *json = g_string_new("{");
  for (guint i = 0; i < n; i++) {
    double value;
    if (i > 0)
      g_string_append_c(json, ',');
    ol_json_put_text(json, paths[i]);
    g_string_append_c(json, ':');
    if (ol_metrics_get_number(metrics, paths[i], &value))
      ol_json_put_double(json, value);
    else
      ol_json_put_text(json, ol_metrics_get_text(metrics, paths[i]));
  }
  g_string_append_c(json, '}');
  return g_string_free(json, FALSE);
}
