/* The tables say what adding up the trace itself says. */
#include "app/charts/chart-table.h"
#include "app/charts/moment.h"
#include "engine/base/measure.h"
#include "tests/charts/random-trace.h"
#include "tests/charts/rank-trace.h"
#include "tests/charts/views.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

static const OlTableRow *row_of(const GPtrArray *rows, guint i)
{
  return g_ptr_array_index(rows, i);
}

/* What is held of one payload on a tier at a moment, and at most until the end, change by change;
 * payload OL_N_PAYLOADS: of all. */
static void add_up(const OlTrace *trace, guint rank, OlTier tier, int payload, gint64 now_ns,
                   gint64 *now, gint64 *most)
{
  gint64 held = 0;
  *now = *most = 0;
  for (guint i = 0; i < trace->changes->len; i++) {
    const OlMemoryChange *change = ol_trace_change(trace, i);
    const OlGraphBuffer *buffer = ol_graph_buffer(trace->graph, change->buffer);
    if (buffer->rank == rank && buffer->tier == tier &&
        (payload == OL_N_PAYLOADS || (int)buffer->payload == payload))
      held += change->bytes;
    *most = MAX(*most, held);
    if (change->time_ns <= now_ns)
      *now = held;
  }
}

static void check_bytes(const char *cell, gint64 bytes)
{
  g_autofree char *expected = ol_measure_dup_bytes((double)bytes);
  ck_assert_str_eq(cell, expected);
}

START_TEST(tiers_add_up)
{
  Scene scene = scene_new(random_trace_new((guint32)_i, 200, 3000));
  scene.view.cursor_ns = ol_trace_index_known_ns(scene.index) / 2;
  g_autoptr(GPtrArray) rows = ol_table_rows_new(OL_TABLE_TIERS, &scene.view);
  ck_assert_uint_eq(rows->len, OL_N_PAYLOADS + 2);
  for (int p = 0; p <= OL_N_PAYLOADS; p++) {
    const OlTableRow *row = row_of(rows, (guint)p);
    ck_assert_str_eq(row->cells[0], p < OL_N_PAYLOADS ? ol_payload_name((OlPayload)p) : "all");
    for (int tier = 0; tier < OL_N_TIERS; tier++) {
      gint64 now, most;
      add_up(scene.trace, 0, (OlTier)tier, p, scene.view.cursor_ns, &now, &most);
      check_bytes(row->cells[1 + 2 * tier], now);
      check_bytes(row->cells[2 + 2 * tier], most);
    }
  }
  check_bytes(row_of(rows, OL_N_PAYLOADS + 1)->cells[1], 300000);
  scene_clear(&scene);
}
END_TEST

START_TEST(peaks_add_up)
{
  Scene scene = scene_new(random_trace_new((guint32)_i, 200, 3000));
  g_autoptr(GPtrArray) rows = ol_table_rows_new(OL_TABLE_MEMORY, &scene.view);
  guint i = 0;
  for (int k = 0; k < 2 * OL_N_TIERS; k++)
    for (int p = 0; p <= OL_N_PAYLOADS; p++) {
      int rank = k / OL_N_TIERS, tier = k % OL_N_TIERS;
      gint64 now, most;
      add_up(scene.trace, (guint)rank, (OlTier)tier, p, 0, &now, &most);
      if (most == 0)
        continue;
      const OlTableRow *row = row_of(rows, i++);
      ck_assert_str_eq(row->cells[0], ol_tier_name((OlTier)tier));
      ck_assert_int_eq(atoi(row->cells[1]), rank);
      check_bytes(row->cells[3], most);
      ck_assert_double_eq_tol(g_ascii_strtod(row->cells[6], NULL), (double)most / 3000, 0.51);
    }
  ck_assert_uint_eq(i, rows->len);
  scene_clear(&scene);
}
END_TEST

/* Spans in sight, each once, by time; the rows of the selected rank's lanes count the same. */
START_TEST(spans_are_those_in_sight)
{
  Scene scene = scene_new(random_trace_new((guint32)_i, 400, 10));
  scene.view.begin_ns = scene.view.end_ns / 3;
  scene.view.end_ns = scene.view.end_ns / 2;
  guint expected = 0, counted = 0;
  for (guint i = 0; i < scene.trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(scene.trace, i);
    expected += ol_graph_node(scene.trace->graph, span->node)->rank == 0 &&
                span->begin_ns < scene.view.end_ns &&
                (span->end_ns > scene.view.begin_ns || span->begin_ns >= scene.view.begin_ns);
  }
  g_autoptr(GPtrArray) rows = ol_table_rows_new(OL_TABLE_SPANS, &scene.view);
  ck_assert_uint_eq(rows->len, expected);
  for (guint i = 1; i < rows->len; i++)
    ck_assert_int_le(ol_trace_span(scene.trace, (guint)row_of(rows, i - 1)->span)->begin_ns,
                     ol_trace_span(scene.trace, (guint)row_of(rows, i)->span)->begin_ns);
  ck_assert_ptr_null(ol_table_dup_note(OL_TABLE_SPANS, &scene.view));
  g_autoptr(GPtrArray) lanes = ol_table_rows_new(OL_TABLE_LANES, &scene.view);
  ck_assert_uint_eq(lanes->len, 2 * OL_N_LANES);
  for (guint i = 0; i < OL_N_LANES; i++) {
    ck_assert_str_eq(row_of(lanes, i)->cells[1], "0");
    counted += (guint)atoi(row_of(lanes, i)->cells[2]);
  }
  ck_assert_uint_eq(counted, expected);
  scene_clear(&scene);
}
END_TEST

START_TEST(too_many_spans_are_told)
{
  Scene scene = scene_new(random_trace_new(5, 5000, 0));
  g_autoptr(GPtrArray) rows = ol_table_rows_new(OL_TABLE_SPANS, &scene.view);
  ck_assert_uint_eq(rows->len, OL_TABLE_MOST_SPANS);
  g_autofree char *note = ol_table_dup_note(OL_TABLE_SPANS, &scene.view);
  ck_assert_ptr_nonnull(strstr(note, "The first 300 of 2"));
  scene_clear(&scene);
}
END_TEST

START_TEST(units_are_those_of_the_view)
{
  Scene scene = scene_new(sample_trace_new(NULL)); /* µ 1706.7, s 1000 */
  g_autoptr(GPtrArray) here = ol_table_rows_new(OL_TABLE_LANES, &scene.view);
  scene.view.there = TRUE;
  g_autoptr(GPtrArray) there = ol_table_rows_new(OL_TABLE_LANES, &scene.view);
  ck_assert_double_eq_tol(g_ascii_strtod(row_of(there, 0)->cells[3], NULL) /
                              g_ascii_strtod(row_of(here, 0)->cells[3], NULL),
                          1.7067, 0.02);
  ck_assert_str_eq(row_of(there, 0)->cells[4], row_of(here, 0)->cells[4]);
  scene_clear(&scene);
}
END_TEST

/* Every cell of every column is there, and none beyond; an empty view has no rows but a word. */
START_TEST(rows_are_whole)
{
  Scene scene = scene_new(rank_trace_new(&(RankTraceOptions){2, 2, 2, 2, 2}));
  Scene empty = scene_new(NULL);
  scene.view.ties = scene.ties = ol_ties_new_of_span(&scene.view, 0);
  for (int kind = 0; kind < OL_N_TABLES; kind++) {
    guint n;
    const OlTableColumn *columns = ol_table_columns((OlTableKind)kind, &n);
    ck_assert_uint_le(n, OL_TABLE_MOST_COLUMNS);
    g_autoptr(GPtrArray) rows = ol_table_rows_new((OlTableKind)kind, &scene.view);
    ck_assert_uint_gt(rows->len, 0);
    for (guint i = 0; i < rows->len; i++)
      for (guint k = 0; k < OL_TABLE_MOST_COLUMNS; k++)
        ck_assert((row_of(rows, i)->cells[k] != NULL) == (k < n));
    ck_assert_uint_gt(strlen(columns[0].title), 0);
    g_autoptr(GPtrArray) none = ol_table_rows_new((OlTableKind)kind, &empty.view);
    ck_assert_uint_eq(none->len, 0);
    g_autofree char *note = ol_table_dup_note((OlTableKind)kind, &empty.view);
    ck_assert_ptr_nonnull(strstr(note, "a run fills this"));
  }
  scene_clear(&scene);
  scene_clear(&empty);
}
END_TEST

/* Rank 5 of data 2, stages 2, slices 2 is (1, 0, 1) and shares its data group with rank 1. */
START_TEST(ranks_are_told)
{
  Scene scene = scene_new(rank_trace_new(&(RankTraceOptions){2, 2, 2, 2, 2}));
  scene.view.rank = 1;
  g_autoptr(GPtrArray) rows = ol_table_rows_new(OL_TABLE_RANKS, &scene.view);
  ck_assert_uint_eq(rows->len, 8);
  static const char *const expected[] = {"5", "1", "0", "1", "data group"};
  for (guint i = 0; i < G_N_ELEMENTS(expected); i++)
    ck_assert_str_eq(row_of(rows, 5)->cells[i], expected[i]);
  ck_assert_str_eq(row_of(rows, 1)->cells[4], "selected");
  ck_assert_str_eq(row_of(rows, 6)->cells[4], "no group");
  ck_assert_str_eq(row_of(rows, 6)->cells[7], "45 %"); /* 1 - 96/176 */
  g_autoptr(GPtrArray) slices = ol_table_rows_new(OL_TABLE_SLICES, &scene.view);
  ck_assert_str_eq(row_of(slices, 3)->cells[4], "1/2: columns 256–511");
  scene_clear(&scene);
}
END_TEST

START_TEST(small_shares_are_not_nothing)
{
  static const struct {
    double share;
    const char *words;
  } cases[] = {{0, "0 %"},        {0.00001, "under 0.01 %"}, {0.0017, "0.17 %"}, {0.0123, "1.2 %"},
               {0.0994, "9.9 %"}, {0.0996, "10 %"},          {0.75, "75 %"},     {1, "100 %"}};
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *words = ol_moment_dup_percent(cases[i].share);
    ck_assert_str_eq(words, cases[i].words);
  }
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("table");
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, tiers_add_up, 0, 6);
  tcase_add_loop_test(cases, peaks_add_up, 0, 6);
  tcase_add_loop_test(cases, spans_are_those_in_sight, 0, 6);
  tcase_add_test(cases, too_many_spans_are_told);
  tcase_add_test(cases, units_are_those_of_the_view);
  tcase_add_test(cases, rows_are_whole);
  tcase_add_test(cases, ranks_are_told);
  tcase_add_test(cases, small_shares_are_not_nothing);
  return run_suite("table", cases);
}
