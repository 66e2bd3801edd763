/* Streams that nobody should write: a clear error that names the line, never a crash. */
#include "engine/base/error.h"
#include "engine/trace/events.h"
#include "engine/trace/metrics.h"
#include "tests/trace/sample-trace.h"

#include <check.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN  "{\"type\":\"run\",\"format\":1,\"source\":\"measured\",\"ranks\":1}\n"
#define UNIT "{\"type\":\"unit\",\"id\":0,\"name\":\"embed\",\"parameters\":10}\n"
#define BUFFER                                                                                     \
  "{\"type\":\"buffer\",\"id\":0,\"rank\":0,\"tier\":\"gpu\",\"payload\":\"weights\","             \
  "\"bytes\":20,\"kind\":\"home\"}\n"
#define NODE_REST                                                                                  \
  "\"rank\":0,\"lane\":\"compute\",\"op\":\"forward\",\"payload\":\"weights\",\"bytes\":0"
#define NODE    "{\"type\":\"node\",\"id\":0," NODE_REST ",\"unit\":0}\n"
#define MEMORY  "{\"type\":\"memory\",\"time_ns\":0,\"buffer\":0,\"bytes\":20}\n"
#define SPAN    "{\"type\":\"span\",\"node\":0,\"step\":0,\"begin_ns\":0,\"end_ns\":5,\"bytes\":0}\n"
#define STEP    "{\"type\":\"step\",\"step\":0,\"begin_ns\":0,\"end_ns\":5,\"loss\":1.5}\n"
#define OUTCOME "{\"type\":\"outcome\",\"outcome\":\"done\"}\n"
#define SUMMARY "{\"type\":\"summary\",\"metrics\":{\"step.seconds\":-99}}\n"
#define PLAN    RUN UNIT BUFFER NODE
#define WHOLE   PLAN MEMORY SPAN STEP OUTCOME SUMMARY

static GError *read_text(const char *text, gssize length, OlTrace **trace)
{
  GError *error = NULL;
  g_autoptr(OlEventsReader) reader = ol_events_reader_new(TRUE);
  if (ol_events_reader_feed(reader, text, length < 0 ? strlen(text) : (gsize)length, &error))
    ol_events_reader_finish(reader, &error);
  if (trace) {
    OlTrace *read = ol_events_reader_get_trace(reader);
    *trace = read ? ol_trace_ref(read) : NULL;
  }
  return error;
}

static void is_refused(const char *text, gssize length, const char *said)
{
  g_autoptr(GError) error = read_text(text, length, NULL);
  ck_assert_msg(error != NULL, "read without complaint: %.300s", text);
  ck_assert_msg(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT), "%s", error->message);
  ck_assert_msg(strstr(error->message, said), "\"%s\" does not say \"%s\"", error->message, said);
}

static void is_accepted(const char *text)
{
  g_autoptr(GError) error = read_text(text, -1, NULL);
  ck_assert_msg(!error, "%s", error ? error->message : "");
}

START_TEST(what_is_fine)
{
  is_accepted(WHOLE);
  is_accepted(PLAN OUTCOME SUMMARY);
  /* Unknown types, unknown keys, null, white space, CR LF, no newline at the end. */
  is_accepted(RUN "{\"type\":\"weather\",\"sky\":[{\"blue\":true}]}\n" UNIT
                  "\n  \r\n" BUFFER NODE OUTCOME SUMMARY);
  is_accepted(" { \"type\" : \"run\" , \"format\" : 1 , \"source\" : \"simulated\" , \"mu\" : null,"
              " \"new\" : {\"a\":[1,2,{\"b\":null}]} } \r\n" OUTCOME "{\"type\":\"summary\"}");
}
END_TEST

/* The summary is recomputed, never believed. */
START_TEST(the_summary_is_not_believed)
{
  g_autoptr(OlTrace) trace = NULL;
  double seconds;
  ck_assert_ptr_null(read_text(WHOLE, -1, &trace));
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  ck_assert(ol_metrics_get_number(metrics, "step.seconds", &seconds));
  ck_assert_double_eq(seconds, 5e-9);
}
END_TEST

static const struct {
  const char *text, *said;
} refused[] = {
    {"", "empty"},
    {"\n\n", "empty"},
    {"hello\n", "line 1: an object is expected"},
    {"[1]\n", "line 1: an object is expected"},
    {"{}\n", "line 1: \"type\" must come first"},
    {"{\"id\":1}\n", "\"type\" must come first"},
    {"{\"type\":3}\n", "line 1: \"type\""},
    {UNIT, "line 1: unit: the first line must be of type \"run\""},
    {"{\"type\":\"weather\"}\n", "line 1: the first line must be of type \"run\""},
    {"{\"type\":\"run\",\"format\":2,\"source\":\"imagined\"}\n", "format 2 is newer"},
    {"{\"type\":\"run\",\"format\":0,\"source\":\"measured\"}\n", "\"format\""},
    {"{\"type\":\"run\",\"source\":\"measured\"}\n", "\"format\": is missing"},
    {"{\"type\":\"run\",\"format\":1}\n", "\"source\": is missing"},
    {"{\"type\":\"run\",\"format\":1,\"source\":\"guessed\"}\n", "\"source\": an unknown word"},
    {"{\"type\":\"run\",\"format\":1,\"source\":\"measured\",\"ranks\":0}\n", "\"ranks\""},
    {"{\"type\":\"run\",\"format\":1,\"source\":\"measured\",\"ranks\":9999999}\n", "\"ranks\""},
    {"{\"type\":\"run\",\"format\":1,\"source\":\"measured\",\"capacities\":[[1,2,3,4]]}\n",
     "\"capacities\": too many tiers"},
    {"{\"type\":\"run\",\"format\":1,\"source\":\"measured\",\"capacities\":[7]}\n",
     "\"capacities\": a list is expected"},
    {"{\"type\":\"run\",\"format\":1,\"source\":\"measured\",\"mu\":1e999}\n",
     "\"mu\": a number is out of range"},
    {RUN RUN, "line 2: run: the stream has begun already"},
    {RUN UNIT UNIT, "line 3: unit: id 0 is there twice"},
    {RUN "{\"type\":\"unit\",\"id\":1,\"name\":\"x\",\"parameters\":1}\n", "out of order"},
    {RUN "{\"type\":\"unit\",\"id\":0,\"name\":\"x\"}\n", "\"parameters\": is missing"},
    {RUN "{\"type\":\"unit\",\"id\":0,\"id\":0,\"name\":\"x\",\"parameters\":1}\n",
     "\"id\": is there twice"},
    {RUN "{\"type\":\"unit\",\"id\":0,\"name\":\"x\",\"parameters\":-1}\n", "out of range"},
    {RUN "{\"type\":\"unit\",\"id\":0,\"name\":\"x\",\"parameters\":1e3}\n", "whole number"},
    {RUN "{\"type\":\"unit\",\"id\":0,\"name\":\"x\",\"parameters\":99999999999999999999}\n",
     "out of range"},
    {RUN "{\"type\":\"unit\",\"id\":00,\"name\":\"x\",\"parameters\":1}\n", "needless 0"},
    {RUN "{\"type\":\"unit\",\"id\":0,\"name\":\"\\u0000\",\"parameters\":1}\n", "\\u escape"},
    {RUN "{\"type\":\"unit\",\"id\":0,\"name\":\"\\ud800\",\"parameters\":1}\n", "half"},
    {RUN "{\"type\":\"unit\",\"id\":0,\"name\":\"\\q\",\"parameters\":1}\n", "unknown escape"},
    {RUN "{\"type\":\"unit\",\"id\":0,\"name\":\"x\",\"parameters\":1} x\n", "follows"},
    {RUN "{\"type\":\"unit\",\"id\":0 \"name\":\"x\"}\n", "comma"},
    {RUN "{\"type\":\"unit\",\"id\" 0}\n", "colon"},
    {RUN "{\"type\":\"unit\",\"id\":0,}\n", "quotes"},
    {RUN "{\"type\":\"unit\",\"id\":0,\"name\":\"x\n", "line 2"},
    {RUN "{\"type\":\"buffer\",\"id\":0,\"rank\":1,\"tier\":\"gpu\",\"payload\":\"weights\","
         "\"bytes\":20,\"kind\":\"home\"}\n",
     "there is no rank 1 (there are 1)"},
    {RUN "{\"type\":\"buffer\",\"id\":0,\"rank\":0,\"tier\":\"tape\",\"payload\":\"weights\","
         "\"bytes\":20,\"kind\":\"home\"}\n",
     "\"tier\": an unknown word"},
    {RUN UNIT BUFFER "{\"type\":\"node\",\"id\":0," NODE_REST ",\"unit\":1}\n",
     "line 4: node: there is no unit 1"},
    {RUN "{\"type\":\"node\",\"id\":0," NODE_REST ",\"acquires\":[0]}\n", "there is no buffer 0"},
    {RUN "{\"type\":\"node\",\"id\":0," NODE_REST ",\"releases\":[-1]}\n", "\"releases\""},
    {RUN "{\"type\":\"node\",\"id\":0," NODE_REST ",\"waits\":[[0,0]]}\n",
     "node 0 waits for node 0, which does not come before it"},
    {RUN "{\"type\":\"node\",\"id\":0," NODE_REST ",\"waits\":[[5,0]]}\n", "does not come before"},
    {RUN "{\"type\":\"node\",\"id\":0," NODE_REST ",\"waits\":[[0,2]]}\n", "\"waits\""},
    {RUN "{\"type\":\"node\",\"id\":0," NODE_REST ",\"waits\":[[0]]}\n", "a wait is a pair"},
    {RUN "{\"type\":\"node\",\"id\":0," NODE_REST ",\"waits\":[[0,1,2]]}\n", "a wait is a pair"},
    {RUN "{\"type\":\"node\",\"id\":0," NODE_REST ",\"waits\":[[7,1]]}\n" OUTCOME,
     "line 2: node: it waits for node 7, which never comes"},
    {RUN "{\"type\":\"node\",\"id\":0,\"rank\":0,\"lane\":\"slow\"}\n",
     "\"lane\": an unknown word"},
    {PLAN MEMORY NODE, "line 6: node: the plan is complete already"},
    {PLAN "{\"type\":\"memory\",\"time_ns\":0,\"buffer\":1,\"bytes\":2}\n",
     "there is no buffer 1 (there are 1)"},
    {PLAN "{\"type\":\"memory\",\"time_ns\":0,\"buffer\":0,\"bytes\":1152921504606846976}\n",
     "add up to more"},
    {PLAN "{\"type\":\"memory\",\"time_ns\":99999999999999999,\"buffer\":0,\"bytes\":1}\n",
     "\"time_ns\": a number is out of range"},
    {PLAN "{\"type\":\"span\",\"node\":1,\"step\":0,\"begin_ns\":0,\"end_ns\":5,\"bytes\":0}\n",
     "line 5: span: there is no node 1"},
    {PLAN "{\"type\":\"span\",\"node\":0,\"step\":-2,\"begin_ns\":0,\"end_ns\":5,\"bytes\":0}\n",
     "\"step\""},
    {PLAN "{\"type\":\"span\",\"node\":0,\"step\":0,\"begin_ns\":6,\"end_ns\":5,\"bytes\":0}\n",
     "ends before it begins"},
    {PLAN "{\"type\":\"span\",\"node\":0,\"step\":0,\"begin_ns\":6}\n", "is missing"},
    {PLAN STEP STEP, "line 6: step: step 0 comes after a later one or is there twice"},
    {PLAN "{\"type\":\"outcome\",\"outcome\":\"glory\"}\n", "\"outcome\": an unknown word"},
    {PLAN "{\"type\":\"outcome\",\"outcome\":\"done\",\"facts\":[]}\n", "\"facts\""},
    {PLAN "{\"type\":\"outcome\",\"outcome\":\"done\",\"facts\":{\"late\":[]}}\n", "\"facts\""},
    {PLAN OUTCOME OUTCOME, "the run has ended already"},
    {PLAN OUTCOME SPAN, "the run has ended already"},
    {PLAN SUMMARY, "line 5: summary: the run has not ended yet"},
    {WHOLE UNIT, "line 10: something follows the summary"},
    {PLAN MEMORY, "cut off after line 5"},
    {PLAN OUTCOME, "cut off after line 5"},
    {PLAN "{\"type\":\"spa", "line 5: the stream is cut off in this line"},
    {RUN "{\"type\":\"unit\",\"id\":0,\"name\":\"\xff\xfe\",\"parameters\":1}\n", "UTF-8"},
};

START_TEST(what_is_refused)
{
  is_refused(refused[_i].text, -1, refused[_i].said);
}
END_TEST

START_TEST(a_nul_is_refused)
{
  static const char text[] = RUN "{\"type\":\"un\0it\"}\n";
  is_refused(text, sizeof text - 1, "line 2: it holds a NUL byte");
}
END_TEST

START_TEST(deep_nesting_is_refused)
{
  g_autoptr(GString) text = g_string_new(RUN "{\"type\":\"weather\",\"sky\":");
  for (guint i = 0; i < 1000000; i++)
    g_string_append_c(text, '[');
  g_string_append_c(text, '\n');
  is_refused(text->str, -1, "line 2: nested too deep");
}
END_TEST

/* A line without end is refused once it is too long, not gathered for ever. */
START_TEST(a_line_without_end_is_refused)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(OlEventsReader) reader = ol_events_reader_new(TRUE);
  g_autofree char *piece = g_malloc(1 << 20);
  memset(piece, 'x', 1 << 20);
  guint pieces = 0;
  while (pieces < 100 && ol_events_reader_feed(reader, piece, 1 << 20, &error))
    pieces++;
  ck_assert_uint_le(pieces, 32);
  ck_assert_ptr_nonnull(strstr(error->message, "line 1: longer than 32 MiB"));
  /* The error stays. */
  ck_assert(!ol_events_reader_feed(reader, "\n", 1, NULL));
  ck_assert(!ol_events_reader_finish(reader, NULL));
}
END_TEST

START_TEST(a_number_without_end_is_refused)
{
  g_autoptr(GString) text = g_string_new(RUN "{\"type\":\"unit\",\"id\":1");
  for (guint i = 0; i < 1000000; i++)
    g_string_append_c(text, '0');
  g_string_append(text, "}\n");
  is_refused(text->str, -1, "\"id\": a number has too many digits");
}
END_TEST

/* What was read before the damage stays. */
START_TEST(a_damaged_file_is_read_as_far_as_it_goes)
{
  g_autofree char *folder = g_dir_make_tmp("ol-trace-XXXXXX", NULL);
  g_autofree char *path = g_build_filename(folder, "cut.events", NULL);
  g_autoptr(OlTrace) whole = sample_trace_new(NULL);
  ck_assert(ol_events_write_file(whole, path, NULL));
  g_autofree char *text = NULL;
  gsize length;
  ck_assert(g_file_get_contents(path, &text, &length, NULL));
  guint seen = 0;
  /* Without its last line feed alone a file is whole. */
  for (gsize cut = 1; cut + 1 < length; cut += length / 50) {
    g_autoptr(GError) error = NULL;
    ck_assert(g_file_set_contents(path, text, cut, NULL));
    g_autoptr(OlTrace) part = ol_events_read_file(path, &error);
    ck_assert_ptr_nonnull(error);
    ck_assert_ptr_nonnull(strstr(error->message, "cut.events"));
    ck_assert_ptr_nonnull(strstr(error->message, "cut off"));
    if (part && part->spans->len > 0) {
      ck_assert_uint_ge(part->spans->len, seen);
      ck_assert(memcmp(part->spans->data, whole->spans->data, part->spans->len * sizeof(OlSpan)) ==
                0);
      seen = part->spans->len;
    }
  }
  ck_assert_uint_gt(seen, whole->spans->len / 2);
  g_unlink(path);
  g_rmdir(folder);
}
END_TEST

/* A byte, a stretch, a line or a number of the stream changed at random. */
static void mutate(GString *text, GRand *random)
{
  static const char *const words[] = {"-1", "0",  "1e308", "9223372036854775807", "null",
                                      "[]", "{}", "\"",    "4294967296",          "\n"};
  gsize at = g_rand_int_range(random, 0, text->len);
  gsize span = g_rand_int_range(random, 1, 40);
  span = MIN(span, text->len - at);
  switch (g_rand_int_range(random, 0, 5)) {
  case 0:
    text->str[at] = g_rand_int_range(random, 0, 256);
    break;
  case 1:
    g_string_erase(text, at, span);
    break;
  case 2:
    g_string_insert_len(text, g_rand_int_range(random, 0, text->len), text->str + at, span);
    break;
  case 3:
    g_string_insert(text, at, words[g_rand_int_range(random, 0, G_N_ELEMENTS(words))]);
    break;
  default:
    while (at < text->len && !g_ascii_isdigit(text->str[at]))
      at++;
    if (at < text->len)
      text->str[at] = '0' + g_rand_int_range(random, 0, 10);
  }
}

/* Whatever comes out of it can be measured and written again, and is then read without
 * complaint. */
static void survives(const GString *text)
{
  g_autoptr(OlTrace) trace = NULL;
  g_autoptr(GError) error = read_text(text->str, text->len, &trace);
  if (error)
    ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  if (!trace)
    return;
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  g_autoptr(GString) again = g_string_new(NULL);
  g_autoptr(OlEventsWriter) writer = ol_events_writer_new(trace);
  if (!trace->ended)
    ol_trace_end(trace, OL_OUTCOME_FAILED, "damaged", NULL);
  ol_events_writer_pull(writer, again);
  g_autoptr(GError) second = read_text(again->str, again->len, NULL);
  ck_assert_msg(!second, "%s", second ? second->message : "");
}

START_TEST(random_damage_never_crashes)
{
  g_autoptr(OlTrace) trace = sample_trace_new(&(SampleOptions){.steps = 2, .blocks = 1});
  g_autoptr(OlEventsWriter) writer = ol_events_writer_new(trace);
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GRand) random = g_rand_new_with_seed(20240531);
  ol_events_writer_pull(writer, text);
  for (guint i = 0; i < 4000; i++) {
    g_autoptr(GString) damaged = g_string_new_len(text->str, text->len);
    guint n = g_rand_int_range(random, 1, 4);
    for (guint k = 0; k < n; k++)
      mutate(damaged, random);
    survives(damaged);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("events-hostile");
  TCase *tests = tcase_create("hostile");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, what_is_fine);
  tcase_add_test(tests, the_summary_is_not_believed);
  tcase_add_loop_test(tests, what_is_refused, 0, G_N_ELEMENTS(refused));
  tcase_add_test(tests, a_nul_is_refused);
  tcase_add_test(tests, deep_nesting_is_refused);
  tcase_add_test(tests, a_line_without_end_is_refused);
  tcase_add_test(tests, a_number_without_end_is_refused);
  tcase_add_test(tests, a_damaged_file_is_read_as_far_as_it_goes);
  tcase_add_test(tests, random_damage_never_crashes);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
