/* Offloading moves bytes, never numbers, in one table: every legal placement, overlap and recompute
 * ends well, holds and moves the bytes that its plan says, and ends with the weights and losses of
 * the plainest run of the same arithmetic. A sample that has every legal meeting of three values;
 * with OFFLOAD_LAB_LONG every combination. */
#include "tests/run/combinations.h"
#include "tests/run/run-fixture.h"

#include "engine/base/clock.h"
#include "engine/run/bell.h"
#include "engine/run/simulator.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>

#define COMMON "optimizer.learning_rate=0.01", "hardware.nvme_folder=."

/* Shapes: the usual one; one unit of each kind, so that every ring has a slot for each; and one
 * with odd sizes. */
static const char *const shapes[][10] = {
    {COMMON, "model.layers=3", NULL},
    {COMMON, "model.layers=1", "model.width=24", "model.heads=3", "model.sequence=7",
     "batch.micro_batch=1", NULL},
    {COMMON, "model.layers=5", "model.width=40", "model.heads=5", "model.sequence=19",
     "model.vocabulary=50", "batch.micro_batch=3", NULL},
};

/* What a run of a group must end with. */
typedef struct {
  char *hash;
  GArray *steps; /* OlStep; NULL: not known yet */
} Right;

typedef struct {
  const char *const *shape;
  gboolean poison; /* whoever reads a released block reads NaN */
  Right rights[N_COMBINATION_GROUPS];
  guint faults;
} Table;

static void G_GNUC_PRINTF(3, 4)
    tell(Table *table, const Combination *combination, const char *format, ...)
{
  g_autofree char *words = combination_dup_words(combination);
  g_autofree char *shape = g_strjoinv(" ", (char **)table->shape);
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *fault = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  printf("%s %s\n  %s\n", shape, words, fault);
  fflush(stdout);
  table->faults++;
}

/* A run takes some hundredths of a second; only one whose lanes wait for each other takes this. */
#define HANGS_NS (30 * OL_NS_PER_SECOND)

/* Stops a run that hangs, so that the table names it and goes on. */
typedef struct {
  OlControl *control;
  OlBell bell;
  atomic_bool over;
} Watch;

static gboolean is_over(gconstpointer data)
{
  return atomic_load(&((const Watch *)data)->over);
}

static void *watch(void *data)
{
  Watch *watch = data;
  if (!ol_bell_sleep(&watch->bell, is_over, watch, HANGS_NS))
    ol_control_stop(watch->control);
  return NULL;
}

static OlRun *run_combination(const Table *table, const Combination *combination)
{
  g_auto(GStrv) assignments = combination_dup_assignments(combination, table->shape);
  Watch watched = {.control = ol_control_new()};
  OlRunOptions options = {.poison = table->poison, .control = watched.control};
  pthread_t watcher;
  ol_bell_init(&watched.bell);
  OlRun *run = fixture_open((const char *const *)assignments, &options);
  ck_assert_int_eq(pthread_create(&watcher, NULL, watch, &watched), 0);
  ol_run_execute(run);
  atomic_store(&watched.over, TRUE);
  ol_bell_ring(&watched.bell);
  pthread_join(watcher, NULL);
  ol_bell_clear(&watched.bell);
  ol_control_unref(watched.control);
  return run;
}

/* ---- bytes ---- */

static gboolean is_about_bytes(const char *path)
{
  return ol_metrics_measure(path) == OL_MEASURE_BYTES || strstr(path, "count.") ||
         strstr(path, "bytes_per_parameter");
}

/* Homes and peaks of seven payloads on three tiers alone are more. */
#define LEAST_FIGURES 42

/* Every figure about bytes that `a` has, `b` has as well. */
static void hold_same_bytes(Table *table, const Combination *combination, const OlMetrics *a,
                            const OlMetrics *b)
{
  guint n = 0, compared = 0;
  g_autofree const char **paths = ol_metrics_get_paths(a, &n);
  for (guint i = 0; i < n; i++) {
    double x = NAN, y = NAN;
    if (!is_about_bytes(paths[i]) || !ol_metrics_get_number(a, paths[i], &x))
      continue;
    if (!ol_metrics_get_number(b, paths[i], &y) || x != y)
      tell(table, combination, "%s: %.17g and %.17g", paths[i], x, y);
    compared++;
  }
  if (compared < LEAST_FIGURES)
    tell(table, combination, "only %u figures about bytes", compared);
}

static void hold_number(Table *table, const Combination *combination, const OlMetrics *metrics,
                        guint64 planned, const char *stem, OlTier tier, const char *what)
{
  g_autofree char *path = g_strdup_printf("%s.%s.%s", stem, ol_tier_nick(tier), what);
  double value = 0;
  ol_metrics_get_number(metrics, path, &value);
  if (value != (double)planned)
    tell(table, combination, "%s: planned %" G_GUINT64_FORMAT ", found %.17g", path, planned,
         value);
}

static void hold_plan(Table *table, const Combination *combination, const OlPlan *plan,
                      const OlMetrics *metrics)
{
  for (guint tier = 0; tier < OL_N_TIERS; tier++) {
    for (guint payload = 0; payload < OL_N_PAYLOADS; payload++) {
      const char *nick = ol_payload_nick(payload);
      hold_number(table, combination, metrics, plan->home[tier][payload], "home", tier, nick);
      hold_number(table, combination, metrics, plan->peak[tier][payload], "peak", tier, nick);
    }
    hold_number(table, combination, metrics, plan->peak_total[tier], "peak", tier, "total");
    hold_number(table, combination, metrics, plan->arena_bytes[tier], "peak", tier, "arena");
  }
}

static guint expected_spans(const OlGraphNode *node, guint steps)
{
  if (node->part != OL_PART_STEP)
    return 1;
  guint n = 0;
  for (guint step = node->steps_behind; step < steps; step++)
    n += ol_graph_node_is_in_step(node, step);
  return n;
}

/* Every node ran as often as it is planned, and moved the bytes that it is planned to. */
static void hold_spans(Table *table, const Combination *combination, const OlPlan *plan,
                       const OlTrace *trace)
{
  guint n = plan->graph->nodes->len;
  g_autofree guint *ran = g_new0(guint, n);
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    guint64 planned = ol_graph_node(plan->graph, span->node)->bytes;
    ran[span->node]++;
    if (span->bytes != planned)
      tell(table, combination,
           "node %u of step %d moved %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " bytes",
           span->node, span->step, span->bytes, planned);
  }
  for (guint id = 0; id < n; id++) {
    guint expected = expected_spans(ol_graph_node(plan->graph, id), plan->config->steps);
    if (ran[id] != expected)
      tell(table, combination, "node %u ran %u times, not %u", id, ran[id], expected);
  }
}

static void hold_bytes(Table *table, const Combination *combination, OlRun *run)
{
  const OlPlan *plan = ol_run_get_plan(run);
  const OlMachine *machine = ol_run_get_machine(run);
  g_autoptr(OlCosts) costs = ol_costs_new(plan, machine, NULL);
  g_autoptr(OlTrace) simulated = ol_simulate(plan, machine, costs, 1);
  g_autoptr(OlMetrics) of_run = ol_metrics_new(ol_run_get_trace(run));
  g_autoptr(OlMetrics) of_simulation = ol_metrics_new(simulated);
  hold_plan(table, combination, plan, of_run);
  hold_same_bytes(table, combination, of_run, of_simulation);
  hold_same_bytes(table, combination, of_simulation, of_run);
  hold_spans(table, combination, plan, ol_run_get_trace(run));
}

/* ---- numbers ---- */

static const Right *get_right(Table *table, const Combination *combination)
{
  Right *right = &table->rights[combination_group(combination)];
  if (right->hash)
    return right;
  Combination plainest = combination_reference(combination);
  g_autoptr(OlRun) run = run_combination(table, &plainest);
  right->hash = g_strdup(fixture_get_hash(run));
  right->steps = g_array_ref(ol_run_get_trace(run)->steps);
  return right;
}

static void hold_numbers(Table *table, const Combination *combination, const OlTrace *trace)
{
  const Right *right = get_right(table, combination);
  const char *hash = ol_trace_get_text(trace, "weights.hash");
  if (g_strcmp0(hash, right->hash) != 0)
    tell(table, combination, "weights.hash %s, not %s", hash, right->hash);
  if (trace->steps->len != right->steps->len)
    tell(table, combination, "%u steps, not %u", trace->steps->len, right->steps->len);
  for (guint i = 0; i < MIN(trace->steps->len, right->steps->len); i++) {
    const OlStep *step = ol_trace_step(trace, i);
    const OlStep *expected = &g_array_index(right->steps, OlStep, i);
    if (!isfinite(step->loss) || step->loss != expected->loss)
      tell(table, combination, "loss of step %u is %.17g, not %.17g", i, step->loss,
           expected->loss);
    /* Unknown without clipping. */
    if (step->gradient_norm != expected->gradient_norm &&
        (!isnan(step->gradient_norm) || !isnan(expected->gradient_norm)))
      tell(table, combination, "norm of step %u is %.17g, not %.17g", i, step->gradient_norm,
           expected->gradient_norm);
  }
}

static void hold(Table *table, const Combination *combination)
{
  g_autoptr(OlRun) run = run_combination(table, combination);
  const OlTrace *trace = ol_run_get_trace(run);
  if (trace->outcome != OL_OUTCOME_DONE) {
    tell(table, combination, "%s: %s", ol_outcome_nick(trace->outcome),
         trace->message ? trace->message : "");
    return;
  }
  hold_bytes(table, combination, run);
  hold_numbers(table, combination, trace);
}

static void hold_all(GArray *combinations, guint shape, gboolean poison)
{
  Table table = {.shape = shapes[shape], .poison = poison};
  for (guint i = 0; i < combinations->len; i++) {
    const Combination *combination = &g_array_index(combinations, Combination, i);
    if (combination_is_legal(combination))
      hold(&table, combination);
  }
  for (guint i = 0; i < N_COMBINATION_GROUPS; i++) {
    g_free(table.rights[i].hash);
    g_clear_pointer(&table.rights[i].steps, g_array_unref);
  }
  ck_assert_uint_eq(table.faults, 0);
}

START_TEST(test_every_meeting_of_three)
{
  g_autoptr(GArray) sample = combinations_sample(N_KEYS, 3);
  ck_assert_uint_gt(sample->len, 27); /* three keys of three values alone need that many */
  hold_all(sample, 0, FALSE);
}
END_TEST

START_TEST(test_every_meeting_of_two_with_poison)
{
  g_autoptr(GArray) sample = combinations_sample(N_KEYS, 2);
  for (guint shape = 0; shape < G_N_ELEMENTS(shapes); shape++)
    hold_all(sample, shape, TRUE);
}
END_TEST

START_TEST(test_every_placement)
{
  g_autoptr(GArray) all = combinations_all(N_PLACING_KEYS);
  hold_all(all, 0, FALSE);
}
END_TEST

/* What differs in arithmetic ends with other weights: else equal hashes would prove nothing. */
START_TEST(test_groups_differ)
{
  g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GArray) sample = combinations_sample(N_KEYS, 3);
  Table table = {.shape = shapes[0]};
  gboolean known[N_COMBINATION_GROUPS] = {FALSE};
  guint groups = 0;
  for (guint i = 0; i < sample->len; i++) {
    const Combination *combination = &g_array_index(sample, Combination, i);
    guint group = combination_group(combination);
    /* After one step nothing is delayed: the update is finished before the hash. */
    if (known[group] || (combination->value[KEY_STEPS] == 2 && combination->value[KEY_DELAYED]))
      continue;
    known[group] = TRUE;
    Combination plainest = combination_reference(combination);
    g_autoptr(OlRun) run = run_combination(&table, &plainest);
    g_hash_table_add(seen, g_strdup(fixture_get_hash(run)));
    groups++;
  }
  ck_assert_uint_gt(groups, 10);
  ck_assert_uint_eq(g_hash_table_size(seen), groups);
}
END_TEST

/* The config refuses what is not legal, and nothing else. */
START_TEST(test_config_knows_what_is_legal)
{
  g_autoptr(GArray) all = combinations_all(N_KEYS);
  guint every = g_getenv("OFFLOAD_LAB_LONG") ? 1 : 101; /* prime to all counts of values */
  g_autoptr(OlRunConfig) base = ol_run_config_new_default();
  for (guint i = 0; i < all->len; i += every) {
    const Combination *combination = &g_array_index(all, Combination, i);
    g_auto(GStrv) assignments = combination_dup_assignments(combination, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(OlRunConfig) config =
        ol_run_config_with_assignments(base, (const char *const *)assignments, &error);
    g_autofree char *words = combination_dup_words(combination);
    ck_assert_msg((config != NULL) == combination_is_legal(combination), "%s: %s", words,
                  error ? error->message : "let through");
  }
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {test_config_knows_what_is_legal, test_groups_differ,
                                test_every_meeting_of_three, test_every_meeting_of_two_with_poison,
                                test_every_placement};
  gboolean all = g_getenv("OFFLOAD_LAB_LONG") != NULL;
  return fixture_main("combinations", tests, G_N_ELEMENTS(tests) - !all, all ? 7200 : 240);
}
