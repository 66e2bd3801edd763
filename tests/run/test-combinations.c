/* Offloading moves bytes, never numbers, in one table: every legal placement, overlap and recompute
 * ends well, holds and moves the bytes that its plan says, and ends with the weights and losses of
 * the plainest run of the same arithmetic. A sample that has every legal meeting of three values;
 * with OFFLOAD_LAB_LONG every combination. */
#include "tests/run/combinations.h"
#include "tests/run/live-run.h"
#include "tests/run/run-checks.h"
#include "tests/run/run-fixture.h"

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

typedef struct {
  const char *const *shape;
  gboolean poison;                     /* whoever reads a released block reads NaN */
  Right *rights[N_COMBINATION_GROUPS]; /* NULL: not known yet */
  guint faults;
} Table;

static void tell(Table *table, const Combination *combination, const char *faults)
{
  g_autofree char *words = combination_dup_words(combination);
  g_autofree char *shape = g_strjoinv(" ", (char **)table->shape);
  printf("%s %s\n%s\n", shape, words, faults);
  fflush(stdout);
  table->faults++;
}

static OlRun *run_combination(const Table *table, const Combination *combination)
{
  g_auto(GStrv) assignments = combination_dup_assignments(combination, table->shape);
  g_autoptr(OlRunConfig) config = fixture_config((const char *const *)assignments);
  OlRunOptions options = {.poison = table->poison};
  return live_run_watched(config, &options);
}

static void check_homes(const OlPlan *plan, const OlMetrics *metrics, GString *faults)
{
  for (guint tier = 0; tier < OL_N_TIERS; tier++)
    for (guint payload = 0; payload < OL_N_PAYLOADS; payload++) {
      g_autofree char *path =
          g_strdup_printf("home.%s.%s", ol_tier_nick(tier), ol_payload_nick(payload));
      check_number(metrics, path, plan->home[tier][payload], faults);
    }
}

static void check_bytes(OlRun *run, GString *faults)
{
  const OlPlan *plan = ol_run_get_plan(run);
  g_autoptr(OlMetrics) metrics = ol_metrics_new(ol_run_get_trace(run));
  check_homes(plan, metrics, faults);
  check_peaks(plan, metrics, faults);
  check_simulation(run, metrics, faults);
  check_spans(plan, ol_run_get_trace(run), faults);
}

static const Right *get_right(Table *table, const Combination *combination)
{
  Right **right = &table->rights[combination_group(combination)];
  if (!*right) {
    Combination plainest = combination_reference(combination);
    g_autoptr(OlRun) run = run_combination(table, &plainest);
    *right = right_new(run);
  }
  return *right;
}

static void hold(Table *table, const Combination *combination)
{
  g_autoptr(OlRun) run = run_combination(table, combination);
  const OlTrace *trace = ol_run_get_trace(run);
  g_autoptr(GString) faults = g_string_new(NULL);
  if (trace->outcome == OL_OUTCOME_DONE) {
    check_bytes(run, faults);
    check_right(trace, get_right(table, combination), faults);
  } else {
    g_string_append_printf(faults, "%s: %s", ol_outcome_nick(trace->outcome),
                           trace->message ? trace->message : "");
  }
  if (faults->len > 0)
    tell(table, combination, faults->str);
}

static void hold_all(GArray *combinations, guint shape, gboolean poison)
{
  Table table = {.shape = shapes[shape], .poison = poison};
  for (guint i = 0; i < combinations->len; i++) {
    const Combination *combination = &g_array_index(combinations, Combination, i);
    if (combination_is_legal(combination))
      hold(&table, combination);
  }
  for (guint i = 0; i < N_COMBINATION_GROUPS; i++)
    right_free(table.rights[i]);
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
