/* The parts that lanes are built of: the bell, the host's optimizer threads, the recorder. */
#include "engine/base/bell.h"
#include "engine/run/recorder.h"
#include "engine/run/update-pool.h"
#include <check.h>
#include <math.h>
#include <string.h>

typedef struct {
  OlBell bell;
  atomic_uint turn;
} Table;

typedef struct {
  Table *table;
  guint mine;
} Player;

static gboolean is_my_turn(gconstpointer data)
{
  const Player *player = data;
  return atomic_load(&player->table->turn) % 2 == player->mine;
}

#define TURNS 2000u

static void *play(void *data)
{
  Player *player = data;
  for (guint i = 0; i < TURNS; i++) {
    ol_bell_wait(&player->table->bell, is_my_turn, player);
    if (i % 500 == 0)
      g_usleep(3000); /* long enough for the other one to fall asleep */
    atomic_fetch_add(&player->table->turn, 1);
    ol_bell_ring(&player->table->bell);
  }
  return NULL;
}

START_TEST(test_no_ring_is_lost)
{
  Table table = {.turn = 0};
  ol_bell_init(&table.bell);
  Player players[2] = {{&table, 0}, {&table, 1}};
  pthread_t other;
  ck_assert_int_eq(pthread_create(&other, NULL, play, &players[1]), 0);
  play(&players[0]);
  pthread_join(other, NULL);
  ck_assert_uint_eq(atomic_load(&table.turn), 2 * TURNS);
  ol_bell_clear(&table.bell);
}
END_TEST

/* States of one unit: sizes that are no multiple of a piece or of a vector. */
#define N_SPANS 4
static const gsize sizes[N_SPANS] = {3, 16 << 10, 100003, 1};
#define ELEMENTS (3 + (16 << 10) + 100003 + 1)

typedef struct {
  float *master, *moment1, *moment2;
  uint16_t *gradient, *weights;
} States;

static States states_new(void)
{
  States s = {g_new(float, ELEMENTS), g_new(float, ELEMENTS), g_new(float, ELEMENTS),
              g_new(uint16_t, ELEMENTS), g_new0(uint16_t, ELEMENTS)};
  for (gsize i = 0; i < ELEMENTS; i++) {
    s.master[i] = sinf((float)i);
    s.moment1[i] = 0.01f * cosf((float)i);
    s.moment2[i] = 0.001f * s.moment1[i] * s.moment1[i];
    s.gradient[i] = ol_bf16_from_float(0.1f * sinf(3.0f * (float)i));
  }
  return s;
}

static void states_clear(States *s)
{
  g_free(s->master);
  g_free(s->moment1);
  g_free(s->moment2);
  g_free(s->gradient);
  g_free(s->weights);
}

static void make_spans(const States *s, OlAdamSpan *spans)
{
  gsize first = 0;
  for (guint i = 0; i < N_SPANS; i++) {
    spans[i] = (OlAdamSpan){.elements = sizes[i],
                            .master = s->master + first,
                            .moment1 = s->moment1 + first,
                            .moment2 = s->moment2 + first,
                            .gradient = s->gradient + first,
                            .weights_out = s->weights + first,
                            .decays = i % 2 == 0};
    first += sizes[i];
  }
}

START_TEST(test_threads_change_no_bit)
{
  OlAdamSettings settings = {0.003, 0.9, 0.95, 1e-8, 0.1};
  States alone = states_new(), shared = states_new();
  OlAdamSpan spans[N_SPANS];
  g_autoptr(OlUpdatePool) pool = ol_update_pool_new((guint)_i);
  for (guint step = 0; step < 20; step++) {
    OlAdamScalars scalars = ol_adam_scalars(&settings, step);
    make_spans(&alone, spans);
    for (guint i = 0; i < N_SPANS; i++)
      ol_adam_update(&scalars, &spans[i]);
    make_spans(&shared, spans);
    ol_update_pool_run(pool, &scalars, spans, N_SPANS);
  }
  ck_assert_mem_eq(alone.master, shared.master, ELEMENTS * sizeof(float));
  ck_assert_mem_eq(alone.moment1, shared.moment1, ELEMENTS * sizeof(float));
  ck_assert_mem_eq(alone.moment2, shared.moment2, ELEMENTS * sizeof(float));
  ck_assert_mem_eq(alone.weights, shared.weights, ELEMENTS * sizeof(uint16_t));
  states_clear(&alone);
  states_clear(&shared);
}
END_TEST

static OlTrace *new_trace(void)
{
  OlGraph *graph = ol_graph_new(1);
  guint64 capacity[OL_N_TIERS] = {1 << 20, 1 << 20, 0};
  g_autoptr(GArray) capacities = g_array_new(FALSE, FALSE, sizeof(guint64));
  g_array_append_vals(capacities, capacity, OL_N_TIERS);
  OlTraceHeader header = {(char *)"{}", 1, 1, NAN, capacities};
  OlTrace *trace = ol_trace_new(OL_SOURCE_MEASURED, &header, graph);
  ol_graph_unref(graph);
  return trace;
}

static void *record(void *data)
{
  for (int i = 0; i < 1000; i++) {
    OlSpan span = {.step = i, .begin_ns = i, .end_ns = i + 1};
    ol_recorder_span(data, &span);
  }
  return NULL;
}

static void set_fact(OlTrace *trace, gpointer data)
{
  ol_trace_set_text(trace, "fact", data);
}

START_TEST(test_recorder_takes_from_all_threads)
{
  g_autoptr(OlTrace) trace = new_trace();
  g_autoptr(OlRecorder) recorder = ol_recorder_new(trace);
  pthread_t threads[3];
  for (guint i = 0; i < 3; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, record, recorder), 0);
  for (guint i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  ck_assert_uint_eq(trace->spans->len, 3000);
  gint64 sum = 0;
  for (guint i = 0; i < trace->spans->len; i++)
    sum += ol_trace_span(trace, i)->begin_ns;
  ck_assert_int_eq(sum, 3 * 999 * 1000 / 2);
  ol_recorder_with_trace(recorder, set_fact, (gpointer) "kept");
  ck_assert_str_eq(ol_trace_get_text(trace, "fact"), "kept");
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("lane parts");
  TCase *parts = tcase_create("parts");
  tcase_add_test(parts, test_no_ring_is_lost);
  tcase_add_loop_test(parts, test_threads_change_no_bit, 1, 5);
  tcase_add_test(parts, test_recorder_takes_from_all_threads);
  tcase_set_timeout(parts, 30);
  suite_add_tcase(suite, parts);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? 1 : 0;
}
