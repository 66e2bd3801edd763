/* Faults that the hash must show: a hash that is equal everywhere proves nothing unless it changes
 * when it should. Bits are flipped from the step callback, copies and waits dropped by editing the
 * plan; the product has no fault switch. */
#include "tests/run/run-fixture.h"

#include "engine/base/bf16.h"
#include "engine/memory/disk-system.h"
#include "engine/memory/disk.h"
#include "engine/run/simulator.h"
#include <stdlib.h>
#include <unistd.h>

#define BLOCK 1 /* the unit that is meddled with: the first block */

static const char *const on_gpu[] = {ON_GPU, "steps=2", NULL};
static const char *const on_host[] = {ON_HOST, "placement.gradients=gpu", "steps=2", NULL};
static const char *const gradients_on_host[] = {ON_HOST, "placement.gradients=host", "steps=2",
                                                NULL};

/* Two slots for four units: what is not read is another unit's. */
static const char *const on_nvme[] = {ON_NVME, "steps=2", "overlap.prefetch=1", NULL};

/* The drive's file of the run that is under way: the real system, overheard. */
static int drive = -1;

static int overhear_unnamed(const char *folder)
{
  return drive = ol_disk_system()->open_unnamed(folder);
}

static int overhear_named(char *pattern)
{
  return drive = ol_disk_system()->open_named(pattern);
}

typedef struct {
  gboolean flip;
  OlPayload payload;
  guint flipped;
} Flip;

/* The top exponent bit of the first element of a block's matrix that is not zero. */
static void flip_in(Flip *flip, void *home, const OlShapeTensor *matrix)
{
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

static void flip_on_drive(Flip *flip, const OlPlan *plan, guint home, const OlShapeTensor *matrix)
{
  gsize bytes = ol_graph_buffer(plan->graph, home)->bytes;
  gsize whole = (bytes + OL_DISK_ALIGNMENT - 1) / OL_DISK_ALIGNMENT * OL_DISK_ALIGNMENT;
  off_t offset = (off_t)plan->offset[home];
  void *block = aligned_alloc(OL_DISK_ALIGNMENT, whole);
  ck_assert_int_eq(pread(drive, block, whole, offset), (gssize)whole);
  flip_in(flip, block, matrix);
  ck_assert_int_eq(pwrite(drive, block, whole, offset), (gssize)whole);
  free(block);
}

/* Before the last step. */
static void flip_bit(OlRun *run, guint step, gpointer data)
{
  Flip *flip = data;
  const OlPlan *plan = ol_run_get_plan(run);
  if (!flip->flip || step + 1 != plan->config->steps)
    return;
  const OlShapeTensor *matrix = &plan->shape->units[BLOCK].tensors[OL_BLOCK_EXPAND_WEIGHT];
  guint home = fixture_home(plan, flip->payload, BLOCK);
  if (ol_graph_buffer(plan->graph, home)->tier == OL_TIER_NVME) {
    flip_on_drive(flip, plan, home, matrix);
    return;
  }
  ck_assert_ptr_nonnull(ol_run_get_buffer(run, home));
  flip_in(flip, ol_run_get_buffer(run, home), matrix);
}

static void assert_flips_show(const char *const *set)
{
  static const OlPayload payloads[] = {OL_PAYLOAD_WEIGHTS, OL_PAYLOAD_MASTER, OL_PAYLOAD_MOMENT1,
                                       OL_PAYLOAD_MOMENT2};
  g_autofree char *right = fixture_hash(set, NULL);
  Flip none = {.flip = FALSE};
  OlDiskSystem system = *ol_disk_system();
  system.open_unnamed = overhear_unnamed;
  system.open_named = overhear_named;
  OlRunOptions options = {.before_step = flip_bit, .disk_system = &system, .test_data = &none};
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

START_TEST(test_flips_show_on_nvme)
{
  assert_flips_show(on_nvme);
}
END_TEST

typedef struct {
  OlPayload payload;
  int lane; /* or -1: any */
  guint dropped;
} Drop;

/* A copy of no bytes, in every step. */
static void drop_copy(OlPlan *plan, gpointer data)
{
  Drop *drop = data;
  for (guint i = 0; i < plan->graph->nodes->len; i++) {
    OlGraphNode *node = &g_array_index(plan->graph->nodes, OlGraphNode, i);
    if (node->op == OL_OP_COPY && node->payload == drop->payload && node->unit == BLOCK &&
        (drop->lane < 0 || node->lane == (OlLane)drop->lane)) {
      node->bytes = 0;
      drop->dropped++;
      return;
    }
  }
}

static void assert_dropped_copy_shows(const char *const *set, OlPayload payload, int lane)
{
  Drop drop = {payload, lane, 0};
  OlRunOptions options = {.edit_plan = drop_copy, .test_data = &drop};
  g_autofree char *right = fixture_hash(set, NULL);
  g_autofree char *wrong = fixture_hash(set, &options);
  ck_assert_uint_eq(drop.dropped, 1);
  ck_assert_msg(strcmp(right, wrong) != 0, "a dropped copy of %s does not show",
                ol_payload_nick(payload));
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
    assert_dropped_copy_shows(sets[i], OL_PAYLOAD_WEIGHTS, -1);
    assert_dropped_copy_shows(sets[i], OL_PAYLOAD_GRADIENTS, -1);
  }
}
END_TEST

/* A moment's way home shows in the step after, so there are two. */
START_TEST(test_dropped_copies_of_states_show)
{
  static const OlPayload states[] = {OL_PAYLOAD_MASTER, OL_PAYLOAD_MOMENT1, OL_PAYLOAD_MOMENT2};
  const char *const streamed[] = {ON_HOST, "optimizer.runs_on=gpu", "steps=2", "overlap.prefetch=1",
                                  NULL};
  for (guint i = 0; i < G_N_ELEMENTS(states); i++) {
    assert_dropped_copy_shows(on_nvme, states[i], OL_LANE_NVME_READ);
    assert_dropped_copy_shows(on_nvme, states[i], OL_LANE_NVME_WRITE);
    assert_dropped_copy_shows(streamed, states[i], OL_LANE_HOST_TO_GPU);
    assert_dropped_copy_shows(streamed, states[i], OL_LANE_GPU_TO_HOST);
  }
}
END_TEST

START_TEST(test_dropped_copies_of_weights_and_activations_show)
{
  const char *const parked[] = {ON_GPU, "placement.activations=host", "steps=1", NULL};
  const char *const inputs[] = {ON_GPU, "placement.activations=host", "recompute=full", "steps=1",
                                NULL};
  const char *const pageable[] = {ON_HOST, "placement.weights=host", "overlap.pinned=false",
                                  "steps=1", NULL};
  assert_dropped_copy_shows(on_nvme, OL_PAYLOAD_WEIGHTS, OL_LANE_NVME_READ);
  assert_dropped_copy_shows(on_nvme, OL_PAYLOAD_WEIGHTS, OL_LANE_NVME_WRITE);
  assert_dropped_copy_shows(pageable, OL_PAYLOAD_WEIGHTS, OL_LANE_HOST_TO_GPU);
  assert_dropped_copy_shows(parked, OL_PAYLOAD_ACTIVATIONS, OL_LANE_GPU_TO_HOST);
  assert_dropped_copy_shows(parked, OL_PAYLOAD_ACTIVATIONS, OL_LANE_HOST_TO_GPU);
  assert_dropped_copy_shows(inputs, OL_PAYLOAD_ACTIVATIONS, OL_LANE_GPU_TO_HOST);
  assert_dropped_copy_shows(inputs, OL_PAYLOAD_ACTIVATIONS, OL_LANE_HOST_TO_GPU);
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

static void assert_dropped_wait_shows(const char *const *set)
{
  Chosen chosen = {0, 0};
  ck_assert_int_gt(choose_wait(set, &chosen), 50000000);
  OlRunOptions options = {.edit_plan = drop_wait, .test_data = &chosen};
  g_autofree char *right = fixture_hash(set, NULL);
  g_autofree char *wrong = fixture_hash(set, &options);
  ck_assert_str_ne(right, wrong);
}

/* Slow enough that the lead is far longer than any thread is late. */
START_TEST(test_dropped_wait_shows)
{
  const char *const set[] = {SCALE, ON_HOST, "steps=1", "hardware.slowdown=20000", NULL};
  assert_dropped_wait_shows(set);
}
END_TEST

START_TEST(test_dropped_wait_on_the_drive_shows)
{
  const char *const set[] = {
      SCALE, ON_NVME, "steps=2", "overlap.prefetch=1", "hardware.slowdown=3000", NULL};
  assert_dropped_wait_shows(set);
}
END_TEST

START_TEST(test_gradients_on_host_flip)
{
  assert_flips_show(gradients_on_host);
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {test_flips_show_on_gpu,
                                test_flips_show_on_host,
                                test_flips_show_on_nvme,
                                test_gradients_on_host_flip,
                                test_dropped_copies_show,
                                test_dropped_copies_of_states_show,
                                test_dropped_copies_of_weights_and_activations_show,
                                test_dropped_wait_shows,
                                test_dropped_wait_on_the_drive_shows};
  return fixture_main("fakes", tests, G_N_ELEMENTS(tests) - (IS_SANITIZED ? 2 : 0), 60);
}
