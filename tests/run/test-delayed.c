/* The delayed update (2101.06840 section 5.2): the gradient of a step is applied under the step
 * after it. Held against a loop written here, unit after unit without executor or plan: forward and
 * backward with the old weights, then the update with the gradient of the step before; what is
 * pending is finished at the end. Its hash is made here too. */
#include "tests/model/tiny.h"
#include "tests/run/run-fixture.h"

#include <math.h>
#include <string.h>

#define STEPS 5
#define SEED  7

/* As the fixture's small config has it. */
#define LAYERS     2
#define WIDTH      32
#define HEADS      2
#define SEQUENCE   16
#define VOCABULARY 16
#define BATCH      2

#define LEARNING      "optimizer.learning_rate=0.01"
#define LEARNING_RATE 0.01

typedef struct {
  char *hash;
  double losses[STEPS];
} Expected;

static void add_to_hash(const Tiny *tiny, GChecksum *checksum)
{
  for (guint unit = 0; unit < tiny->shape->n_units; unit++) {
    gsize n = tiny->shape->units[unit].parameters;
    g_checksum_update(checksum, (const guchar *)tiny->master[unit], (gssize)(n * sizeof(float)));
    g_checksum_update(checksum, (const guchar *)tiny->units[unit].weights,
                      (gssize)(n * sizeof(uint16_t)));
  }
}

/* Exchanges the finished gradients with those kept; all of a unit's lie in one block. */
static void swap_gradients(Tiny *tiny, uint16_t *kept)
{
  for (guint unit = 0; unit < tiny->shape->n_units; unit++) {
    gsize n = tiny->shape->units[unit].parameters;
    uint16_t *now = (uint16_t *)tiny->units[unit].gradient;
    for (gsize i = 0; i < n; i++) {
      uint16_t swapped = now[i];
      now[i] = kept[i];
      kept[i] = swapped;
    }
    kept += n;
  }
}

static Expected train_by_hand(guint steps, gboolean delayed)
{
  OlRunConfig config =
      tiny_config(LAYERS, WIDTH, HEADS, SEQUENCE, VOCABULARY, BATCH, OL_PRECISION_BF16);
  OlAdamSettings settings = {.learning_rate = LEARNING_RATE,
                             .beta1 = 0.9,
                             .beta2 = 0.95,
                             .epsilon = 1e-8,
                             .weight_decay = 0.1};
  Tiny *tiny = tiny_new(&config, 1);
  g_autofree uint16_t *kept = g_new0(uint16_t, tiny->shape->parameters);
  g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
  Expected expected = {NULL, {0}};

  tiny_start(tiny, SEED);
  for (guint step = 0; step < steps; step++) {
    tiny_set_sums(tiny, SEED, step);
    expected.losses[step] = tiny_forward(tiny);
    tiny_backward(tiny);
    if (delayed)
      swap_gradients(tiny, kept);
    if (!delayed || step > 0)
      tiny_update(tiny, &settings, step - delayed);
  }
  if (delayed) {
    swap_gradients(tiny, kept);
    tiny_update(tiny, &settings, steps - 1);
  }
  add_to_hash(tiny, checksum);
  expected.hash = g_strndup(g_checksum_get_string(checksum), 16);
  tiny_free(tiny);
  return expected;
}

static void hold_run(const char *const *set, const Expected *expected)
{
  g_autoptr(OlRun) run = fixture_run(set, NULL);
  const OlTrace *trace = ol_run_get_trace(run);
  ck_assert_str_eq(fixture_get_hash(run), expected->hash);
  for (guint i = 0; i < trace->steps->len; i++)
    ck_assert_double_eq(ol_trace_step(trace, i)->loss, expected->losses[i]);
}

START_TEST(test_delayed_as_by_hand)
{
  static const char *const sets[][12] = {
      {ON_HOST, LEARNING, "optimizer.delayed=true", NULL},
      {ON_HOST, LEARNING, "optimizer.delayed=true", "placement.gradients=host", NULL},
      {ON_HOST, LEARNING, "optimizer.delayed=true", "placement.weights=host", NULL},
      {ON_NVME, LEARNING, "optimizer.delayed=true", "overlap.prefetch=1", NULL},
      {ON_NVME, LEARNING, "optimizer.delayed=true", "overlap.write_back=false", NULL},
      {ON_NVME, LEARNING, "optimizer.delayed=true", "overlap.order=alternate", NULL},
      {ON_NVME, LEARNING, "optimizer.delayed=true", "placement.activations=host", "recompute=full",
       NULL},
  };
  for (guint steps = 1; steps <= STEPS; steps++) {
    Expected expected = train_by_hand(steps, TRUE);
    g_autofree char *all_steps = g_strdup_printf("steps=%u", steps);
    for (guint i = 0; i < G_N_ELEMENTS(sets); i++) {
      const char *set[16] = {all_steps};
      for (guint k = 0; sets[i][k]; k++)
        set[k + 1] = sets[i][k];
      hold_run(set, &expected);
    }
    g_free(expected.hash);
  }
}
END_TEST

/* The same loop without the delay, so that it is known to be a step of this lab. */
START_TEST(test_undelayed_as_by_hand)
{
  for (guint steps = 1; steps <= STEPS; steps++) {
    Expected expected = train_by_hand(steps, FALSE), delayed = train_by_hand(steps, TRUE);
    g_autofree char *all_steps = g_strdup_printf("steps=%u", steps);
    hold_run((const char *const[]){ON_HOST, LEARNING, all_steps, NULL}, &expected);
    /* One step alone has nothing to lie under: its update is finished before the hash. */
    ck_assert_int_eq(strcmp(expected.hash, delayed.hash) == 0, steps == 1);
    g_free(expected.hash);
    g_free(delayed.hash);
  }
}
END_TEST

/* What it is for: the update lies under the next step's compute. */
START_TEST(test_less_of_the_update_is_exposed)
{
  static const char *const placements[][8] = {{ON_HOST, NULL},
                                              {ON_HOST, "placement.gradients=host", NULL}};
  for (guint i = 0; i < G_N_ELEMENTS(placements); i++) {
    double exposed[2] = {NAN, NAN}, seconds[2] = {NAN, NAN};
    for (guint delayed = 0; delayed < 2; delayed++) {
      const char *set[24] = {SCALE, "hardware.slowdown=1000", "batch.micro_batch=16",
                             delayed ? "optimizer.delayed=true" : "optimizer.delayed=false"};
      guint n = 0;
      while (set[n])
        n++;
      for (guint k = 0; placements[i][k]; k++)
        set[n++] = placements[i][k];
      g_autoptr(OlRun) run = fixture_open(set, NULL);
      g_autoptr(OlTrace) simulated = ol_run_simulate(run);
      g_autoptr(OlMetrics) metrics = ol_metrics_new(simulated);
      ck_assert(ol_metrics_get_number(metrics, "exposed.host_update", &exposed[delayed]));
      ck_assert(ol_metrics_get_number(metrics, "step.seconds", &seconds[delayed]));
    }
    ck_assert_double_lt(exposed[1], 0.5 * exposed[0]);
    ck_assert_double_lt(seconds[1], seconds[0]);
  }
}
END_TEST

/* What is finished before the hash is no step's: a step has an update a unit, delayed or not. */
START_TEST(test_counts_of_a_step)
{
  static const char *const counts[] = {"count.update", "count.copy"};
  for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
    double of_step[2] = {NAN, NAN};
    for (guint delayed = 0; delayed < 2; delayed++) {
      const char *const set[] = {
          ON_HOST, delayed ? "optimizer.delayed=true" : "optimizer.delayed=false", NULL};
      g_autoptr(OlRun) run = fixture_run(set, NULL);
      g_autoptr(OlMetrics) metrics = ol_metrics_new(ol_run_get_trace(run));
      ck_assert(ol_metrics_get_number(metrics, counts[i], &of_step[delayed]));
    }
    ck_assert_double_gt(of_step[0], 0);
    ck_assert_double_eq(of_step[0], of_step[1]);
  }
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {test_undelayed_as_by_hand, test_delayed_as_by_hand,
                                test_less_of_the_update_is_exposed, test_counts_of_a_step};
  return fixture_main("delayed", tests, G_N_ELEMENTS(tests), 60);
}
