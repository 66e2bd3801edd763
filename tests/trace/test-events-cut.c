/* A small events file cut off after every one of its bytes: it opens as far as it goes, which is to
 * the last whole line, and the line that it says is the one that counting line feeds gives. And
 * files whose reading and writing somebody ends. */
#include "engine/base/error.h"
#include "engine/trace/chrome.h"
#include "engine/trace/events.h"
#include "tests/suite.h"
#include "tests/trace/compare-traces.h"
#include "tests/trace/hand-trace.h"
#include "tests/trace/sample-trace.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct {
  char *folder, *path, *text;
  gsize length;
} Fixture;

static void fixture_init(Fixture *fixture, const OlTrace *trace)
{
  fixture->folder = g_dir_make_tmp("ol-cut-XXXXXX", NULL);
  fixture->path = g_build_filename(fixture->folder, "cut.jsonl", NULL);
  ck_assert(ol_events_write_file(trace, fixture->path, NULL));
  ck_assert(g_file_get_contents(fixture->path, &fixture->text, &fixture->length, NULL));
}

static void fixture_clear(Fixture *fixture)
{
  g_unlink(fixture->path);
  ck_assert_int_eq(g_rmdir(fixture->folder), 0); /* nothing else was left in it */
  g_free(fixture->folder);
  g_free(fixture->path);
  g_free(fixture->text);
}

/* How many lines of `type` are whole within the first `cut` bytes. A last line that lacks only its
 * line feed is whole. */
static guint count_lines(const Fixture *fixture, gsize cut, const char *type)
{
  g_autofree char *begin = g_strdup_printf("{\"type\":\"%s\"", type);
  guint n = 0;
  for (const char *line = fixture->text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
    n += (gsize)(end - fixture->text) <= cut && g_str_has_prefix(line, begin);
  return n;
}

/* The number of the line that the cut is in, or that it follows. */
static char *dup_place(const Fixture *fixture, gsize cut)
{
  guint line = 0;
  for (gsize i = 0; i < cut; i++)
    line += fixture->text[i] == '\n';
  gboolean at_end = fixture->text[cut - 1] == '\n';
  if (at_end || fixture->text[cut] == '\n')
    return g_strdup_printf("cut off after line %u", line + !at_end);
  return g_strdup_printf("line %u: the stream is cut off in this line", line + 1);
}

static void check_cut(const Fixture *fixture, gsize cut)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *place = dup_place(fixture, cut);
  g_autoptr(OlEventsReader) reader = ol_events_reader_new(TRUE);
  ck_assert(ol_events_reader_feed(reader, fixture->text, cut, NULL));
  ol_events_reader_finish(reader, &error);
  const OlTrace *trace = ol_events_reader_get_trace(reader);
  ck_assert_msg(error != NULL, "nothing is said of a cut after %zu bytes", cut);
  ck_assert_msg(g_str_has_suffix(error->message, place), "%zu bytes: \"%s\" does not say \"%s\"",
                cut, error->message, place);
  ck_assert(trace != NULL || count_lines(fixture, cut, "span") == 0);
  if (trace == NULL)
    return;
  ck_assert(trace->replayed);
  ck_assert_uint_eq(trace->graph->nodes->len, count_lines(fixture, cut, "node"));
  ck_assert_uint_eq(trace->spans->len, count_lines(fixture, cut, "span"));
  ck_assert_uint_eq(trace->changes->len, count_lines(fixture, cut, "memory"));
  ck_assert_uint_eq(trace->steps->len, count_lines(fixture, cut, "step"));
  ck_assert_int_eq(trace->ended, count_lines(fixture, cut, "outcome") > 0);
}

START_TEST(every_length_opens_as_far_as_it_goes)
{
  g_autoptr(OlTrace) whole = hand_loop();
  hand_play_loop(whole);
  ol_trace_end(whole, OL_OUTCOME_DONE, NULL, NULL);
  Fixture fixture;
  fixture_init(&fixture, whole);
  ck_assert_uint_gt(count_lines(&fixture, fixture.length, "span"), 5);
  for (gsize cut = 1; cut + 1 < fixture.length; cut++)
    check_cut(&fixture, cut);
  /* A file says so too, and which one it is. */
  g_autoptr(GError) error = NULL;
  ck_assert(g_file_set_contents(fixture.path, fixture.text, (gssize)fixture.length / 2, NULL));
  g_autoptr(OlTrace) half = ol_events_read_file(fixture.path, &error);
  g_autofree char *place = dup_place(&fixture, fixture.length / 2);
  ck_assert(g_str_has_prefix(error->message, fixture.path));
  ck_assert(g_str_has_suffix(error->message, place));
  fixture_clear(&fixture);
}
END_TEST

static gboolean stop_at_once(double share, gpointer data)
{
  *(guint *)data += 1;
  return FALSE;
}

/* Enough spans for several pieces. */
START_TEST(stopped_work_leaves_nothing)
{
  g_autoptr(OlTrace) trace = sample_trace_new(&(SampleOptions){.steps = 300});
  Fixture fixture;
  fixture_init(&fixture, trace);
  ck_assert_uint_gt(fixture.length, 1 << 20);
  guint asked = 0;
  const OlWatch watch = {stop_at_once, &asked};
  g_autoptr(GError) error = NULL;
  ck_assert_ptr_null(ol_events_read_file_watched(fixture.path, &watch, &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_STOPPED));
  g_clear_error(&error);
  ck_assert(!ol_events_write_file_watched(trace, fixture.path, &watch, &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_STOPPED));
  g_clear_error(&error);
  ck_assert(!ol_chrome_write_file_watched(trace, fixture.path, &watch, &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_STOPPED));
  ck_assert_uint_eq(asked, 3);
  g_autoptr(OlTrace) still = ol_events_read_file(fixture.path, NULL);
  traces_are_equal(trace, still); /* the old file */
  fixture_clear(&fixture);
}
END_TEST

static gboolean only_rises(double share, gpointer data)
{
  double *last = data;
  ck_assert_double_ge(share, *last);
  ck_assert_double_le(share, 1);
  *last = share;
  return TRUE;
}

START_TEST(who_looks_on_sees_it_come_to_its_end)
{
  g_autoptr(OlTrace) trace = sample_trace_new(&(SampleOptions){.steps = 300});
  Fixture fixture;
  fixture_init(&fixture, trace);
  double share = 0;
  const OlWatch watch = {only_rises, &share};
  g_autoptr(OlTrace) read = ol_events_read_file_watched(fixture.path, &watch, NULL);
  ck_assert_double_eq(share, 1);
  share = 0;
  ck_assert(ol_events_write_file_watched(read, fixture.path, &watch, NULL));
  ck_assert_double_eq(share, 1);
  g_autoptr(OlTrace) again = ol_events_read_file(fixture.path, NULL);
  traces_are_equal(trace, again);
  fixture_clear(&fixture);
}
END_TEST

/* A copy has what its trace had then, and no more when that goes on. */
START_TEST(a_copy_keeps_to_its_moment)
{
  g_autoptr(OlTrace) whole = sample_trace_new(NULL);
  g_autoptr(OlTrace) copy = ol_trace_dup_so_far(whole);
  traces_are_equal(whole, copy);
  g_autoptr(OlTrace) growing = sample_trace_new(&(SampleOptions){.growing = TRUE});
  guint spans = growing->spans->len;
  g_autoptr(OlTrace) until = ol_trace_dup_so_far(growing);
  g_array_append_val(growing->spans, g_array_index(growing->spans, OlSpan, 0));
  ol_trace_end(growing, OL_OUTCOME_STOPPED, "stopped", NULL);
  ck_assert_uint_eq(until->spans->len, spans);
  ck_assert(!until->ended);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("events-cut");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, every_length_opens_as_far_as_it_goes);
  tcase_add_test(tests, stopped_work_leaves_nothing);
  tcase_add_test(tests, who_looks_on_sees_it_come_to_its_end);
  tcase_add_test(tests, a_copy_keeps_to_its_moment);
  return run_suite("events-cut", tests);
}
