/* Offloading moves bytes, never numbers: every placement and overlap ends with the same weights,
 * takes the same losses, and holds the bytes that its plan says. */
#include "tests/run/run-fixture.h"

#include <glib/gstdio.h>
#include <math.h>

/* Those of one row must agree with each other. */
static const char *const one_micro_batch[][8] = {
    {ON_GPU, NULL},
    {ON_GPU, "overlap.prefetch=0", NULL},
    {ON_HOST, "placement.gradients=gpu", "overlap.prefetch=0", NULL},
    {ON_HOST, "placement.gradients=gpu", "overlap.prefetch=1", NULL},
    {ON_HOST, "placement.gradients=gpu", "overlap.prefetch=2", NULL},
    {ON_HOST, "placement.gradients=gpu", "overlap.prefetch=9", "optimizer.threads=3", NULL},
    {ON_HOST, "placement.gradients=gpu", "overlap.write_back=false", NULL},
    {ON_HOST, "placement.gradients=host", "overlap.prefetch=0", NULL},
    {ON_HOST, "placement.gradients=host", "overlap.prefetch=2", NULL},
    {ON_HOST, "placement.gradients=host", "overlap.write_back=false", NULL},
};
static const char *const three_micro_batches[][8] = {
    {ON_GPU, "batch.micro_batches=3", NULL},
    {ON_HOST, "batch.micro_batches=3", "placement.gradients=gpu", "overlap.prefetch=0", NULL},
    {ON_HOST, "batch.micro_batches=3", "placement.gradients=gpu", "overlap.prefetch=2", NULL},
    {ON_HOST, "batch.micro_batches=3", "placement.gradients=host", "overlap.prefetch=0", NULL},
    {ON_HOST, "batch.micro_batches=3", "placement.gradients=host", "overlap.prefetch=1", NULL},
    {ON_HOST, "batch.micro_batches=3", "placement.gradients=host", "overlap.write_back=false",
     NULL},
};

static void assert_same_losses(OlRun *a, OlRun *b)
{
  const OlTrace *x = ol_run_get_trace(a), *y = ol_run_get_trace(b);
  ck_assert_uint_eq(x->steps->len, y->steps->len);
  for (guint i = 0; i < x->steps->len; i++) {
    double of_x = ol_trace_step(x, i)->loss, of_y = ol_trace_step(y, i)->loss;
    ck_assert(isfinite(of_x) && of_x > 0);
    ck_assert_mem_eq(&of_x, &of_y, sizeof of_x);
  }
}

static void assert_all_alike(const char *const (*rows)[8], guint n, const OlRunOptions *options)
{
  g_autoptr(OlRun) first = fixture_run(rows[0], options);
  for (guint i = 1; i < n; i++) {
    g_autoptr(OlRun) run = fixture_run(rows[i], options);
    ck_assert_str_eq(fixture_get_hash(run), fixture_get_hash(first));
    assert_same_losses(run, first);
  }
}

START_TEST(test_one_micro_batch)
{
  assert_all_alike(one_micro_batch, G_N_ELEMENTS(one_micro_batch), NULL);
}
END_TEST

START_TEST(test_micro_batches)
{
  assert_all_alike(three_micro_batches, G_N_ELEMENTS(three_micro_batches), NULL);
}
END_TEST

/* Whoever read a released block would now read NaN. */
START_TEST(test_poison_changes_nothing)
{
  OlRunOptions poison = {.poison = TRUE};
  for (guint i = 0; i < G_N_ELEMENTS(one_micro_batch); i++) {
    g_autofree char *clean = fixture_hash(one_micro_batch[i], NULL);
    g_autofree char *poisoned = fixture_hash(one_micro_batch[i], &poison);
    ck_assert_str_eq(clean, poisoned);
  }
  assert_all_alike(three_micro_batches, G_N_ELEMENTS(three_micro_batches), &poison);
}
END_TEST

START_TEST(test_same_again_and_other_seed)
{
  g_autofree char *one = fixture_hash((const char *const[]){ON_GPU, NULL}, NULL);
  g_autofree char *again = fixture_hash((const char *const[]){ON_GPU, NULL}, NULL);
  g_autofree char *other = fixture_hash((const char *const[]){ON_GPU, "seed=8", NULL}, NULL);
  g_autofree char *fp32 = fixture_hash((const char *const[]){ON_GPU, "precision=fp32", NULL}, NULL);
  ck_assert_str_eq(one, again);
  ck_assert_str_ne(one, other);
  ck_assert_str_ne(one, fp32);
}
END_TEST

/* Highest sums over the trace's own changes, booked in order. */
typedef struct {
  gint64 now[OL_N_TIERS][OL_N_PAYLOADS], total[OL_N_TIERS];
  gint64 peak[OL_N_TIERS][OL_N_PAYLOADS], peak_total[OL_N_TIERS];
} Peaks;

static void book(Peaks *peaks, const OlGraphBuffer *buffer, gint64 bytes)
{
  gint64 *now = &peaks->now[buffer->tier][buffer->payload], *total = &peaks->total[buffer->tier];
  *now += bytes;
  *total += bytes;
  ck_assert_int_ge(*now, 0);
  peaks->peak[buffer->tier][buffer->payload] =
      MAX(peaks->peak[buffer->tier][buffer->payload], *now);
  peaks->peak_total[buffer->tier] = MAX(peaks->peak_total[buffer->tier], *total);
}

static void assert_peaks_as_planned(OlRun *run)
{
  const OlPlan *plan = ol_run_get_plan(run);
  const OlTrace *trace = ol_run_get_trace(run);
  Peaks peaks = {0};
  for (guint i = 0; i < trace->changes->len; i++) {
    const OlMemoryChange *change = ol_trace_change(trace, i);
    book(&peaks, ol_graph_buffer(trace->graph, change->buffer), change->bytes);
  }
  for (guint tier = 0; tier < OL_N_TIERS; tier++) {
    ck_assert_uint_eq((guint64)peaks.peak_total[tier], plan->peak_total[tier]);
    for (guint payload = 0; payload < OL_N_PAYLOADS; payload++)
      ck_assert_uint_eq((guint64)peaks.peak[tier][payload], plan->peak[tier][payload]);
  }
}

/* The same through the metrics, for a run and for its simulation. */
static void assert_metrics_as_planned(OlRun *run, const OlTrace *trace)
{
  const OlPlan *plan = ol_run_get_plan(run);
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  for (guint tier = 0; tier < OL_N_TIERS; tier++) {
    double value = 0;
    g_autofree char *total = g_strdup_printf("peak.%s.total", ol_tier_nick(tier));
    if (ol_metrics_get_number(metrics, total, &value) || plan->peak_total[tier] > 0)
      ck_assert_double_eq(value, (double)plan->peak_total[tier]);
    for (guint payload = 0; payload < OL_N_PAYLOADS; payload++) {
      g_autofree char *path =
          g_strdup_printf("home.%s.%s", ol_tier_nick(tier), ol_payload_nick(payload));
      value = 0;
      if (ol_metrics_get_number(metrics, path, &value) || plan->home[tier][payload] > 0)
        ck_assert_double_eq(value, (double)plan->home[tier][payload]);
    }
  }
}

static void assert_bytes_as_planned(const char *const *set)
{
  g_autoptr(OlRun) run = fixture_run(set, NULL);
  ck_assert_outcome(run, OL_OUTCOME_DONE);
  g_autoptr(OlTrace) simulated = ol_run_simulate(run);
  assert_peaks_as_planned(run);
  assert_metrics_as_planned(run, ol_run_get_trace(run));
  assert_metrics_as_planned(run, simulated);
}

START_TEST(test_bytes_as_planned)
{
  for (guint i = 0; i < G_N_ELEMENTS(one_micro_batch); i++)
    assert_bytes_as_planned(one_micro_batch[i]);
  for (guint i = 0; i < G_N_ELEMENTS(three_micro_batches); i++)
    assert_bytes_as_planned(three_micro_batches[i]);
}
END_TEST

/* Nodes of a lane follow each other, and each begins after all that it waits for has ended. */
static void assert_order_kept(OlRun *run)
{
  const OlTrace *trace = ol_run_get_trace(run);
  const OlGraph *graph = trace->graph;
  guint n = graph->nodes->len, steps = ol_run_get_plan(run)->config->steps;
  g_autofree gint64 *begin = g_new0(gint64, (gsize)n * (steps + 2));
  g_autofree gint64 *end = g_new0(gint64, (gsize)n * (steps + 2));
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    begin[(gsize)(span->step + 1) * n + span->node] = span->begin_ns;
    end[(gsize)(span->step + 1) * n + span->node] = span->end_ns;
  }
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    ck_assert_int_le(span->begin_ns, span->end_ns);
    OlRange range = ol_graph_node(graph, span->node)->waits;
    const OlWait *waits = ol_graph_waits(graph, range);
    for (guint k = 0; k < range.n; k++) {
      int step = span->step - (int)waits[k].steps_back;
      if (waits[k].steps_back == 0 || step >= 0)
        ck_assert_int_le(end[(gsize)(step + 1) * n + waits[k].node], span->begin_ns);
    }
  }
}

START_TEST(test_every_node_once_and_in_order)
{
  for (guint i = 0; i < G_N_ELEMENTS(one_micro_batch); i++) {
    g_autoptr(OlRun) run = fixture_run(one_micro_batch[i], NULL);
    const OlTrace *trace = ol_run_get_trace(run);
    guint steps = ol_run_get_plan(run)->config->steps, expected = 0;
    for (guint k = 0; k < trace->graph->nodes->len; k++)
      expected += ol_graph_node(trace->graph, k)->part == OL_PART_STEP ? steps : 1;
    ck_assert_uint_eq(trace->spans->len, expected);
    ck_assert_uint_eq(trace->steps->len, steps);
    assert_order_kept(run);
  }
}
END_TEST

/* What crosses a link in a step: the gradients down, the weights up, two bytes each. */
START_TEST(test_bytes_over_the_links)
{
  g_autoptr(OlRun) run =
      fixture_run((const char *const[]){ON_HOST, "placement.gradients=gpu", NULL}, NULL);
  const OlTrace *trace = ol_run_get_trace(run);
  guint64 moved[OL_N_LANES] = {0};
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    if (ol_graph_node(trace->graph, span->node)->part == OL_PART_STEP)
      moved[ol_graph_node(trace->graph, span->node)->lane] += span->bytes;
  }
  const OlPlan *plan = ol_run_get_plan(run);
  guint64 expected = 2 * plan->shape->parameters * plan->config->steps;
  ck_assert_uint_eq(moved[OL_LANE_GPU_TO_HOST], expected);
  ck_assert_uint_eq(moved[OL_LANE_HOST_TO_GPU], expected);
  ck_assert_uint_eq(moved[OL_LANE_COMPUTE] + moved[OL_LANE_HOST_UPDATE], 0);
}
END_TEST

static double mean_loss(const OlTrace *trace, guint first, guint n)
{
  double sum = 0;
  for (guint i = first; i < first + n; i++)
    sum += ol_trace_step(trace, i)->loss;
  return sum / n;
}

START_TEST(test_loss_falls)
{
  static const char *const precisions[] = {"precision=bf16", "precision=fp32"};
  for (guint i = 0; i < G_N_ELEMENTS(precisions); i++) {
    g_autoptr(OlRun) run =
        fixture_run((const char *const[]){ON_GPU, precisions[i], "steps=60", "batch.micro_batch=8",
                                          "optimizer.learning_rate=0.003", NULL},
                    NULL);
    const OlTrace *trace = ol_run_get_trace(run);
    double begin = mean_loss(trace, 0, 3), end = mean_loss(trace, 55, 5);
    /* Untrained, every token is about as likely: ln 16. */
    ck_assert_double_eq_tol(begin, log(16), 0.4);
    ck_assert_double_lt(end, 0.75 * begin);
  }
}
END_TEST

/* A text of the user's: the loss falls on it too, and where the bytes lie changes nothing. */
START_TEST(test_text)
{
  static const char *const places[][12] = {
      {ON_GPU, NULL},
      {ON_NVME, "placement.activations=host", "recompute=full", NULL},
  };
  g_autoptr(GString) rhyme = g_string_new(NULL);
  for (guint i = 0; i < 40; i++)
    g_string_append(rhyme, "the bytes move to the host, the n\xc3\xbcmbers stay as they are\n");
  ck_assert(g_file_set_contents("rhyme.txt", rhyme->str, -1, NULL));
  g_autofree char *right = NULL;
  for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
    const char *set[24] = {"task.kind=text",
                           "task.file=rhyme.txt",
                           "model.vocabulary=32",
                           "batch.micro_batch=8",
                           "steps=60",
                           "optimizer.learning_rate=0.003"};
    guint n = 6;
    for (guint k = 0; places[i][k]; k++)
      set[n++] = places[i][k];
    g_autoptr(OlRun) run = fixture_run(set, NULL);
    const OlTrace *trace = ol_run_get_trace(run);
    ck_assert_double_eq_tol(mean_loss(trace, 0, 1), log(32), 0.4);
    ck_assert_double_lt(mean_loss(trace, 55, 5), 0.75 * mean_loss(trace, 0, 3));
    if (right)
      ck_assert_str_eq(fixture_get_hash(run), right);
    else
      right = g_strdup(fixture_get_hash(run));
  }
  g_remove("rhyme.txt");
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {
      test_one_micro_batch,           test_micro_batches,    test_poison_changes_nothing,
      test_same_again_and_other_seed, test_bytes_as_planned, test_every_node_once_and_in_order,
      test_bytes_over_the_links,      test_loss_falls,       test_text};
  return fixture_main("placements", tests, G_N_ELEMENTS(tests), 60);
}
