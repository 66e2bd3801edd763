/* The event stream: what is written reads back equal, in pieces of any size. */
#include "engine/base/error.h"
#include "engine/trace/chrome.h"
#include "engine/trace/events.h"
#include "engine/trace/metrics.h"
#include "tests/trace/compare-traces.h"
#include "tests/trace/hand-trace.h"
#include "tests/trace/sample-trace.h"

#include <check.h>
#include <errno.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

static GString *write_all(const OlTrace *trace)
{
  GString *text = g_string_new(NULL);
  g_autoptr(OlEventsWriter) writer = ol_events_writer_new(trace);
  ol_events_writer_pull(writer, text);
  return text;
}

/* Pieces of `size` bytes; 0: of random sizes. */
static OlTrace *read_in_pieces(const GString *text, gsize size, gboolean replayed)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(OlEventsReader) reader = ol_events_reader_new(replayed);
  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  for (gsize at = 0; at < text->len;) {
    gsize wanted = size ? size : (gsize)g_rand_int_range(random, 0, 300);
    gsize piece = MIN(wanted, text->len - at);
    ol_events_reader_feed(reader, text->str + at, piece, &error);
    ck_assert_msg(!error, "%s", error ? error->message : "");
    at += piece;
  }
  ol_events_reader_finish(reader, &error);
  ck_assert_msg(!error, "%s", error ? error->message : "");
  return ol_trace_ref(ol_events_reader_get_trace(reader));
}

static void comes_back_equal(const OlTrace *trace)
{
  GString *text = write_all(trace);
  static const gsize sizes[] = {1, 7, 0, 1 << 20};
  for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
    g_autoptr(OlTrace) read = read_in_pieces(text, sizes[i], i % 2);
    traces_are_equal(trace, read);
    ck_assert_int_eq(read->replayed, i % 2);
    GString *again = write_all(read);
    ck_assert_str_eq(text->str, again->str);
    g_string_free(again, TRUE);
  }
  g_string_free(text, TRUE);
}

START_TEST(samples_come_back_equal)
{
  for (guint ranks = 1; ranks <= 3; ranks++)
    for (guint outcome = 0; outcome < OL_N_OUTCOMES; outcome++) {
      SampleOptions options = {.ranks = ranks,
                               .outcome = outcome,
                               .serial = outcome % 2,
                               .source = ranks % 2 ? OL_SOURCE_SIMULATED : OL_SOURCE_MEASURED};
      g_autoptr(OlTrace) trace = sample_trace_new(&options);
      comes_back_equal(trace);
    }
}
END_TEST

/* Texts that need escapes, numbers that need every digit, fields that are unknown. */
static OlTrace *new_odd(void)
{
  OlGraph *graph = ol_graph_new(2);
  ol_graph_add_unit(graph, "a \"quoted\" \\ name\n\tof µ 𝛼 \x01\x7f", 12345678901234);
  OlGraphNode node = {.rank = 1,
                      .lane = OL_LANE_PEER,
                      .op = OL_OP_CAST,
                      .part = OL_PART_HASH,
                      .payload = OL_PAYLOAD_STAGING,
                      .unit = OL_NONE,
                      .micro_batch = 3,
                      .bytes = G_GUINT64_CONSTANT(1) << 50,
                      .flops = NAN};
  OlWait later = {1, 1};
  ol_graph_add_node(graph, &node, &later, 1, NULL, 0, NULL, 0);
  node.flops = 1e300;
  ol_graph_add_node(graph, &node, NULL, 0, NULL, 0, NULL, 0);
  OlTrace *trace = hand_trace(graph);
  trace->header.config = g_strdup("{\"name\":\"two  words \\\" {\",\"x\":[1,null,true]}");
  trace->header.mu = 1706.6666666666667;
  trace->header.kappa = 0.1;
  hand_span(trace, 1, -1, -5, 9, 0);
  hand_step(trace, 3, 0, 10, 1.0 / 3);
  hand_step(trace, 7, 10, 20, NAN);
  hand_step(trace, 8, 20, 30, 4.9406564584124654e-324);
  hand_step(trace, 9, 30, 40, -0.0);
  trace->touched = TRUE;
  ol_trace_set_number(trace, "late", 0.1 + 0.2);
  ol_trace_set_number(trace, "odd \"path\"", -1.7976931348623157e308);
  ol_trace_set_text(trace, "nvme.path", "buffered: no O_DIRECT on \"tmpfs\"");
  ol_trace_end(trace, OL_OUTCOME_FAILED, "a\nb", "who | what\n");
  return trace;
}

START_TEST(odd_things_come_back_equal)
{
  static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8"};
  for (guint i = 0; i < G_N_ELEMENTS(locales); i++) {
    setlocale(LC_ALL, locales[i]);
    g_autoptr(OlTrace) trace = new_odd();
    comes_back_equal(trace);
  }
}
END_TEST

/* Random doubles of every size, through the loss. */
START_TEST(doubles_come_back_to_the_last_bit)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(1);
  OlGraph *graph = ol_graph_new(1);
  g_autoptr(OlTrace) trace = hand_trace(graph);
  for (guint i = 0; i < 20000; i++) {
    union {
      guint32 halves[2];
      double value;
    } bits = {{g_rand_int(random), g_rand_int(random)}};
    double plain = g_rand_int_range(random, -100000, 100000) / 1000.0;
    hand_step(trace, i, i, i, i % 2 ? plain : isfinite(bits.value) ? bits.value : 0);
  }
  ol_trace_end(trace, OL_OUTCOME_DONE, NULL, NULL);
  GString *text = write_all(trace);
  g_autoptr(OlTrace) read = read_in_pieces(text, 1 << 20, FALSE);
  traces_are_equal(trace, read);
  g_string_free(text, TRUE);
}
END_TEST

/* What most nodes leave out. */
START_TEST(rare_keys_of_nodes_come_back)
{
  OlGraph *graph = ol_graph_new(2);
  ol_graph_add_unit(graph, "block 0", 1);
  for (guint rank = 0; rank < 2; rank++) {
    guint id = hand_node(graph, rank, OL_LANE_PEER, OL_OP_ALL_REDUCE, AT_ONCE);
    OlGraphNode *node = &g_array_index(graph->nodes, OlGraphNode, id);
    node->piece = OL_PIECE_MLP;
    node->group = OL_GROUP_TENSOR;
    node->meeting = 3;
    node->steps = OL_STEPS_ODD;
    node->steps_behind = 1;
  }
  g_autoptr(OlTrace) trace = hand_trace(graph);
  ol_trace_end(trace, OL_OUTCOME_DONE, NULL, NULL);
  comes_back_equal(trace);
}
END_TEST

START_TEST(a_config_is_kept_on_one_line)
{
  OlGraph *graph = ol_graph_new(1);
  g_autoptr(OlTrace) trace = hand_trace(graph);
  trace->header.config = g_strdup("{\n  \"name\": \"a b\",\n  \"steps\": 3\n}\n");
  ol_trace_end(trace, OL_OUTCOME_DONE, NULL, NULL);
  GString *text = write_all(trace);
  g_autoptr(OlTrace) read = read_in_pieces(text, 1 << 20, FALSE);
  ck_assert_str_eq(read->header.config, "{\"name\":\"a b\",\"steps\":3}");
  g_string_free(text, TRUE);
}
END_TEST

/* Pulled while it grows, a trace gives the same lines as the whole, and every line is JSON. */
START_TEST(pulled_as_it_grows)
{
  g_autoptr(OlTrace) whole = sample_trace_new(NULL);
  g_autoptr(OlTrace) growing = sample_trace_until(whole, -1);
  g_autoptr(OlEventsWriter) writer = ol_events_writer_new(growing);
  g_autoptr(OlEventsReader) reader = ol_events_reader_new(FALSE);
  g_autoptr(GString) text = g_string_new(NULL);
  guint changes = 0;
  for (guint i = 0; i < whole->spans->len; i++) {
    g_array_append_vals(growing->spans, ol_trace_span(whole, i), 1);
    for (; changes < whole->changes->len &&
           ol_trace_change(whole, changes)->time_ns <= ol_trace_span(whole, i)->end_ns;
         changes++)
      g_array_append_vals(growing->changes, ol_trace_change(whole, changes), 1);
    g_string_truncate(text, 0);
    ol_events_writer_pull(writer, text);
    ck_assert(ol_events_reader_feed(reader, text->str, text->len, NULL));
    OlTrace *read = ol_events_reader_get_trace(reader);
    ck_assert_uint_eq(read->spans->len, i + 1);
    ck_assert_uint_eq(read->changes->len, changes);
  }
  ck_assert(!ol_events_reader_finish(reader, NULL));
}
END_TEST

START_TEST(every_line_is_json)
{
  g_autoptr(OlTrace) trace = new_odd();
  GString *text = write_all(trace);
  g_auto(GStrv) lines = g_strsplit(text->str, "\n", -1);
  guint n = g_strv_length(lines);
  ck_assert_str_eq(lines[n - 1], "");
  for (guint i = 0; i + 1 < n; i++) {
    g_autoptr(JsonParser) parser = json_parser_new();
    g_autoptr(GError) error = NULL;
    json_parser_load_from_data(parser, lines[i], -1, &error);
    ck_assert_msg(!error, "%s: %s", lines[i], error ? error->message : "");
    ck_assert(g_str_has_prefix(lines[i], "{\"type\":\""));
  }
  ck_assert(g_str_has_prefix(lines[0], "{\"type\":\"run\",\"format\":1,"));
  ck_assert(g_str_has_prefix(lines[n - 2], "{\"type\":\"summary\",\"metrics\":{"));
  g_string_free(text, TRUE);
}
END_TEST

/* A replayed file says the same in every metric. */
START_TEST(metrics_survive_a_file)
{
  g_autofree char *folder = g_dir_make_tmp("ol-trace-XXXXXX", NULL);
  g_autofree char *path = g_build_filename(folder, "run.events", NULL);
  g_autoptr(OlTrace) trace = sample_trace_new(&(SampleOptions){.ranks = 2});
  ol_trace_set_number(trace, "step.seconds_there", 0.7123456789);
  g_autoptr(GError) error = NULL;
  ck_assert(ol_events_write_file(trace, path, &error));
  g_autoptr(OlTrace) read = ol_events_read_file(path, &error);
  ck_assert_msg(!error, "%s", error ? error->message : "");
  ck_assert(read->replayed);
  traces_are_equal(trace, read);
  g_autoptr(OlMetrics) a = ol_metrics_new(trace);
  g_autoptr(OlMetrics) b = ol_metrics_new(read);
  g_autofree char *json_a = ol_metrics_dup_json(a), *json_b = ol_metrics_dup_json(b);
  ck_assert_str_eq(json_a, json_b);
  g_unlink(path);
  g_rmdir(folder);
}
END_TEST

START_TEST(chrome_file_is_json_with_every_span)
{
  g_autofree char *folder = g_dir_make_tmp("ol-trace-XXXXXX", NULL);
  g_autofree char *path = g_build_filename(folder, "trace.json", NULL);
  g_autoptr(OlTrace) trace = sample_trace_new(&(SampleOptions){.ranks = 2});
  g_autoptr(JsonParser) parser = json_parser_new();
  g_autoptr(GError) error = NULL;
  ck_assert(ol_chrome_write_file(trace, path, &error));
  json_parser_load_from_file(parser, path, &error);
  ck_assert_msg(!error, "%s", error ? error->message : "");
  JsonArray *events = json_object_get_array_member(
      json_node_get_object(json_parser_get_root(parser)), "traceEvents");
  guint complete = 0, counters = 0;
  double compute_us = 0;
  for (guint i = 0; i < json_array_get_length(events); i++) {
    JsonObject *event = json_array_get_object_element(events, i);
    const char *phase = json_object_get_string_member(event, "ph");
    counters += phase[0] == 'C';
    complete += phase[0] == 'X';
    if (phase[0] == 'X' && json_object_get_int_member(event, "pid") == 2 &&
        json_object_get_int_member(event, "tid") == OL_LANE_COMPUTE)
      compute_us += json_object_get_double_member(event, "dur");
  }
  gint64 compute_ns = 0;
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    const OlGraphNode *node = ol_graph_node(trace->graph, span->node);
    if (node->rank == 1 && node->lane == OL_LANE_COMPUTE)
      compute_ns += span->end_ns - span->begin_ns;
  }
  ck_assert_uint_eq(complete, trace->spans->len);
  ck_assert_uint_eq(counters, trace->changes->len);
  ck_assert_double_eq_tol(compute_us, compute_ns / 1e3, 1e-6 * compute_us);
  g_unlink(path);
  g_rmdir(folder);
}
END_TEST

/* Full disks and missing folders are named, and leave nothing behind. */
START_TEST(files_that_cannot_be)
{
  g_autoptr(OlTrace) trace = sample_trace_new(NULL);
  g_autoptr(GError) error = NULL;
  ck_assert(!ol_events_write_file(trace, "/no/such/folder/run.events", &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_STORAGE));
  ck_assert_ptr_nonnull(strstr(error->message, "/no/such/folder/run.events"));
  g_clear_error(&error);
  if (g_file_test("/dev/full", G_FILE_TEST_EXISTS)) {
    ck_assert(!ol_events_write_file(trace, "/dev/full", &error));
    ck_assert_ptr_nonnull(strstr(error->message, g_strerror(ENOSPC)));
    g_clear_error(&error);
    ck_assert(!ol_chrome_write_file(trace, "/dev/full", &error));
    g_clear_error(&error);
    ck_assert(g_file_test("/dev/full", G_FILE_TEST_EXISTS));
  }
  ck_assert_ptr_null(ol_events_read_file("/no/such/run.events", &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  g_clear_error(&error);
  ck_assert_ptr_null(ol_events_read_file("/", &error));
  ck_assert_ptr_nonnull(error);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("events");
  TCase *tests = tcase_create("events");
  tcase_set_timeout(tests, 30);
  tcase_add_test(tests, samples_come_back_equal);
  tcase_add_test(tests, odd_things_come_back_equal);
  tcase_add_test(tests, doubles_come_back_to_the_last_bit);
  tcase_add_test(tests, rare_keys_of_nodes_come_back);
  tcase_add_test(tests, a_config_is_kept_on_one_line);
  tcase_add_test(tests, pulled_as_it_grows);
  tcase_add_test(tests, every_line_is_json);
  tcase_add_test(tests, metrics_survive_a_file);
  tcase_add_test(tests, chrome_file_is_json_with_every_span);
  tcase_add_test(tests, files_that_cannot_be);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
