/* Faults that the hash must show: a hash that is equal everywhere proves nothing unless it changes
 * when it should. Bits are flipped from the step callback, copies and waits dropped by editing the
 * plan; the product has no fault switch. */
#include "tests/run/run-fixture.h"

#include "engine/base/bf16.h"
#include "engine/run/simulator.h"

#define BLOCK 1 /* the unit that is meddled with: the first block */

static const char *const on_gpu[] = {ON_GPU, "steps=2", NULL};
static const char *const on_host[] = {ON_HOST, "placement.gradients=gpu", "steps=2", NULL};
static const char *const gradients_on_host[] = {ON_HOST, "placement.gradients=host", "steps=2",
                                                NULL};

typedef struct {
  gboolean flip;
  OlPayload payload;
  guint flipped;
} Flip;

/* The top exponent bit of the first element of a block's matrix that is not zero, before the last
 * step. */
static void flip_bit(OlRun *run, guint step, gpointer data)
{
  Flip *flip = data;
  const OlPlan *plan = ol_run_get_plan(run);
  if (!flip->flip || step + 1 != plan->config->steps)
    return;
  const OlShapeTensor *matrix = &plan->shape->units[BLOCK].tensors[OL_BLOCK_EXPAND_WEIGHT];
  void *home = ol_run_get_buffer(run, fixture_home(plan, flip->payload, BLOCK));
  ck_assert_ptr_nonnull(home);
  for (guint64 i = matrix->first; i < matrix->first + matrix->elements && !flip->flipped; i++) {
    if (flip->payload == OL_PAYLOAD_WEIGHTS) {
      uint16_t *weight = (uint16_t *)home + i;
      flip->flipped += *weight != 0;
      *weight ^= *weight ? 1u << 14 : 0;
    } else {
      uint32_t *state = (uint32_t *)home + i;
      flip->flipped += *state != 0;
      *state ^= *state ? 1u << 30 : 0;
    }
  }
}

static void assert_flips_show(const char *const *set)
{
  static const OlPayload payloads[] = {OL_PAYLOAD_WEIGHTS, OL_PAYLOAD_MASTER, OL_PAYLOAD_MOMENT1,
                                       OL_PAYLOAD_MOMENT2};
  g_autofree char *right = fixture_hash(set, NULL);
  Flip none = {.flip = FALSE};
  OlRunOptions options = {.before_step = flip_bit, .test_data = &none};
  g_autofree char *watched = fixture_hash(set, &options);
  ck_assert_str_eq(right, watched);
  for (guint i = 0; i < G_N_ELEMENTS(payloads); i++) {
    Flip flip = {.flip = TRUE, .payload = payloads[i]};
    options.test_data = &flip;
    g_autofree char *wrong = fixture_hash(set, &options);
    ck_assert_uint_eq(flip.flipped, 1);
    ck_assert_str_ne(right, wrong);
  }
}

START_TEST(test_flips_show_on_gpu)
{
  assert_flips_show(on_gpu);
}
END_TEST

START_TEST(test_flips_show_on_host)
{
  assert_flips_show(on_host);
}
END_TEST

typedef struct {
  OlPayload payload;
  guint dropped;
} Drop;

/* A copy of no bytes; with one step, it is the last step's. */
static void drop_copy(OlPlan *plan, gpointer data)
{
  Drop *drop = data;
  for (guint i = 0; i < plan->graph->nodes->len; i++) {
    OlGraphNode *node = &g_array_index(plan->graph->nodes, OlGraphNode, i);
    if (node->op == OL_OP_COPY && node->payload == drop->payload && node->unit == BLOCK) {
      node->bytes = 0;
      drop->dropped++;
      return;
    }
  }
}

static void assert_dropped_copy_shows(const char *const *set, OlPayload payload)
{
  Drop drop = {payload, 0};
  OlRunOptions options = {.edit_plan = drop_copy, .test_data = &drop};
  g_autofree char *right = fixture_hash(set, NULL);
  g_autofree char *wrong = fixture_hash(set, &options);
  ck_assert_uint_eq(drop.dropped, 1);
  ck_assert_str_ne(right, wrong);
}

START_TEST(test_dropped_copies_show)
{
  static const char *const sets[][8] = {
      {ON_HOST, "placement.gradients=gpu", "steps=1", NULL},
      {ON_HOST, "placement.gradients=host", "steps=1", NULL},
      {ON_HOST, "placement.gradients=gpu", "steps=1", "overlap.prefetch=0", NULL},
      {ON_HOST, "placement.gradients=host", "steps=1", "batch.micro_batches=2", NULL},
  };
  for (guint i = 0; i < G_N_ELEMENTS(sets); i++) {
    assert_dropped_copy_shows(sets[i], OL_PAYLOAD_WEIGHTS);
    assert_dropped_copy_shows(sets[i], OL_PAYLOAD_GRADIENTS);
  }
}
END_TEST

/* Which wait of the plan to drop. */
typedef struct {
  guint node, index;
} Chosen;

static void drop_wait(OlPlan *plan, gpointer data)
{
  const Chosen *chosen = data;
  OlGraphNode *node = &g_array_index(plan->graph->nodes, OlGraphNode, chosen->node);
  OlWait *waits = &g_array_index(plan->graph->waits, OlWait, node->waits.first);
  OlWait dropped = waits[chosen->index];
  waits[chosen->index] = waits[node->waits.n - 1];
  waits[--node->waits.n] = dropped;
}

/* How long before its producer's begin the consumer then begins, in the simulator. */
static gint64 lead_without(const char *const *set, const Chosen *chosen, guint producer)
{
  OlRunOptions options = {.edit_plan = drop_wait, .test_data = (gpointer)chosen};
  g_autoptr(OlRun) run = fixture_open(set, &options);
  g_autoptr(OlTrace) trace = ol_run_simulate(run);
  gint64 begin_consumer = 0, begin_producer = 0;
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    if (span->node == chosen->node)
      begin_consumer = span->begin_ns;
    if (span->node == producer)
      begin_producer = span->begin_ns;
  }
  return begin_producer - begin_consumer;
}

/* The wait without which the update of a unit begins earliest before its gradient is there. */
static gint64 choose_wait(const char *const *set, Chosen *chosen)
{
  g_autoptr(OlRun) run = fixture_open(set, NULL);
  const OlGraph *graph = ol_run_get_plan(run)->graph;
  gint64 longest = 0;
  for (guint i = 0; i < graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(graph, i);
    for (guint k = 0; node->op == OL_OP_UPDATE && k < node->waits.n; k++) {
      const OlWait *wait = ol_graph_waits(graph, node->waits) + k;
      Chosen candidate = {i, k};
      gint64 lead = wait->steps_back > 0 ? 0 : lead_without(set, &candidate, wait->node);
      if (lead > longest) {
        longest = lead;
        *chosen = candidate;
      }
    }
  }
  return longest;
}

START_TEST(test_dropped_wait_shows)
{
  /* Slow enough that the lead is far longer than any thread is late. */
  const char *const set[] = {SCALE, ON_HOST, "steps=1", "hardware.slowdown=20000", NULL};
  Chosen chosen = {0, 0};
  ck_assert_int_gt(choose_wait(set, &chosen), 50000000);
  OlRunOptions options = {.edit_plan = drop_wait, .test_data = &chosen};
  g_autofree char *right = fixture_hash(set, NULL);
  g_autofree char *wrong = fixture_hash(set, &options);
  ck_assert_str_ne(right, wrong);
}
END_TEST

START_TEST(test_gradients_on_host_flip)
{
  assert_flips_show(gradients_on_host);
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {test_flips_show_on_gpu, test_flips_show_on_host,
                                test_gradients_on_host_flip, test_dropped_copies_show,
                                test_dropped_wait_shows};
  return fixture_main("fakes", tests, G_N_ELEMENTS(tests) - (IS_SANITIZED ? 1 : 0), 60);
}
