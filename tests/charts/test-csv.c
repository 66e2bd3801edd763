/* Tables as CSV: what is quoted comes back, and what is written says in exact figures what the
 * table on screen says in words. */
#include "app/charts/moment.h"
#include "app/charts/table-csv.h"
#include "engine/base/csv.h"
#include "engine/base/error.h"
#include "engine/base/measure.h"
#include "tests/charts/random-trace.h"
#include "tests/charts/rank-trace.h"
#include "tests/charts/views.h"
#include "tests/suite.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <string.h>

/* A reader by the grammar of RFC 4180: lines of cells. Caller unrefs. */
static GPtrArray *parse(const char *text)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
  GPtrArray *line = g_ptr_array_new_with_free_func(g_free);
  for (const char *at = text; *at != '\0';) {
    GString *cell = g_string_new(NULL);
    if (*at == '"') {
      for (at++; *at != '\0' && (*at != '"' || at[1] == '"'); at++) {
        at += *at == '"';
        g_string_append_c(cell, *at);
      }
      ck_assert_int_eq(*at++, '"');
    } else {
      while (strchr(",\r", *at) == NULL)
        g_string_append_c(cell, *at++);
    }
    g_ptr_array_add(line, g_string_free(cell, FALSE));
    if (*at == ',') {
      at++;
      continue;
    }
    ck_assert_int_eq(strncmp(at, "\r\n", 2), 0);
    at += 2;
    g_ptr_array_add(lines, line);
    line = g_ptr_array_new_with_free_func(g_free);
  }
  g_ptr_array_unref(line);
  return lines;
}

static const char *cell_at(GPtrArray *lines, guint row, guint column)
{
  return g_ptr_array_index((GPtrArray *)g_ptr_array_index(lines, row), column);
}

START_TEST(what_is_quoted_comes_back)
{
  static const char *const cells[] = {
      "plain",        "",         "a,b",        "say \"hi\"", "\"",
      "two\r\nlines", " spaced ", "GPU → host", ",,\"\",\n",  "=1+1"};
  g_autoptr(GString) text = g_string_new(NULL);
  for (guint k = 0; k < 2; k++) {
    for (guint i = 0; i < G_N_ELEMENTS(cells); i++)
      ol_csv_put_text(text, i == 0, cells[i]);
    ol_csv_end_line(text);
  }
  g_autoptr(GPtrArray) lines = parse(text->str);
  ck_assert_uint_eq(lines->len, 2);
  for (guint k = 0; k < 2; k++)
    for (guint i = 0; i < G_N_ELEMENTS(cells); i++)
      ck_assert_str_eq(cell_at(lines, k, i), cells[i]);
}
END_TEST

START_TEST(quotes_only_where_they_are_needed)
{
  g_autoptr(GString) text = g_string_new(NULL);
  ol_csv_put_text(text, TRUE, "a b");
  ol_csv_put_text(text, FALSE, "a,b");
  ol_csv_put_text(text, FALSE, NULL);
  ol_csv_end_line(text);
  ck_assert_str_eq(text->str, "a b,\"a,b\",\r\n");
}
END_TEST

/* A desktop whose numbers have a comma does not split them in two. */
START_TEST(numbers_have_a_point)
{
  static const double values[] = {0, 0.1, 1.0 / 3, 1234567890123.0, -2.5e-9, 80e9};
  g_autoptr(GString) text = g_string_new(NULL);
  setlocale(LC_NUMERIC, "de_DE.UTF-8");
  for (guint i = 0; i < G_N_ELEMENTS(values); i++)
    ol_csv_put_number(text, i == 0, values[i]);
  ol_csv_put_number(text, FALSE, NAN);
  ol_csv_put_number(text, FALSE, INFINITY);
  ol_csv_end_line(text);
  setlocale(LC_NUMERIC, "C");
  g_autoptr(GPtrArray) lines = parse(text->str);
  for (guint i = 0; i < G_N_ELEMENTS(values); i++)
    ck_assert_double_eq_tol(g_ascii_strtod(cell_at(lines, 0, i), NULL), values[i],
                            1e-14 * fabs(values[i]) + 1e-300);
  ck_assert_str_eq(cell_at(lines, 0, 1), "0.1");
  ck_assert_str_eq(cell_at(lines, 0, 6), "");
  ck_assert_str_eq(cell_at(lines, 0, 7), "");
}
END_TEST

/* Writes a table and reads it back. Caller unrefs. */
static GPtrArray *write_and_parse(OlTableKind kind, const OlChartView *view)
{
  g_autofree char *folder = g_dir_make_tmp("ol-csv-XXXXXX", NULL);
  g_autofree char *path = g_build_filename(folder, "table.csv", NULL), *text = NULL;
  g_autoptr(OlTableCsv) csv = ol_table_csv_new(kind, view);
  g_autoptr(GError) error = NULL;
  ck_assert_msg(ol_table_csv_save(csv, path, NULL, &error), "%s", error ? error->message : "");
  ck_assert(g_file_get_contents(path, &text, NULL, NULL));
  g_unlink(path);
  ck_assert_int_eq(g_rmdir(folder), 0);
  return parse(text);
}

/* The figure in words, as the screen rounds it. */
static char *dup_words(OlMeasure measure, double value)
{
  if (measure == OL_MEASURE_BYTES)
    return ol_measure_dup_bytes(value);
  if (measure == OL_MEASURE_SECONDS)
    return ol_measure_dup_seconds(value);
  if (measure == OL_MEASURE_FRACTION)
    return ol_moment_dup_percent(value);
  return g_strdup_printf("%.0f", value);
}

static void check_cell(const OlTableColumn *column, const char *written, const char *shown)
{
  if (!column->is_figure || column->measure == OL_MEASURE_TEXT) {
    ck_assert_str_eq(written, shown);
  } else if (*written == '\0') {
    ck_assert_str_eq(shown, "unknown");
  } else if (g_str_equal(written, shown)) {
    return; /* words in place of a figure */
  } else if (column->measure == OL_MEASURE_NUMBER) {
    char *end;
    double rounded = g_ascii_strtod(shown, &end), exact = g_ascii_strtod(written, NULL);
    ck_assert(*end != '\0' || fabs(rounded - exact) <= 0.5); /* or in thousands: "4.6 k" */
  } else {
    g_autofree char *words = dup_words(column->measure, g_ascii_strtod(written, NULL));
    ck_assert_str_eq(words, shown);
  }
}

static void check_table(OlTableKind kind, const OlChartView *view)
{
  guint n;
  const OlTableColumn *columns = ol_table_columns(kind, &n);
  g_autoptr(GPtrArray) rows = ol_table_rows_new(kind, view), lines = write_and_parse(kind, view);
  ck_assert_uint_ge(lines->len, rows->len + 1);
  for (guint i = 0; i < rows->len; i++) {
    const OlTableRow *row = g_ptr_array_index(rows, i);
    guint k = 0;
    for (guint c = 0; c < n; c++)
      if ((ol_chart_view_has_ranks(view) || !columns[c].of_ranks) && !columns[c].of_pinned)
        check_cell(&columns[c], cell_at(lines, i + 1, k++), row->cells[c]);
    ck_assert_uint_eq(((GPtrArray *)g_ptr_array_index(lines, i + 1))->len, k);
  }
}

START_TEST(files_say_what_the_screen_says)
{
  Scene one = scene_new(sample_trace_new(NULL));
  Scene many = scene_new(rank_trace_new(&(RankTraceOptions){2, 2, 2, 2, 2}));
  for (int there = 0; there < 2; there++)
    for (int kind = 0; kind < OL_N_TABLES; kind++) {
      one.view.there = many.view.there = there;
      check_table((OlTableKind)kind, &one.view);
      check_table((OlTableKind)kind, &many.view);
    }
  scene_clear(&one);
  scene_clear(&many);
}
END_TEST

START_TEST(headings_name_the_unit)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  g_autoptr(GPtrArray) here = write_and_parse(OL_TABLE_LANES, &scene.view);
  scene.view.there = TRUE;
  g_autoptr(GPtrArray) there = write_and_parse(OL_TABLE_LANES, &scene.view);
  ck_assert_str_eq(cell_at(here, 0, 0), "Lane");
  ck_assert_str_eq(cell_at(here, 0, 1), "Spans"); /* one rank: no column for it */
  ck_assert_str_eq(cell_at(here, 0, 2), "Busy (s)");
  ck_assert_str_eq(cell_at(there, 0, 2), "Busy (s there)");
  ck_assert_str_eq(cell_at(there, 0, 3), "Share (of 1)");
  scene_clear(&scene);
}
END_TEST

/* All of them, of every rank, though the screen shows the first 300 of one; each once, by time. */
START_TEST(all_spans_in_sight_are_written)
{
  Scene scene = scene_new(random_trace_new((guint32)_i, 4000, 10));
  scene.view.begin_ns = scene.view.end_ns / 3;
  scene.view.end_ns = scene.view.end_ns / 2;
  guint expected = 0;
  for (guint i = 0; i < scene.trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(scene.trace, i);
    expected += span->begin_ns < scene.view.end_ns &&
                (span->end_ns > scene.view.begin_ns || span->begin_ns >= scene.view.begin_ns);
  }
  g_autoptr(GPtrArray) lines = write_and_parse(OL_TABLE_SPANS, &scene.view);
  ck_assert_uint_gt(expected, OL_TABLE_MOST_SPANS);
  ck_assert_uint_eq(lines->len, expected + 1);
  for (guint i = 2; i < lines->len; i++)
    if (g_str_equal(cell_at(lines, i, 1), cell_at(lines, i - 1, 1)))
      ck_assert_double_ge(g_ascii_strtod(cell_at(lines, i, 4), NULL),
                          g_ascii_strtod(cell_at(lines, i - 1, 4), NULL));
  scene_clear(&scene);
}
END_TEST

static gboolean stop(double share, gpointer data)
{
  return FALSE;
}

START_TEST(what_fails_or_stops_leaves_nothing)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  const OlWatch watch = {stop, NULL};
  g_autofree char *folder = g_dir_make_tmp("ol-csv-XXXXXX", NULL);
  g_autofree char *path = g_build_filename(folder, "table.csv", NULL);
  g_autoptr(OlTableCsv) csv = ol_table_csv_new(OL_TABLE_SPANS, &scene.view);
  g_autoptr(GError) error = NULL;
  ck_assert(!ol_table_csv_save(csv, path, &watch, &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_STOPPED));
  g_clear_error(&error);
  ck_assert_int_eq(g_rmdir(folder), 0);
  ck_assert(!ol_table_csv_save(csv, path, NULL, &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_STORAGE));
  ck_assert_ptr_nonnull(strstr(error->message, path));
  scene_clear(&scene);
}
END_TEST

START_TEST(nothing_has_run)
{
  Scene empty = scene_new(NULL);
  for (int kind = 0; kind < OL_N_TABLES; kind++) {
    g_autoptr(GPtrArray) lines = write_and_parse((OlTableKind)kind, &empty.view);
    ck_assert_uint_eq(lines->len, 1);
  }
}
END_TEST

START_TEST(nicks_lead_back)
{
  OlTableKind kind;
  for (int i = 0; i < OL_N_TABLES; i++) {
    ck_assert(ol_table_from_nick(ol_table_nick((OlTableKind)i), &kind));
    ck_assert_int_eq(kind, i);
  }
  ck_assert(!ol_table_from_nick("chairs", &kind));
  ck_assert(!ol_table_from_nick(NULL, &kind));
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("csv");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, what_is_quoted_comes_back);
  tcase_add_test(cases, quotes_only_where_they_are_needed);
  tcase_add_test(cases, numbers_have_a_point);
  tcase_add_test(cases, files_say_what_the_screen_says);
  tcase_add_test(cases, headings_name_the_unit);
  tcase_add_loop_test(cases, all_spans_in_sight_are_written, 0, 3);
  tcase_add_test(cases, what_fails_or_stops_leaves_nothing);
  tcase_add_test(cases, nothing_has_run);
  tcase_add_test(cases, nicks_lead_back);
  return run_suite("csv", cases);
}
